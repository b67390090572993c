/** Files that a rule has made, and those that it will make: found by their marks, whatever they are called now.  [network] */
import { findFiles, getFile, patchFile } from '../../files.ts'
import { isRefusal } from '../../failure.ts'
import { guessMediaType } from '../../../../media-types.ts'
import type { DriveFile } from '../../resource.ts'
import type { UploadTarget } from '../../upload.ts'
import { claimId, contested } from './claims.ts'
import {
  type Ending,
  isNamedByRule,
  isOwn,
  madeMark,
  namedMark,
  formatMarks,
  shownMarks,
  withMark,
} from './marks.ts'
import { isSame, outputName } from './output-name.ts'
import type { FolderRule } from './folder-rule.ts'

/** Also what is in the trash; undefined: there is none. */
export async function findMade(
  { drive, template }: FolderRule,
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

/** A revision of the file that is there, if it is still as it was found; else the file whose id the claim on the table names. */
export async function targetFor(
  folderRule: FolderRule,
  source: DriveFile,
  there: DriveFile | undefined,
  { ending, done }: Making,
): Promise<UploadTarget> {
  const made = madeMark(source.id, folderRule.template, ending)
  const marks = done === undefined ? { made } : { made, done }
  const shown =
    done === undefined
      ? {}
      : shownMarks(source.id, { ...folderRule, release: (await folderRule.answering.dataFacts()).release })
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
  const id = await claimId(folderRule, source, ending)
  // a claim on the folder goes when the file is there, so that one may have come and gone since it was looked for
  if ((await findMade(folderRule, source.id, ending))?.id !== there?.id) throw contested()
  const title = titleFor(folderRule, source, ending)
  return {
    kind: 'new',
    id,
    title,
    parent: folderRule.to.id,
    mimeType: guessMediaType(title),
    properties: { ...formatMarks({ ...marks, own: id }), ...shown, ...namedMark(title) },
  }
}

function titleFor(folderRule: FolderRule, source: DriveFile, ending: Ending): string {
  return `${outputName(source.title, folderRule.template, isSame(folderRule))}${ending}`
}

/** Files made from a table that was renamed are renamed with it, unless somebody has given the output another name. */
export async function followTitle(
  folderRule: FolderRule,
  source: DriveFile,
  output: DriveFile,
): Promise<DriveFile> {
  if (!isToRename(folderRule, source, output, '')) return output
  for (const ending of ['.errors.csv', '.hla.json'] as const) {
    const file = await findMade(folderRule, source.id, ending)
    if (file !== undefined && isToRename(folderRule, source, file, ending))
      await rename(folderRule, source, file, ending)
  }
  // last: until then all of it is done again
  return rename(folderRule, source, output, '')
}

function isToRename(folderRule: FolderRule, source: DriveFile, file: DriveFile, ending: Ending): boolean {
  return file.title !== titleFor(folderRule, source, ending) && isNamedByRule(file) && !file.isTrashed
}

function rename(
  folderRule: FolderRule,
  source: DriveFile,
  file: DriveFile,
  ending: Ending,
): Promise<DriveFile> {
  const title = titleFor(folderRule, source, ending)
  return patchFile(folderRule.drive.connection, file, { title, properties: namedMark(title) })
}

/** As it is now; undefined: it is gone, or in the trash. */
export async function presentFile({ drive }: FolderRule, id: string): Promise<DriveFile | undefined> {
  try {
    const file = await getFile(drive.connection, id)
    return file.isTrashed ? undefined : file
  } catch (error) {
    if (isRefusal(error, 404)) return undefined
    throw error
  }
}
