/** Sample, locus and allele columns of a long table: as requested, else by their names and content. Pure. */
import { type Advice, advice, joinAdvice, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { type Header, columnsLine, selectColumns } from '../plan/header.ts'
import { DRB345_TITLE, locusInTyping, readLocusHeader, readLocusName } from '../words/locus-header.ts'
import { areClockTimes, measureShare, recognizeShape } from '../words/typing-shape.ts'
import { columnSelector } from '../plan/recognition/unread-text.ts'
import { bareName, bareNames, listWords } from '../words/header-words.ts'
import type { RecordRequest } from '../plan/table-request.ts'

export interface LongColumns {
  /** undefined when the file is about one person. */
  readonly sample: number | undefined
  /** undefined when each allele names its locus. */
  readonly locus: number | undefined
  readonly alleles: readonly number[]
  /** Column that says which of the two typings a row has; undefined when their order decides. */
  readonly slot: number | undefined
}

export interface LongSample {
  readonly header: Header
  /** Rows without the header. */
  readonly rows: readonly (readonly string[])[]
  readonly request: RecordRequest
  readonly isLocus: (name: string) => boolean
  /** False for a token such as `NA`. */
  readonly isTyping: (text: string) => boolean
}

const LOCI = bareNames(['', 'hla'], listWords('column', 'locus'), ['', 'name', 'id', 'symbol'])
const OF_TWO = bareNames(
  ['', 'hla'],
  ['', 'typing', 'hla'],
  listWords('column', 'of_two'),
  ['1', '2'],
  ['', 'name', 'call'],
)

/** True for one of the names, also behind the `#` of a header that is a comment. */
function isOneOf(names: ReadonlySet<string>, name = ''): boolean {
  return names.has(bareName(name.replace(/^#?\s*/, '')))
}

export function isLocusName(name: string): boolean {
  return isOneOf(LOCI, name)
}

/** True for `a1` and `a2`, but not the `A1` and `A2` of locus A. */
function isOneOfTwo(name: string): boolean {
  return isOneOf(OF_TWO, name) || name === 'a1' || name === 'a2'
}

/** True when the header names loci, and no column contains loci: a row is a person. */
export function isWideHeader(names: readonly string[]): boolean {
  const loci = names.filter((name) => readLocusHeader(name).length > 0)
  if (loci.length < 2) return false
  return !names.some((name) => isLocusName(name)) || !loci.every(isOneOfTwo)
}

/**
 * `isAsked`: the user says that it is a long table. undefined when it is not.
 * @throws {HlaError} usage — ambiguous columns
 */
export function findLongColumns(sample: LongSample, isAsked: boolean): LongColumns | undefined {
  const { header, request } = sample
  const told = {
    sample: one(request.sample, 'sample', header),
    locus: one(request.locus, 'locus', header),
    alleles: request.alleles === undefined ? undefined : selectColumns(request.alleles, header),
  }
  const locus = told.locus ?? findLocus(sample, told)
  const slot = findSlot(sample, [told.sample, locus, ...(told.alleles ?? [])])
  const alleles = told.alleles ?? findAlleles(sample, [told.sample, locus, slot])
  if (locus === undefined && told.alleles === undefined && !isAsked) return undefined
  if (alleles.length === 0 || alleles.length > 2) {
    if (!isAsked) return undefined
    throw unknownColumn(sample, 'alleles', {
      part: 'allele',
      columns: candidatesOf(sample, ({ typings }) => typings > 0),
    })
  }
  if (locus === undefined && !alleles.every((column) => namesLoci(sample, column)))
    throw unknownColumn(sample, 'the locus', {
      part: 'locus',
      columns: candidatesOf(sample, ({ loci }) => loci > 0),
    })
  const found = { locus, alleles, slot: alleles.length > 1 ? undefined : slot }
  return { ...found, sample: told.sample ?? findSample(sample, found) }
}

function one(name: string | undefined, part: string, header: Header): number | undefined {
  if (name === undefined) return undefined
  const [column, another] = selectColumns(name, header)
  if (another !== undefined)
    throw new HlaError('usage', advice`${option('long', `${part}=${name}`)} is more than one column`)
  return column
}

/** `columns`: those that may be it; `remedy`: another way to read the table. */
function unknownColumn(
  { header }: LongSample,
  what: string,
  {
    part,
    columns,
    remedy,
  }: { readonly part: string; readonly columns: readonly number[]; readonly remedy?: Advice },
): HlaError {
  const named = columns
    .slice(0, MAX_ADVISED)
    .map((at) => option('long', `${part}=${columnSelector(at, header)}`))
  const lines = [...named, columnsLine(header), ...(remedy === undefined ? [] : [remedy])]
  return new HlaError('usage', `${header.table}: which column names ${what}?`, {
    hint: joinAdvice(lines, '\n'),
  })
}

/** Columns that an error suggests. */
const MAX_ADVISED = 3

/** Columns by the number of their values that are typings, or name a locus. */
function candidatesOf(
  { header, rows, isTyping, isLocus }: LongSample,
  isLikely: (counts: { readonly typings: number; readonly loci: number }) => boolean,
): number[] {
  const counts = (column: number) => {
    const values = rows.map((row) => cleaned(row[column] ?? '')).filter((text) => text !== '')
    return {
      typings: measureShare(values.filter(isTyping), ['named', 'fields']),
      loci: values.filter((value) => readLocusName(value, isLocus) !== undefined).length,
    }
  }
  return header.labels.map((_, at) => at).filter((at) => isLikely(counts(at)))
}

type ChosenColumns = { readonly [K in Exclude<keyof LongColumns, 'slot'>]: LongColumns[K] | undefined }

/** Locus column: nearly all values name a locus; all must, unless its name says so. */
function findLocus(
  { header, rows, isLocus }: LongSample,
  { sample, alleles }: ChosenColumns,
): number | undefined {
  const taken = new Set([sample, ...(alleles ?? [])])
  const filled = (column: number) => rows.filter((row) => row[column]?.trim())
  const isNamed = (row: readonly string[], column: number) =>
    namesGene(row[column]?.trim() ?? '', row, isLocus)
  const shareOf = (column: number) => {
    const all = filled(column)
    return all.filter((row) => isNamed(row, column)).length / Math.max(1, all.length)
  }
  const free = header.labels
    .map((_, at) => at)
    .filter((at) => !taken.has(at) && agreement(at, rows, isLocus) !== 'contradicted')
  const named = free.find((at) => isOneOf(LOCI, header.names?.[at]) && shareOf(at) >= NEARLY_ALL)
  const namesAll = (column: number) => {
    const all = filled(column).map((row) => row[column]?.trim() ?? '')
    const loci = all.map((value) => readLocusName(value, isLocus)?.locus)
    if (new Set(loci).size < 2 || loci.includes(undefined)) return false
    // Y and N, A and B, S and F may be answers, groups or letters of alleles
    const isSure = header.names === undefined || loci.some((locus) => (locus?.length ?? 0) > 1)
    return isSure || agreement(column, rows, isLocus) === 'confirmed' || ABC.every((locus) => loci.includes(locus)) // prettier-ignore
  }
  return named ?? free.find(namesAll)
}

const ABC = ['A', 'B', 'C']

/** Of the rows with a typing that names its locus, do more than half have the locus of the column? */
function agreement(
  column: number,
  rows: readonly (readonly string[])[],
  isLocus: (name: string) => boolean,
): 'confirmed' | 'contradicted' | 'open' {
  let [own, others] = [0, 0]
  // a column of persons has a thousand texts, one of loci or alleles a few
  const inTyping = remembered((cell) => locusInTyping(cell.trim()))
  const named = remembered((text) => readLocusName(text, isLocus)?.locus)
  for (const row of rows) {
    const loci = row.flatMap((cell, at) => (at === column ? [] : (inTyping(cell) ?? [])))
    if (loci.length === 0) continue
    const text = row[column]?.trim() ?? ''
    const locus = named(text)
    if (locus === undefined && !isOneOfDrb345(text)) continue
    if (locus === undefined || loci.includes(locus)) own += 1
    else others += 1
  }
  return own > others ? 'confirmed' : others > 0 ? 'contradicted' : 'open'
}

function remembered<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    if (!known.has(text)) known.set(text, read(text))
    return known.get(text) as T
  }
}

/** Share of the rows that must name loci: a tumour's genes include some others. */
const NEARLY_ALL = 0.9

/** True for a locus, for DRB3/4/5, or for a gene typed alongside, such as KIR, whose row has an allele of it. */
function namesGene(text: string, row: readonly string[], isLocus: (name: string) => boolean): boolean {
  return (
    readLocusName(text, isLocus) !== undefined ||
    isOneOfDrb345(text) ||
    /^(?:HLA[_. -]|KIR\d)/i.test(text) ||
    row.some((cell) => locusInTyping(cell.trim()) === text)
  )
}

/** `DRB3/4/5`, `DRB345`: each typing names which of the three it is. */
export function isOneOfDrb345(text: string): boolean {
  return readLocusHeader(text.trim()).some(({ locus, subject }) => locus === DRB345_TITLE && subject === '')
}

/** Column of `1` and `2`, or empty cells. */
function findSlot({ header, rows }: LongSample, taken: readonly (number | undefined)[]): number | undefined {
  const slots = bareNames(listWords('column', 'slot'), ['', 'no', 'nr', 'number', 'index'])
  const found = header.labels.findIndex(
    (_, at) =>
      !taken.includes(at) &&
      isOneOf(slots, header.names?.[at]) &&
      rows.every((row) => /^[12]?$/.test((row[at] ?? '').trim())) &&
      rows.some((row) => (row[at] ?? '').trim() !== ''),
  )
  return found < 0 ? undefined : found
}

/** Allele columns by their names, else the columns that hold only typings. */
function findAlleles(
  { header, rows, isTyping }: LongSample,
  taken: readonly (number | undefined)[],
): readonly number[] {
  const free = header.labels.map((_, at) => at).filter((at) => !taken.includes(at))
  const names = header.names ?? []
  const typings = (column: number) =>
    rows.map((row) => cleaned(row[column] ?? '')).filter((text) => text !== '' && isTyping(text))
  const share = (column: number) =>
    measureShare(typings(column), ['named', 'fields', 'antigen', 'digits', 'pair'])
  const pair = free.filter((at) => isOneOfTwo(names[at] ?? '') && share(at) > 0)
  const [first, second] = pair
  if (first !== undefined && second !== undefined) return pair
  const words = listWords('column', 'allele').flatMap((word) => [word, `${word}s`])
  const called = bareNames(['', 'hla'], words, ['', 'name', 'call', 'id'])
  const single = free.filter((at) => isOneOf(called, names[at]) && share(at) > 0)
  if (single.length === 1) return single
  const isTyped = (column: number) => {
    const values = typings(column)
    return (
      values.length > 0 &&
      measureShare(values, ['named', 'fields']) >= MIN_SHARE &&
      !areClockTimes(names[column] ?? '', values)
    )
  }
  const typed = free.filter(isTyped)
  // two columns with their own names are two of something else
  return header.names === undefined || typed.length === 1 ? typed : []
}

/** Share of the values that must look like typings. */
const MIN_SHARE = 0.8

/** Removes the marks by which programs express doubt. */
function cleaned(text: string): string {
  return text
    .trim()
    .replace(/^IMGT_/, '')
    .replace(/['"]$/, '')
}

function namesLoci({ rows, isTyping }: LongSample, column: number): boolean {
  const typings = rows.map((row) => row[column] ?? '').filter(isTyping)
  return typings.length > 0 && measureShare(typings, ['named']) >= MIN_SHARE
}

/** Minimum number of loci of one person. */
const MIN_LOCI = 4

/** Matches a score, which is not a person's name. */
const FRACTION = /^-?\d*\.\d+(?:e[+-]?\d+)?$|^-?\d+e[+-]?\d+$/i

/** Matches a number, which may be a count. */
const NUMBER = /^\s*\d+\s*$/

/** undefined when all rows are of one person. @throws {HlaError} usage — several persons without a name */
function findSample(
  sample: LongSample,
  { locus, alleles, slot }: Omit<LongColumns, 'sample'>,
): number | undefined {
  const { header, rows, request } = sample
  const free = header.labels
    .map((_, at) => at)
    .filter((at) => at !== locus && at !== slot && !alleles.includes(at))
  const persons = listWords('person', 'any', 'long').flatMap((word) => [word, `${word}s`])
  const samples = bareNames(['', 'the'], persons, ['', ...listWords('identifier', 'any', 'long')])
  const named = free.filter((at) => isOneOf(samples, header.names?.[at]))
  // a row number may be called `id` too
  const repeated = named.find((at) => new Set(rows.map((row) => row[at])).size < rows.length)
  if (named.length > 0) return repeated ?? named[0]
  const most = 2 / alleles.length
  const key = (row: readonly string[]) =>
    locus === undefined ? (locusInTyping(row[alleles[0] ?? 0] ?? '') ?? '') : (row[locus] ?? '')
  const isOfOne = (column: number | undefined) => {
    const counts = new Map<string, number>()
    for (const row of rows) {
      const of = `${column === undefined ? '' : (row[column] ?? '')}\n${key(row)}`
      const count = (counts.get(of) ?? 0) + 1
      if (count > most) return false
      counts.set(of, count)
    }
    return true
  }
  const isName = (column: number) => {
    const values = rows.map((row) => (row[column] ?? '').trim())
    const count = new Set(values).size
    return (
      count > 1 &&
      count < values.length &&
      !values.includes('') &&
      !values.some((value) => recognizeShape(value) === 'named' || FRACTION.test(value)) &&
      isOfOne(column)
    )
  }
  // with one row per locus, a repeated value is not a name: `PASS` beside A, B and C
  const isSingle = rows.length >= MIN_LOCI && new Set(rows.map(key)).size === rows.length
  // without a header only a column before the typings names persons
  const asNames = header.names === undefined ? free.filter((at) => at < Math.min(...alleles)) : free
  const found = request.sampleFrom === undefined && !isSingle ? asNames.filter(isName) : []
  const [only, another] = found
  // rows of several persons taken for one would combine their alleles to genotypes
  if (only === undefined && isOfOne(undefined)) return undefined
  if (only !== undefined && another === undefined && header.names === undefined) return only
  const remedy = isOfOne(undefined)
    ? advice`if the file is about one sample, use ${option('sample-from', 'name')}`
    : advice`${option('input-format', 'table')} reads each row by itself`
  const names = free.filter((at) => isName(at) && !rows.every((row) => NUMBER.test(row[at] ?? '')))
  throw unknownColumn(sample, 'the sample', { part: 'sample', columns: names, remedy })
}
