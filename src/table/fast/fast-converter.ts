/** Converts whole rows of bytes: what the scan knows is copied and looked up; every other row goes the ordinary way. */
import { isHlaError } from '../../errors.ts'
import { type Answers, makeAnswers } from '../cells/answers.ts'
import type { Dialect } from '../input/dialect.ts'
import { atLine, makeRow, refuseEndless, type TableRow } from '../input/read-table.ts'
import { recordCutter } from '../input/record-cutter.ts'
import type { TablePlan } from '../plan/plan.ts'
import { convertRows } from '../run/convert.ts'
import { contextKeys } from './column-kinds.ts'
import { type DistinctCells, distinctCells } from './distinct.ts'
import { fastParts, showInput } from './fast-parts.ts'
import type { Counting, FastRequest } from './fast-request.ts'
import { fill, outputBytes, putText, takeBytes, writeInto } from './memory/byte-buffers.ts'
import { clearFull } from './memory/typing-table.ts'
import { putRow } from './put-row.ts'
import { scanRow } from './scan-row.ts'

export interface FastConverter {
  /**
   * Converts the rows that are whole in `pieces`, which begin with a row at `line`; the last row needs its line feed.
   * The rest is to be given again, with more behind it unless `isFull`.
   */
  readonly convert: (pieces: readonly Uint8Array[], line: number) => ConvertedBytes
  readonly distinct: DistinctCells
  /** Forgets which cells were counted; false: counts distinct cells no more. What comes next is written into `room`, while it fits. */
  readonly restart: (isCounting: boolean, room: SharedArrayBuffer) => void
  /** For rows that are converted elsewhere, so that all cells are counted together. */
  readonly answers: Answers
}

interface ConvertedBytes {
  /** Good until the next block is converted. */
  readonly output: Buffer
  /** Bytes that were read, and what is behind them; the latter good until then, too. */
  readonly used: number
  readonly rest: Buffer
  /** Where the next row begins. */
  readonly line: number
  /** There may be whole rows in the rest: the output is as long as one may be. */
  readonly isFull: boolean
}

/** Bytes of one output: codes and antigens become a thousand times what they were, and memory is bounded by what they become. */
const LONGEST_OUTPUT = 1536 * 1024
/** Of a room: most rows that begin before its end then end in it. */
const LEFT = 32 * 1024

/** The encodings are those that the scan reads as they stand; a lone carriage return is no end of a line to it. */
export function isFast({ encoding, eol, delimiter, quote = '"' }: Dialect): boolean {
  const isByte = (text: string) => text.length === 1 && text < '\u0080'
  return (encoding === 'utf8' || encoding === 'latin1') && eol !== '\r' && isByte(delimiter) && isByte(quote)
}

export async function fastConverter(request: FastRequest, conversion: Counting): Promise<FastConverter> {
  const { plan, dialect } = request
  const cut = await rowCutter(dialect)
  const [distinct, out] = [distinctCells(), outputBytes(64)]
  const parts = fastParts(request, conversion, distinct)
  const { input, scanner, reader, encoder } = parts
  const counted = countedAnswers(plan, makeAnswers(request.answers, request.threads), distinct)
  const blank = blankLine(conversion)
  const ordinary = { ...conversion, answers: counted, write: (text: string) => void putText(out, text) }
  const isScanned = noComment(dialect, input)
  let longest = LONGEST_OUTPUT
  return {
    distinct,
    answers: counted,
    restart(isCounting, room) {
      distinct.restart(isCounting)
      writeInto(out, room)
      longest = room.byteLength - LEFT
      encoder.round += 1
    },
    convert(pieces, firstLine) {
      fill(input, pieces)
      showInput(parts)
      const { end, whole } = input
      let [at, line] = [0, firstLine]
      while (at < end && out.size < longest) {
        if (whole[at] === LF) {
          ordinary.write(blank)
          ;[line, at] = [line + 1, at + 1]
          continue
        }
        if (clearFull(reader.table)) reader.noted.clear()
        const next = encoder.isAble && isScanned(at) ? scanRow(encoder.scan, scanner, at) : -1
        if (next >= 0 && putRow(out, encoder)) {
          line += 1 + encoder.scan.innerLines
          at = next
          continue
        }
        const odd = cut(whole, at, line)
        if (odd === undefined) break
        convertRows([odd.row], ordinary)
        ;[line, at] = [line + countLines(whole, at, odd), odd.next]
      }
      const isFull = out.size >= longest
      const rest = input.bytes.subarray(at, input.size)
      if (!isFull) refuseEndless(rest, line, dialect)
      return { output: takeBytes(out), used: at, line, rest, isFull }
    },
  }
}

const LF = 10

function noComment({ comment }: Dialect, input: { readonly bytes: Buffer }): (at: number) => boolean {
  const start = comment === undefined ? undefined : Buffer.from(comment, 'latin1')
  return (at) => start === undefined || !startsWith(input.bytes, at, start)
}

/** As it is written: millions of them are a file of some other kind. */
function blankLine({ writer, dialect }: Counting): string {
  return writer.other(makeRow({ record: [''], raw: '\n' }, true, dialect, { line: 1 }))
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

function countLines(bytes: Buffer, start: number, { next }: CutRow): number {
  let count = 0
  for (let at = bytes.indexOf(LF, start); at >= 0 && at < next; at = bytes.indexOf(LF, at + 1)) count += 1
  return count
}

/** A row the scan cannot read, cut out and taken apart the ordinary way. */
interface CutRow {
  readonly row: TableRow
  /** Where the next one begins. */
  readonly next: number
}

type RowCutter = (bytes: Buffer, start: number, line: number) => CutRow | undefined

/** Cuts the row at `start`; undefined: it ends behind these bytes. */
async function rowCutter(dialect: Dialect): Promise<RowCutter> {
  const cut = await recordCutter(dialect)
  return (bytes, start, line) => {
    const record = cutAt(line, () => cut(bytes, start))
    return record && { row: makeRow(record, true, dialect, { line }), next: record.next }
  }
}

/** @throws {HlaError} io — a row is too wide */
function cutAt<T>(line: number, cut: () => T): T {
  try {
    return cut()
  } catch (error) {
    throw isHlaError(error) ? atLine(error, line) : error
  }
}
