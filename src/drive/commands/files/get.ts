/**
 * `hla drive get`: downloads a file, complete or not at all, and resumes an interrupted download.  [disk, network]
 */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DriveConnection, OpenReply } from '../../client/connection.ts'
import { type ExportRequest, type StoredContent, download, openExport } from '../../client/download.ts'
import { getRevision } from '../../client/files.ts'
import { filePath, parseDrivePath } from '../../client/paths.ts'
import { type DriveFile, TEXT_TYPE } from '../../client/resource.ts'
import { HlaError, isHlaError } from '../../../errors.ts'
import { exportStem } from '../../contract/kinds.ts'
import type { ExportFormat, GetOptions } from '../options/file-options.ts'
import { onInterrupt } from '../../../io/interrupt.ts'
import { isDevice, openPart } from '../../../io/part-file.ts'
import { tell, writeOut } from '../../../io/stdout.ts'
import { type DriveClient, withDriveAwaited } from './connect.ts'
import { describeContent } from './describe-content.ts'
import { shownTitle } from './shown-title.ts'
import { transferProgress } from './transfer-progress.ts'
import { parseMethod } from '../../../engine/reduce/methods.ts'

/** @throws {HlaError} not-found, usage, io, remote, checksum-mismatch */
export function getCommand(path: string, options: GetOptions): Promise<void> {
  return withDriveAwaited(options, async (drive) => {
    const file = await filePath(drive.connection, parseDrivePath(path))
    if (file.isDocument || options.as !== undefined || options.reduce !== undefined) {
      const wanted = wantedExport(file, options)
      await exportDocument(drive, wanted, outputFor({ title: wanted.name }, options.output), options)
      return
    }
    const content = await chosen(drive.connection, file, path, options.revision)
    const output = outputFor(file, options.output)
    if (output === '-') await toStdout(drive, content)
    else await toFile(drive, content, output, options.quiet ?? false)
  })
}

async function chosen(
  connection: DriveConnection,
  file: DriveFile,
  path: string,
  revision: string | undefined,
): Promise<StoredContent> {
  const head = describeContent(file, path)
  if (revision === undefined || revision === head.revision) return head
  const { id, size, md5 } = await getRevision(connection, file.id, revision)
  return { ...head, revision: id, size, md5 }
}

/** Refuses to overwrite a local file unless it is named explicitly. @throws {HlaError} usage */
function outputFor({ title }: Pick<DriveFile, 'title'>, asked: string | undefined): string {
  if (asked !== undefined) {
    const isFolder = statSync(asked, { throwIfNoEntry: false })?.isDirectory() ?? false
    return isFolder ? join(asked, plainName(title)) : asked
  }
  const output = plainName(title)
  if (!existsSync(output)) return output
  throw new HlaError('usage', `a file ${output} already exists here`, {
    offending: output,
    hint: `use -o ${output} to replace it`,
  })
}

/** Title as a local file name; a title may contain anything. */
function plainName(title: string): string {
  if (
    title !== '' &&
    title === basename(title) &&
    !['.', '..', '-'].includes(title) &&
    title === shownTitle(title)
  )
    return title
  throw new HlaError('usage', `the title ${JSON.stringify(title)} cannot be used as a file name`, {
    offending: title,
    hint: 'choose a name with -o',
  })
}

async function toStdout({ connection, retries }: DriveClient, content: StoredContent): Promise<void> {
  for await (const bytes of download(connection, content, { retries })) writeOut(bytes)
}

/** The part file is named after the checksum, so that other content of the same name does not continue it. */
async function toFile(
  { connection, retries }: DriveClient,
  content: StoredContent,
  output: string,
  isQuiet: boolean,
): Promise<void> {
  const name = join(dirname(output), `.${basename(output)}.${content.md5.slice(0, 12)}.part`)
  const length = isDevice(output) ? undefined : keptLength(name, content.size)
  const part = openPart(output, length, name)
  const progress = transferProgress(content.name, content.size, isQuiet)
  const stop = onInterrupt(part.keep)
  try {
    let at = length ?? 0
    const begun = length === undefined ? {} : { begun: createReadStream(name, { end: length - 1 }) }
    for await (const bytes of download(connection, content, { retries, ...begun })) {
      part.write(bytes)
      progress.at((at += bytes.length))
    }
    part.finish()
  } catch (error) {
    if (isHlaError(error) && error.code === 'remote') part.keep()
    else part.remove()
    throw error
  } finally {
    progress.end()
    stop()
  }
}

/** Size of the part file from an earlier run; undefined without one. */
function keptLength(part: string, size: number): number | undefined {
  const found = statSync(part, { throwIfNoEntry: false })?.size ?? 0
  return found === 0 || found > size ? undefined : found
}

const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/jsonl',
  txt: 'text/plain',
}

interface WantedExport extends ExportRequest {
  readonly file: string
  /** Default name of the output file. */
  readonly name: string
}

/** @throws {HlaError} usage — the file has bytes of its own; unknown-method */
function wantedExport(
  { id, title, mimeType, isDocument }: DriveFile,
  { as: asked, reduce = [], revision }: GetOptions,
): WantedExport {
  if (!isDocument)
    throw new HlaError('usage', `${shownTitle(title)} is stored as a plain file, not as a table`, {
      offending: title,
      hint: 'omit --as and --reduce to download it unchanged, or make a table with hla drive cp --convert',
    })
  const format = asked ?? (mimeType === TEXT_TYPE ? 'txt' : 'csv')
  const methods = reduce.map(parseMethod)
  const reduced = methods.length === 0 ? '' : `; hla-method="${methods.join(' ')}"`
  const stem = exportStem(title)
  const name = [stem, ...(methods.length === 0 ? [] : [methods.join('-')]), format].join('.')
  return { file: id, name, type: `${TYPES[format]}${reduced}`, revision }
}

/** @throws {HlaError} io — a refusal of the store; remote */
async function exportDocument(
  { connection }: DriveClient,
  wanted: WantedExport,
  output: string,
  { quiet }: GetOptions,
): Promise<void> {
  const reply = await openExport(connection, wanted.file, wanted)
  if (output === '-') for await (const bytes of reply.bytes) writeOut(bytes)
  else await intoFile(reply, output)
  const data = reply.header('x-hla-data')
  if (data !== undefined && quiet !== true) tell(`hla: reduced with ${data}\n`)
}

/** Writes the file, complete or not at all. */
async function intoFile({ bytes }: OpenReply, output: string): Promise<void> {
  const part = openPart(output)
  try {
    for await (const piece of bytes) part.write(piece)
    part.finish()
  } catch (error) {
    part.remove()
    throw error
  }
}
