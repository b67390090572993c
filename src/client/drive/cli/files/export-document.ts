/** `hla drive get` of a document: a converted table or text, written by the store in the format that is asked for.  [disk, network] */
import { type ExportRequest, openExport } from '../../download.ts'
import type { OpenReply } from '../../connection.ts'
import { type DriveFile, TEXT_TYPE } from '../../resource.ts'
import { parseMethod } from '../../../../engine/reduce/methods.ts'
import { HlaError } from '../../../../errors.ts'
import { openPart } from '../../../../io/part-file.ts'
import { tell, writeAll } from '../../../../io/stdout.ts'
import type { ExportFormat, GetOptions } from '../options/drive-file-options.ts'
import type { DriveClient } from './connect.ts'
import { shownTitle } from './shown-title.ts'

const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/jsonl',
  txt: 'text/plain',
}

export interface WantedExport extends ExportRequest {
  readonly file: string
  /** What the file that is written is called, unless it is said. */
  readonly name: string
}

/** @throws {HlaError} usage — it has bytes of its own; unknown-method */
export function wantedExport(
  { id, title, mimeType, isDocument }: DriveFile,
  { as: asked, reduce = [], revision }: GetOptions,
): WantedExport {
  if (!isDocument)
    throw new HlaError('usage', `${shownTitle(title)} is kept as it is, and not as a table`, {
      offending: title,
      hint: 'without --as and --reduce it is fetched; hla drive cp --convert makes a table of it',
    })
  const format = asked ?? (mimeType === TEXT_TYPE ? 'txt' : 'csv')
  const methods = reduce.map(parseMethod)
  const reduced = methods.length === 0 ? '' : `; hla-method="${methods.join(' ')}"`
  const stem = title.replace(/\.(?:csv|tsv|tab|xlsx|txt|jsonl)$/i, '')
  const name = [stem, ...(methods.length === 0 ? [] : [methods.join('-')]), format].join('.')
  return { file: id, name, type: `${TYPES[format]}${reduced}`, revision }
}

/** @throws {HlaError} io — the store refuses; remote */
export async function exportDocument(
  { connection }: DriveClient,
  wanted: WantedExport,
  output: string,
  { quiet }: GetOptions,
): Promise<void> {
  const reply = await openExport(connection, wanted.file, wanted)
  if (output === '-') for await (const bytes of reply.bytes) writeAll(1, bytes)
  else await toFile(reply, output)
  const data = reply.header('x-hla-data')
  if (data !== undefined && quiet !== true) tell(`hla: reduced with ${data}\n`)
}

/** Complete or not at all. */
async function toFile({ bytes }: OpenReply, output: string): Promise<void> {
  const part = openPart(output)
  try {
    for await (const piece of bytes) part.write(piece)
    part.finish()
  } catch (error) {
    part.remove()
    throw error
  }
}
