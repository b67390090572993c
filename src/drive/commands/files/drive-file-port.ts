/** File port of a file store: reads the current revisions, and writes new ones, complete or not at all.  [network] */
import { type OutputTarget, openStoredSink } from './stored-sink.ts'
import type { DriveConnection } from '../../client/connection.ts'
import { download, openExport } from '../../client/download.ts'
import { getFile, trashFile } from '../../client/files.ts'
import { guessMediaType } from '../../contract/media-types.ts'
import { filePath, findPath, folderAt, parseDrivePath } from '../../client/paths.ts'
import { type DriveFile, TEXT_TYPE } from '../../client/resource.ts'
import { HlaError } from '../../../errors.ts'
import type { DriveFlags } from '../options/connection-options.ts'
import type { ByteInput, FilePort } from '../../../io/file-port.ts'
import { type DriveClient, connectDrive } from './connect.ts'
import { describeContent } from './describe-content.ts'

/** Size of the first request in bytes; planning reads no further. */
const HEAD_BYTES = 1024 * 1024

/** All of its files are elsewhere. */
type StoredFilePort = Omit<FilePort, 'isRemote'>

export async function openDriveFilePort(flags: DriveFlags): Promise<StoredFilePort> {
  return driveFilePort(await connectDrive(flags))
}

/** File names are paths and ids of the store. */
export function driveFilePort(drive: DriveClient): StoredFilePort {
  const { connection } = drive
  const sources = new Map<string, ByteInput>()
  return {
    async source(path) {
      const known = sources.get(path)
      if (known !== undefined) return known
      const source = storedSource(drive, await filePath(connection, parseDrivePath(path)), `drive:${path}`)
      sources.set(path, source)
      return source
    },
    sink: async (path, options) => openStoredSink(drive, await findOutput(drive, path), options),
    async beside(path) {
      const { base, names } = parseDrivePath(path)
      if (names.length > 0) return path
      const { parents, title } = await getFile(connection, base)
      return `${parents[0] ?? 'root'}/${title}`
    },
    removeOwn: (path, begin) => removeOwn(drive, path, begin),
    close: connection.close,
  }
}

export function storedSource({ connection, retries }: DriveClient, file: DriveFile, name: string): ByteInput {
  if (file.isDocument) return documentSource(connection, file, name)
  const content = describeContent(file, name)
  const bytes = () => download(connection, content, { head: HEAD_BYTES, retries })
  return { name, title: file.title, size: content.size, bytes }
}

/** Reads a document: a table as CSV, or a text. */
function documentSource(connection: DriveConnection, file: DriveFile, name: string): ByteInput {
  const { id, title } = file
  const type = file.mimeType === TEXT_TYPE ? 'text/plain' : 'text/csv'
  return { name, title, size: undefined, bytes: () => exported(connection, id, type) }
}

async function* exported(connection: DriveConnection, id: string, type: string): AsyncGenerator<Buffer> {
  yield* (await openExport(connection, id, { type })).bytes
}

/**
 * Target of an output: a new revision of an existing file, or a new file.
 * @throws {HlaError} usage — a folder; not-found — a missing folder
 */
async function findOutput({ connection }: DriveClient, text: string): Promise<OutputTarget> {
  const name = `drive:${text}`
  const path = parseDrivePath(text)
  // a path without names is a folder, or the id of a file that is found
  const title = path.names.at(-1) ?? ''
  const found = path.isFolder ? undefined : await findPath(connection, path)
  if (path.isFolder || found?.isFolder === true)
    throw new HlaError('usage', `${name} is a folder`, { offending: text })
  if (found !== undefined) {
    const { id, mimeType } = found
    return { name, title: found.title, target: { kind: 'revision', file: id, mimeType } }
  }
  const parent = await folderAt(connection, { ...path, names: path.names.slice(0, -1) })
  const mimeType = guessMediaType(title)
  return { name, title, target: { kind: 'new', title, parent: parent.id, isTitleFree: true, mimeType } }
}

async function removeOwn({ connection, retries }: DriveClient, path: string, begin: string): Promise<void> {
  const file = await findPath(connection, parseDrivePath(path))
  const length = Buffer.byteLength(begin)
  if (file === undefined || (file.size ?? 0) < length) return
  const head: Buffer[] = []
  let size = 0
  for await (const bytes of download(connection, describeContent(file, path), { head: length, retries })) {
    head.push(bytes)
    size += bytes.length
    if (size >= length) break
  }
  if (Buffer.concat(head).subarray(0, length).toString('utf8') === begin) await trashFile(connection, file.id)
}
