/** `hla drive sync`: a folder of this machine and one of a store become alike, both ways; what both changed stays twice.  [disk, network] */
import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { folderAt, parseDrivePath } from '../../paths.ts'
import type { DriveFile } from '../../resource.ts'
import { HlaError } from '../../../../errors.ts'
import { tell, writeAll } from '../../../../io/stdout.ts'
import type { SyncOptions } from '../options/drive-change-options.ts'
import { EXIT } from '../../../../cli/exit-status.ts'
import { printRows } from '../print.ts'
import { type DriveClient, withDriveAwaited } from '../files/connect.ts'
import { shownTitle } from '../files/shown-title.ts'
import { stateFolder } from '../files/unfinished-uploads.ts'
import { readLocalTree } from './local-tree.ts'
import { type Entry, planSync, type Step, type Tree } from './plan.ts'
import { readRemoteTree } from './remote-tree.ts'
import { doStep, type Sides } from './steps.ts'
import { openSyncState, type SyncState } from './sync-state.ts'

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

/** @throws {HlaError} usage — it is no folder */
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
  if (options.deleteAll !== true) mustNotBeAllGone(base, here.entries, there.entries)
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
  for (const [path, why] of problems) tell(`hla: warning: ${shownTitle(path)} is left: ${why}\n`)
  return problems.length === 0 ? EXIT.ok : EXIT.no
}

/** A disk that is not there, or a folder that somebody moved away, is not what somebody removed file by file. @throws {HlaError} usage */
function mustNotBeAllGone(base: Tree, here: Tree, there: Tree): void {
  if (base.size === 0) return
  for (const [tree, where] of [
    [here, 'here'],
    [there, 'in the store'],
  ] as const)
    if (tree.size === 0)
      throw new HlaError(
        'usage',
        `everything that was in the folder is gone ${where}, and would be removed from the other side`,
        {
          hint: '--delete-all does that',
        },
      )
}

/** What both sides have is what they had; what neither has is forgotten. */
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
