/** Executes the steps of a sync; each one only while both sides are still as planned.  [disk, network] */
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { download } from '../../download.ts'
import { getFile, makeFolder, moveFile, trashFile } from '../../files.ts'
import { listChildren } from '../../paths.ts'
import { guessMediaType } from '../../../../media-types.ts'
import type { DriveFile } from '../../resource.ts'
import { isRefusal } from '../../failure.ts'
import { openPart } from '../../../../io/part-file.ts'
import type { DriveClient } from '../files/connect.ts'
import { describeContent } from '../files/describe-content.ts'
import { sendFile } from '../files/send-file.ts'
import { isSameStamp, partName, stampFile, type StampedDigest } from './local-tree.ts'
import type { Entry, Step } from './plan.ts'

export interface Sides {
  readonly drive: DriveClient
  readonly root: string
  readonly isQuiet: boolean
  /** Path -> stored file; '' is the root folder. Steps add the files they create. */
  readonly files: Map<string, DriveFile>
  /** Digests of local files. */
  readonly digests: Map<string, StampedDigest>
  /** State common to both sides, updated by each completed step. */
  readonly base: Map<string, Entry>
}

/** Returns undefined when done, or the reason why the step is left for the next run. */
export async function doStep(sides: Sides, step: Step): Promise<string | undefined> {
  const { path } = step
  switch (step.action) {
    case 'make-here':
      mkdirSync(join(sides.root, path), { recursive: true })
      return agree(sides, path, { kind: 'folder' })
    case 'make-there':
      sides.files.set(
        path,
        await makeFolder(sides.drive.connection, basename(path), parentOf(sides, path).id),
      )
      return agree(sides, path, { kind: 'folder' })
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
      if (!isUnchanged(sides, path)) return CHANGED
      rmSync(join(sides.root, path))
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

function agree({ base }: Sides, path: string, entry: Entry | undefined): undefined {
  if (entry === undefined) base.delete(path)
  else base.set(path, entry)
}

function fileAt({ files }: Sides, path: string): DriveFile {
  const file = files.get(path)
  if (file === undefined) throw new Error(`the store has no ${path}`)
  return file
}

function parentOf(sides: Sides, path: string): DriveFile {
  return fileAt(sides, path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')
}

function isUnchanged({ root, digests }: Sides, path: string): boolean {
  return isSameStamp(stampFile(join(root, path)), digests.get(path))
}

/** Moves the stored file or folder itself, which keeps its versions, comments, links and sharing. */
async function moveThere(sides: Sides, from: string, path: string): Promise<string | undefined> {
  const { connection } = sides.drive
  const file = fileAt(sides, from)
  try {
    const to = { title: basename(path), parent: parentOf(sides, path).id }
    await moveFile(connection, file, to)
    rekey(sides.files, from, path, !file.isFolder)
    sides.files.set(path, await getFile(connection, file.id))
  } catch (error) {
    if (isRefusal(error, 412) || isRefusal(error, 404)) return CHANGED_THERE
    throw error
  }
  rekey(sides.base, from, path, !file.isFolder)
  return undefined
}

function moveHere(sides: Sides, from: string, path: string): string | undefined {
  const { root, digests, base } = sides
  const isFile = base.get(from)?.kind === 'file'
  if ((isFile && !isUnchanged(sides, from)) || existsSync(join(root, path))) return CHANGED
  try {
    renameSync(join(root, from), join(root, path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return CHANGED
    throw error
  }
  rekey(digests, from, path, isFile)
  rekey(base, from, path, isFile)
  return undefined
}

/** Moves the entry at `from` to `to`; for a folder, with everything below it. */
function rekey<Value>(map: Map<string, Value>, from: string, to: string, isFile: boolean): void {
  const paths = isFile
    ? [from]
    : [...map.keys()].filter((path) => path === from || path.startsWith(`${from}/`))
  for (const path of paths) {
    const value = map.get(path)
    map.delete(path)
    if (value !== undefined) map.set(to + path.slice(from.length), value)
  }
}

/** Uploads a revision of the file as planned, or a new file. */
async function upload(sides: Sides, path: string): Promise<string | undefined> {
  const { root, drive, isQuiet, files } = sides
  const known = files.get(path)
  const title = basename(path)
  const target =
    known === undefined
      ? ({ kind: 'new', title, parent: parentOf(sides, path).id, mimeType: guessMediaType(title) } as const)
      : ({ kind: 'revision', file: known.id, etag: known.etag, mimeType: known.mimeType } as const)
  try {
    const sent = await sendFile(drive, target, { file: join(root, path), isQuiet })
    files.set(path, sent)
    return agree(sides, path, { kind: 'file', md5: sent.md5 ?? '' })
  } catch (error) {
    if (isRefusal(error, 412)) return CHANGED_THERE
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return CHANGED
    throw error
  }
}

/** Downloads a file; replaces the local one only if it is unchanged since the plan. */
async function fetchFile(sides: Sides, path: string): Promise<string | undefined> {
  const { root, drive, digests } = sides
  const content = describeContent(fileAt(sides, path), path)
  const to = join(root, path)
  const part = join(dirname(to), partName(content.md5))
  const file = openPart(to, undefined, part)
  try {
    for await (const bytes of download(drive.connection, content, { retries: drive.retries }))
      file.write(bytes)
    if (!isUnchanged(sides, path)) {
      file.remove()
      return CHANGED
    }
    file.finish()
  } catch (error) {
    file.remove()
    throw error
  }
  const stamp = stampFile(to)
  if (stamp !== undefined) digests.set(path, { ...stamp, md5: content.md5 })
  return agree(sides, path, { kind: 'file', md5: content.md5 })
}

/** Renames the local file first, so that nothing can be lost. */
async function keepBoth(sides: Sides, path: string): Promise<string | undefined> {
  const { root, digests } = sides
  if (!isUnchanged(sides, path)) return CHANGED
  const copy = conflictName(sides, path)
  renameSync(join(root, path), join(root, copy))
  const digest = digests.get(path)
  digests.delete(path)
  const stamp = stampFile(join(root, copy))
  if (digest !== undefined && stamp !== undefined) digests.set(copy, { ...stamp, md5: digest.md5 })
  return (await fetchFile(sides, path)) ?? (await upload(sides, copy))
}

/** Unused name on both sides: `donors (conflict 2026-11-23 0940).csv`. */
function conflictName({ root, files }: Sides, path: string): string {
  const ending = extname(path)
  const stem = path.slice(0, path.length - ending.length)
  const date = new Date().toISOString().slice(0, 16).replace('T', ' ').replace(':', '')
  for (let at = 1; ; at += 1) {
    const name = `${stem} (conflict ${date}${at === 1 ? '' : ` ${at}`})${ending}`
    if (!files.has(name) && !existsSync(join(root, name))) return name
  }
}

/** Moves the stored file to the trash, from which it can be restored. */
async function removeThere(sides: Sides, path: string): Promise<string | undefined> {
  const { drive, files, digests } = sides
  const { id, md5 } = fileAt(sides, path)
  const now = await getFile(drive.connection, id)
  if (now.md5 !== md5) return CHANGED_THERE
  await trashFile(drive.connection, id)
  files.delete(path)
  digests.delete(path)
  return agree(sides, path, undefined)
}

function removeFolderHere(sides: Sides, path: string): string | undefined {
  try {
    rmdirSync(join(sides.root, path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTEMPTY') return 'it is not empty'
    throw error
  }
  return agree(sides, path, undefined)
}

/** Removes a stored folder only if it is empty. */
async function removeFolderThere(sides: Sides, path: string): Promise<string | undefined> {
  const { connection } = sides.drive
  const { id } = fileAt(sides, path)
  for await (const _ of listChildren(connection, id)) return 'it is not empty'
  await trashFile(connection, id)
  sides.files.delete(path)
  return agree(sides, path, undefined)
}
