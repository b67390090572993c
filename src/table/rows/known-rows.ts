/** Rows of known cells: split, written and counted without making rows of them. */
import type { PersonChecks } from '../answers/person-checks.ts'
import { type Dialect, outDelimiter } from '../input/dialect.ts'
import { BOM_BYTES, encodeByteText } from '../input/encoding.ts'
import type { TableRow } from '../input/read-table.ts'
import { countAnswer } from '../output/summary.ts'
import { fieldText, outQuoting } from '../output/written-text.ts'
import type { OutputColumns } from '../plan/output-columns.ts'
import type { TablePlan } from '../plan/plan.ts'
import type { WriteRequest } from '../plan/table-request.ts'
import { type Conversion, type FailedRow, failTyping, failedRow } from './convert-rows.ts'
import type { DistinctCells } from './distinct.ts'
import { type KnownCells, ODD } from './known-cells.ts'
import { type SplitRow, fieldOf, rememberedBy } from './remembered.ts'
import { FIELDS, PLACE, type Piece, areKnownRows, longTypings, rowPieces } from './row-pieces.ts'
import { subjectTexts } from './subject-texts.ts'

export interface KnownRowsRequest {
  readonly plan: TablePlan
  readonly dialect: Dialect
  readonly writing: WriteRequest
  readonly output: OutputColumns
}

export interface KnownRows {
  /** Reads rows of this byte text next. */
  readonly read: (text: string) => void
  /**
   * Output of the row from `start` to its line feed, which is counted; undefined when the ordinary path must convert it.
   * @throws {HlaError} the conversion ends
   */
  readonly convert: (start: number, feed: number, line: number) => string | undefined
  /** The same of a row gathered from typing records. */
  readonly convertGathered: (gathered: TableRow) => string | undefined
}

const CR = 13

export function knownRows(
  request: KnownRowsRequest,
  cells: KnownCells,
  conversion: Conversion,
  distinct: DistinctCells,
): KnownRows {
  const { plan, dialect, writing, output } = request
  const { persons } = conversion
  if (!areKnownRows(plan, dialect, writing)) return { read: none, convert: none, convertGathered: none }
  const { width } = plan.header
  const row: SplitRow = { text: '', starts: new Int32Array(width + 1), cells: Array.from({ length: width }) }
  const splitter = rowSplitter(row, request, cells)
  const take = valueTaker(row, request, cells)
  const count = rowCounter(row, cells, conversion, distinct)
  const delimiter = outDelimiter(dialect, writing)
  const subjects = subjectTexts(plan, writing, output, { delimiter, valueIn: cells.valueIn })
  const isPlausible = persons && plausibility(persons, cells.valueIn)
  const typed = plan.groups.flatMap(({ columns }) => columns)
  const isOfStatus = (status: string) => typed.some((column) => row.cells[column]?.answer.status === status)
  const reported = output.report.length === 0 ? () => '' : statusWriter(dialect, writing)
  const written = writing.shape === 'long' ? longRows(row, request) : wideRow(row, request)
  /** Output of the row that was split. */
  const outputOf = (isCrLf: boolean, failed: () => FailedRow): string | undefined => {
    const joined = subjects === undefined ? '' : subjects(row)
    if (joined === undefined || isPlausible?.(row) === false) return undefined
    // perhaps the header of another table
    if (!isOfStatus('ok') && isOfStatus('error')) return undefined
    const errors = count(failed)
    const isLong = writing.eol === 'keep' ? isCrLf : writing.eol === 'crlf'
    return written(joined + reported(errors) + (isLong ? '\r\n' : '\n'))
  }
  const { idColumn } = plan
  const idOf = () => (idColumn === undefined ? '' : cells.valueIn(fieldOf(row, idColumn)))
  return {
    read: (text) => splitter.read(text),
    convert(start, feed, line) {
      const isCrLf = row.text.charCodeAt(feed - 1) === CR
      if (!splitter.split(start, isCrLf ? feed - 1 : feed)) return undefined
      return outputOf(isCrLf, () => ({ line, id: idOf() }))
    },
    convertGathered(gathered) {
      const { values, eol, place } = gathered
      if (place?.fault !== undefined || place?.faults !== undefined) return undefined
      return take(values) ? outputOf(eol === '\r\n', () => failedRow(gathered, conversion)) : undefined
    },
  }
}

function none(): undefined {}

/** Delimiters and status cells of a row. */
function statusWriter(dialect: Dialect, writing: WriteRequest): (errors: readonly string[]) => string {
  const quoting = outQuoting(dialect, writing)
  const { delimiter } = quoting
  return (errors) => {
    if (errors.length === 0) return `${delimiter}ok${delimiter}`
    const text = fieldText(encodeByteText(errors.join(';'), dialect.encoding), quoting)
    return `${delimiter}error${delimiter}${text}`
  }
}

/** `split` returns false for a row with a cell that is not known, or with something that needs another look. */
function rowSplitter(row: SplitRow, { plan, dialect, writing }: KnownRowsRequest, cells: KnownCells) {
  const { starts } = row
  const { width } = plan.header
  const known = knownColumns(plan, cells)
  const [inner, delimiter] = [dialect.delimiter, outDelimiter(dialect, writing)]
  const isHeader = headerTest(plan.headerLines)
  // offsets of the next quote, the next delimiter of the output, and the last delimiter
  let [quote, other, last] = [-1, -1, -1]
  return {
    read(text: string): void {
      row.text = text
      ;[quote, other, last] = [-1, -1, text.lastIndexOf(inner)]
    },
    split(start: number, end: number): boolean {
      const { text } = row
      if (dialect.comment !== undefined && text.startsWith(dialect.comment, start)) return false
      if (inner !== delimiter && (other = nextFrom(text, delimiter, start, other)) < end) return false
      quote = dialect.quote === undefined ? Infinity : nextFrom(text, dialect.quote, start, quote)
      let from = start
      for (let column = 0; column < width; column += 1) {
        // nothing is searched behind the last delimiter, where each row would search everything
        const next = from > last ? Infinity : text.indexOf(inner, from)
        const isLast = column === width - 1
        // -1 cannot be: there is another delimiter
        if (isLast === next < end) return false
        const to = isLast ? end : next
        if (column === 0 && isHeader(text, from, to)) return false
        starts[column] = from
        const memory = known[column]
        if (memory !== undefined) {
          const field = text.slice(from, to)
          const cell = memory.cells.get(field) ?? cells.learn(field, memory.group)
          if (cell === undefined || cell === ODD) return false
          row.cells[column] = cell
        } else if (quote < end && !cells.isSimple(text.slice(from, to))) return false
        from = to + 1
      }
      starts[width] = from
      return true
    },
  }
}

/** Takes the values of a gathered row; false as with `split`. */
function valueTaker(row: SplitRow, { plan, dialect, writing }: KnownRowsRequest, cells: KnownCells) {
  const known = knownColumns(plan, cells)
  const [inner, delimiter] = [dialect.delimiter, outDelimiter(dialect, writing)]
  const isPlain = (value: string) => fieldText(value, dialect) === value && !value.includes(delimiter)
  const fields = known.map(() => '')
  return (values: readonly string[]): boolean => {
    let from = 0
    for (const [column, memory] of known.entries()) {
      const value = values[column] ?? ''
      const field = memory === undefined ? fieldText(value, dialect) : value
      if (memory === undefined) {
        if (inner !== delimiter && field.includes(delimiter)) return false
      } else {
        const { group } = memory
        const cell = memory.cells.get(value) ?? (isPlain(value) ? cells.learn(value, group) : undefined)
        if (cell === undefined || cell === ODD) return false
        row.cells[column] = cell
      }
      fields[column] = field
      row.starts[column] = from
      from += field.length + 1
    }
    row.starts[known.length] = from
    row.text = fields.join(inner)
    return true
  }
}

/** Known cells of each column with typings. */
function knownColumns({ header, groups }: TablePlan, cells: KnownCells) {
  return header.labels.map((_, column) => {
    const group = groups.find(({ columns }) => columns.includes(column))
    return group && { group, cells: cells.of(group) }
  })
}

/** Counts a row, reports its failed typings, and returns their texts. */
function rowCounter(
  row: SplitRow,
  { valueIn }: KnownCells,
  conversion: Conversion,
  distinct: DistinctCells,
): (failed: () => FailedRow) => readonly string[] {
  const { tally, plan } = conversion
  const contexts = contextKeys(plan.groups)
  const typed = plan.groups.flatMap((group) =>
    group.columns.map((column) => ({ group, column, context: contexts.indexOf(group.contextKey) })),
  )
  return (failed) => {
    let plain = 0
    for (const { column, context } of typed) {
      const cell = row.cells[column] ?? ODD
      if (!cell.isCounted) {
        cell.isCounted = true
        distinct.add(context, valueIn(fieldOf(row, column)))
      }
      if (cell.isPlain) plain += 1
    }
    tally.rows += 1
    if (plain === typed.length) {
      tally.typings += plain
      tally.statuses.ok += plain
      return []
    }
    const errors: string[] = []
    for (const { group, column } of typed) {
      const { answer } = row.cells[column] ?? ODD
      countAnswer(tally, answer)
      if (answer.error === undefined) continue
      const value = valueIn(fieldOf(row, column))
      errors.push(failTyping(failed(), { group, column, value, error: answer.error }, conversion))
    }
    return errors
  }
}

export function contextKeys(groups: TablePlan['groups']): readonly string[] {
  return [...new Set(groups.map(({ contextKey }) => contextKey))]
}

/** Text of the pieces, with the end of the row. */
type RowText = (end: string) => string

function wideRow(row: SplitRow, { plan, writing, output, dialect }: KnownRowsRequest): RowText {
  const pieces = rowPieces(plan, writing, output)
  const pieceText = pieceWriter(row, dialect, writing)
  if (pieces.length === 0) return (end) => end.slice(1)
  return (end) => {
    let line = ''
    for (let at = 0; at < pieces.length; at += 1) line += pieceText(pieces[at] as Piece, at === 0)
    return line + end
  }
}

/** A row for each typing; for a person without any, one that says so. */
function longRows(row: SplitRow, { plan, writing, output, dialect }: KnownRowsRequest): RowText {
  const person = rowPieces(plan, writing, output).filter(({ method }) => method === FIELDS)
  const pieceText = pieceWriter(row, dialect, writing)
  const typings = longTypings(plan, dialect, writing, output)
  const [first] = typings
  return (end) => {
    let before = person.map((piece, at) => pieceText(piece, at === 0)).join('')
    if (person.length > 0) before += outDelimiter(dialect, writing)
    let rows = ''
    for (const { column, before: own } of typings) {
      const cell = row.cells[column] ?? ODD
      if (cell.isFilled) rows += before + own + cell.place + end
    }
    if (rows !== '' || first === undefined) return rows
    return before + first.beforeNone + (row.cells[first.column] ?? ODD).place + end
  }
}

/** Text of a piece, with a delimiter before it unless it is the first. */
function pieceWriter(row: SplitRow, dialect: Dialect, writing: WriteRequest) {
  const { starts, cells } = row
  const [inner, delimiter] = [dialect.delimiter, outDelimiter(dialect, writing)]
  return ({ from, to, method }: Piece, isFirst: boolean): string => {
    if (method === FIELDS) {
      // the delimiter before a field is part of the text
      const start = (starts[from] ?? 0) - (isFirst ? 0 : 1)
      const fields = row.text.slice(start, (starts[to + 1] ?? 0) - 1)
      return inner === delimiter ? fields : fields.replaceAll(inner, () => delimiter)
    }
    const cell = cells[from] ?? ODD
    if (method === PLACE) return isFirst ? cell.place.slice(1) : cell.place
    return (isFirst ? '' : delimiter) + (cell.texts[method] ?? '')
  }
}

/** Offset of the next `char`, which is `known` if that is not behind. */
function nextFrom(text: string, char: string, from: number, known: number): number {
  if (known >= from) return known
  const at = text.indexOf(char, from)
  return at < 0 ? Infinity : at
}

/** A repeated header may have a byte order mark, quotes or blanks around it. */
const BESIDE = new RegExp(`^(?:${BOM_BYTES})?[ \\t"]*|[ \\t"]*$`, 'g')
const BEFORE: ReadonlySet<number> = new Set(Buffer.from(`${BOM_BYTES} \t"`, 'latin1'))

/** Test whether a field may be the first of a repeated header, whose names may be typings (`A1,A2`). */
function headerTest(lines: TablePlan['headerLines']): (text: string, from: number, to: number) => boolean {
  const names = new Set(lines.map(([name = '']) => name.replace(BESIDE, '')))
  const firsts = new Set([...names].map((name) => name.charCodeAt(0)))
  return (text, from, to) => {
    let at = from
    while (at < to && BEFORE.has(text.charCodeAt(at))) at += 1
    // most rows begin with another character
    return (
      (at === to || firsts.has(text.charCodeAt(at))) && names.has(text.slice(from, to).replace(BESIDE, ''))
    )
  }
}

/** Whether the typings of a row belong to one person; warnings are rare, and left to the ordinary path. */
function plausibility(
  { persons, isPlausible }: PersonChecks,
  valueIn: KnownCells['valueIn'],
): (row: SplitRow) => boolean {
  const checks = persons.map((columns, person) =>
    rememberedBy(columns, (row) =>
      isPlausible(person, (column) =>
        row.cells[column]?.answer.status === 'ok' ? valueIn(fieldOf(row, column)) : undefined,
      ),
    ),
  )
  return (row) => checks.every((isFine) => isFine(row))
}
