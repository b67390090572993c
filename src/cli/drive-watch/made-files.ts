/** Files that a watch has made, and those that it will make: found by their marks, whatever they are called now.  [network] */
import { findFiles, getFile, newFileId } from '../../client/drive/files.ts'
import { isRefusal } from '../../client/drive/failure.ts'
import { mediaTypeOf } from '../../client/drive/media-type.ts'
import type { DriveFile } from '../../client/drive/resource.ts'
import type { UploadTarget } from '../../client/drive/upload.ts'
import { type Ending, isOwn, madeMark, propertiesOf, withMark } from './marks.ts'
import { outputName } from './output-name.ts'
import type { Watching } from './watching.ts'

/** Also what is in the trash; undefined: there is none. */
export async function findMade(
  { drive, template }: Watching,
  source: string,
  ending: Ending,
): Promise<DriveFile | undefined> {
  const found: DriveFile[] = []
  const q = withMark(madeMark(source, template, ending))
  for await (const file of findFiles(drive.connection, { q })) if (isOwn(file)) found.push(file)
  // what is in the trash was made before what is not
  return found.find(({ isTrashed }) => !isTrashed) ?? found[0]
}

export interface Making {
  readonly ending: Ending
  readonly done?: string
  /** For a new file. */
  readonly id: () => Promise<string>
}

/** A revision of the file that is there, if it is still as it was found; else a file with this id, if there is none. */
export async function targetFor(
  watching: Watching,
  source: DriveFile,
  there: DriveFile | undefined,
  { ending, done, id: newId }: Making,
): Promise<UploadTarget> {
  const made = madeMark(source.id, watching.template, ending)
  const marks = done === undefined ? { made } : { made, done }
  if (there !== undefined && !there.isTrashed) {
    const { id, etag, mimeType } = there
    return { kind: 'revision', file: id, etag, mimeType, properties: propertiesOf({ ...marks, own: id }) }
  }
  const id = await newId()
  const title = `${outputName(source.title, watching.template)}${ending}`
  return {
    kind: 'new',
    id,
    title,
    parent: watching.to.id,
    mimeType: mediaTypeOf(title),
    properties: propertiesOf({ ...marks, own: id }),
  }
}

/**
 * The id of an output is on disk before its upload begins: should that still be under way when this process is gone,
 * the next one asks for the same file, and the store makes one of it.
 */
export async function reservedId({ drive, state }: Watching, source: string): Promise<string> {
  const { reserved } = state.now()
  if (reserved?.source === source) return reserved.id
  const id = await newFileId(drive.connection)
  state.change({ reserved: { source, id } })
  return id
}

/** An id that is used up, by a file that is there or was, is of no use for another. */
export function forgetReserved({ state }: Watching): void {
  if (state.now().reserved !== undefined) state.change({ reserved: undefined })
}

/** As it is now; undefined: it is gone, or in the trash. */
export async function presentFile({ drive }: Watching, id: string): Promise<DriveFile | undefined> {
  try {
    const file = await getFile(drive.connection, id)
    return file.isTrashed ? undefined : file
  } catch (error) {
    if (isRefusal(error, 404)) return undefined
    throw error
  }
}
