/**
 * Record of accesses: who opened, downloaded, shared or changed which file. It is no part of the database, so that a
 * read is no commit: lines of JSON in files of one day, in a folder of the store.  [disk]
 */
import {
  closeSync,
  existsSync,
  ftruncateSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorReason } from '../../errors.ts'

export type AccessAction = 'open' | 'download' | 'share' | 'change'

export interface Access {
  readonly action: AccessAction
  /** Operation, such as `files.get`. */
  readonly method: string
  /** Id of the file or folder. */
  readonly file: string
  /** Key of the user, or of the link that the caller came by; 0 for other callers without an account. */
  readonly user: number
  /** Key of the program; 0 for a caller without an account. */
  readonly client: number
  /** First characters of the token's digest, which open nothing. */
  readonly token?: string | undefined
  /** Link that opened the file to a caller without an account. */
  readonly link?: string | undefined
}

export interface RecordedAccess extends Access {
  /** ms since 1970 */
  readonly at: number
  /** Equal accesses within `HOLD_MS` are one line. */
  readonly times: number
}

export interface AccessSearch {
  readonly file?: string | undefined
  /** Key of a user. */
  readonly user?: number | undefined
}

export interface AccessPage {
  /** Newest first. */
  readonly items: readonly RecordedAccess[]
  /** Position at which the next page begins; undefined on the last page. */
  readonly next: string | undefined
  /** Lines of the files read for this page that cannot be read. */
  readonly damaged: number
  /** Accesses that were not written, because the disk was full or failed. */
  readonly lost: number
}

export interface AccessRecord {
  /** `link` is called only for the first of equal accesses. */
  note(access: Omit<Access, 'link'>, link?: () => string | undefined): void
  /** `until`, in ms of this process, ends a long search early: its page has a `next`. @throws {RangeError} no such position */
  page(search: AccessSearch, most: number, before?: string, until?: number): Promise<AccessPage>
  close(): void
}

/** Longest time that an access is only in memory, while further accesses come or the process is idle. */
const HOLD_MS = 1000
/** Most different accesses in memory. */
const MAX_HELD = 1000
/** Most that are kept in memory while the disk refuses them. */
const MAX_HELD_FAILED = 50_000
/** A file is read as a whole, so it is short. */
const FILE_BYTES = 4 * 1024 * 1024
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

interface RecordOptions {
  /** Days that the record is kept; 0 records nothing. */
  readonly days: () => number
  readonly warn: (text: string) => void
  readonly now?: () => number
  readonly fileBytes?: number
}

/** `folder` is made when the first access is written. */
export function openAccessRecord(folder: string, options: RecordOptions): AccessRecord {
  const { days, warn, now = Date.now, fileBytes = FILE_BYTES } = options
  const files = openFiles(folder, fileBytes)
  const held = holdAccesses(files, { days, warn, now, fileBytes })
  let reading: Promise<unknown> = Promise.resolve()
  const hourly = setInterval(() => {
    try {
      files.remove(oldest(now(), days()))
    } catch (error) {
      warn(`old entries of the access record cannot be removed from ${folder}: ${errorReason(error)}`)
    }
  }, HOUR_MS).unref()
  return {
    note: (access, link) => held.note(access, link),
    async page(search, most, before, until = Infinity) {
      const lost = held.flush()
      // one search at a time: each reads whole files
      const found = reading.then(() =>
        searchFiles(folder, oldest(now(), days()), { search, most, before, until }),
      )
      reading = found.catch(() => undefined)
      const page = await found
      return { ...page, lost: page.lost + lost }
    },
    close() {
      held.flush()
      clearInterval(hourly)
      files.close()
    },
  }
}

interface HeldAccesses extends Pick<AccessRecord, 'note'> {
  /** @returns the number of accesses that were lost and are not yet recorded as such */
  flush(): number
}

/** Joins equal accesses, and writes all together. */
function holdAccesses(files: RecordFiles, { days, warn, now }: Required<RecordOptions>): HeldAccesses {
  const held = new Map<string, { -readonly [Name in keyof RecordedAccess]: RecordedAccess[Name] }>()
  let [since, lost, isFailing] = [0, 0, false]
  let timer: NodeJS.Timeout | undefined
  const arm = () => (timer ??= setTimeout(flush, HOLD_MS).unref())
  const write = () => {
    const lines = [...held.values()].map((access) => `${JSON.stringify(access)}\n`)
    if (lost > 0) lines.push(`${JSON.stringify({ at: now(), lost })}\n`)
    try {
      if (days() > 0) files.write(dayOf(since), lines.join(''), oldest(now(), days()))
      held.clear()
      ;[lost, isFailing] = [0, false]
    } catch (error) {
      if (!isFailing) warn(`the access record cannot be written to ${files.folder}: ${errorReason(error)}`)
      isFailing = true
      arm()
    }
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (held.size > 0) write()
    return lost
  }
  return {
    flush,
    note({ action, method, file, user, client, token }, link) {
      const at = now()
      // a busy process may run the timer late
      if (held.size > 0 && (at - since >= HOLD_MS || held.size >= MAX_HELD) && !isFailing) flush()
      const key = `${action} ${method} ${file} ${user} ${client} ${token ?? ''}`
      const same = held.get(key)
      if (same !== undefined) return void (same.times += 1)
      if (held.size >= MAX_HELD_FAILED) return void (lost += 1)
      if (held.size === 0) since = at
      held.set(key, { at, action, method, file, user, client, token, link: link?.(), times: 1 })
      arm()
    },
  }
}

interface RecordFiles {
  readonly folder: string
  /** Appends all or nothing to the day's file. With a new file, removes those whose names come before `first`. */
  write(day: string, lines: string, first: string): void
  remove(first: string): void
  close(): void
}

interface OpenFile {
  readonly name: string
  readonly fd: number
  size: number
}

function openFiles(folder: string, fileBytes: number): RecordFiles {
  let file: OpenFile | undefined
  const close = () => {
    if (file !== undefined) closeSync(file.fd)
    file = undefined
  }
  const remove = (first: string) => {
    for (const name of filesIn(folder)) if (name < first) unlinkSync(join(folder, name))
  }
  return {
    folder,
    write(day, lines, first) {
      if (file === undefined || !file.name.startsWith(day) || file.size >= fileBytes) {
        close()
        file = openLast(folder, day, fileBytes)
        remove(first)
      }
      append(file, Buffer.from(lines))
    },
    remove,
    close,
  }
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Name with which the first file to be kept begins. */
function oldest(now: number, days: number): string {
  return dayOf(now - days * DAY_MS)
}

const NAME = /^\d{4}-\d\d-\d\d\.\d{6}\.jsonl$/

/** Names of the record's files, in order. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()
}

/** Opens the day's last file, or the next one where it is full. */
function openLast(folder: string, day: string, fileBytes: number): OpenFile {
  mkdirSync(folder, { mode: 0o700, recursive: true })
  const last = filesIn(folder).findLast((name) => name.startsWith(day))
  const number = last === undefined ? 0 : Number(last.slice(day.length + 1, -'.jsonl'.length))
  const name = (at: number) => `${day}.${String(at).padStart(6, '0')}.jsonl`
  const found = openFile(folder, name(number))
  if (found.size < fileBytes) return found
  closeSync(found.fd)
  return openFile(folder, name(number + 1))
}

function openFile(folder: string, name: string): OpenFile {
  const fd = openSync(join(folder, name), 'a+', 0o600)
  const file = { name, fd, size: fstatSync(fd).size }
  // a line that a power failure cut must not take the next one along
  if (file.size > 0 && !endsLine(file)) append(file, Buffer.from('\n'))
  return file
}

function endsLine({ fd, size }: OpenFile): boolean {
  const last = Buffer.alloc(1)
  readSync(fd, last, 0, 1, size - 1)
  return last[0] === 10
}

/** Writes all bytes or none. */
function append(file: OpenFile, bytes: Buffer): void {
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(file.fd, bytes, written)
  } catch (error) {
    ftruncateSync(file.fd, file.size)
    throw error
  }
  file.size += bytes.length
}

interface Searching {
  readonly search: AccessSearch
  readonly most: number
  readonly before: string | undefined
  readonly until: number
}

/** A position: a file, and a number of its lines from its beginning. */
const POSITION = /^(\d{4}-\d\d-\d\d\.\d{6}\.jsonl):(\d{1,9})$/

async function searchFiles(folder: string, first: string, searching: Searching): Promise<AccessPage> {
  const { most, before, until } = searching
  const [, start, end] = before === undefined ? [] : (POSITION.exec(before) ?? [])
  if (before !== undefined && start === undefined) throw new RangeError(`no such position: ${before}`)
  const found: FoundAccess = { items: [], damaged: 0, lost: 0 }
  for (const name of filesIn(folder).toReversed()) {
    if (name < first) break
    if (start !== undefined && name > start) continue
    const lines = await linesOf(join(folder, name))
    const last = name === start ? Math.min(Number(end), lines.length) : lines.length
    const isOver = found.items.length === most || performance.now() > until
    const rest = isOver ? last : searchLines(lines.slice(0, last), searching, found)
    if (rest > 0) return { ...found, next: `${name}:${rest}` }
  }
  return { ...found, next: undefined }
}

interface FoundAccess {
  readonly items: RecordedAccess[]
  damaged: number
  lost: number
}

/** Searches from the last line. @returns the number of lines left when the page is full */
function searchLines(lines: readonly string[], { search, most }: Searching, found: FoundAccess): number {
  for (let at = lines.length; at > 0; at--) {
    if (found.items.length === most) return at
    const read = readLine(lines[at - 1] ?? '', search)
    if (read === 'damaged') found.damaged += 1
    else if (typeof read === 'number') found.lost += read
    else if (read !== undefined) found.items.push(read)
  }
  return 0
}

/** The file may have been removed meanwhile. */
async function linesOf(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.split('\n').slice(0, -1)
}

const ACTIONS: ReadonlySet<unknown> = new Set<AccessAction>(['open', 'download', 'share', 'change'])

/** The access, a number of lost ones, or undefined for one that is not searched. */
function readLine(
  line: string,
  { file, user }: AccessSearch,
): RecordedAccess | number | 'damaged' | undefined {
  if (line === '') return undefined
  if (!line.startsWith('{"at":') || !line.endsWith('}')) return 'damaged'
  const isLost = line.includes('"lost":')
  if (!isLost && file !== undefined && !line.includes(`"file":"${file}"`)) return undefined
  if (!isLost && user !== undefined && !line.includes(`"user":${user},`)) return undefined
  const access = parsed(line)
  if (access === undefined) return 'damaged'
  const { at, action, file: id, user: by, times, lost } = access
  if (typeof lost === 'number') return lost
  const isWhole =
    typeof at === 'number' &&
    ACTIONS.has(action) &&
    typeof id === 'string' &&
    typeof by === 'number' &&
    typeof times === 'number'
  // the members that remain are for display
  return isWhole ? (access as unknown as RecordedAccess) : 'damaged'
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>
  } catch {
    return undefined
  }
}
