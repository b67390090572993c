/** Rows of a converted table as rows of typings: the person, what is known of it, the locus, which typing it is, and its results. */
import { HlaError } from '../../errors.ts'
import type { Sink } from '../../io/sink.ts'
import { type Dialect, outDelimiter } from '../input/dialect.ts'
import { BOM_BYTES, encodeByteText } from '../input/encoding.ts'
import { type Quoting, splitRow, unquoteField } from '../input/split-row.ts'
import type { WriteRequest } from '../plan/table-request.ts'
import type { RowWriter } from './written-row.ts'
import type { LongLayout, TypingFields } from './long-layout.ts'

export interface LongRowsRequest {
  readonly layout: LongLayout
  readonly dialect: Dialect
  readonly writing: WriteRequest
  /** The header of the wide table as it is written; empty without one. */
  readonly header: Pick<RowWriter, 'upper' | 'head'>
  /** A row that says so is the header again. */
  readonly isHeaderAlways: boolean
}

/**
 * A sink for the rows of the wide table, which writes each as rows of typings.
 * @throws {HlaError} usage — lines end in carriage returns
 */
export function longRows(sink: Sink, request: LongRowsRequest): Sink {
  const { dialect, writing } = request
  if (dialect.eol === '\r')
    throw new HlaError('usage', '--shape long cannot write rows that end in carriage returns alone')
  const quoting = { delimiter: writing.delimiter ?? outDelimiter(dialect), quote: dialect.quote }
  const rowsOf = recordWriter(request, quoting)
  let [held, mark] = ['', '']
  const take = (given: string) => {
    if (given === BOM_BYTES) {
      mark = given
      return
    }
    const { records, rest } = cutRecords(held + given, quoting)
    held = rest
    if (records.length === 0) return
    sink.write(mark + records.map(rowsOf).join(''))
    mark = ''
  }
  return {
    ...sink,
    write: take,
    writeBytes: (bytes) =>
      take(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')),
    complete() {
      if (held !== '') sink.write(rowsOf(held))
      held = ''
      return sink.complete()
    },
  }
}

/** A record of the wide table, with its end, to records of the long one. */
function recordWriter(request: LongRowsRequest, quoting: Quoting) {
  const { layout, dialect, header, isHeaderAlways } = request
  const encoded = (text: string) => unquoteField(encodeByteText(text, dialect.encoding), quoting) ?? ''
  const [upper, head] = [header.upper, header.head].map((line) => line.replace(LINE_END, ''))
  const above = splitRow(upper ?? '', 0, quoting).raws
  let isBehindHeader = head === ''
  let skip = dialect.preamble
  return (record: string): string => {
    const eol = LINE_END.exec(record)?.[0] ?? ''
    const body = record.slice(0, record.length - eol.length)
    const isOther = body === '' || (dialect.comment !== undefined && body.startsWith(dialect.comment))
    if (skip > 0 || isOther) {
      skip = Math.max(0, skip - 1)
      return record
    }
    const isHeader = !isBehindHeader || isHeaderAlways
    // the names of both lines stand in the one below
    if (isHeader && body === upper) return ''
    const { raws } = splitRow(body, 0, quoting)
    const names = () => [
      ...layout.person.map((at) => raws[at] || (above[at] ?? '')),
      ...layout.head.map(encoded),
    ]
    const rows = isHeader && body === head ? [names()] : typingRows(raws, layout, encoded)
    isBehindHeader = true
    // the last row of a table may have no end
    return rows.map((cells) => cells.join(quoting.delimiter) + (eol === '' ? '\n' : eol)).join('')
  }
}

const LINE_END = /\r?\n$/

/** One row for each typing; of a person without any, one that says so. */
function typingRows(
  raws: readonly string[],
  { person, typings, hasSubjects, width }: LongLayout,
  encoded: (text: string) => string,
): string[][] {
  const known = person.map((at) => raws[at] ?? '')
  const row = ({ subject, locus, slot, source, results }: TypingFields) => [
    ...known,
    ...(hasSubjects ? [encoded(subject)] : []),
    locus,
    slot,
    ...(source === undefined ? [] : [raws[source] ?? '']),
    ...results.map((at) => raws[at] ?? ''),
    ...raws.slice(width),
  ]
  const filled = typings.filter(({ at }) => at.some((one) => (raws[one] ?? '') !== ''))
  if (filled.length > 0) return filled.map(row)
  const [first] = typings
  return first === undefined ? [] : [row({ ...first, locus: '', slot: '' })]
}

/** Records with their ends; a line feed between quotes ends none. */
function cutRecords(text: string, quoting: Quoting): { readonly records: string[]; readonly rest: string } {
  const records: string[] = []
  let from = 0
  for (let end = findEnd(text, from, quoting); end > 0; end = findEnd(text, from, quoting)) {
    records.push(text.slice(from, end))
    from = end
  }
  return { records, rest: text.slice(from) }
}

/** Behind the line feed that ends the record at `from`; 0: there is none yet. A quote inside an unquoted field opens nothing, as for the reader. */
function findEnd(text: string, from: number, { delimiter, quote }: Quoting): number {
  let feed = text.indexOf('\n', from)
  let open = quote === undefined ? -1 : text.indexOf(quote, from)
  for (let at = from; feed >= 0 && open >= 0 && open < feed;) {
    if (open === at && quote !== undefined) {
      const closing = findClosing(text, at, quote)
      if (closing < 0) return 0
      at = closing + 1
      if (feed < at) feed = text.indexOf('\n', at)
    }
    const next = text.indexOf(delimiter, at)
    if (next < 0 || next > feed) break
    at = next + 1
    if (open < at && quote !== undefined) open = text.indexOf(quote, at)
  }
  return feed + 1
}

/** Where the quote stands that closes the field at `start`; a doubled quote closes none. */
function findClosing(text: string, start: number, quote: string): number {
  let at = text.indexOf(quote, start + 1)
  while (at >= 0 && text[at + 1] === quote) at = text.indexOf(quote, at + 2)
  return at
}
