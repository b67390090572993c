/** Typing columns found by the names of columns, and by what stands in them. Ambiguity is an error, never a guess. */
import { HlaError } from '../../errors.ts'
import { findDamage } from '../cells/damage.ts'
import type { Header } from './header.ts'
import { type LocusHeader, readLocusHeader } from './locus-header.ts'
import { measureShare } from './typing-shape.ts'

/** Columns that hold the typings of one locus of one person; or GL Strings, when `locus` is undefined. */
export interface ColumnGroup {
  /** Empty when the table has one person a row. */
  readonly subject: string
  readonly locus: string | undefined
  readonly columns: readonly number[]
}

/** The values of a column in the sample, without those that are not typings. */
export type Sampled = (column: number) => readonly string[]

export interface ColumnCandidate extends LocusHeader {
  readonly column: number
}

interface Pair {
  readonly first: ColumnCandidate
  readonly second: ColumnCandidate
}

/** Column -> what it is a result of. */
export type Results = ReadonlyMap<number, string>

/**
 * Of these columns, in their order. A result among them is read as what it is a result of.
 * @throws {HlaError} usage — two pairs of columns may be the same locus
 */
export function inferColumns(
  header: Header,
  columns: readonly number[],
  sampled: Sampled,
  results: Results = new Map(),
): ColumnGroup[] {
  const candidates = columns.flatMap((column) => candidatesIn(header, column, results))
  const pairs = [...duplicatePairs(header, candidates, results), ...slotPairs(candidates, header)]
  const plausible = pairs.filter((pair) => isPlausiblePair(pair, sampled))
  const chosen = choosePairs(plausible, header)
  // half of a pair that holds no typings is none either
  const refused = pairs.filter((pair) => !plausible.includes(pair))
  const used = new Set([
    ...chosen.flatMap(({ columns: two }) => two),
    ...refused.flatMap(({ first, second }) => [first.column, second.column]),
  ])
  const singles = chooseSingles(
    candidates.filter(({ column }) => !used.has(column)),
    chosen,
    sampled,
  )
  return [...chosen, ...singles].sort((a, b) => (a.columns[0] ?? 0) - (b.columns[0] ?? 0))
}

function candidatesIn({ names }: Header, column: number, results: Results): ColumnCandidate[] {
  const name = names?.[column] ?? ''
  const source = results.get(column)
  if (source === undefined) return readLocusHeader(name).map((read) => ({ ...read, column }))
  // columns of one pair are results of one kind
  const kind = name.replace(source, '')
  return readLocusHeader(source).map((read) => ({ ...read, style: `${read.style} ${kind}`, column }))
}

/** Columns of GL Strings, or of names with their locus. */
export function inferGlColumns(columns: readonly number[], sampled: Sampled): ColumnGroup[] {
  return columns
    .filter((column) => holdsNames(sampled(column)))
    .map((column) => ({ subject: '', locus: undefined, columns: [column] }))
}

/** GL Strings, or names with their locus. */
export function holdsNames(values: readonly string[]): boolean {
  return values.length > 0 && measureShare(values, ['named']) >= MOST
}

/** Share of values that must look like typings. */
const MOST = 0.8
const HALF = 0.5

/** `A A B B`: the second of two neighbours with the same name. */
function duplicatePairs(header: Header, candidates: readonly ColumnCandidate[], results: Results): Pair[] {
  // results stand between a column and its neighbour
  const beside = (column: number, step: 1 | -1) => {
    let at = column + step
    while (results.has(at)) at += step
    return at
  }
  const unnumbered = candidates.filter(({ slot }) => slot === undefined)
  const keyAt = (column: number, { length }: ColumnCandidate) => `${column} ${length}`
  const byPlace = new Map(unnumbered.map((one) => [keyAt(one.column, one), one]))
  return unnumbered.flatMap((first) => {
    const second = byPlace.get(keyAt(beside(first.column, 1), first))
    const name = header.names?.[first.column]
    const isRepeated = (at: number) => header.names?.[at] === name
    if (second === undefined || !isRepeated(second.column)) return []
    // three in a row are not a pair
    return isRepeated(beside(first.column, -1)) || isRepeated(beside(second.column, 1))
      ? []
      : [{ first, second }]
  })
}

function slotPairs(candidates: readonly ColumnCandidate[], header: Header): Pair[] {
  const pairs = new Map<string, ColumnCandidate[]>()
  for (const candidate of candidates) {
    if (candidate.slot === undefined) continue
    const key = pairKey(candidate) + candidate.style
    const found = pairs.get(key)
    if (found === undefined) pairs.set(key, [candidate])
    else found.push(candidate)
  }
  return [...pairs.values()].flatMap((found) => {
    const [first, another] = found.filter(({ slot }) => slot === 1)
    const [second, further] = found.filter(({ slot }) => slot === 2)
    if (first === undefined || second === undefined) return []
    if (another !== undefined || further !== undefined) throw ambiguous(first, found.map(labelIn(header)))
    return [{ first, second }]
  })
}

function pairKey({ subject, locus }: LocusHeader): string {
  return `${subject.toLowerCase()}\n${locus}\n`
}

function isPlausiblePair({ first, second }: Pair, sampled: Sampled): boolean {
  // what a spreadsheet made of typings is refused cell by cell, with the reason
  const values = [...sampled(first.column), ...sampled(second.column)].map(
    (value) => findDamage(value)?.reading ?? value,
  )
  return measureShare(values, ['named', 'fields', 'antigen', 'digits']) >= HALF
}

/** The longest locus first: `DRB11` is the first of DRB1, not the eleventh of DRB. */
function choosePairs(pairs: readonly Pair[], header: Header): ColumnGroup[] {
  const used = new Set<number>()
  const chosen = new Map<string, Pair>()
  for (const pair of [...pairs].sort((a, b) => b.first.length - a.first.length)) {
    const { first, second } = pair
    if (used.has(first.column) || used.has(second.column)) continue
    const before = chosen.get(pairKey(first))
    if (before !== undefined) {
      if (first.style.endsWith('11')) continue
      const columns = [before.first, before.second, first, second]
      throw ambiguous(first, columns.map(labelIn(header)))
    }
    chosen.set(pairKey(first), pair)
    used.add(first.column).add(second.column)
  }
  return [...chosen.values()].map(({ first, second }) => ({
    subject: first.subject,
    locus: first.locus,
    columns: [first.column, second.column],
  }))
}

/** One column of a locus: genotypes, or the only typing there is. Its values must look like typings. */
function chooseSingles(
  candidates: readonly ColumnCandidate[],
  pairs: readonly ColumnGroup[],
  sampled: Sampled,
): ColumnGroup[] {
  const isPaired = ({ subject, locus }: ColumnCandidate) =>
    pairs.some((pair) => pair.locus === locus && pair.subject.toLowerCase() === subject.toLowerCase())
  const seen = new Set<number>()
  return candidates
    .filter((candidate) => !isPaired(candidate) && isPlausibleSingle(candidate, sampled))
    .filter(({ column }) => !seen.has(column) && seen.add(column))
    .map(({ subject, locus, column }) => ({ subject, locus, columns: [column] }))
}

function isPlausibleSingle({ hasSeparator, slot, column }: ColumnCandidate, sampled: Sampled): boolean {
  const values = sampled(column)
  // A_1 without A_2 is a locus with one typing; "C" alone may be anything
  if (hasSeparator && slot !== undefined) {
    return measureShare(values, ['named', 'fields', 'antigen', 'digits']) >= HALF
  }
  return values.length > 0 && measureShare(values, ['named', 'fields', 'antigen']) >= MOST
}

function labelIn({ labels }: Header): (candidate: ColumnCandidate) => string {
  return ({ column }) => labels[column] ?? ''
}

function ambiguous({ locus, subject }: LocusHeader, labels: readonly string[]): HlaError {
  const who = subject === '' ? '' : ` of ${subject}`
  const named = [...new Set(labels)]
  return new HlaError('usage', `the columns of ${locus}${who} may be ${named.join(', ')}`, {
    hint: `say which: -l ${locus}=${named.slice(0, 2).join(',')}   or exclude some with -x`,
    suggestions: named,
  })
}
