/** The answer to a table: its parts, made while they are read. */
import { type HlaError, isHlaError } from '../../errors.ts'
import { errorRecord } from '../../operations/error-record.ts'
import type { Face } from '../../advice.ts'
import { type OutputFormatName, POPULATION_SUFFIXES } from '../../table/plan/output-format-names.ts'
import type { Served } from '../current.ts'
import { type MultipartForm, newForm } from './multipart.ts'
import { answerTooLong } from './table-limits.ts'
import { ANSWER_TIMES } from './table-share.ts'
import { tableSuffix } from '../../table/output/written-row.ts'
import { openConversion, type TableConversion, type TableReport } from './table-conversion.ts'
import { readTableQuery, type TableQuery } from './table-query.ts'

/** As it can be sent to another thread. */
export interface TableRequest {
  readonly query: TableQuery
  /** Bytes of a table, unpacked. */
  readonly most: number
  /** ms that it is worked on; 0 is no limit. */
  readonly time: number
  /** Of whoever asks: what advice is given in. */
  readonly face: Face
  readonly pieces: readonly Uint8Array[]
}

export interface TableAnswer {
  readonly contentType: string
  /** Which data it is made from, for who does not know them before. */
  readonly dataId?: string
  readonly body: AsyncGenerator<string | Uint8Array>
}

/** @throws {HlaError} the bytes are no table, or nobody can say where its typings are */
export async function answerTable(
  { query, most, time, face, pieces }: TableRequest,
  served: Served,
): Promise<TableAnswer> {
  const asked = readTableQuery(query, served.knowledge.release)
  const conversion = await openConversion({ ...asked, served, most, time, face, bytes: slices(pieces) })
  const form = newForm()
  const name = resultName(asked.name, asked.methods, asked.rawOptions.outputFormat)
  return {
    contentType: form.contentType,
    body: streamParts(conversion, form, { name, most: most * ANSWER_TIMES }),
  }
}

const SLICE = 64 * 1024

export async function* slices(pieces: readonly Uint8Array[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += SLICE)
      yield await Promise.resolve(
        Buffer.from(piece.buffer, piece.byteOffset + at, Math.min(SLICE, piece.length - at)),
      )
  }
}

/** `donors.csv.gz` by lgx -> `donors.lgx.csv`, and so does `donors.xlsx`; a document becomes a table; written for PyPop it is `donors.lgx.pop` */
function resultName(name: string, methods: readonly string[], format: OutputFormatName | undefined): string {
  const [, stem = name, suffix = ''] = /^(.*?)(\.[^.]*)?(?:\.gz)?$/is.exec(name) ?? []
  const own = format === undefined ? undefined : POPULATION_SUFFIXES.get(format)
  return `${stem}.${methods.join('-')}${own ?? (format === 'same' ? suffix : tableSuffix(suffix))}`
}

/** The last part says that all went well, or what did not: without it the table is not complete. */
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

/** The last part of an answer that does not come to its end. */
export function failurePart(form: MultipartForm, error: HlaError, face: Face): string {
  return `${form.part('error', 'application/json')}${JSON.stringify(errorRecord(error, face))}${form.end}`
}

/** `most`: bytes of the converted table. */
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
