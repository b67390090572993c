/** Match of two persons: a verdict and counts by direction at each locus, and their sums over the loci that count. */
import { type HlaError, isHlaError, type Note, withDetails } from '../../errors.ts'
import { compareEpitopes, type EpitopeGenotype, type EpitopePlace, type TceComparison } from './epitopes.ts'
import { DRB345, type Person, type TypedLocus, type TypedPlace } from './person.ts'
import type { MatchLevel, ResolvedTyping, ResolveRules } from './resolve.ts'
import {
  type Counts,
  expressed,
  type Genotype,
  type Homozygous,
  makePlace,
  type Place,
  type Range,
} from './sets.ts'

/** Loci of each count of alleles. */
export const COUNTED_LOCI = {
  '6/6': ['A', 'B', 'DRB1'],
  '8/8': ['A', 'B', 'C', 'DRB1'],
  '10/10': ['A', 'B', 'C', 'DRB1', 'DQB1'],
  '12/12': ['A', 'B', 'C', 'DRB1', 'DQB1', 'DPB1'],
} as const satisfies Record<string, readonly string[]>
export type MatchCount = keyof typeof COUNTED_LOCI
// the keys of the table are the type
export const MATCH_COUNTS = Object.keys(COUNTED_LOCI) as readonly MatchCount[]

export interface MatchRules extends ResolveRules {
  readonly homozygous: Homozygous
  /** Loci compared by split antigens. */
  readonly antigenLoci: readonly string[]
}

/** `match` and `mismatch`: by every possible choice of alleles. */
export const LOCUS_VERDICTS = ['match', 'potential', 'mismatch', 'untyped', 'unread'] as const
export type LocusVerdict = (typeof LOCUS_VERDICTS)[number]

export type Grade = 'antigen' | 'allele'

export interface LocusMatch {
  readonly locus: string
  readonly verdict: LocusVerdict
  /** Absent where the locus is not compared. */
  readonly counts?: Counts
  /** Of a mismatch: whether antigens differ for sure, or only alleles do. */
  readonly grade?: Grade
  /** True where an allele has no antigen, so that first fields are graded. */
  readonly isGradedByField?: boolean
  /** Of DPB1; `no-tce` in a release without epitope groups. */
  readonly tce?: TceComparison | 'no-tce'
}

export interface MatchTotal {
  /** Two for each compared locus. */
  readonly of: number
  readonly matched: Range
  readonly gvh: Range
  readonly hvg: Range
  /** Loci of the count that are not compared. */
  readonly untyped: readonly string[]
  readonly unread: readonly string[]
}

/** A person's locus with its sets of alleles. */
export type LocusSide =
  | { readonly kind: 'untyped' }
  | { readonly kind: 'unread'; readonly error: HlaError }
  | {
      readonly kind: 'typed'
      /** Names at the level of comparison. */
      readonly genotypes: readonly Genotype[]
      /** Split antigens; undefined when an allele has none. */
      readonly antigens: readonly Genotype[] | undefined
      readonly firstFields: readonly Genotype[]
      readonly epitopes: readonly EpitopeGenotype[]
      readonly notes: readonly Note[]
    }

/** Answers what a typing may be. @throws {HlaError} errors of its names */
export type Resolve = (text: string, level: MatchLevel) => ResolvedTyping

export interface Matcher {
  readonly side: (locus: string, typed: TypedLocus | undefined) => LocusSide
  readonly compare: (locus: string, patient: LocusSide, donor: LocusSide) => LocusMatch
  /** Upper bound of the numbers of alleles in `genotypes`. */
  readonly alleles: () => number
}

/** Remembers what a typing may be, for as many typings as a run has. `hasTce`: the release has epitope groups. */
export function newMatcher(rules: MatchRules, hasTce: boolean, resolve: Resolve): Matcher {
  const numbers = new Map<string, number>()
  const known = new Map<string, TypingPlaces>()
  const levelOf = (locus: string) => (rules.antigenLoci.includes(locus) ? 'S' : rules.level)
  const placesOf = (place: TypedPlace, level: MatchLevel): TypingPlaces => {
    if (place.kind !== 'typing')
      return place.kind === 'absent' ? ABSENT : rules.nulls === 'count' ? UNTYPED_OR_NULL : UNTYPED
    const key = `${level} ${place.text}`
    let found = known.get(key)
    if (found !== undefined) return found
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(
      key,
      (found = typingPlaces(
        resolveAt(place, () => resolve(place.text, level)),
        numbers,
      )),
    )
    return found
  }
  return {
    side: (locus, typed) => readSide(typed, (place) => placesOf(place, levelOf(locus))),
    compare: (locus, patient, donor) => compareSides(locus, { patient, donor }, rules, hasTce),
    alleles: () => numbers.size,
  }
}

/** Typings remembered; a registry has some ten thousand different ones. */
const MAX_KNOWN = 200_000

/** Positions in errors are those in the person's text. */
function resolveAt({ start }: { readonly start: number }, resolve: () => ResolvedTyping): ResolvedTyping {
  try {
    return resolve()
  } catch (error) {
    if (!isHlaError(error) || error.position === undefined || start === 0) throw error
    const [from, to] = error.position
    throw withDetails(error, { position: [from + start, to + start] })
  }
}

/** One typing as a place of each comparison. */
interface TypingPlaces {
  readonly names: Place
  /** undefined when an allele has no antigen. */
  readonly antigens: Place | undefined
  readonly firstFields: Place
  readonly epitopes: EpitopePlace
  readonly notes: readonly Note[]
}

function samePlaces(place: Place, mayBeNull: boolean): TypingPlaces {
  const epitopes = { groups: place.kind === 'absent' ? [] : [undefined], mayBeNull }
  return { names: place, antigens: place, firstFields: place, epitopes, notes: [] }
}

const ABSENT = samePlaces({ kind: 'absent' }, true)
const UNTYPED = samePlaces({ kind: 'untyped', mayBeNull: false }, false)
const UNTYPED_OR_NULL = samePlaces({ kind: 'untyped', mayBeNull: true }, true)

function typingPlaces(resolved: ResolvedTyping, numbers: Map<string, number>): TypingPlaces {
  const { expressed: names, nulls, antigens, firstFields, epitopes, withoutEpitope, notes } = resolved
  const place = (own: readonly string[]) => makePlace({ names: own, expressed: own, nulls }, numbers)
  const mayBeNull = nulls.length > 0
  return {
    names: names === undefined ? { kind: 'untyped', mayBeNull } : place(names),
    antigens: antigens === undefined ? undefined : place(antigens),
    firstFields: place(firstFields),
    epitopes: { groups: [...epitopes, ...(withoutEpitope.length > 0 ? [undefined] : [])], mayBeNull },
    notes,
  }
}

function readSide(typed: TypedLocus | undefined, placesOf: (place: TypedPlace) => TypingPlaces): LocusSide {
  if (typed === undefined) return { kind: 'untyped' }
  if (typed.kind === 'unread') return typed
  if (typed.genotypes.every((places) => places.every(({ kind }) => kind === 'untyped')))
    return { kind: 'untyped' }
  try {
    const genotypes = typed.genotypes.map(([one, other]) => [placesOf(one), placesOf(other)] as const)
    const each = <T>(part: (places: TypingPlaces) => T) =>
      genotypes.map(([one, other]) => [part(one), part(other)] as const)
    const areKnown = genotypes.flat().every(({ antigens }) => antigens !== undefined)
    // a genotype with one typing has it for both copies
    const once = typed.isTypedOnce
      ? typed.genotypes.flatMap(([one, other]) => (one === other ? onceNote(one) : []))
      : []
    return {
      kind: 'typed',
      genotypes: each(({ names }) => names),
      antigens: areKnown ? each(({ antigens, names }) => antigens ?? names) : undefined,
      firstFields: each(({ firstFields }) => firstFields),
      epitopes: each(({ epitopes }) => epitopes),
      notes: [...new Set([...once, ...genotypes.flatMap((places) => places.flatMap(({ notes }) => notes))])],
    }
  } catch (error) {
    if (!isHlaError(error)) throw error
    return { kind: 'unread', error }
  }
}

function onceNote(place: TypedPlace): readonly Note[] {
  if (place.kind !== 'typing') return []
  const message = `${place.text} is typed once: it counts as homozygous`
  return [{ level: 'note', code: 'one-typing', message, offending: place.text }]
}

interface Sides {
  readonly patient: LocusSide
  readonly donor: LocusSide
}

function compareSides(
  locus: string,
  { patient, donor }: Sides,
  { homozygous, isGraded }: MatchRules,
  hasTce: boolean,
): LocusMatch {
  if (patient.kind === 'unread' || donor.kind === 'unread') return { locus, verdict: 'unread' }
  if (patient.kind === 'untyped' || donor.kind === 'untyped') return { locus, verdict: 'untyped' }
  const counts = expressed(patient.genotypes, donor.genotypes, homozygous)
  const verdict = verdictOf(counts)
  const grade = isGraded && verdict === 'mismatch' ? gradeOf(patient, donor) : {}
  const tce = locus !== 'DPB1' ? undefined : hasTce ? epitopesOf(patient, donor, verdict) : 'no-tce'
  return { locus, verdict, counts, ...grade, ...(tce !== undefined && { tce }) }
}

export function verdictOf({
  matched: [least, most],
}: Pick<Counts, 'matched'>): 'match' | 'potential' | 'mismatch' {
  return least === 2 ? 'match' : most < 2 ? 'mismatch' : 'potential'
}

type TypedSide = Extract<LocusSide, { kind: 'typed' }>

/** By antigens; by first fields when an allele of the four has none. Empty when either grade is possible. */
function gradeOf(patient: TypedSide, donor: TypedSide): Pick<LocusMatch, 'grade' | 'isGradedByField'> {
  const isKnown = patient.antigens !== undefined && donor.antigens !== undefined
  const [one, other] = isKnown ? [patient.antigens, donor.antigens] : [patient.firstFields, donor.firstFields]
  const verdict = verdictOf(expressed(one ?? [], other ?? [], 2))
  if (verdict === 'potential') return {}
  return { grade: verdict === 'match' ? 'allele' : 'antigen', ...(!isKnown && { isGradedByField: true }) }
}

function epitopesOf(patient: TypedSide, donor: TypedSide, verdict: LocusVerdict): TceComparison {
  const compared = compareEpitopes(patient.epitopes, donor.epitopes)
  return verdict === 'match' ? { ...compared, verdicts: ['match'] } : compared
}

/** Loci of a report, in this order; others follow. */
export const ORDERED_LOCI = ['A', 'B', 'C', 'DRB1', DRB345, 'DQA1', 'DQB1', 'DPA1', 'DPB1']

/** Loci that either person has typed. */
export function listLoci(patient: Pick<Person, 'keys'>, donor: Pick<Person, 'keys'>): readonly string[] {
  const loci = new Set([...patient.keys(), ...donor.keys()])
  return [...ORDERED_LOCI.filter((locus) => loci.delete(locus)), ...[...loci].toSorted()]
}

export function sumLoci(loci: readonly LocusMatch[], count: MatchCount): MatchTotal {
  const counted: readonly string[] = COUNTED_LOCI[count]
  const own = loci.filter(({ locus }) => counted.includes(locus))
  const compared = own.flatMap(({ counts }) => counts ?? [])
  const unread = own.filter(({ verdict }) => verdict === 'unread').map(({ locus }) => locus)
  const typed = new Set([
    ...unread,
    ...own.filter(({ counts }) => counts !== undefined).map(({ locus }) => locus),
  ])
  const sum = (key: keyof Counts): Range => [
    compared.reduce((total, counts) => total + counts[key][0], 0),
    compared.reduce((total, counts) => total + counts[key][1], 0),
  ]
  return {
    of: 2 * compared.length,
    matched: sum('matched'),
    gvh: sum('gvh'),
    hvg: sum('hvg'),
    untyped: counted.filter((locus) => !typed.has(locus)),
    unread,
  }
}

/**
 * 10/10; 8/8 when that makes the count complete: pairs are typed for all its loci, and none for DQB1. `typed` are loci
 * that both persons of a pair have typed, pair by pair.
 */
export function chooseCount(typed: Iterable<ReadonlySet<string>>): MatchCount {
  let isComplete = false
  for (const loci of typed) {
    if (loci.has('DQB1')) return '10/10'
    isComplete ||= COUNTED_LOCI['8/8'].every((locus) => loci.has(locus))
  }
  return isComplete ? '8/8' : '10/10'
}
