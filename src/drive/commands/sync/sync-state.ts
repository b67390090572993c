/**
 * State of a sync: what both sides had in common, and digests of local files. A file of lines that grows with every
 * step: a step costs the same whatever the folder holds.  [disk]
 */
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { HlaError } from '../../../errors.ts'
import { holdLock } from '../../persistence/lock.ts'
import { writeAtomically } from '../../../io/atomic-write.ts'
import { tryParseJson } from '../../../remote/served-version.ts'
import type { PartNames, StampedDigest } from './local-tree.ts'
import type { Entry } from './plan.ts'

export interface SyncState {
  /** What both sides had in common at `point`. */
  readonly base: ReadonlyMap<string, Entry>
  readonly digests: ReadonlyMap<string, StampedDigest>
  /** Point in the store's history that `base` belongs to; undefined before the first sync. */
  readonly point: string | undefined
  readonly parts: PartNames
  /** Makes a change, which `save` writes later. */
  readonly note: (change: StateChange) => void
  /** Number of changes that are not written yet. */
  readonly unsaved: () => number
  /** Writes the first `count` of them; `point` says that the store had acknowledged them before it. */
  readonly save: (count: number, point?: string) => void
  /** Writes the file again if most of its lines are outdated, and syncs it to the disk. */
  readonly close: () => void
}

/** A line of the file. */
export type StateChange =
  /** `null` is a folder; without a digest neither side has the path. */
  | readonly ['base', path: string]
  | readonly ['base', path: string, md5: string | null]
  | readonly ['digest', path: string]
  | readonly ['digest', path: string, digest: StampedDigest]
  /** The store has gone back: nothing is in common any more. */
  | readonly ['afresh']

type Line =
  | StateChange
  | readonly ['format', format: string]
  | readonly ['point', point: string]
  /** The changes of `base` since the last point do not count: the store may not have them any more. */
  | readonly ['drop']

const FORMAT = 'hla-drive-sync/2'

/** Outdated lines that are kept. */
const MAX_SPARE_LINES = 1000

/** @throws {HlaError} io — another process holds the lock; usage — a file that hla did not write */
export async function openSyncState(path: string): Promise<SyncState> {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = await holdLock(
    { path: folder },
    `${basename(path)}.lock`,
    'another hla drive sync of the same folders is running:',
  )
  try {
    return openLines(path, partNames(folder, basename(path)), lock.release)
  } catch (error) {
    lock.release()
    throw error
  }
}

function openLines(path: string, parts: PartNames, release: () => void): SyncState {
  const { held, lines: found, length, isCut } = readLines(path)
  let lines = found
  const file = openSync(path, 'a', 0o600)
  const write = (more: readonly Line[]) => {
    appendFileSync(file, more.map(lineText).join(''))
    lines += more.length
  }
  ftruncateSync(file, length)
  if (length === 0) write([['format', FORMAT]])
  if (isCut) write([['drop']])
  const unsaved: StateChange[] = []
  return {
    base: held.base,
    digests: held.digests,
    get point() {
      return held.point
    },
    parts,
    note(change) {
      apply(held, change)
      unsaved.push(change)
    },
    unsaved: () => unsaved.length,
    save(count, point) {
      held.point = point ?? held.point
      write([...unsaved.splice(0, count), ...(point === undefined ? [] : [['point', point] as const])])
    },
    close() {
      try {
        const kept = linesOf(held)
        if (unsaved.length === 0 && lines > 2 * kept.length + MAX_SPARE_LINES)
          writeAtomically(path, kept.map(lineText).join(''))
        else fsyncSync(file)
      } finally {
        closeSync(file)
        release()
      }
    },
  }
}

interface Held {
  readonly base: Map<string, Entry>
  readonly digests: Map<string, StampedDigest>
  point: string | undefined
}

function linesOf({ base, digests, point }: Held): Line[] {
  return [
    ['format', FORMAT],
    ...[...base].map(([name, entry]) => baseChange(name, entry)),
    ...[...digests].map(([name, digest]) => ['digest', name, digest] as const),
    ...(point === undefined ? [] : [['point', point] as const]),
  ]
}

/** An entry that both sides have; undefined if neither has the path. */
export function baseChange(path: string, entry: Entry | undefined): StateChange {
  if (entry === undefined) return ['base', path]
  return ['base', path, entry.kind === 'file' ? entry.md5 : null]
}

function lineText(line: Line): string {
  return `${JSON.stringify(line)}\n`
}

function apply(held: Held, change: StateChange): void {
  const [kind, path, value] = change
  if (kind === 'afresh') held.base.clear()
  else if (kind === 'digest') {
    if (value === undefined) held.digests.delete(path)
    else held.digests.set(path, value)
  } else if (value === undefined) held.base.delete(path)
  else held.base.set(path, value === null ? { kind: 'folder' } : { kind: 'file', md5: value })
}

interface ReadState {
  readonly held: Held
  readonly lines: number
  /** Bytes of the complete lines. */
  readonly length: number
  /** True if `base` was changed after the last point. */
  readonly isCut: boolean
}

/** Leaves out changes of `base` that no point followed. @throws {HlaError} usage — not a state file */
function readLines(path: string): ReadState {
  const bytes = readIfThere(path)
  const held: Held = { base: new Map(), digests: new Map(), point: undefined }
  let waiting: StateChange[] = []
  let [length, lines] = [0, 0]
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, length)) {
    const found = tryParseJson(bytes.subarray(length, end).toString())
    if (!Array.isArray(found) || (length === 0 && found[1] !== FORMAT)) throw damaged(path)
    // `lineText` wrote the line
    const line = found as unknown as Line
    if (line[0] === 'point') for (const change of waiting) apply(held, change)
    if (line[0] === 'point') held.point = line[1]
    if (line[0] === 'digest') apply(held, line)
    else if (line[0] === 'base' || line[0] === 'afresh') waiting.push(line)
    else waiting = []
    length = end + 1
    lines += 1
  }
  // only a file that was cut off in its first line has none
  if (length === 0 && !lineText(['format', FORMAT]).startsWith(bytes.toString())) throw damaged(path)
  return { held, lines, length, isCut: waiting.length > 0 }
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

function damaged(path: string): HlaError {
  return new HlaError('usage', `${path} is not a state file of hla drive sync, or is damaged`, {
    offending: path,
    hint: 'delete this file: the next sync starts afresh and deletes nothing',
  })
}

function partNames(folder: string, state: string): PartNames {
  const all = `.hla-sync-${partWord(join(folder, 'parts'))}-`
  const own = `${all}${state.slice(0, 16)}-`
  let count = 0
  return {
    next: () => `${own}${(count += 1)}.part`,
    kind: (name) => (name.startsWith(own) ? 'own' : name.startsWith(all) ? 'other' : 'none'),
  }
}

function partWord(path: string): string {
  if (readIfThere(path).length === 0) writeAtomically(path, randomBytes(16).toString('hex'))
  // another sync may have written it
  return readIfThere(path).toString()
}
