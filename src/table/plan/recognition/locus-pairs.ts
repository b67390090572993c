/** Pairs of columns that may be the two typings of a locus, by their names. Pure. */
import { advice, joinAdvice, option } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import { type Header } from '../header.ts'
import type { LocusHeader } from '../../words/locus-header.ts'
import { groupBy } from '../../words/group-by.ts'
import { type ColumnNames, type ColumnReading, pairKey } from './column-names.ts'

export interface ColumnPair {
  readonly first: ColumnReading
  readonly second: ColumnReading
  /** Used only when no surer pair of the locus exists. */
  readonly isGuess: boolean
  /** True when the second column has no name. */
  readonly isUnnamed?: boolean
}

export interface PairRequest {
  readonly header: Header
  readonly names: ColumnNames
  readonly candidates: readonly ColumnReading[]
  /** Unnamed columns that may hold a typing beside one that names its locus. */
  readonly unnamed: readonly number[]
  /** True when a column may hold typings, or has no values. */
  readonly mayHold: (candidate: ColumnReading) => boolean
}

/** @throws {HlaError} usage — three columns, two of which may be a pair */
export function findPairs(request: PairRequest): ColumnPair[] {
  return [...duplicatePairs(request), ...slotPairs(request), ...basePairs(request), ...mergedPairs(request)]
}

/**
 * `A A B B`, also as `A...2 A...3`: the second of two neighbours of the same name, or the only other one, `A B A B`.
 */
function duplicatePairs({ names: { plain, results, orphans }, candidates }: PairRequest): ColumnPair[] {
  // result columns may lie between a column and its neighbour
  const beside = (column: number, step: 1 | -1) => {
    let at = column + step
    while (results.has(at) || orphans.has(at)) at += step
    return at
  }
  const unnumbered = candidates.filter(({ slot }) => slot === undefined)
  const keyAt = (column: number, { length }: ColumnReading) => `${column} ${length}`
  const byPlace = new Map(unnumbered.map((one) => [keyAt(one.column, one), one]))
  const nameKey = ({ column, length }: ColumnReading) => `${length} ${plain[column]}`
  const byName = groupBy(unnumbered, nameKey)
  return unnumbered.flatMap((first) => {
    const name = plain[first.column]
    const same = byName.get(nameKey(first)) ?? []
    const isRepeated = (at: number) => plain[at] === name
    const [one, other] = same
    if (same.length === 2 && one === first && other !== undefined)
      return [{ first, second: other, isGuess: false }]
    const second = byPlace.get(keyAt(beside(first.column, 1), first))
    if (same.length === 2 || second === undefined || !isRepeated(second.column)) return []
    // three in a row are not a pair
    return isRepeated(beside(first.column, -1)) || isRepeated(beside(second.column, 1))
      ? []
      : [{ first, second, isGuess: false }]
  })
}

/** `A_1 A_2`; numbered from 0, `A_0 A_1`. */
function slotPairs({ candidates, header, names, mayHold }: PairRequest): ColumnPair[] {
  return groupsBy(candidates.filter(({ slot }) => slot !== undefined)).flatMap((found) => {
    const of = (wanted: 0 | 1 | 2) => found.filter(({ slot }) => slot === wanted)
    const isZeroBased = of(2).length === 0 && of(0).length > 0
    const ones = isZeroBased ? of(0) : of(1)
    const twos = isZeroBased ? of(1) : of(2)
    const [first, second] = [ones[0], twos[0]]
    if (first === undefined || second === undefined) return []
    const isOne = ones.length === 1 && twos.length === 1
    const typed = [...ones, ...twos].filter(mayHold)
    if (!isOne && typed.length > 2) throw severalPersons(typed, first, header, names)
    const one = isOne ? first : (ones.find(mayHold) ?? first)
    const two = isOne ? second : (twos.find(mayHold) ?? second)
    return [{ first: one, second: two, isGuess: isZeroBased }]
  })
}

/** `A A.1`, `A A1`, `A A_2`: a bare name, and one with the next number. */
function basePairs({ candidates, header, mayHold }: PairRequest): ColumnPair[] {
  const bare = candidates.filter(({ slot }) => slot === undefined)
  const numbered = groupsBy(candidates.filter(({ slot }) => slot !== undefined))
  const baseKey = (candidate: ColumnReading) => pairKey(candidate) + candidate.length
  const sameBase = groupBy(bare, baseKey)
  const sameNumbered = groupBy(numbered, ([first]) => (first === undefined ? '' : baseKey(first)))
  return bare.flatMap((first) => {
    if ((sameBase.get(baseKey(first)) ?? []).length > 1) return []
    return (sameNumbered.get(baseKey(first)) ?? []).flatMap((found) => {
      const [second] = found
      if (second === undefined || second.slot === 0) return []
      if (found.length === 1) return [{ first, second, isGuess: true }]
      // A A.1 A.2 are three of one name, as R and pandas number them
      if (second.style === `${second.length}.1` && [first, ...found].every(mayHold) && found.length === 2)
        throw ambiguous(first, [first, ...found].map(labelIn(header)))
      return []
    })
  })
}

/** `HLA-A,,HLA-B,,`: merged header cells. */
function mergedPairs({ candidates, names: { plain }, unnamed }: PairRequest): ColumnPair[] {
  const isUnnamed = new Set(unnamed)
  return candidates.flatMap((first) => {
    const column = first.column + 1
    if (first.slot !== undefined || !isUnnamed.has(column) || plain[column + 1] === '') return []
    const second = { ...first, column }
    return [{ first, second, isGuess: true, isUnnamed: true }]
  })
}

/** Groups of one person, locus and style. */
function groupsBy(candidates: readonly ColumnReading[]): ColumnReading[][] {
  return [...groupBy(candidates, (candidate) => pairKey(candidate) + candidate.style).values()]
}

export function labelIn({ labels }: Header): (candidate: ColumnReading) => string {
  return ({ column }) => labels[column] ?? ''
}

/** `A_1 A_2 A_1 A_2`: a person has one of each, never two with the same slot. */
function severalPersons(
  typed: readonly ColumnReading[],
  { slot, locus, subject }: ColumnReading,
  header: Header,
  { plain }: ColumnNames,
): HlaError {
  const label = labelIn(header)
  const [ones, twos] = [typed.filter((one) => one.slot === slot), typed.filter((one) => one.slot !== slot)]
  const pairs = ones.flatMap((one, at) => {
    const two = twos[at]
    return two === undefined ? [] : [`${label(one)},${label(two)}`]
  })
  // a1 and A1 are hardly two persons
  const areAlike = new Set(ones.map(({ column }) => plain[column])).size === 1
  const isNamed = areAlike && pairs.length > 1 && subject === ''
  const options = pairs.map((pair, at) =>
    option('locus', `${isNamed ? `person${at + 1}:` : ''}${locus}=${pair}`),
  )
  const { message, suggestions } = ambiguous({ locus, subject }, typed.map(label))
  if (pairs.length === 0) return ambiguous({ locus, subject }, typed.map(label))
  return new HlaError('usage', message, {
    hint: advice`say which: ${joinAdvice(options, areAlike ? ' ' : ' or ')}   or exclude some with ${option('exclude')}`,
    suggestions,
  })
}

export function ambiguous(
  { locus, subject }: Pick<LocusHeader, 'locus' | 'subject'>,
  labels: readonly string[],
): HlaError {
  const who = subject === '' ? '' : ` of ${subject}`
  const named = [...new Set(labels)]
  return new HlaError('usage', `ambiguous columns for ${locus}${who}: ${named.join(', ')}`, {
    hint: advice`say which: ${option('locus', `${locus}=${named.slice(0, 2).join(',')}`)}   or exclude some with ${option('exclude')}`,
    suggestions: named,
  })
}
