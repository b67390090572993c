/** Converts blocks of rows: those of known cells at once, all others by `convertRows`. */
import { isHlaError } from '../../errors.ts'
import {
  type AnswerRequest,
  type Answers,
  type AnswersAhead,
  type CellQuestion,
  makeAnswers,
} from '../answers/answers.ts'
import { feedOf } from '../input/dialect.ts'
import { type PersonChecks, personChecks } from '../answers/person-checks.ts'
import { type RowCutter, type TableRow, makeRow, refuseEndless, rowCutter } from '../input/read-table.ts'
import { type TablePlan, isBodyRow, readCells } from '../plan/plan.ts'
import { type Conversion, convertRows } from './convert-rows.ts'
import { conversionError } from '../plan/row-error.ts'
import { type DistinctCells, distinctCells } from './distinct.ts'
import { knownCells } from './known-cells.ts'
import { type KnownRows, type KnownRowsRequest, contextKeys, knownRows } from './known-rows.ts'

export interface RowRequest extends KnownRowsRequest {
  readonly answers: AnswerRequest
  /** Tables that share the memory for answers (default 1). */
  readonly atOnce?: number | undefined
  /** Omit when there is no deadline. */
  readonly turn?: TimeSlice | undefined
}

/** Deadline after which other work gets its turn. */
export interface TimeSlice {
  isOver: boolean
  /** Looks at the clock. @throws {HlaError} the time is over */
  readonly look: () => void
}

/** Parts of a conversion that count rows and failures. */
export type Counting = Omit<Conversion, 'answers' | 'write'>

export interface RowConverter {
  /** Converts the complete rows in `pieces`. Pass the rest again, followed by more bytes unless `isFull`. */
  readonly convert: (pieces: readonly Uint8Array[], line: number, isLast?: boolean) => ConvertedBytes
  /** Converts rows gathered from typing records, from `at` on. Pass them again while `next` is not behind the last. */
  readonly convertGathered: (rows: readonly TableRow[], at: number) => ConvertedRows
  /** Await before passing the rest after `isFull`. */
  readonly prepare: () => Promise<void>
  readonly distinct: DistinctCells
  readonly answers: Answers
  readonly persons: PersonChecks | undefined
}

interface ConvertedBytes {
  readonly output: Buffer
  readonly rest: Buffer
  /** Line of the next row. */
  readonly line: number
  /** True when `rest` may contain complete rows. */
  readonly isFull: boolean
}

interface ConvertedRows {
  readonly output: Buffer
  /** The first that is not converted. */
  readonly next: number
}

/** Maximum bytes of one output; codes and antigens may grow a thousandfold, and the output bounds memory. */
const MAX_OUTPUT = 1536 * 1024
const ENDLESS: TimeSlice = { isOver: false, look: () => undefined }

export function rowConverter(request: RowRequest, counting: Counting): RowConverter {
  const { plan, dialect, output, writing, answers: asked, atOnce = 1, turn = ENDLESS } = request
  const remembered = makeAnswers(asked, atOnce)
  const distinct = distinctCells()
  const answers = countedAnswers(plan, remembered, distinct)
  const isJoined = output.gl.length + output.drbx.length > 0
  const cells = knownCells({ dialect, writing, asked, remembered, isJoined, atOnce })
  const persons = personChecks(plan, asked)
  const out = rowBuffer()
  const ordinary: Conversion = { ...counting, answers, persons, write: out.put }
  const rows = knownRows(request, cells, ordinary, distinct)
  const blank = counting.writer.other(makeRow({ record: [''], raw: '\n' }, true, dialect, { line: 1 }))
  const { ahead } = remembered
  const cutter = rowCutter(dialect, turn.look)
  const run: BlockRun = { rows, ordinary, cutter, ahead, turn, out, blank, unasked: undefined }
  return {
    distinct,
    answers,
    persons,
    convert: (pieces, line, isLast = false) => convertBlock(run, pieces, line, isLast),
    convertGathered: (gathered, at) => convertGathered(run, gathered, at),
    async prepare() {
      await cutter.prepare()
      if (run.unasked !== undefined) await ahead?.prepare(run.unasked())
    },
  }
}

/** Answers that count cells, whichever path their rows take. */
function countedAnswers({ groups }: TablePlan, answers: Answers, distinct: DistinctCells): Answers {
  const contexts = contextKeys(groups)
  return {
    of(text, group) {
      distinct.add(contexts.indexOf(group.contextKey), text)
      return answers.of(text, group)
    },
    failed(text, group, error) {
      distinct.add(contexts.indexOf(group.contextKey), text)
      return answers.failed(text, group, error)
    },
    distinct: distinct.distinct,
  }
}

interface BlockRun {
  readonly rows: KnownRows
  /** Conversion of all other rows. */
  readonly ordinary: Conversion
  readonly cutter: RowCutter
  /** Set when a remote service answers. */
  readonly ahead: AnswersAhead | undefined
  readonly turn: TimeSlice
  readonly out: ReturnType<typeof rowBuffer>
  /** Written form of an empty line; a file with millions of them is not a table. */
  readonly blank: string
  /** Cells from a row on whose cells are not answered yet, if any. */
  unasked: (() => readonly CellQuestion[]) | undefined
}

function convertBlock(
  run: BlockRun,
  given: readonly Uint8Array[],
  firstLine: number,
  isLast: boolean,
): ConvertedBytes {
  const { rows, ordinary, cutter, turn, out } = run
  const { dialect } = ordinary
  const bytes = given.length === 1 && given[0] instanceof Buffer ? given[0] : Buffer.concat(given)
  const text = bytes.toString('latin1')
  const last = feedOf(dialect)
  const whole = bytes.subarray(0, text.lastIndexOf(last) + 1)
  const end = isLast ? text.length : whole.length
  run.unasked = undefined
  rows.read(text)
  let [at, line] = [0, firstLine]
  while (at < end && out.size() < MAX_OUTPUT && !turn.isOver) {
    const feed = text.indexOf(last, at)
    const isEmpty = feed === at + 1 && text[at] === '\r'
    const known = feed === at ? run.blank : feed > 0 && !isEmpty ? rows.convert(at, feed, line) : undefined
    if (known !== undefined) {
      out.put(known)
      ;[line, at] = [line + 1, feed + 1]
      continue
    }
    const place = { line }
    const odd = cutter.cut(whole, at, place) ?? (isLast ? cutter.cutLast(bytes, at, place) : undefined)
    if (odd === undefined) break
    if (!isAnswered(odd.row, run)) {
      const start = at
      run.unasked = () => cellsFrom(start, bytes, run)
      break
    }
    convertRows([odd.row], ordinary)
    ;[line, at] = [place.line, odd.next]
  }
  const isOver = out.size() >= MAX_OUTPUT || turn.isOver || run.unasked !== undefined
  const isFull = at < end && (isOver || cutter.isUnprepared(isLast ? bytes : whole, at))
  const rest = bytes.subarray(at)
  if (!isFull) refuseEndless(rest, line, dialect)
  return { output: out.take(), line, rest, isFull }
}

function convertGathered(run: BlockRun, gathered: readonly TableRow[], start: number): ConvertedRows {
  const { rows, ordinary, turn, out } = run
  run.unasked = undefined
  let next = start
  for (let row = gathered[next]; row !== undefined; row = gathered[next]) {
    if (out.size() >= MAX_OUTPUT || turn.isOver) break
    const known = rows.convertGathered(row)
    if (known !== undefined) {
      out.put(known)
      if (row.place?.broken !== undefined) ordinary.broken?.(row.place)
    } else {
      if (!isAnswered(row, run)) {
        const rest = gathered.slice(next)
        run.unasked = () => rest.flatMap((one) => rowCells(one, ordinary))
        break
      }
      turn.look()
      convertRows([row], ordinary)
    }
    next += 1
  }
  return { output: out.take(), next }
}

function isAnswered(row: TableRow, { ahead, ordinary }: BlockRun): boolean {
  return ahead === undefined || rowCells(row, ordinary).every(ahead.has)
}

/** Cells that are converted. */
function rowCells(row: TableRow, conversion: Conversion): readonly CellQuestion[] {
  if (!isBodyRow(row, conversion.plan)) return []
  if (conversionError(row, conversion) !== undefined) return []
  return readCells(row, conversion).filter(({ error }) => error === undefined)
}

/** Cells from an offset on; an error there is met again in the conversion. */
function cellsFrom(start: number, held: Buffer, { cutter, ordinary }: BlockRun): readonly CellQuestion[] {
  const cells: CellQuestion[] = []
  try {
    for (let at = start; at < held.length;) {
      const cut = cutter.cut(held, at, { line: 1 }) ?? cutter.cutLast(held, at, { line: 1 })
      if (cut === undefined) break
      for (const cell of rowCells(cut.row, ordinary)) cells.push(cell)
      at = cut.next
    }
  } catch (error) {
    if (!isHlaError(error)) throw error
  }
  return cells
}

/** Characters gathered before they are written. */
const GATHERED = 4096

/** Rows as bytes. */
function rowBuffer() {
  let buffer: Buffer = Buffer.allocUnsafeSlow(64 * 1024)
  let size = 0
  let text = ''
  const flush = () => {
    if (size + text.length > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, size + text.length))
      buffer.copy(larger, 0, 0, size)
      buffer = larger
    }
    size += buffer.write(text, size, 'latin1')
    text = ''
  }
  const put = (row: string): void => {
    text += row
    if (text.length >= GATHERED) flush()
  }
  return {
    size: () => size + text.length,
    put,
    /** Bytes so far, valid until the next row. */
    take(): Buffer {
      flush()
      const taken = buffer.subarray(0, size)
      size = 0
      return taken
    },
  }
}
