/**
 * `hla drive sync`: synchronises a local folder with a folder of a store, both ways; a file changed on both sides is
 * kept twice.  [disk, network]
 */
import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DriveConnection } from '../../client/connection.ts'
import { folderAt, parseDrivePath } from '../../client/paths.ts'
import { fetchPoint } from '../../client/points.ts'
import type { DriveFile } from '../../client/resource.ts'
import { HlaError } from '../../../errors.ts'
import { EXIT } from '../../../io/exit-status.ts'
import { tell, writeOut } from '../../../io/stdout.ts'
import { formatNote } from '../../../cli/messages.ts'
import type { SyncOptions } from '../options/file-options.ts'
import { printRows } from '../print.ts'
import { type DriveClient, withDriveAwaited } from '../files/connect.ts'
import { shownTitle } from '../files/shown-title.ts'
import { stateFolder } from '../files/unfinished-uploads.ts'
import { type LocalTree, readLocalTree } from './local-tree.ts'
import { type Entry, type Step, type Tree, isWriting, planSync } from './plan.ts'
import { readRemoteTree } from './remote-tree.ts'
import { type Sides, doStep } from './steps.ts'
import { type SyncState, baseChange, openSyncState } from './sync-state.ts'

/** @throws {HlaError} usage, not-found, io, remote */
export function syncCommand(folder: string, path: string, options: SyncOptions): Promise<number> {
  return withDriveAwaited(options, async (drive) => {
    const root = localRoot(folder, options.dryRun === true)
    const remote = await folderAt(drive.connection, parseDrivePath(path), options.dryRun !== true)
    const name = JSON.stringify([drive.connection.url, root, remote.id])
    const id = createHash('sha256').update(name).digest('hex')
    const state = await openSyncState(join(stateFolder(), 'sync', id))
    try {
      return await sync(drive, { root, remote, state }, options)
    } finally {
      state.close()
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

type Problem = readonly [path: string, why: string]

async function sync(
  drive: DriveClient,
  { root, remote, state }: Folders,
  options: SyncOptions,
): Promise<number> {
  const { connection } = drive
  const begun = await fetchPoint(connection, state.point)
  if (!begun.isInHistory) startAfresh(state)
  const here = await readLocalTree(root, state.digests, state.parts)
  const there = await readRemoteTree(connection, remote)
  if (options.deleteAll !== true) refuseAllGone(state.base, here, there)
  const left = new Map([...here.left, ...there.left])
  const plan = planSync({
    base: state.base,
    local: here.entries,
    remote: there.entries,
    left: [...left.keys()],
    links: there.links,
  })
  if (options.dryRun === true) {
    printSteps(plan.steps, options)
    return EXIT.ok
  }
  noteDigests(state, here.digests)
  noteAgreed(state, here.entries, there.entries)
  const problems: Problem[] = [
    ...left,
    ...plan.clashes.map((path): Problem => [path, 'it is a file on one side and a folder on the other']),
  ]
  const sides: Sides = { drive, root, isQuiet: options.quiet ?? false, files: there.files, state }
  const saver = openSaver(connection, state, begun.point)
  try {
    await doSteps(sides, plan.steps, { saver, problems, options })
    await saver.end()
  } finally {
    for (const [path, why] of problems)
      tell(`hla: warning: ${shownTitle(path)} was not synchronised: ${why}\n`)
  }
  return problems.length === 0 ? EXIT.ok : EXIT.no
}

type ReadTree = Pick<LocalTree, 'entries' | 'left'>

/** Nothing is in common any more, so that nothing is removed, and of two contents both are kept. */
function startAfresh(state: SyncState): void {
  const message =
    'the store has gone back to an earlier state, as after a restored backup: this sync removes nothing, and keeps both where the sides differ'
  tell(formatNote({ level: 'warning', code: 'store-went-back', message }))
  state.note(['afresh'])
}

/** Contents written at once; more would wait for the same disk and the same writer of the store. */
const MAX_TRANSFERS = 8

interface Doing {
  readonly saver: Saver
  /** Gets the steps that are left for the next run. */
  readonly problems: Problem[]
  readonly options: SyncOptions
}

/** Prints the steps in their order, however they end. */
async function doSteps(
  sides: Sides,
  steps: readonly Step[],
  { saver, problems, options }: Doing,
): Promise<void> {
  /** Reason of each step that has ended, undefined if it was done. */
  const ended = new Map<Step, string | undefined>()
  let told = 0
  const run = async (step: Step) => {
    ended.set(step, await doStep(sides, step))
    saver.save()
    for (let next = steps[told]; next !== undefined && ended.has(next); next = steps[told]) {
      const why = ended.get(next)
      if (why === undefined) printSteps([next], options)
      else problems.push([next.path, why])
      told += 1
    }
  }
  const writing = steps.filter(({ action }) => isWriting(action))
  const first = writing[0] === undefined ? steps.length : steps.indexOf(writing[0])
  await sideBySide(steps.slice(0, first), 1, run)
  await sideBySide(writing, MAX_TRANSFERS, run)
  await sideBySide(steps.slice(first + writing.length), 1, run)
}

/** Works on a few items at a time. Starts no further work after a failure, waits for what has begun, and throws the first failure. */
async function sideBySide<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  const queue = items[Symbol.iterator]()
  const worker = async () => {
    while (failures.length === 0) {
      const next = queue.next()
      if (next.done === true) return
      await work(next.value).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: limit }, worker))
  if (failures.length > 0) throw failures[0]
}

interface Saver {
  /** Saves what has been noted as soon as the store confirms it. @throws what made an earlier save fail */
  readonly save: () => void
  /** Resolves when everything is saved. @throws as `save` */
  readonly end: () => Promise<void>
}

/**
 * Asks for a point of the store while further steps run, and saves with it what was noted before. `begun` is a point
 * before the trees were read.
 */
function openSaver(connection: DriveConnection, state: SyncState, begun: string): Saver {
  const failures: unknown[] = []
  let since = begun
  let running: Promise<void> | undefined
  const saveAll = async () => {
    while (state.unsaved() > 0) {
      const count = state.unsaved()
      const { point, isInHistory } = await fetchPoint(connection, since)
      if (!isInHistory)
        throw new HlaError('remote', 'the store went back to an earlier state during the sync', {
          hint: 'sync again: nothing is removed then',
        })
      state.save(count, point)
      since = point
    }
  }
  const begin = () =>
    (running ??= saveAll()
      .catch((error: unknown) => void failures.push(error))
      .finally(() => (running = undefined)))
  const check = () => {
    if (failures.length > 0) throw failures[0]
  }
  return {
    save() {
      check()
      void begin()
    },
    async end() {
      await running
      check()
      await begin()
      check()
      // the store forgets old points
      if (state.point !== since) state.save(0, since)
    },
  }
}

/**
 * Refuses an empty side: it more likely means an unmounted disk or a moved folder than removal of every file.
 * @throws {HlaError} usage
 */
function refuseAllGone(base: Tree, here: ReadTree, there: ReadTree): void {
  if (base.size === 0) return
  for (const [{ entries, left }, where] of [
    [here, 'here'],
    [there, 'in the store'],
  ] as const)
    if (entries.size + left.size === 0)
      throw new HlaError(
        'usage',
        `all files of the folder are missing ${where}; syncing would delete them on the other side too`,
        {
          hint: 'if that is intended, add --delete-all',
        },
      )
}

/** Notes entries equal on both sides as common, and forgets those missing on both. */
function noteAgreed({ base, note }: SyncState, here: Tree, there: Tree): void {
  for (const path of base.keys()) if (!here.has(path) && !there.has(path)) note(baseChange(path, undefined))
  for (const [path, entry] of here)
    if (isSameEntry(entry, there.get(path)) && !isSameEntry(entry, base.get(path)))
      note(baseChange(path, entry))
}

function isSameEntry(one: Entry, other: Entry | undefined): boolean {
  if (one.kind === 'folder') return other?.kind === 'folder'
  return other?.kind === 'file' && other.md5 === one.md5
}

function noteDigests({ digests, note }: SyncState, found: LocalTree['digests']): void {
  for (const path of digests.keys()) if (!found.has(path)) note(['digest', path])
  for (const [path, digest] of found) if (digests.get(path) !== digest) note(['digest', path, digest])
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
  writeOut(rows.map(line).join(''))
}
