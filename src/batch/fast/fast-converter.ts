/** Converts whole rows of bytes: what the scan knows is copied and looked up; every other row goes the ordinary way. */
import { type AnswerRequest, type Answers, answersOf } from '../answers.ts'
import { type Conversion, convertRows } from '../convert.ts'
import { type Dialect, outDelimiter } from '../dialect.ts'
import type { OutputColumns } from '../output-columns.ts'
import type { TablePlan } from '../plan.ts'
import type { WriteRequest } from '../table-request.ts'
import { columnKinds, contextKeys, glLimit, rowPieces } from './column-kinds.ts'
import { newComposer } from './compose-gl.ts'
import { type DistinctCells, distinctCells } from './distinct.ts'
import { type CutRow, refuseEndless, rowCutter } from './odd-row.ts'
import { outputBytes, putText, takeBytes } from './output-bytes.ts'
import { putRow, type RowPen } from './put-row.ts'
import { byteClasses, rowScan, type Scanner, scanRow } from './scan-row.ts'
import { entryReader, type TypingReader } from './typing-reader.ts'
import { clearFull, typingTable } from './typing-table.ts'

export interface FastRequest {
  readonly plan: TablePlan
  readonly dialect: Dialect
  readonly writing: WriteRequest
  readonly output: OutputColumns
  readonly answers: AnswerRequest
}

export interface FastConverter {
  /**
   * Converts the rows that are whole in `bytes`, which begins with a row at `line`; its last row needs its line feed.
   * The rest is to be given again with more behind it.
   */
  readonly convert: (bytes: Buffer, line: number) => Converted
  readonly distinct: DistinctCells
  /** Forgets which cells were counted; false: counts distinct cells no more. */
  readonly restart: (isCounting: boolean) => void
  /** For rows that are converted elsewhere, so that all cells are counted together. */
  readonly answers: Answers
}

export interface Converted {
  /** Good until the next block is converted. */
  readonly output: Buffer
  /** Bytes that were read. */
  readonly used: number
  /** Where the next row begins. */
  readonly line: number
}

/** The encodings are those that the scan reads as they stand; a lone carriage return is no end of a line to it. */
export function isFast({ encoding, eol, delimiter, quote = '"' }: Dialect): boolean {
  const isByte = (text: string) => text.length === 1 && text < '\u0080'
  return (encoding === 'utf8' || encoding === 'latin1') && eol !== '\r' && isByte(delimiter) && isByte(quote)
}

/** What rows and failures are counted in. */
export type Counting = Omit<Conversion, 'answers' | 'write'>

export async function fastConverter(request: FastRequest, conversion: Counting): Promise<FastConverter> {
  const { plan, dialect } = request
  const cut = await rowCutter(dialect)
  const distinct = distinctCells()
  const out = outputBytes(16 * 1024)
  const { scanner, reader, pen } = openParts(request, conversion, distinct)
  const counted = countedAnswers(plan, reader.answers, distinct)
  const ordinary = {
    ...conversion,
    answers: counted,
    write: (text: string) => void putText(out, text),
  }
  const comment = dialect.comment === undefined ? undefined : Buffer.from(dialect.comment, 'latin1')
  return {
    distinct,
    answers: counted,
    restart(isCounting) {
      distinct.restart(isCounting)
      reader.table.seen.fill(isCounting ? 0 : 1)
    },
    convert(bytes, firstLine) {
      const end = bytes.lastIndexOf(LF) + 1
      const whole = bytes.subarray(0, end)
      reader.bytes = whole
      reader.table.bytes = whole
      let [at, line] = [0, firstLine]
      while (at < end) {
        clearFull(reader.table)
        const isComment = comment !== undefined && startsWith(whole, at, comment)
        const next = pen === undefined || isComment ? -1 : scanRow(pen.scan, scanner, whole, at)
        if (next >= 0 && pen !== undefined && putRow(out, pen, whole)) {
          line += 1 + pen.scan.innerLines
          at = next
          continue
        }
        const odd = cut(whole, at, line)
        if (odd === undefined) break
        convertRows([odd.row], ordinary)
        line += linesOf(whole, at, odd)
        at = odd.next
      }
      refuseEndless(bytes.length - at, line)
      return { output: takeBytes(out), used: at, line }
    },
  }
}

const LF = 10

function openParts(
  { plan, dialect, writing, output, answers }: FastRequest,
  { tally }: Counting,
  distinct: DistinctCells,
) {
  const columns = columnKinds(plan)
  const table = typingTable(writing.results.length)
  const asked = answersOf(answers)
  const reader: TypingReader = {
    columns,
    table,
    request: answers,
    answers: asked,
    encoding: dialect.encoding,
    locusPrefix: writing.locusPrefix,
    bytes: Buffer.alloc(0),
  }
  const [delimiter, quote] = [dialect.delimiter.charCodeAt(0), dialect.quote?.charCodeAt(0) ?? -1]
  const classes = byteClasses(delimiter, quote)
  const entryOf = entryReader(reader)
  const scanner: Scanner = {
    columns,
    ...classes,
    delimiter,
    quote,
    entryOf,
    kindOf: (entry) => table.kinds[entry] ?? 0,
  }
  const pieces = rowPieces(plan, dialect, writing, output)
  const limit = glLimit(answers)
  const scan = rowScan(plan.header.width)
  const written = outDelimiter(dialect).charCodeAt(0)
  const parts = { scan, table, composer: newComposer(), columns, distinct, tally, delimiter: written, limit }
  const pen: RowPen | undefined =
    pieces === undefined
      ? undefined
      : { ...parts, pieces, eol: writing.eol, isReported: output.report.length > 0 }
  return { reader, scanner, pen }
}

/** Cells are counted there, whichever way their rows go. */
export function countedAnswers(
  plan: TablePlan,
  answers: Pick<Answers, 'of'>,
  distinct: DistinctCells,
): Answers {
  const keys = contextKeys(plan.groups)
  return {
    of(text, group) {
      distinct.add(keys.indexOf(group.contextKey), text)
      return answers.of(text, group)
    },
    distinct: distinct.distinct,
  }
}

function startsWith(bytes: Buffer, at: number, prefix: Buffer): boolean {
  return bytes.compare(prefix, 0, prefix.length, at, Math.min(bytes.length, at + prefix.length)) === 0
}

function linesOf(bytes: Buffer, start: number, { next }: CutRow): number {
  let count = 0
  for (let at = bytes.indexOf(LF, start); at >= 0 && at < next; at = bytes.indexOf(LF, at + 1)) count += 1
  return count
}
