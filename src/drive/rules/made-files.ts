/**
 * Finds the outputs of a rule by their marks, whatever their current titles, and chooses targets for new ones.
 * [network]
 */
import { findFiles, getFile, patchFile } from '../client/files.ts'
import { isRefusal } from '../client/failure.ts'
import { guessMediaType } from '../contract/media-types.ts'
import type { DriveFile } from '../client/resource.ts'
import type { UploadTarget } from '../client/upload.ts'
import { claimId, contestedError } from './claims.ts'
import {
  type OutputSuffix,
  isNamedByRule,
  isOriginalOutput,
  madeMark,
  titleMark,
  formatMarks,
  shownMarks,
  markCondition,
} from './marks.ts'
import { outputName } from './output-name.ts'
import type { FolderRule } from './folder-rule.ts'

/** Output made from a source, including one in the trash; undefined without one. */
export async function findOutput(
  { drive, template }: FolderRule,
  source: string,
  ending: OutputSuffix,
): Promise<DriveFile | undefined> {
  const found: DriveFile[] = []
  const q = markCondition(madeMark(source, template, ending))
  for await (const file of findFiles(drive.connection, { q })) if (isOriginalOutput(file)) found.push(file)
  // an output in the trash is older than one outside
  return found.find(({ isTrashed }) => !isTrashed) ?? found[0]
}

export interface OutputMark {
  readonly ending: OutputSuffix
  readonly done?: string
}

/** Target of an upload: a revision of the existing output if it is unchanged, else a new file with the claimed id. */
export async function chooseTarget(
  folderRule: FolderRule,
  source: DriveFile,
  there: DriveFile | undefined,
  { ending, done }: OutputMark,
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
  // a claim on the folder is removed once its file exists, so it may have appeared and gone since the lookup
  if ((await findOutput(folderRule, source.id, ending))?.id !== there?.id) throw contestedError()
  const title = titleFor(folderRule, source, ending)
  return {
    kind: 'new',
    id,
    title,
    parent: folderRule.to.id,
    mimeType: guessMediaType(title),
    properties: { ...formatMarks({ ...marks, own: id }), ...shown, ...titleMark(title) },
  }
}

function titleFor(folderRule: FolderRule, source: DriveFile, ending: OutputSuffix): string {
  return `${outputName(source.title, folderRule.template)}${ending}`
}

/** Renames outputs after their table was renamed, unless a user has renamed the output. */
export async function followTitle(
  folderRule: FolderRule,
  source: DriveFile,
  output: DriveFile,
): Promise<DriveFile> {
  if (!isToRename(folderRule, source, output, '')) return output
  for (const ending of ['.errors.csv', '.hla.json'] as const) {
    const file = await findOutput(folderRule, source.id, ending)
    if (file !== undefined && isToRename(folderRule, source, file, ending))
      await rename(folderRule, source, file, ending)
  }
  // renamed last: until then an interrupted run repeats everything
  return rename(folderRule, source, output, '')
}

function isToRename(
  folderRule: FolderRule,
  source: DriveFile,
  file: DriveFile,
  ending: OutputSuffix,
): boolean {
  return file.title !== titleFor(folderRule, source, ending) && isNamedByRule(file) && !file.isTrashed
}

function rename(
  folderRule: FolderRule,
  source: DriveFile,
  file: DriveFile,
  ending: OutputSuffix,
): Promise<DriveFile> {
  const title = titleFor(folderRule, source, ending)
  return patchFile(folderRule.drive.connection, file, { title, properties: titleMark(title) })
}

/** Current state of a file; undefined when it is deleted or in the trash. */
export async function presentFile({ drive }: FolderRule, id: string): Promise<DriveFile | undefined> {
  try {
    const file = await getFile(drive.connection, id)
    return file.isTrashed ? undefined : file
  } catch (error) {
    if (isRefusal(error, 404)) return undefined
    throw error
  }
}
