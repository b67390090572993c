/** Pairs of columns that may be the two typings of a locus, by their names. Pure. */
import { advice, joinAdvice, option } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import { type Header } from '../header.ts'
import { MAX_HEADER_LENGTH, type LocusHeader, readLocusHeader } from '../../words/locus-header.ts'
import { listWords, plainName, wordPattern } from '../../words/header-words.ts'
import { groupBy } from '../../words/group-by.ts'

export interface ColumnCandidate extends LocusHeader {
  readonly column: number
}

export interface ColumnPair {
  readonly first: ColumnCandidate
  readonly second: ColumnCandidate
  /** Used only when no surer pair of the locus exists. */
  readonly isGuess: boolean
  /** True when the second column has no name. */
  readonly isUnnamed?: boolean
}

/** Result column -> name of its source. */
export type Results = ReadonlyMap<number, string>

export interface PairRequest {
  readonly header: Header
  readonly candidates: readonly ColumnCandidate[]
  readonly results: Results
  /** Unnamed columns that may hold a typing beside one that names its locus. */
  readonly unnamed: readonly number[]
  /** True when a column may hold typings, or has no values. */
  readonly mayHold: (candidate: ColumnCandidate) => boolean
}

/** @throws {HlaError} usage — three columns, two of which may be a pair */
export function findPairs(request: PairRequest): ColumnPair[] {
  return [...duplicatePairs(request), ...slotPairs(request), ...basePairs(request), ...mergedPairs(request)]
}

export function pairKey({ subject, locus }: Pick<LocusHeader, 'subject' | 'locus'>): string {
  return `${subject.toLowerCase()}\n${locus}\n`
}

/**
 * `A A B B`, also as `A...2 A...3`: the second of two neighbours of the same name, or the only other one, `A B A B`.
 */
function duplicatePairs({ header, candidates, results }: PairRequest): ColumnPair[] {
  // result columns may lie between a column and its neighbour
  const beside = (column: number, step: 1 | -1) => {
    let at = column + step
    while (results.has(at)) at += step
    return at
  }
  const names = (header.names ?? []).map(plainName)
  const unnumbered = candidates.filter(({ slot }) => slot === undefined)
  const keyAt = (column: number, { length }: ColumnCandidate) => `${column} ${length}`
  const byPlace = new Map(unnumbered.map((one) => [keyAt(one.column, one), one]))
  const nameKey = ({ column, length }: ColumnCandidate) => `${length} ${names[column]}`
  const byName = groupBy(unnumbered, nameKey)
  return unnumbered.flatMap((first) => {
    const name = names[first.column]
    const same = byName.get(nameKey(first)) ?? []
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

/** `A_1 A_2`; numbered from 0, `A_0 A_1`. */
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

/** `A A.1`, `A A1`, `A A_2`: a bare name, and one with the next number. */
function basePairs({ candidates, header, mayHold }: PairRequest): ColumnPair[] {
  const bare = candidates.filter(({ slot }) => slot === undefined)
  const numbered = groupsBy(candidates.filter(({ slot }) => slot !== undefined))
  const baseKey = (candidate: ColumnCandidate) => pairKey(candidate) + candidate.length
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

/** Groups of one person, locus and style. */
function groupsBy(candidates: readonly ColumnCandidate[]): ColumnCandidate[][] {
  return [...groupBy(candidates, (candidate) => pairKey(candidate) + candidate.style).values()]
}

export function labelIn({ labels }: Header): (candidate: ColumnCandidate) => string {
  return ({ column }) => labels[column] ?? ''
}

/** `A_1 A_2 A_1 A_2`: a person has one of each, never two with the same slot. */
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
  // a1 and A1 are hardly two persons
  const areAlike = new Set(ones.map(({ column }) => plainName(header.names?.[column] ?? ''))).size === 1
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

/** `A1_donor`, `Patient HLA-DRB1 typing`, `donorDQB11`. */
export function guessLocus(name: string): string | undefined {
  const words = wordsIn(name)
  for (const word of words) {
    const [long = word] = /^D[PQR][AB]\d(?=\d)/i.exec(word) ?? []
    const [sure] = readLocusHeader(long).filter(({ length, slot }) => length > 2 || slot !== undefined)
    if (sure !== undefined) return sure.locus
  }
  const behind = words.findIndex((word) => /^hla$/i.test(word)) + 1
  return behind === 0 ? undefined : readLocusHeader(words[behind] ?? '')[0]?.locus
}

/** Locus of a column that holds typings: `A HR 1`, `A_G1`. */
export function guessLocusOfTypings(name: string): string | undefined {
  const whole = wordsIn(name).filter((word) => /^[A-Z]/.test(word) && wholeLocus(word) !== undefined)
  const loci = new Set(whole.map(wholeLocus))
  return loci.size === 1 ? [...loci][0] : guessLocus(name)
}

/** `A`, `DRB1`; `A1` is a locus with a number. */
function wholeLocus(word: string): string | undefined {
  const [read] = readLocusHeader(word)
  return read !== undefined && read.slot === undefined && read.subject === '' ? read.locus : undefined
}

/**
 * Beginning of a name that two columns of numbers may share: `A` of `A_maternal`, `HLA-A` of `HLA-A Allel 1`, `DA` of
 * `DA1`.
 */
export function leadIn(name: string): { readonly lead: string; readonly locus: string } | undefined {
  const [, person, ofPerson = ''] = OF_PERSON.exec(name) ?? []
  const [word = '', spelled = ''] = /^(?:HLA[_. -]?)?([A-Za-z0-9]+)/.exec(name) ?? []
  const isLocus = LOCUS_WORDS.includes(spelled) || spelled === 'Cw'
  const lead = person === undefined ? word : person + ofPerson
  const locus = wholeLocus(isLocus ? spelled : ofPerson)
  return locus === undefined ? undefined : { lead, locus }
}

/** `DA1`, `RDR2`: typings of a donor and a recipient, as the US registry names them. */
const OF_PERSON = /^([DR])(A|B|C|CW|DR|DQ|DP|D[PQR][AB]1)[12]$/

/**
 * Rest of a name without locus and number, if it is one word: `mother` of `A1_mother`, `D` of `DA1`, `x` of `A1.x`, as
 * in merged tables; else empty.
 */
export function guessSubject(name: string): string {
  const [, person] = OF_PERSON.exec(name) ?? []
  if (person !== undefined) return person
  const rest = wordsIn(name).filter(
    (word) => !/^(?:\d+|hla|[a-wz])$/i.test(word) && readLocusHeader(word).length === 0,
  )
  return rest.length === 1 ? (rest[0] ?? '').replace(/\d$/, '') : ''
}

function wordsIn(name: string): string[] {
  if (name.length > MAX_HEADER_LENGTH) return []
  return name
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .split(/[^A-Za-z0-9*]+/)
    .filter((word) => word !== '')
}

/**
 * Readings of a header's names that its other names do not contradict: `DRB1_A1` is allele 1 of DRB1 and not a typing
 * of A, but `F_A1` beside `F_B1` or `M_A1` belongs to a father.
 */
export function withoutLociAsPeople<T extends LocusHeader>(readings: readonly T[]): T[] {
  const bySubject = groupBy(readings.filter(mayBePerson), ({ subject }) => subject)
  const cohorts = new Set([...bySubject].filter(([, own]) => hasOtherLoci(own)).map(([subject]) => subject))
  const isPerson = ({ subject, locus }: T) =>
    subject === '' || (!startsWithLocus(subject) && !namesTyping(subject, locus))
  const named = [...bySubject.values()].flat().filter((one) => isPerson(one) || cohorts.has(one.subject))
  const ends = new Map(
    [...bySubject.keys()]
      .filter((subject) => subject !== '')
      .map((subject) => [subject, locusAtEnd(subject.replace(TYPING_AT_END, ''))]),
  )
  const doubtful = named.filter(({ subject }) => ends.get(subject) !== undefined)
  if (doubtful.length === 0) return named
  const columnKey = ({ locus, style }: LocusHeader) => `${locus}\n${style}`
  /** Columns of subjects that are not loci, and of loci of more than one letter. */
  const peers = new Set(named.filter(({ subject }) => subject !== '' && ends.get(subject) === undefined).map(columnKey)) // prettier-ignore
  const longer = new Set(doubtful.filter(({ subject }) => (ends.get(subject)?.length ?? 0) > 1).map(columnKey)) // prettier-ignore
  const isNobody = ([subject, own]: readonly [string, readonly T[]]) => {
    const locus = ends.get(subject) ?? ''
    if (locus.length > 1) return true
    // `donor_A_a` and `donor_A_b`, `A Allele B`: the typings of A
    if (own.every((one) => one.slot === undefined && one.locus.length === 1)) return true
    if (new Set(own.map((one) => one.locus)).size !== 1) return false
    // beside `DRB1_A1`, `B_A1` is a typing of B, whatever other subjects have such columns
    if (/^[ABC]$/i.test(locus) && own.some((one) => longer.has(columnKey(one)))) return true
    return !own.some((one) => peers.has(columnKey(one)))
  }
  const subjects = [...groupBy(doubtful, ({ subject }) => subject)]
  const nobodies = new Set(subjects.filter(isNobody).map(([subject]) => subject))
  const people = new Set(
    subjects.filter(([subject]) => !nobodies.has(subject)).map(([subject]) => spelledAlike(subject)),
  )
  const isOfPerson = ({ subject, locus, style }: T) =>
    /[_. -]a0?1$/.test(style) && people.has(spelledAlike(subject === '' ? locus : `${subject}_${locus}`))
  return named.filter((one) => !nobodies.has(one.subject) && !isOfPerson(one))
}

/** False for `h1_A` and `1st_A`, the first typing rather than a person; for `A_b` and `HLA-A_b`, which are hardly typings of B. */
function mayBePerson({ subject, slot }: LocusHeader): boolean {
  return slot !== undefined || !NUMBERED.test(subject)
}

/** True for the `C1` of `C1_C2`. */
function namesTyping(subject: string, locus: string): boolean {
  return (
    subject !== '' &&
    readLocusHeader(subject).some(
      (read) => read.subject === '' && read.locus === locus && read.slot !== undefined,
    )
  )
}

const LOCUS_WORDS = listWords('locus')

const NUMBERED = new RegExp(`[12]$|^(?:1st|2nd|(?:HLA[_. -]?)?(?:${LOCUS_WORDS.join('|')}))$`, 'i')

const LOCUS_AT_END = new RegExp(`(?:^|[_. -])(?:HLA[_. -]?)?(${LOCUS_WORDS.join('|')})$`, 'i')

/** `A Allele`: its own typing. */
const TYPING_AT_END = new RegExp(`[_. -]+${wordPattern(listWords('typing'))}$`, 'i')

export function locusAtEnd(subject: string): string | undefined {
  return subject === '' ? undefined : LOCUS_AT_END.exec(subject)?.[1]
}

const LOCUS_AT_START = new RegExp(`^(?:HLA[_. -]?)?(?:${LOCUS_WORDS.join('|')})\\d?[_. -]`, 'i')

/** `A_mother`; not the `G` of a method or the `a` and `b` of two typings. */
export function startsWithLocus(subject: string): boolean {
  return LOCUS_AT_START.test(subject)
}

/**
 * True when a subject such as `C_donor` is a cohort and does not begin with the locus C: it has a column of a longer
 * locus (`C_donor_DRB1`), or slots of two loci (`C_donor_A_1`, `C_donor_B_1`).
 */
function hasOtherLoci(own: readonly LocusHeader[]): boolean {
  if (own.some(({ length }) => length > 1)) return true
  return new Set(own.filter(({ slot }) => slot !== undefined).map(({ locus }) => locus)).size > 1
}

function spelledAlike(subject: string): string {
  return subject.toUpperCase().replaceAll(/[. -]/g, '_')
}
