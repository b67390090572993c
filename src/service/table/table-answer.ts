/** Answer to a table, whose parts are generated while they are read. */
import { type HlaError, isHlaError } from '../../errors.ts'
import { errorRecord } from '../../operations/error-record.ts'
import type { Face } from '../../operations/faces.ts'
import { type OutputFormatName, FORMAT_FILES } from '../../table/plan/output-format-names.ts'
import type { ServedData } from '../current.ts'
import { type MultipartForm, newForm } from './multipart.ts'
import { answerTooLong } from './table-limits.ts'
import { ANSWER_TIMES } from './table-share.ts'
import { tableSuffix } from '../../table/output/written-row.ts'
import { openConversion, type TableConversion, type TableReport } from './table-conversion.ts'
import { readTableQuery, type TableQuery } from './table-query.ts'

/** Request in a form that can be sent to another thread. */
export interface TableRequest {
  readonly query: TableQuery
  /** Maximum size of the unpacked table, in bytes. */
  readonly most: number
  /** Maximum working time in ms; 0 means no limit. */
  readonly time: number
  /** Client type, which selects the wording of advice. */
  readonly face: Face
  readonly pieces: readonly Uint8Array[]
}

export interface TableAnswer {
  readonly contentType: string
  /** Data behind the answer, for callers that do not know them in advance. */
  readonly dataId?: string
  readonly body: AsyncGenerator<string | Uint8Array>
}

/** @throws {HlaError} not a table, or the columns of typings cannot be found */
export async function answerTable(
  { query, most, time, face, pieces }: TableRequest,
  served: ServedData,
): Promise<TableAnswer> {
  const parsed = readTableQuery(query, served.knowledge.release)
  const conversion = await openConversion({ ...parsed, served, most, time, face, bytes: slicePieces(pieces) })
  const form = newForm()
  const name = resultName(parsed.name, parsed.methods, parsed.rawOptions.outputFormat)
  return {
    contentType: form.contentType,
    body: streamParts(conversion, form, { name, most: most * ANSWER_TIMES }),
  }
}

const SLICE_BYTES = 64 * 1024

export async function* slicePieces(pieces: readonly Uint8Array[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += SLICE_BYTES)
      yield await Promise.resolve(
        Buffer.from(piece.buffer, piece.byteOffset + at, Math.min(SLICE_BYTES, piece.length - at)),
      )
  }
}

/**
 * `donors.csv.gz` and `donors.xlsx` by lgx -> `donors.lgx.csv`; a document becomes a table; for PyPop the name is
 * `donors.lgx.pop`.
 */
function resultName(name: string, methods: readonly string[], format: OutputFormatName | undefined): string {
  const [, stem = name, suffix = ''] = /(.*?)(\.[^.]*)?(?:\.gz)?$/is.exec(name) ?? []
  const formatSuffix = format === undefined ? undefined : FORMAT_FILES[format].suffix
  return `${stem}.${methods.join('-')}${formatSuffix ?? tableSuffix(suffix)}`
}

/** The last part reports success or the error; without it the table is incomplete. */
async function* streamParts(
  { plan, pieces, face }: TableConversion,
  form: MultipartForm,
  { name, most }: { readonly name: string; readonly most: number },
): AsyncGenerator<string | Uint8Array> {
  yield form.part('plan', 'text/plain; charset=utf-8') + plan
  yield form.part('table', 'application/octet-stream', name)
  const end = yield* piecesOrFailure(pieces(), most)
  if (isHlaError(end)) {
    yield failurePart(form, end, face)
    return
  }
  const { summary, errors } = end
  if (errors !== undefined)
    yield form.part('errors', 'text/csv; charset=utf-8', `${name}.errors.csv`) + errors
  yield `${form.part('summary', 'application/json')}${JSON.stringify({ ...summary, name })}${form.end}`
}

/** Last part of an answer that failed midway. */
export function failurePart(form: MultipartForm, error: HlaError, face: Face): string {
  return `${form.part('error', 'application/json')}${JSON.stringify(errorRecord(error, face))}${form.end}`
}

/** `most` is the maximum size of the converted table, in bytes. */
async function* piecesOrFailure(
  pieces: ReturnType<TableConversion['pieces']>,
  most: number,
): AsyncGenerator<Uint8Array, HlaError | TableReport> {
  let size = 0
  try {
    for (;;) {
      const next = await pieces.next()
      if (next.done === true) return next.value
      size += next.value.length
      if (size > most) return answerTooLong(most)
      yield next.value
    }
  } catch (error) {
    if (isHlaError(error)) return error
    throw error
  } finally {
    await pieces.return(undefined as never)
  }
}
