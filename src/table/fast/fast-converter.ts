/**
 * Converts complete rows of bytes: fields known to the scan are copied and looked up; other rows take the ordinary
 * path.
 */
import { assured, isHlaError } from '../../errors.ts'
import {
  type AnswerRequest,
  type Answers,
  type AnswersAhead,
  type CellQuestion,
  type CellAnswer,
  answerCell,
  makeAnswers,
} from '../cells/answers.ts'
import { type Dialect, outDelimiter } from '../input/dialect.ts'
import { BOM_BYTES } from '../input/encoding.ts'
import {
  type CutRow,
  type RowCutter,
  type TableRow,
  makeRow,
  refuseEndless,
  rowCutter,
} from '../input/read-table.ts'
import { feedByte } from '../input/record-cutter.ts'
import { type TablePlan, tryRead, isBodyRow, readCells } from '../plan/plan.ts'
import { type Conversion, conversionError, convertRows } from '../run/convert.ts'
import { type PersonChecks, personChecks } from '../cells/person-checks.ts'
import { columnKinds, contextKeys, glLimit, longPieces, rowPieces } from './column-kinds.ts'
import { type DistinctCells, distinctCells } from './distinct.ts'
import { type Counting, type FastRequest, type RowEncoder, type TimeSlice, putRow } from './put-row.ts'
import {
  type InputBytes,
  type OutputBytes,
  fill,
  inputBytes,
  outputBytes,
  putText,
  takeBytes,
  writeInto,
} from './memory/byte-buffers.ts'
import { clearFull, isLarger, typingTable } from './memory/typing-table.ts'
import { type RowScan, type Scanner, bytePairs, rowsAhead, scanRow } from './scan-row.ts'
import { newComposer } from './compose-gl.ts'
import type { OutputColumns } from '../plan/output-columns.ts'
import { subjectPieces } from './put-subjects.ts'
import { type TypingReader, entryReader, sharedTypings } from './typing-reader.ts'

export interface FastConverter {
  /**
   * Converts the complete rows in `pieces`, which begin with a row at `line`. Pass the rest again, followed by more
   * bytes unless `isFull`. `isLast`: no more bytes follow, and the last row may lack a line feed.
   * @throws {HlaError} bad-quote — an open quote at the end
   */
  readonly convert: (pieces: readonly Uint8Array[], line: number, isLast?: boolean) => ConvertedBytes
  /** Await before passing the rest after `isFull`. */
  readonly prepare: () => Promise<void>
  readonly distinct: DistinctCells
  /**
   * Resets the count of distinct cells; false stops counting. The next output is written into `room`, while it fits.
   */
  readonly restart: (isCounting: boolean, room: SharedArrayBuffer) => void
  /** Answers for rows converted elsewhere, so that all cells are counted together. */
  readonly answers: Answers
  /** Checks of those rows, if any. */
  readonly persons: PersonChecks | undefined
}

interface ConvertedBytes {
  /** Valid until the next block is converted. */
  readonly output: Buffer
  /** Number of bytes consumed, and the bytes after them; `rest` is valid until the next block too. */
  readonly used: number
  readonly rest: Buffer
  /** Line of the next row. */
  readonly line: number
  /** True when `rest` may contain complete rows: the output is full, the turn is over, or `prepare` must be awaited. */
  readonly isFull: boolean
}

/** Maximum bytes of one output; codes and antigens may grow a thousandfold, and the output bounds memory. */
const MAX_OUTPUT_BYTES = 1536 * 1024
/** Bytes left at the end of a room, so that most rows that begin before it fit. */
const LEFT = 32 * 1024

export function fastConverter(request: FastRequest, conversion: Counting): FastConverter {
  const { plan, dialect, turn = ENDLESS } = request
  const cutter = rowCutter(dialect, turn.look)
  const [distinct, out] = [distinctCells(), outputBytes(64)]
  const parts = fastParts(request, conversion, distinct)
  const answers = countedAnswers(plan, parts.reader.answers, distinct)
  const persons = parts.encoder.persons?.checks
  const ordinary = { ...conversion, answers, persons, write: (text: string) => void putText(out, text) }
  const isScanned = startReader(plan, dialect, parts)
  const blank = blankLine(conversion)
  const run: BlockRun = { parts, ordinary, cutter, turn, out, blank, isScanned, longest: MAX_OUTPUT_BYTES, unasked: -1 } // prettier-ignore
  return {
    distinct,
    answers,
    persons,
    convert: (pieces, line, isLast = false) => convertBlock(run, pieces, line, isLast),
    async prepare() {
      await cutter.prepare()
      if (run.unasked >= 0) await parts.ahead?.prepare(cellsFrom(run.unasked, run))
    },
    restart(isCounting, room) {
      distinct.restart(isCounting)
      writeInto(out, room)
      run.longest = room.byteLength - LEFT
      parts.encoder.round += 1
    },
  }
}

interface BlockRun {
  readonly parts: FastParts
  /** Conversion of rows that the scan does not know. */
  readonly ordinary: Conversion
  readonly cutter: RowCutter
  readonly turn: TimeSlice
  readonly out: OutputBytes
  readonly blank: string
  readonly isScanned: (at: number) => boolean
  /** Maximum bytes of one output. */
  longest: number
  /** Offset of a row whose cells are not answered yet; -1 for none. */
  unasked: number
}

function convertBlock(
  run: BlockRun,
  pieces: readonly Uint8Array[],
  firstLine: number,
  isLast: boolean,
): ConvertedBytes {
  const { parts, ordinary, cutter, turn, out, isScanned, longest } = run
  const { input, reader } = parts
  fill(input, pieces)
  showInput(parts)
  const { whole, feed } = input
  const bytes = input.bytes.subarray(0, input.size)
  const end = isLast ? input.size : input.end
  let [at, line] = [0, firstLine]
  run.unasked = -1
  while (at < end && out.size < longest && !turn.isOver) {
    if (whole[at] === feed) {
      ordinary.write(run.blank)
      ;[line, at] = [line + 1, at + 1]
      continue
    }
    if (clearFull(reader.table)) reader.noted.clear()
    const row = at < input.end && isScanned(at) ? putScanned(out, parts, at) : undefined
    if (row !== undefined) {
      line += 1 + row.innerLines
      at = row.next
      continue
    }
    const place = { line }
    const odd = cutter.cut(whole, at, place) ?? (isLast ? cutter.cutLast(bytes, at, place) : undefined)
    if (odd === undefined) break
    if (!isKnown(odd.row, run)) {
      run.unasked = at
      break
    }
    convertRows([odd.row], ordinary)
    line = place.line
    at = odd.next
  }
  const isOver = out.size >= longest || turn.isOver || run.unasked >= 0
  const isFull = at < end && (isOver || cutter.isUnprepared(isLast ? bytes : whole, at))
  const rest = bytes.subarray(at)
  if (!isFull) refuseEndless(rest, line, ordinary.dialect)
  return { output: takeBytes(out), used: at, line, rest, isFull }
}

function isKnown(row: TableRow, { parts: { ahead }, ordinary }: BlockRun): boolean {
  return ahead === undefined || rowCells(row, ordinary).every(ahead.has)
}

/**
 * Cells of the row at `start` and of following rows that are not known by their bytes. An error there is met again in
 * the conversion.
 */
function cellsFrom(start: number, { parts, isScanned, cutter, ordinary }: BlockRun): readonly CellQuestion[] {
  const { scanner, input, encoder } = parts
  const { whole, end, feed } = input
  const cells: CellQuestion[] = []
  showInput(parts)
  for (let at = start; at < input.size;) {
    if (whole[at] === feed) {
      at += 1
      continue
    }
    const mayBeKnown = encoder.isAble && at > start && at < end && isScanned(at)
    const row = mayBeKnown ? scanRow(scanner, at) : undefined
    const odd = row === undefined ? tryCut(cutter, input, at) : undefined
    if (odd !== undefined) for (const cell of rowCells(odd.row, ordinary)) cells.push(cell)
    const next = row?.next ?? odd?.next
    if (next === undefined) break
    at = next
  }
  return cells
}

function tryCut(cutter: RowCutter, { whole, bytes, size }: InputBytes, at: number): CutRow | undefined {
  try {
    return cutter.cut(whole, at, { line: 1 }) ?? cutter.cutLast(bytes.subarray(0, size), at, { line: 1 })
  } catch (error) {
    if (isHlaError(error)) return undefined
    throw error
  }
}

/** Cells that are converted. */
function rowCells(row: TableRow, conversion: Counting): readonly CellQuestion[] {
  if (!isBodyRow(row, conversion.plan)) return []
  return conversionError(row, conversion) === undefined ? readCells(row, conversion) : []
}

const ENDLESS: TimeSlice = { isOver: false, look: () => undefined }

/** Writes the row at `start`; undefined when the ordinary conversion must. */
function putScanned(out: OutputBytes, { scanner, encoder }: FastParts, start: number): RowScan | undefined {
  if (!encoder.isAble) return undefined
  const row = scanRow(scanner, start)
  if (row === undefined) return undefined
  encoder.scan = row
  return putRow(out, encoder) ? row : undefined
}

/**
 * Returns a test whether a row may be scanned: not a comment, and not a repeated header that would be read as typings
 * (`A1,A2`).
 */
function startReader(plan: TablePlan, dialect: Dialect, parts: FastParts): (at: number) => boolean {
  let made: ((at: number) => boolean) | undefined
  // made in the first turn, since it may ask about the header
  return (at) => (made ??= makeStartReader(plan, dialect, parts))(at)
}

function makeStartReader(
  plan: TablePlan,
  { comment, delimiter }: Dialect,
  { input, reader, ahead }: FastParts,
): (at: number) => boolean {
  const start = comment === undefined ? undefined : Buffer.from(comment, 'latin1')
  // a remote service is not asked about header names
  const headers = plan.headerLines.filter(
    (names) => ahead !== undefined || areTypings(names, plan, reader.request),
  )
  const firsts = headers.map(([name = '']) => Buffer.from(name, 'latin1'))
  if (start === undefined && firsts.length === 0) return () => true
  const beside = new Set(Buffer.from(BESIDE_NAMES.replaceAll(delimiter, ''), 'latin1'))
  // most rows begin with another byte
  const mayBegin = new Uint8Array(256)
  for (const byte of [...beside, ...firsts.map((name) => name[0] ?? delimiter.charCodeAt(0))])
    mayBegin[byte] = 1
  const isNamed = (from: number, name: Buffer): boolean => {
    const { bytes } = input
    if (!startsWith(bytes, from, name)) return false
    let end = from + name.length
    while (beside.has(bytes[end] ?? 0)) end += 1
    const next = String.fromCharCode(bytes[end] ?? 10)
    return next === delimiter || next === '\n' || next === '\r'
  }
  return (at) => {
    if (start !== undefined && startsWith(input.bytes, at, start)) return false
    if (mayBegin[input.bytes[at] ?? 0] === 0) return true
    let from = at
    while (beside.has(input.bytes[from] ?? 0)) from += 1
    for (const name of firsts) if (isNamed(from, name)) return false
    return true
  }
}

/** A repeated header may have a byte order mark, quotes or blanks around it. */
const BESIDE_NAMES = `${BOM_BYTES} \t"`

/** Tests each name: a row with a failing one takes the ordinary path, which recognises the header. */
function areTypings(names: readonly string[], { groups }: TablePlan, request: AnswerRequest): boolean {
  return groups.every((group) =>
    group.columns.every((column) => {
      const name = names[column] ?? ''
      const isRead = !(tryRead(name, group.context) instanceof Error)
      return isRead && answerCell(name, group, request).status !== 'error'
    }),
  )
}

/** Written form of an empty line; a file with millions of them is not a table. */
function blankLine({ writer, dialect }: Counting): string {
  return writer.other(makeRow({ record: [''], raw: '\n' }, true, dialect, { line: 1 }))
}

/** Answers that count cells, whichever path their rows take. */
function countedAnswers(plan: TablePlan, answers: Pick<Answers, 'of'>, distinct: DistinctCells): Answers {
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

interface FastParts {
  readonly input: InputBytes
  /** Set when a remote service answers. */
  readonly ahead: AnswersAhead | undefined
  readonly reader: TypingReader
  readonly scanner: Scanner
  readonly encoder: RowEncoder
  /** Size of typings, in bytes, that fits a near cache. */
  readonly near: number
}

function fastParts(request: FastRequest, counting: Counting, distinct: DistinctCells): FastParts {
  const { plan, dialect, writing, output, answers, shared, threads } = request
  const [input, out] = [inputBytes(feedByte(dialect)), outDelimiter(dialect, writing)]
  const remembered = makeAnswers(answers, threads)
  const columns = columnKinds(plan, remembered.ahead !== undefined)
  const table = typingTable(writing.results.length, threads)
  const noted = new Map<number, CellAnswer>()
  const { withoutAdvice } = answers.executor
  const reader: TypingReader = {
    columns,
    table,
    request: withoutAdvice === undefined ? answers : { ...answers, executor: withoutAdvice },
    isAskedAgain: withoutAdvice !== undefined,
    answers: remembered,
    noted,
    shared: shared && sharedTypings(shared),
    encoding: dialect.encoding,
    locusPrefix: writing.locusPrefix,
    needsQuotes: new RegExp(`["\\r\\n\\x${out.charCodeAt(0).toString(16).padStart(2, '0')}]`),
    hasQuotes: dialect.quote !== undefined,
    isJoined: isJoined(output),
    input: input.bytes,
  }
  const delimiter = dialect.delimiter.charCodeAt(0)
  const quote = dialect.quote?.charCodeAt(0) ?? -1
  const scanner: Scanner = {
    columns,
    ...bytePairs(delimiter, quote),
    delimiter,
    quote,
    table,
    add: entryReader(reader),
    ahead: rowsAhead(plan.header.width),
    isFar: false,
    hash: 0,
    bytes: input.bytes,
    view: input.view,
    end: 0,
  }
  const scan = assured(scanner.ahead.rows[0], 'at least one row is read')
  return {
    input,
    ahead: remembered.ahead,
    reader,
    scanner,
    near: request.near ?? NEAR,
    encoder: rowEncoder(request, counting, { scan, input, columns, table, noted, distinct }),
  }
}

/** Bytes; less than a processor's second-level cache. */
const NEAR = 768 * 1024
function isJoined({ gl, drbx }: OutputColumns): boolean {
  return gl.length + drbx.length > 0
}

function rowEncoder(
  { plan, dialect, writing, output, answers }: FastRequest,
  { tally }: Counting,
  shared: Pick<RowEncoder, 'scan' | 'input' | 'columns' | 'table' | 'noted' | 'distinct'>,
): RowEncoder {
  // the scan does not recognise a lone carriage return as a line end
  const isLines = dialect.eol !== '\r'
  const pieces = isLines ? rowPieces(plan, dialect, writing, { output, columns: shared.columns }) : undefined
  const subjects = isJoined(output) ? subjectPieces(plan, writing, output) : []
  const checks = personChecks(plan, answers)
  return {
    ...shared,
    composer: newComposer(),
    // in the order in which the ordinary conversion counts
    typed: plan.groups.flatMap((group) => group.columns),
    isAble: pieces !== undefined && subjects !== undefined,
    pieces: pieces ?? [],
    long:
      pieces && writing.shape === 'long' ? longPieces(plan, dialect, writing, { output, pieces }) : undefined,
    subjects: subjects ?? [],
    tally,
    delimiter: outDelimiter(dialect, writing).charCodeAt(0),
    isOtherDelimiter: (writing.delimiter ?? dialect.delimiter) !== dialect.delimiter,
    otherDelimiter: -1,
    limit: glLimit(answers),
    eol: writing.eol,
    isReported: output.report.length > 0,
    persons: checks && { checks, known: new Map() },
    round: 1,
  }
}

/** Gives each part the current input. */
function showInput({ input, scanner, reader, encoder, near }: FastParts): void {
  const { bytes, view, end } = input
  Object.assign(scanner, { bytes, view, end, isFar: isLarger(reader.table, near) })
  scanner.ahead.size = 0
  encoder.otherDelimiter = -1
  reader.input = bytes
  reader.table.input = view
}
