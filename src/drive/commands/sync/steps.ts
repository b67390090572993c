/** Executes the steps of a sync; each one only while both sides are still as planned.  [disk, network] */
import { lstatSync, mkdirSync, renameSync, rmSync, rmdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { type StoredContent, download } from '../../client/download.ts'
import { getFile, isTitleTaken, moveFile, removeFromFolder, trashEmptyFolder } from '../../client/files.ts'
import { makeOrFind } from '../../client/paths.ts'
import type { NamedPath } from '../../contract/failure.ts'
import { guessMediaType } from '../../contract/media-types.ts'
import type { DriveFile } from '../../client/resource.ts'
import { isRefusal } from '../../client/failure.ts'
import type { DriveClient } from '../files/connect.ts'
import { describeContent } from '../files/describe-content.ts'
import { sendFile } from '../files/send-file.ts'
import { digestFile, isSameStamp, localReason, stampFile } from './local-tree.ts'
import type { Entry, Step } from './plan.ts'
import { readRemoteTree } from './remote-tree.ts'
import { type SyncState, baseChange } from './sync-state.ts'
import { isHlaError } from '../../../errors.ts'
import { isSystemError } from '../../../io/system-error.ts'

export interface Sides {
  readonly drive: DriveClient
  readonly root: string
  readonly isQuiet: boolean
  /** Path -> stored file; '' is the root folder. Steps add the files they create. */
  readonly files: Map<string, DriveFile>
  /** Changed by each completed step. */
  readonly state: SyncState
}

/**
 * Returns undefined when done, or the reason why the step is left for the next run.
 * @throws {HlaError} remote — the store cannot be reached, or does not accept the token
 */
export async function doStep(sides: Sides, step: Step): Promise<string | undefined> {
  try {
    return await perform(sides, step)
  } catch (error) {
    if (error instanceof FolderMissing) return 'the store lacks its folder'
    if (isSystemError(error)) return localReason(error)
    if (!isHlaError(error) || error.code === 'remote') throw error
    if (isTitleTaken(error)) return 'the store has got another one of this name since the sync began'
    const isChanged = ['404', '412'].includes(error.facts?.['status'] ?? '')
    return isChanged ? CHANGED_THERE : error.message
  }
}

async function perform(sides: Sides, step: Step): Promise<string | undefined> {
  const { path } = step
  switch (step.action) {
    case 'make-here':
      mkdirSync(join(sides.root, path), { recursive: true })
      return agree(sides, path, { kind: 'folder' })
    case 'make-there':
      return makeThere(sides, path)
    case 'upload':
      return upload(sides, path)
    case 'download':
      return fetchFile(sides, path)
    case 'conflict':
      return keepBoth(sides, path)
    case 'move-here':
      return moveHere(sides, step.from ?? '', path)
    case 'move-there':
      return moveThere(sides, step.from ?? '', path)
    case 'remove-here':
      if (!(await isUnchanged(sides, path))) return CHANGED
      rmSync(join(sides.root, path))
      sides.state.note(['digest', path])
      return agree(sides, path, undefined)
    case 'remove-there':
      return removeThere(sides, path)
    case 'remove-folder-here':
      return removeFolderHere(sides, path)
    case 'remove-folder-there':
      return removeFolderThere(sides, path)
  }
}

const CHANGED = 'it has changed since the sync began'
const CHANGED_THERE = 'it has changed in the store since the sync began'
const TRASHED_THERE = 'its folder was moved to the trash of the store since the sync began'

/** A file whose folder an earlier step could not make. */
class FolderMissing extends Error {}

function agree({ state }: Sides, path: string, entry: Entry | undefined): undefined {
  state.note(baseChange(path, entry))
}

function fileAt({ files }: Sides, path: string): DriveFile {
  const file = files.get(path)
  if (file === undefined) throw new FolderMissing()
  return file
}

function parentOf(sides: Sides, path: string): DriveFile {
  return fileAt(sides, path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')
}

/** True if the file is as it was planned with, or missing as then. */
async function isUnchanged({ root, state }: Sides, path: string): Promise<boolean> {
  const file = join(root, path)
  const known = state.digests.get(path)
  const stamp = stampFile(file)
  if (stamp === undefined || known === undefined) return stamp === known
  return isSameStamp(stamp, known) || (await digestFile(file, known)).md5 === known.md5
}

async function makeThere(sides: Sides, path: string): Promise<string | undefined> {
  const parent = parentOf(sides, path)
  const name = basename(path)
  const folder = await makeOrFind(sides.drive.connection, parent.id, { name, where: path })
  if (folder.isTrashed) return TRASHED_THERE
  sides.files.set(path, folder)
  return agree(sides, path, { kind: 'folder' })
}

/** Moves the stored file or folder itself, which keeps its versions, comments, links and sharing. */
async function moveThere(sides: Sides, from: string, path: string): Promise<string | undefined> {
  const { connection } = sides.drive
  const file = fileAt(sides, from)
  const to = { title: basename(path), parent: parentOf(sides, path).id, from: parentOf(sides, from).id }
  const moved = await moveFile(connection, file, to)
  if (moved.isTrashed) return TRASHED_THERE
  // another machine may have removed from the folder since the plan: that is not common to both
  const { entries } = file.isFolder ? await readRemoteTree(connection, moved, path) : { entries: undefined }
  if (file.isFolder) rekey([...sides.files.keys()], from, path, (one, next) => rename(sides.files, one, next))
  else rename(sides.files, from, path)
  sides.files.set(path, moved)
  moveBase(sides, from, path, (one) => one === path || entries?.has(one) === true)
  return undefined
}

async function moveHere(sides: Sides, from: string, path: string): Promise<string | undefined> {
  const { root, state } = sides
  const isFile = state.base.get(from)?.kind === 'file'
  if (isTaken(join(root, path)) || (isFile && !(await isUnchanged(sides, from)))) return CHANGED
  renameSync(join(root, from), join(root, path))
  if (isFile) moveDigest(sides, from, path)
  else
    rekey([...state.digests.keys()], from, path, (one, next) => {
      const digest = state.digests.get(one)
      state.note(['digest', one])
      if (digest !== undefined) state.note(['digest', next, digest])
    })
  moveBase(sides, from, path)
  return undefined
}

/** For a file that was just renamed, which changes one date of it. */
function moveDigest({ root, state }: Sides, from: string, path: string): void {
  const digest = state.digests.get(from)
  const stamp = stampFile(join(root, path))
  state.note(['digest', from])
  if (digest === undefined || stamp === undefined) return
  const { changed } = stamp
  if (isSameStamp(stamp, { ...digest, changed })) state.note(['digest', path, { ...digest, changed }])
}

/** True for a file, a folder or a link, even one that leads nowhere. */
function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** With a folder moves only what `isMoved` is true for. */
function moveBase(
  { state }: Sides,
  from: string,
  path: string,
  isMoved: (path: string) => boolean = () => true,
): void {
  const isFolder = state.base.get(from)?.kind === 'folder'
  rekey(isFolder ? [...state.base.keys()] : [from], from, path, (one, next) => {
    const entry = state.base.get(one)
    state.note(baseChange(one, undefined))
    if (entry !== undefined && isMoved(next)) state.note(baseChange(next, entry))
  })
}

/** Calls `move` for the paths at and below `from`, with those at and below `to`. */
function rekey(
  paths: readonly string[],
  from: string,
  to: string,
  move: (path: string, next: string) => void,
): void {
  for (const path of paths)
    if (path === from || path.startsWith(`${from}/`)) move(path, to + path.slice(from.length))
}

function rename(files: Map<string, DriveFile>, from: string, to: string): void {
  const file = files.get(from)
  files.delete(from)
  if (file !== undefined) files.set(to, file)
}

/** Uploads a revision of the file as planned, or a new file. */
async function upload(sides: Sides, path: string): Promise<string | undefined> {
  const { root, drive, isQuiet, files, state } = sides
  const known = files.get(path)
  const title = basename(path)
  const parent = parentOf(sides, path).id
  const target =
    known === undefined
      ? ({ kind: 'new', title, parent, isTitleFree: true, mimeType: guessMediaType(title) } as const)
      : ({ kind: 'revision', file: known.id, etag: known.etag, mimeType: known.mimeType } as const)
  const sent = await sendFile(drive, target, { file: join(root, path), isQuiet })
  if (sent.isTrashed) return TRASHED_THERE
  files.set(path, sent)
  const md5 = sent.md5 ?? ''
  // it has changed since it was read
  if (state.digests.get(path)?.md5 !== md5) state.note(['digest', path])
  return agree(sides, path, { kind: 'file', md5 })
}

/** Downloads a file; replaces the local one only if it is unchanged since the plan. */
async function fetchFile(sides: Sides, path: string): Promise<string | undefined> {
  const { root, state } = sides
  const content = describeContent(fileAt(sides, path), path)
  const to = join(root, path)
  const part = join(dirname(to), state.parts.next())
  try {
    await fetchInto(sides, content, part)
    if (!(await isUnchanged(sides, path))) return CHANGED
    renameSync(part, to)
  } finally {
    rmSync(part, { force: true })
  }
  const stamp = stampFile(to)
  if (stamp !== undefined) state.note(['digest', path, { ...stamp, md5: content.md5 }])
  return agree(sides, path, { kind: 'file', md5: content.md5 })
}

/** The bytes are on the disk when it resolves. */
async function fetchInto({ drive }: Sides, content: StoredContent, part: string): Promise<void> {
  const { connection, retries } = drive
  const file = await open(part, 'wx')
  try {
    for await (const bytes of download(connection, content, { retries })) await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Renames the local file first, so that nothing can be lost. */
async function keepBoth(sides: Sides, path: string): Promise<string | undefined> {
  const { root } = sides
  if (!(await isUnchanged(sides, path))) return CHANGED
  const copy = conflictName(sides, path)
  renameSync(join(root, path), join(root, copy))
  moveDigest(sides, path, copy)
  return (await fetchFile(sides, path)) ?? (await upload(sides, copy))
}

/** Unused name on both sides: `donors (conflict 2026-11-23 0940).csv`. */
function conflictName({ root, files }: Sides, path: string): string {
  const ending = extname(path)
  const stem = path.slice(0, path.length - ending.length)
  const date = new Date().toISOString().slice(0, 16).replace('T', ' ').replace(':', '')
  for (let at = 1; ; at += 1) {
    const name = `${stem} (conflict ${date}${at === 1 ? '' : ` ${at}`})${ending}`
    if (!files.has(name) && !isTaken(join(root, name))) return name
  }
}

/** Takes the stored file out of its folder; out of its last one it moves to the trash, from which it can be restored. */
async function removeThere(sides: Sides, path: string): Promise<string | undefined> {
  const { drive, files, state } = sides
  const { id, md5 } = fileAt(sides, path)
  const folder = parentOf(sides, path).id
  const now = await findFile(sides, id)
  if (now?.parents.includes(folder) === true && !now.isTrashed) {
    if (now.md5 !== md5) return CHANGED_THERE
    await removeFromFolder(drive.connection, { file: now, folder, path: storePath(sides, path) })
  }
  files.delete(path)
  state.note(['digest', path])
  return agree(sides, path, undefined)
}

/** Condition of a removal: what is elsewhere by now, itself or with a folder, was not removed here. */
function storePath(sides: Sides, path: string): NamedPath {
  return { base: fileAt(sides, '').id, names: path.split('/') }
}

async function findFile({ drive }: Sides, id: string): Promise<DriveFile | undefined> {
  try {
    return await getFile(drive.connection, id)
  } catch (error) {
    if (isRefusal(error, 404)) return undefined
    throw error
  }
}

function removeFolderHere(sides: Sides, path: string): string | undefined {
  try {
    rmdirSync(join(sides.root, path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTEMPTY') return NOT_EMPTY
    throw error
  }
  return agree(sides, path, undefined)
}

const NOT_EMPTY = 'it is not empty'
const FILLED_OR_MOVED = 'it is not empty, or was moved in the store since the sync began'

/** Removes a stored folder only if it is empty, or if others hold it, too. */
async function removeFolderThere(sides: Sides, path: string): Promise<string | undefined> {
  const { connection } = sides.drive
  const folder = parentOf(sides, path).id
  const now = await findFile(sides, fileAt(sides, path).id)
  if (now?.parents.includes(folder) === true && !now.isTrashed) {
    const at = storePath(sides, path)
    if (now.parents.length > 1) await removeFromFolder(connection, { file: now, folder, path: at })
    else if (!(await trashEmptyFolder(connection, now.id, at))) return FILLED_OR_MOVED
  }
  sides.files.delete(path)
  return agree(sides, path, undefined)
}
