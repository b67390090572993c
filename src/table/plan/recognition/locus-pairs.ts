/** Two columns that may be the two typings of a locus, by their names. Pure. */
import { advice, joinAdvice, option } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import { type Header, plainName } from '../header.ts'
import type { LocusHeader } from '../locus-header.ts'

export interface ColumnCandidate extends LocusHeader {
  readonly column: number
}

export interface ColumnPair {
  readonly first: ColumnCandidate
  readonly second: ColumnCandidate
  /** Only where nothing surer is a pair of the locus. */
  readonly isGuess: boolean
  /** The second has no name. */
  readonly isUnnamed?: boolean
}

/** Column -> what it is a result of. */
export type Results = ReadonlyMap<number, string>

export interface PairRequest {
  readonly header: Header
  readonly candidates: readonly ColumnCandidate[]
  readonly results: Results
  /** Columns that may hold a typing beside one that names its locus. */
  readonly unnamed: readonly number[]
  /** Whether what stands in a column may be typings; of one without values too. */
  readonly mayHold: (candidate: ColumnCandidate) => boolean
}

/** @throws {HlaError} usage — three columns, two of which may be a pair */
export function findPairs(request: PairRequest): ColumnPair[] {
  return [...duplicatePairs(request), ...slotPairs(request), ...basePairs(request), ...mergedPairs(request)]
}

export function pairKey({ subject, locus }: Pick<LocusHeader, 'subject' | 'locus'>): string {
  return `${subject.toLowerCase()}\n${locus}\n`
}

/** `A A B B`, also as `A...2 A...3`: the second of two neighbours with the same name; or the only other one, `A B A B`. */
function duplicatePairs({ header, candidates, results }: PairRequest): ColumnPair[] {
  // results stand between a column and its neighbour
  const beside = (column: number, step: 1 | -1) => {
    let at = column + step
    while (results.has(at)) at += step
    return at
  }
  const names = (header.names ?? []).map(plainName)
  const unnumbered = candidates.filter(({ slot }) => slot === undefined)
  const keyAt = (column: number, { length }: ColumnCandidate) => `${column} ${length}`
  const byPlace = new Map(unnumbered.map((one) => [keyAt(one.column, one), one]))
  return unnumbered.flatMap((first) => {
    const name = names[first.column]
    const same = unnumbered.filter(({ column, length }) => names[column] === name && length === first.length)
    const isRepeated = (at: number) => names[at] === name
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

/** `A_1 A_2`; counted from 0, `A_0 A_1`. */
function slotPairs({ candidates, header, mayHold }: PairRequest): ColumnPair[] {
  return groupsBy(candidates.filter(({ slot }) => slot !== undefined)).flatMap((found) => {
    const of = (wanted: 0 | 1 | 2) => found.filter(({ slot }) => slot === wanted)
    const isZeroBased = of(2).length === 0 && of(0).length > 0
    const ones = isZeroBased ? of(0) : of(1)
    const twos = isZeroBased ? of(1) : of(2)
    const [first, second] = [ones[0], twos[0]]
    if (first === undefined || second === undefined) return []
    const isOne = ones.length === 1 && twos.length === 1
    const typed = [...ones, ...twos].filter(mayHold)
    if (!isOne && typed.length > 2) throw severalPersons(typed, first, header)
    const one = isOne ? first : (ones.find(mayHold) ?? first)
    const two = isOne ? second : (twos.find(mayHold) ?? second)
    return [{ first: one, second: two, isGuess: isZeroBased }]
  })
}

/** `A A.1`, `A A1`, `A A_2`: one of a name, and one that is numbered as the next. */
function basePairs({ candidates, header, mayHold }: PairRequest): ColumnPair[] {
  const bare = candidates.filter(({ slot }) => slot === undefined)
  const numbered = groupsBy(candidates.filter(({ slot }) => slot !== undefined))
  return bare.flatMap((first) => {
    const same = bare.filter((one) => pairKey(one) === pairKey(first) && one.length === first.length)
    if (same.length > 1) return []
    return numbered.flatMap((found) => {
      const [second] = found
      const isOfFirst =
        second !== undefined && pairKey(second) === pairKey(first) && second.length === first.length
      if (!isOfFirst || second.slot === 0) return []
      if (found.length === 1) return [{ first, second, isGuess: true }]
      // A A.1 A.2 are three of one name, as R and pandas count them
      if (second.style === `${second.length}.1` && [first, ...found].every(mayHold) && found.length === 2)
        throw ambiguous(first, [first, ...found].map(labelIn(header)))
      return []
    })
  })
}

/** `HLA-A,,HLA-B,,`: cells of the header that were merged. */
function mergedPairs({ candidates, header, unnamed }: PairRequest): ColumnPair[] {
  const names = (header.names ?? []).map(plainName)
  const isUnnamed = new Set(unnamed)
  return candidates.flatMap((first) => {
    const column = first.column + 1
    if (first.slot !== undefined || !isUnnamed.has(column) || names[column + 1] === '') return []
    const second = { ...first, column }
    return [{ first, second, isGuess: true, isUnnamed: true }]
  })
}

/** Of one person, locus and style. */
function groupsBy(candidates: readonly ColumnCandidate[]): ColumnCandidate[][] {
  const groups = new Map<string, ColumnCandidate[]>()
  for (const candidate of candidates) {
    const key = pairKey(candidate) + candidate.style
    const found = groups.get(key)
    if (found === undefined) groups.set(key, [candidate])
    else found.push(candidate)
  }
  return [...groups.values()]
}

export function labelIn({ labels }: Header): (candidate: ColumnCandidate) => string {
  return ({ column }) => labels[column] ?? ''
}

/** `A_1 A_2 A_1 A_2`: one of each is a person's, and never two that say the same. */
function severalPersons(
  typed: readonly ColumnCandidate[],
  { slot, locus, subject }: ColumnCandidate,
  header: Header,
): HlaError {
  const label = labelIn(header)
  const [ones, twos] = [typed.filter((one) => one.slot === slot), typed.filter((one) => one.slot !== slot)]
  const pairs = ones.flatMap((one, at) => {
    const two = twos[at]
    return two === undefined ? [] : [`${label(one)},${label(two)}`]
  })
  const isNamed = pairs.length > 1 && subject === ''
  const options = pairs.map((pair, at) =>
    option('locus', `${isNamed ? `person${at + 1}:` : ''}${locus}=${pair}`),
  )
  const { message, suggestions } = ambiguous({ locus, subject }, typed.map(label))
  if (pairs.length === 0) return ambiguous({ locus, subject }, typed.map(label))
  return new HlaError('usage', message, {
    hint: advice`say which: ${joinAdvice(options, ' ')}   or exclude some with ${option('exclude')}`,
    suggestions,
  })
}

export function ambiguous(
  { locus, subject }: Pick<LocusHeader, 'locus' | 'subject'>,
  labels: readonly string[],
): HlaError {
  const who = subject === '' ? '' : ` of ${subject}`
  const named = [...new Set(labels)]
  return new HlaError('usage', `the columns of ${locus}${who} may be ${named.join(', ')}`, {
    hint: advice`say which: ${option('locus', `${locus}=${named.slice(0, 2).join(',')}`)}   or exclude some with ${option('exclude')}`,
    suggestions: named,
  })
}
