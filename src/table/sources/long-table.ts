/** Long tables: one row per allele, or one row per locus with two alleles. */
import { advice, option } from '../../advice.ts'
import { fieldsInstead } from '../input/split-row.ts'
import { HlaError } from '../../errors.ts'
import { quoted } from '../placed-error.ts'
import { type Dialect, NO_DELIMITER } from '../input/dialect.ts'
import { encodeByteText, readable, toByteText } from '../input/encoding.ts'
import { type LineReader, readRows, type TableRow } from '../input/read-table.ts'
import { hasHeader } from '../plan/find-header.ts'
import { makeHeader, type Header, selectColumns } from '../plan/header.ts'
import { areAlike, headerFinder } from '../plan/recognition/odd-rows.ts'
import { findLongColumns, isOneOfDrb345, isWideHeader, type LongColumns } from './long-columns.ts'
import { locusInTyping, readLocusName } from '../words/locus-header.ts'
import { personIn, refuseUnplaced } from './gathering/person.ts'
import { findSeparator } from '../cells/joined/decide-joined.ts'
import { isTypingLike, splitCell } from '../cells/joined/joined.ts'
import { groupBy } from '../words/group-by.ts'
import type { ExtraColumn, RecordFormat, RecordInput, RecordSource, TypingRecord } from './typing-record.ts'

export const LONG_TABLE: RecordFormat = {
  name: 'long',
  summary: 'a table with one row per allele or per locus: sample, locus and allele in columns',
  example: 'S1,A,A*01:01',
  open(file, isAsked) {
    const { rows, header: asked, isLocus, isTyping, request } = file
    const [first] = rows
    if (first === undefined) return undefined
    const below = rows.filter((row) => !areAlike(row, first))
    const isTold = [request.sample, request.locus, request.alleles].some((one) => one !== undefined)
    const isHeader = asked ?? hasHeader(first, below[0])
    if (!isAsked && !isTold && isWideHeader(first)) return undefined
    const header = makeHeader(file.input.name, isHeader ? first : undefined, first.length)
    const body = (isHeader ? below : rows).filter((row) => row.length === first.length)
    if (body.length === 0) return undefined
    const columns = findLongColumns({ header, rows: body, request, isLocus, isTyping }, isAsked || isTold)
    const separator =
      columns && file.cellSeparator !== undefined ? separatorIn(body, columns, file) : undefined
    const clean = (typing: string) => asGenotype(typing, separator)
    return columns && longSource(file, { header, columns, format: 'long table', clean })
  },
}

/** Columns of the table of many files do not decide what a cell of this one has. */
function separatorIn(
  rows: readonly (readonly string[])[],
  { locus, alleles }: LongColumns,
  { cellSeparator = 'none', isTyping }: RecordInput,
): string | undefined {
  const [column, another] = alleles
  if (column === undefined || another !== undefined) return undefined
  const typed = rows.map((row) => ({ text: (row[column] ?? '').trim(), at: row[locus ?? column] ?? '' }))
  const loci = groupBy(typed.filter(({ text }) => isTyping(text)), ({ at, text }) => locusInTyping(text) ?? at) // prettier-ignore
  const columns = [...loci].map(([of, own]) => {
    return { locus: of, isAlone: true, values: [...new Set(own.map(({ text }) => text))] }
  })
  return findSeparator(columns, cellSeparator)
}

/** `01:01,02:01` -> `01:01+02:01` */
function asGenotype(typing: string, separator: string | undefined): string {
  if (separator === undefined || /[+^|~]/.test(typing)) return typing
  const parts = splitCell(typing, separator).filter((part) => part !== '')
  return parts.length === 2 && parts.every(isTypingLike) ? parts.join('+') : typing
}

export interface LongReading {
  readonly header: Header
  readonly columns: LongColumns
  readonly format: string
  /** Score columns that the format is known to have. */
  readonly scores?: readonly string[]
  /** Removes a program's marks from a typing. */
  readonly clean?: (typing: string) => string
  /** Locus of all rows, when no column names it. */
  readonly fileLocus?: string
  /** Columns without information. */
  readonly left?: readonly number[]
  /** True for a line between rows, or a repeated header. */
  readonly isSkipped?: (values: readonly string[]) => boolean
}

export function longSource(file: RecordInput, reading: LongReading): RecordSource {
  const { header, columns } = reading
  const { sample, locus, alleles, slot } = columns
  const label = (column: number | undefined) => (column === undefined ? undefined : header.labels[column])
  const parts = [
    sample === undefined ? 'one sample' : `sample ${label(sample)}`,
    ...(locus === undefined ? [] : [`locus ${label(locus)}`]),
    ...(reading.fileLocus === undefined ? [] : [`locus ${reading.fileLocus} as the file is named`]),
    `allele ${alleles.map(label).join(' ')}`,
    ...(slot === undefined ? [] : [`its place ${label(slot)}`]),
  ]
  const { dialect } = file
  const ignored: string[] = []
  return {
    format: reading.format,
    reading: parts.join(', '),
    personName:
      header.names === undefined ? 'sample' : encodeByteText(label(sample) ?? 'sample', dialect.encoding),
    extras: findExtras(file, reading),
    ignored,
    dialect: gatheredDialect(dialect),
    blocks: () => readRecords(file, reading, ignored),
  }
}

/** The file's dialect, reduced to settings that every table supports. */
export function gatheredDialect(dialect: Dialect): Dialect {
  const { encoding, delimiter, quote, eol } = dialect
  return {
    ...dialect,
    encoding: encoding === 'latin1' ? 'latin1' : 'utf8',
    bom: 0,
    delimiter: delimiter === NO_DELIMITER || delimiter === ' ' ? '\t' : delimiter,
    quote: quote ?? '"',
    lazyQuotes: false,
    preamble: 0,
    comment: undefined,
    eol: eol === '\r' ? '\n' : eol,
  }
}

type PlacedExtra = ExtraColumn & { readonly column: number }

/** Columns besides typings; `pval1` and `pval2` side by side are the `pval` of either allele. */
function findExtras(
  { request, dialect }: RecordInput,
  { header, columns, scores = [], left = [] }: LongReading,
): readonly PlacedExtra[] {
  const { sample, locus, alleles, slot } = columns
  const asked = new Set(request.scores === undefined ? [] : selectColumns(request.scores, header))
  const taken = new Set([sample, locus, slot, ...alleles, ...left])
  const isScore = (column: number) => asked.has(column) || scores.includes(header.labels[column] ?? '')
  return header.labels.flatMap((label, column): PlacedExtra[] => {
    if (taken.has(column)) return []
    const name = encodeByteText(header.names === undefined ? `column_${label}` : label, dialect.encoding)
    if (!isScore(column)) return [{ name, column, isOfTyping: false }]
    const [, base = '', which] = /^(.+?)[_ .#-]?([12])$/.exec(name) ?? []
    const isPaired = alleles.length === 2 && which !== undefined
    return [
      isPaired
        ? { name: base, column, isOfTyping: true, slot: which === '1' ? (1 as const) : (2 as const) }
        : { name, column, isOfTyping: true },
    ]
  })
}

/** @throws {HlaError} ragged-row, bad-quote, io — an unreadable row, with its line */
async function* readRecords(
  file: RecordInput,
  reading: LongReading,
  ignored: string[],
): AsyncGenerator<readonly TypingRecord[]> {
  const { input, dialect } = file
  const { header, isSkipped } = reading
  const typingsOf = typingReader(file, reading)
  const isHeader = headerFinder(header.names !== undefined, ignored)
  const areKnown = reading.columns.sample === 0 && isSkipped === undefined && !dialect.lazyQuotes
  const known = areKnown ? knownLines(dialect, header) : undefined
  for await (const block of readRows<TypingRecord>(
    toByteText(input.chunks(), dialect),
    dialect,
    known?.read,
  )) {
    const records: TypingRecord[] = []
    for (const row of block) {
      if (!('raws' in row)) records.push(row)
      else if (row.kind === 'row' && !isHeader(row) && isSkipped?.(row.values) !== true) {
        const line = typingsOf(row)
        known?.keep(row, line)
        addRecords(line, line.person, row.line, records)
      }
    }
    yield records
  }
}

/** Typings and values of a line. */
interface TypedLine {
  readonly typings: readonly Pick<TypingRecord, 'locus' | 'typing' | 'slot'>[]
  readonly values: readonly string[]
}

function addRecords(
  { typings, values }: TypedLine,
  person: string | undefined,
  line: number,
  into: unknown[],
): void {
  for (const { locus, typing, slot } of typings) into.push({ person, locus, typing, slot, line, values })
}

/** Lines are few behind the person's name, with which they begin: each is read once, and found by its text. */
function knownLines({ delimiter, comment, encoding, quote = '\0' }: Dialect, header: Header) {
  const known = new Map<string, TypedLine>()
  const [, ...names] = header.names?.map((name) => encodeByteText(name, encoding)) ?? []
  let [field, person] = ['', '']
  const read: LineReader<TypingRecord | TableRow> = ({ text, start, end, line }, into) => {
    let at = start + field.length
    if (field === '' || text[at] !== delimiter || !text.startsWith(field, start)) {
      const isQuoted = text.startsWith(quote, start)
      at = isQuoted ? text.indexOf(quote, start + 1) + 1 : text.indexOf(delimiter, start)
      if (at <= start || at >= end || text[at] !== delimiter) return false
      if (comment !== undefined && text.startsWith(comment, start)) return false
      field = text.slice(start, at)
      person = isQuoted ? field.slice(1, -1) : field
    }
    const found = known.get(text.slice(at, text.charCodeAt(end - 1) === CR ? end - 1 : end))
    if (found === undefined || person.trim() === '' || person.includes(quote)) return false
    addRecords(found, person, line, into)
    return true
  }
  return {
    read,
    keep({ values: [, ...values], raws: [, ...raws] }: TableRow, line: TypedLine): void {
      // a repeated header differs from it in the person alone
      const isKept = known.size < MAX_KNOWN && !areAlike(values, names)
      if (isKept) known.set(`${delimiter}${raws.join(delimiter)}`, line)
    },
  }
}

const CR = 13

function typingReader(file: RecordInput, reading: LongReading) {
  const { isLocus, dialect } = file
  const { header, columns, clean = (typing: string) => typing, fileLocus = '' } = reading
  const { sample, locus, alleles, slot } = columns
  const extras = findExtras(file, reading).map(({ column }) => column)
  const named = new Map<string, ReturnType<typeof readLocusName>>()
  return ({ values, line, isMisquoted }: TableRow): TypedLine & Pick<TypingRecord, 'person'> => {
    if (isMisquoted && !dialect.lazyQuotes)
      throw new HlaError('bad-quote', 'misplaced quote character', {
        line,
        hint: advice`${option('quote', 'lazy')} treats it as text, ${option('quote', 'none')} treats all quotes as text`,
      })
    if (values.length !== header.width) throw ragged(values.length, header.width, line)
    const person = sample === undefined ? undefined : personIn(values, sample, line)
    const place = slot === undefined ? undefined : slotNamed(values[slot] ?? '', line)
    const said = locus === undefined ? fileLocus : (values[locus] ?? '').trim()
    if (!named.has(said)) named.set(said, said === '' ? undefined : readLocusName(readable(said, dialect.encoding), isLocus)) // prettier-ignore
    const read = named.get(said)
    const typings = alleles.map((column, at) => {
      const typing = clean((values[column] ?? '').trim())
      // any other text in the column of loci is kept unchanged
      const own =
        read === undefined && (said === '' || isOneOfDrb345(said)) ? locusInTyping(typing) : undefined
      const of = read?.locus ?? (own !== undefined && isLocus(own) ? own : said)
      // a typing without a locus would be lost
      if (of === '') refuseUnplaced({ typing, line })
      const copy = alleles.length < 2 ? undefined : at === 0 ? (1 as const) : (2 as const)
      return { locus: of, typing, slot: read?.slot ?? place ?? copy }
    })
    return {
      person,
      typings,
      values: extras.length === 0 ? NONE : extras.map((extra) => values[extra] ?? ''),
    }
  }
}

const NONE: readonly string[] = []

/** Lines that are known. */
const MAX_KNOWN = 10_000

/** @throws {HlaError} io — neither 1, 2 nor empty */
function slotNamed(text: string, line: number): 1 | 2 | undefined {
  const said = text.trim()
  if (said === '') return undefined
  if (said === '1' || said === '2') return said === '1' ? 1 : 2
  throw new HlaError('io', `${quoted(said, 20)} is not 1 or 2, which tell the two typings of a locus apart`, {
    line,
  })
}

function ragged(found: number, width: number, line: number): HlaError {
  return new HlaError('ragged-row', fieldsInstead(found, width), {
    line,
    hint: 'a row with more or fewer fields than the header may have values in the wrong columns',
  })
}
