/** Files that a watch has made, and those that it will make: found by their marks, whatever they are called now.  [network] */
import { findFiles, getFile, patchFile } from '../../../client/drive/files.ts'
import { isRefusal } from '../../../client/drive/failure.ts'
import { guessMediaType } from '../../../client/drive/media-type.ts'
import type { DriveFile } from '../../../client/drive/resource.ts'
import type { UploadTarget } from '../../../client/drive/upload.ts'
import { claimId, contested } from './claims.ts'
import {
  type Ending,
  isNamedByWatch,
  isOwn,
  madeMark,
  namedMark,
  formatMarks,
  shownMarks,
  withMark,
} from './marks.ts'
import { isSame, outputName } from './output-name.ts'
import type { FolderWatch } from './watching.ts'

/** Also what is in the trash; undefined: there is none. */
export async function findMade(
  { drive, template }: FolderWatch,
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
}

/** A revision of the file that is there, if it is still as it was found; else the file that watches have agreed to make. */
export async function targetFor(
  watching: FolderWatch,
  source: DriveFile,
  there: DriveFile | undefined,
  { ending, done }: Making,
): Promise<UploadTarget> {
  const made = madeMark(source.id, watching.template, ending)
  const marks = done === undefined ? { made } : { made, done }
  const shown =
    done === undefined
      ? {}
      : shownMarks(source.id, { ...watching, release: (await watching.answering.dataFacts()).release })
  if (there !== undefined && !there.isTrashed) {
    const { id, etag, mimeType } = there
    return {
      kind: 'revision',
      file: id,
      etag,
      mimeType,
      properties: { ...formatMarks({ ...marks, own: id }), ...shown },
    }
  }
  const id = await claimId(watching, source, ending)
  // a claim on the folder goes when the file is there, so that one may have come and gone since it was looked for
  if ((await findMade(watching, source.id, ending))?.id !== there?.id) throw contested()
  const title = titleFor(watching, source, ending)
  return {
    kind: 'new',
    id,
    title,
    parent: watching.to.id,
    mimeType: guessMediaType(title),
    properties: { ...formatMarks({ ...marks, own: id }), ...shown, ...namedMark(title) },
  }
}

function titleFor(watching: FolderWatch, source: DriveFile, ending: Ending): string {
  return `${outputName(source.title, watching.template, isSame(watching))}${ending}`
}

/** Files made from a table that was renamed are renamed with it, unless somebody has given the output another name. */
export async function followTitle(
  watching: FolderWatch,
  source: DriveFile,
  output: DriveFile,
): Promise<DriveFile> {
  if (!isToRename(watching, source, output, '')) return output
  for (const ending of ['.errors.csv', '.hla.json'] as const) {
    const file = await findMade(watching, source.id, ending)
    if (file !== undefined && isToRename(watching, source, file, ending))
      await rename(watching, source, file, ending)
  }
  // last: until then all of it is done again
  return rename(watching, source, output, '')
}

function isToRename(watching: FolderWatch, source: DriveFile, file: DriveFile, ending: Ending): boolean {
  return file.title !== titleFor(watching, source, ending) && isNamedByWatch(file) && !file.isTrashed
}

function rename(
  watching: FolderWatch,
  source: DriveFile,
  file: DriveFile,
  ending: Ending,
): Promise<DriveFile> {
  const title = titleFor(watching, source, ending)
  return patchFile(watching.drive.connection, file, { title, properties: namedMark(title) })
}

/** As it is now; undefined: it is gone, or in the trash. */
export async function presentFile({ drive }: FolderWatch, id: string): Promise<DriveFile | undefined> {
  try {
    const file = await getFile(drive.connection, id)
    return file.isTrashed ? undefined : file
  } catch (error) {
    if (isRefusal(error, 404)) return undefined
    throw error
  }
}
