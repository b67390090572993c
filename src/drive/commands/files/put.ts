/** `hla drive put`: uploads files; an existing file gets a new revision.  [disk, network] */
import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { advice, command } from '../../../advice.ts'
import { guessMediaType } from '../../contract/media-types.ts'
import { type DrivePath, filePath, findPath, folderAt, parseDrivePath } from '../../client/paths.ts'
import { isTitleTaken } from '../../client/files.ts'
import type { DriveFile } from '../../client/resource.ts'
import { type UploadTarget, startUpload } from '../../client/upload.ts'
import { HlaError } from '../../../errors.ts'
import type { PutOptions } from '../options/file-options.ts'
import { printRows } from '../print.ts'
import { type DriveClient, withDriveAwaited } from './connect.ts'
import { sendFile } from './send-file.ts'
import { shownTitle } from './shown-title.ts'
import { uploadStream } from '../../client/upload-stream.ts'
import { onInterrupt } from '../../../io/interrupt.ts'
import { inputStream } from '../../../io/run.ts'

/** The last word is the destination. @throws {HlaError} not-found, usage, io, remote */
export function putCommand(words: readonly string[], options: PutOptions): Promise<void> {
  const files = words.slice(0, -1)
  const to = words.at(-1) ?? ''
  if (files.length === 0)
    throw new HlaError('usage', 'the destination is missing', { hint: `hla drive put ${to} /` })
  for (const file of files) requireFile(file)
  return withDriveAwaited(options, async (drive) => {
    const at = await findTarget(drive, parseDrivePath(to), { many: files.length > 1, ...options })
    const stored: DriveFile[] = []
    for (const file of files) stored.push(await store(drive, file, at, options))
    const rows = stored.map(({ id, revision, size, md5, title }) => ({
      id,
      revision,
      size,
      md5,
      title: shownTitle(title),
    }))
    if (options.json === true) printRows(rows, options)
  })
}

function requireFile(file: string): void {
  if (file === '-') return
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) throw new HlaError('not-found', `there is no file ${file}`, { offending: file })
  if (found.isDirectory())
    throw new HlaError('usage', `${file} is a folder, and hla drive put stores files`, {
      offending: file,
      hint: advice`${command('drive sync', { args: [file, `/${basename(resolve(file))}`] })} uploads a folder and keeps both sides in sync`,
    })
  if (!found.isFile()) throw new HlaError('usage', `${file} is not a file`, { offending: file })
}

/** Target of the upload: a folder that keeps the files' names, or a new or existing file. */
type PutTarget =
  | { readonly kind: 'folder'; readonly id: string; readonly path: DrivePath }
  | { readonly kind: 'new'; readonly parent: string; readonly title: string }
  | { readonly kind: 'file'; readonly file: DriveFile }

async function findTarget(
  { connection }: DriveClient,
  path: DrivePath,
  { many, parents }: PutOptions & { readonly many: boolean },
): Promise<PutTarget> {
  if (path.isFolder || path.names.length === 0 || many) {
    const at = path.names.length === 0 ? await filePath(connection, path) : undefined
    if (at !== undefined && !at.isFolder && !many) return { kind: 'file', file: at }
    const { id } = at?.isFolder === true ? at : await folderAt(connection, path, parents)
    return { kind: 'folder', id, path }
  }
  const parent = await folderAt(connection, { ...path, names: path.names.slice(0, -1) }, parents)
  const found = await findPath(connection, path)
  if (found?.isFolder === true) return { kind: 'folder', id: found.id, path }
  if (found !== undefined) return { kind: 'file', file: found }
  return { kind: 'new', parent: parent.id, title: path.names.at(-1) ?? '' }
}

async function store(
  drive: DriveClient,
  file: string,
  at: PutTarget,
  options: PutOptions,
): Promise<DriveFile> {
  const send = (target: UploadTarget) => {
    const wanted = { ...target, ...converted(options) }
    if (file === '-') return sendStream(drive, wanted, inputStream())
    return sendFile(drive, wanted, { file, isQuiet: options.quiet ?? false })
  }
  const target = await chooseTarget(drive, file, at, options)
  try {
    return await send(target)
  } catch (error) {
    // another program has made it meanwhile; of a stream that has ended nothing is left to send
    if (target.kind !== 'new' || !isTitleTaken(error) || inputStream().readableEnded) throw error
    const path = { text: target.title, base: target.parent, names: [target.title], isFolder: false }
    const there = await filePath(drive.connection, path)
    return await send(await chooseTarget(drive, file, { kind: 'file', file: there }, options))
  }
}

function converted({ convert }: PutOptions): Pick<UploadTarget, 'isConverted'> {
  return convert === true ? { isConverted: true } : {}
}

async function chooseTarget(
  { connection }: DriveClient,
  file: string,
  at: PutTarget,
  { new: mustBeNew, type, convert }: PutOptions,
): Promise<UploadTarget> {
  if (at.kind === 'new') {
    const { parent, title } = at
    // the name of a table needs no ending
    const told = convert === true && !title.includes('.') ? file : title
    return { kind: 'new', parent, title, isTitleFree: true, mimeType: type ?? guessMediaType(told) }
  }
  if (at.kind === 'folder') {
    if (file === '-') throw new HlaError('usage', 'standard input has no name: give one for the file')
    const title = basename(file)
    const base = { text: title, base: at.id, names: [title], isFolder: false }
    const there = await findPath(connection, base)
    if (there?.isFolder === true)
      throw new HlaError('usage', `${title} is a folder in the store`, { offending: title })
    if (there === undefined) {
      const mimeType = type ?? guessMediaType(title)
      return { kind: 'new', parent: at.id, title, isTitleFree: true, mimeType }
    }
    return expectedRevision(there, mustBeNew, type ?? typeFor(there, title))
  }
  return expectedRevision(at.file, mustBeNew, type ?? typeFor(at.file, file))
}

/** Type of the content for a document, which is converted from it; other files keep their type. */
function typeFor({ isDocument, title }: DriveFile, name: string): string | undefined {
  return isDocument ? guessMediaType(name === '-' ? title : name) : undefined
}

function expectedRevision(
  { id, title, mimeType }: DriveFile,
  mustBeNew: boolean | undefined,
  type: string | undefined,
): UploadTarget {
  if (mustBeNew !== true) return { kind: 'revision', file: id, mimeType: type ?? mimeType }
  throw new HlaError('usage', `a file ${shownTitle(title)} already exists in the store`, {
    offending: title,
    hint: 'without --new, a new revision is added to it',
  })
}

/** Uploads standard input; the file appears only after the last byte. */
async function sendStream(
  { connection, retries }: DriveClient,
  target: UploadTarget,
  bytes: AsyncIterable<Uint8Array>,
): Promise<DriveFile> {
  const upload = uploadStream(() => startUpload(connection, target, { size: undefined, retries }))
  const stop = onInterrupt(upload.cancel)
  try {
    await upload.begin()
    for await (const chunk of bytes) {
      upload.write(chunk)
      await upload.ready()
    }
    return await upload.finish()
  } catch (error) {
    await upload.cancel()
    throw error
  } finally {
    stop()
  }
}
