/**
 * `hla drive sync`: synchronises a local folder with a folder of a store, both ways; a file changed on both sides is
 * kept twice.  [disk, network]
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { folderAt, listChildren, parseDrivePath } from '../../paths.ts'
import type { DriveFile } from '../../resource.ts'
import { HlaError } from '../../../../errors.ts'
import { tell, writeAll } from '../../../../io/stdout.ts'
import type { SyncOptions } from '../options/file-options.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { printRows } from '../print.ts'
import { type DriveClient, withDriveAwaited } from '../files/connect.ts'
import { shownTitle } from '../files/shown-title.ts'
import { stateFolder } from '../files/unfinished-uploads.ts'
import { type StampedDigest, readLocalTree } from './local-tree.ts'
import { type Entry, type Step, type Tree, planSync } from './plan.ts'
import { type Sides, doStep } from './steps.ts'
import type { DriveConnection } from '../../connection.ts'
import { holdLock } from '../../../../drive/persistence/lock.ts'
import { writeAtomically } from '../../../../io/atomic-write.ts'
import { isRecord } from '../../../../operations/http-face.ts'

/** @throws {HlaError} usage, not-found, io, remote */
export function syncCommand(
  [folder = '', path = '']: readonly string[],
  options: SyncOptions,
): Promise<number> {
  return withDriveAwaited(options, async (drive) => {
    const root = localRoot(folder, options.dryRun === true)
    const remote = await folderAt(drive.connection, parseDrivePath(path), options.dryRun !== true)
    const name = JSON.stringify([drive.connection.url, root, remote.id])
    const id = createHash('sha256').update(name).digest('hex')
    const state = await openSyncState(join(stateFolder(), 'sync', `${id}.json`))
    try {
      return await sync(drive, { root, remote, state }, options)
    } finally {
      state.release()
    }
  })
}

/** @throws {HlaError} usage — not a folder */
function localRoot(folder: string, isDry: boolean): string {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory() === false)
    throw new HlaError('usage', `${folder} is not a folder`, { offending: folder })
  if (found === undefined && isDry)
    throw new HlaError('not-found', `there is no folder ${folder}`, { offending: folder })
  mkdirSync(folder, { recursive: true })
  return realpathSync(resolve(folder))
}

interface Folders {
  readonly root: string
  readonly remote: DriveFile
  readonly state: SyncState
}

async function sync(
  drive: DriveClient,
  { root, remote, state }: Folders,
  options: SyncOptions,
): Promise<number> {
  const { base, digests } = state
  const here = await readLocalTree(root, digests)
  const there = await readRemoteTree(drive.connection, remote)
  if (options.deleteAll !== true) refuseAllGone(base, here.entries, there.entries)
  const left = new Map([...here.left, ...there.left])
  const plan = planSync({ base, local: here.entries, remote: there.entries, left: [...left.keys()] })
  if (options.dryRun === true) {
    printSteps(plan.steps, options)
    return EXIT.ok
  }
  digests.clear()
  for (const [path, digest] of here.digests) digests.set(path, digest)
  keepAgreed(base, here.entries, there.entries)
  const isQuiet = options.quiet ?? false
  const sides: Sides = { drive, root, isQuiet, files: there.files, digests, base }
  const problems: (readonly [path: string, why: string])[] = [
    ...left,
    ...plan.clashes.map((path) => [path, 'it is a file on one side and a folder on the other'] as const),
  ]
  try {
    for (const step of plan.steps) {
      const why = await doStep(sides, step)
      if (why === undefined) printSteps([step], options)
      else problems.push([step.path, why])
      state.save()
    }
  } finally {
    state.save()
  }
  for (const [path, why] of problems) tell(`hla: warning: ${shownTitle(path)} was not synchronised: ${why}\n`)
  return problems.length === 0 ? EXIT.ok : EXIT.no
}

/**
 * Refuses an empty side: it more likely means an unmounted disk or a moved folder than removal of every file.
 * @throws {HlaError} usage
 */
function refuseAllGone(base: Tree, here: Tree, there: Tree): void {
  if (base.size === 0) return
  for (const [tree, where] of [
    [here, 'here'],
    [there, 'in the store'],
  ] as const)
    if (tree.size === 0)
      throw new HlaError(
        'usage',
        `all files of the folder are missing ${where}; syncing would delete them on the other side too`,
        {
          hint: 'if that is intended, add --delete-all',
        },
      )
}

/** Records entries equal on both sides as the common state, and forgets those missing on both. */
function keepAgreed(base: Map<string, Entry>, here: Tree, there: Tree): void {
  for (const path of base.keys()) if (!here.has(path) && !there.has(path)) base.delete(path)
  for (const [path, entry] of here) {
    const other = there.get(path)
    const isSame =
      entry.kind === 'folder' ? other?.kind === 'folder' : other?.kind === 'file' && other.md5 === entry.md5
    if (isSame) base.set(path, entry)
  }
}

function printSteps(steps: readonly Step[], { json }: SyncOptions): void {
  const rows = steps.map(({ action, path, from }) => ({
    action,
    path: shownTitle(path),
    ...(from === undefined ? {} : { from: shownTitle(from) }),
  }))
  if (json === true) return printRows(rows, { json })
  const line = ({ action, path, from }: (typeof rows)[number]) =>
    from === undefined ? `${action} ${path}\n` : `${action} ${from} to ${path}\n`
  writeAll(1, rows.map(line).join(''))
}

interface RemoteTree {
  readonly entries: ReadonlyMap<string, Entry>
  /** Path -> file; '' is the root folder. */
  readonly files: Map<string, DriveFile>
  /** Path that a disk cannot hold -> reason. */
  readonly left: ReadonlyMap<string, string>
}

async function readRemoteTree(connection: DriveConnection, root: DriveFile): Promise<RemoteTree> {
  const entries = new Map<string, Entry>()
  const files = new Map([['', root]])
  const left = new Map<string, string>()
  const walk = async (folder: DriveFile, below: string): Promise<void> => {
    const children: DriveFile[] = []
    for await (const child of listChildren(connection, folder.id)) children.push(child)
    const titles = new Map<string, number>()
    for (const { title } of children) titles.set(title, (titles.get(title) ?? 0) + 1)
    for (const child of children) {
      const { title } = child
      const path = below === '' ? title : `${below}/${title}`
      const count = titles.get(title) ?? 1
      const entry = asEntry(child)
      if (count > 1) left.set(path, `the store has ${count} files of this title in the folder`)
      else if (!isName(title)) left.set(path, 'its title cannot be used as a file name here')
      else if (entry === undefined) left.set(path, 'it has no content to fetch')
      if (left.has(path) || entry === undefined) continue
      entries.set(path, entry)
      files.set(path, child)
      if (child.isFolder) await walk(child, path)
    }
  }
  await walk(root, '')
  return { entries, files, left }
}

function asEntry({ isFolder, md5, revision }: DriveFile): Entry | undefined {
  if (isFolder) return { kind: 'folder' }
  return md5 === undefined || revision === undefined ? undefined : { kind: 'file', md5 }
}

const MAX_NAME_LENGTH = 255

function isName(title: string): boolean {
  const isPlain = title !== '' && title !== '.' && title !== '..' && !/[/\0]/.test(title)
  return isPlain && Buffer.byteLength(title) <= MAX_NAME_LENGTH && title.isWellFormed()
}

interface SyncState {
  readonly base: Map<string, Entry>
  readonly digests: Map<string, StampedDigest>
  readonly save: () => void
  readonly release: () => void
}

const FORMAT = 'hla-drive-sync/1'

/** @throws {HlaError} io — another process holds the lock; usage — a file that hla did not write */
async function openSyncState(path: string): Promise<SyncState> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const lock = await holdLock(
    { path: dirname(path) },
    `${basename(path)}.lock`,
    'another hla drive sync of the same folders is running:',
  )
  const state = readState(path)
  if (state === undefined) {
    lock.release()
    throw new HlaError('usage', `${path} is not a state file of hla drive sync, or is damaged`, {
      offending: path,
      hint: 'delete this file: the next sync starts afresh and deletes nothing',
    })
  }
  const { base, digests } = state
  const save = () =>
    writeAtomically(
      path,
      JSON.stringify({
        format: FORMAT,
        base: [...base].map(([name, entry]) => [name, entry.kind === 'file' ? entry.md5 : null]),
        digests: [...digests],
      }),
    )
  return { base, digests, save, release: lock.release }
}

/** Parses the state file; undefined when it is invalid. */
function readState(path: string): Pick<SyncState, 'base' | 'digests'> | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { base: new Map(), digests: new Map() }
    throw error
  }
  const said = parseJson(text)
  if (!isRecord(said) || said['format'] !== FORMAT) return undefined
  // `save` wrote these types
  const base = said['base'] as readonly (readonly [string, string | null])[]
  const digests = said['digests'] as readonly (readonly [string, StampedDigest])[]
  const entries = base.map(([name, md5]): [string, Entry] => [
    name,
    md5 === null ? { kind: 'folder' } : { kind: 'file', md5 },
  ])
  return { base: new Map(entries), digests: new Map(digests) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
