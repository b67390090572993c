/** A locus, and a person, that the name of a column has among other words: for advice; and loci that stand where a person would. Pure. */
import { type LocusHeader, LONGEST_HEADER, readLocusHeader } from '../locus-header.ts'
import { wordsOf } from '../header-words.ts'

/** `A1_donor`, `Patient HLA-DRB1 typing`, `donorDQB11`. */
export function guessLocus(name: string): string | undefined {
  const words = wordsIn(name)
  for (const word of words) {
    const [sure] = readLocusHeader(word).filter(({ length, slot }) => length > 2 || slot !== undefined)
    if (sure !== undefined) return sure.locus
  }
  const behind = words.findIndex((word) => /^hla$/i.test(word)) + 1
  return behind === 0 ? undefined : readLocusHeader(words[behind] ?? '')[0]?.locus
}

/** Of a column that holds typings: `A HR 1`, `A_G1`. */
export function guessLocusOfTypings(name: string): string | undefined {
  const whole = wordsIn(name).filter((word) => /^[A-Z]/.test(word) && wholeLocus(word) !== undefined)
  const loci = new Set(whole.map(wholeLocus))
  return loci.size === 1 ? [...loci][0] : guessLocus(name)
}

/** `A`, `DRB1`; `A1` is one with a number. */
function wholeLocus(word: string): string | undefined {
  const [read] = readLocusHeader(word)
  return read !== undefined && read.slot === undefined && read.subject === '' ? read.locus : undefined
}

/** Of numbers in two columns: `DA1 DA2` and `RA1 RA2` of the registry of the United States, `A LR 1` and `A LR 2`. */
export function guessNumbered(name: string, names: readonly string[]): string | undefined {
  const [, stem, slot] = /^(.*[^\d])([12])$/.exec(name) ?? []
  if (stem === undefined || !names.includes(stem + (slot === '1' ? '2' : '1'))) return undefined
  const [, ofPerson] = /^[DR](A|B|C|CW|DR|DQ|DP|DRB1|DQA1|DQB1|DPA1|DPB1)$/.exec(stem) ?? []
  const [word = ''] = wordsIn(stem)
  const locus = ofPerson ?? (word.length < stem.trim().length ? word : '')
  return /^[A-Z]/.test(locus) ? wholeLocus(locus) : undefined
}

/** What a name has besides its locus and number, if that is one word: `mother` of `A1_mother`, `D` of `DA1`, `x` of `A1.x`, as merged tables have it; empty: nothing, or more. */
export function guessSubject(name: string): string {
  const [, ofPerson] = /^([DR])(?:A|B|C|CW|DR|DQ|DP|D[RPQ][AB]1)[12]$/.exec(name) ?? []
  if (ofPerson !== undefined) return ofPerson
  const rest = wordsIn(name).filter(
    (word) => !/^(?:\d+|hla|[a-wz])$/i.test(word) && readLocusHeader(word).length === 0,
  )
  return rest.length === 1 ? (rest[0] ?? '').replace(/\d$/, '') : ''
}

function wordsIn(name: string): string[] {
  if (name.length > LONGEST_HEADER) return []
  return name
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .split(/[^A-Za-z0-9*]+/)
    .filter((word) => word !== '')
}

/**
 * The readings of a header's names that its other names do not speak against: `DRB1_A1` is allele 1 of DRB1 and no typing of A, but
 * `F_A1` beside `F_B1` or `M_A1` is of a father.
 */
export function withoutLociAsPeople<T extends LocusHeader>(readings: readonly T[]): T[] {
  const named = readings.filter(({ subject }) => !startsWithLocus(subject) || hasOtherLoci(subject, readings))
  const doubtful = named.filter(({ subject }) => locusAtEnd(subject) !== undefined)
  if (doubtful.length === 0) return named
  const isNobody = (subject: string) => {
    const locus = locusAtEnd(subject)
    if (locus === undefined) return false
    if (locus.length > 1) return true
    const own = doubtful.filter((one) => one.subject === subject)
    if (new Set(own.map(({ locus }) => locus)).size !== 1) return false
    // where `DRB1_A1` stands, `B_A1` is of B whoever else has such columns
    if (/^[ABC]$/i.test(locus) && own.some((one) => hasLongerBeside(one, doubtful))) return true
    return !own.some((one) => hasPeer(one, named))
  }
  const subjects = [...new Set(doubtful.map(({ subject }) => subject))]
  const nobodies = new Set(subjects.filter(isNobody))
  const people = new Set(subjects.filter((subject) => !nobodies.has(subject)).map(spelledAlike))
  const isOfPerson = ({ subject, locus, style }: T) =>
    /[_. -]a0?1$/.test(style) && people.has(spelledAlike(subject === '' ? locus : `${subject}_${locus}`))
  return named.filter((one) => !nobodies.has(one.subject) && !isOfPerson(one))
}

/** A locus of more than one letter has columns that are written so. */
function hasLongerBeside({ locus, style }: LocusHeader, doubtful: readonly LocusHeader[]): boolean {
  return doubtful.some(
    (one) => one.locus === locus && one.style === style && (locusAtEnd(one.subject)?.length ?? 0) > 1,
  )
}

/** Somebody who is no locus has the same columns. */
function hasPeer({ locus, style }: LocusHeader, readings: readonly LocusHeader[]): boolean {
  return readings.some(
    (one) =>
      one.subject !== '' &&
      one.locus === locus &&
      one.style === style &&
      locusAtEnd(one.subject) === undefined,
  )
}

const LOCUS_WORDS = wordsOf('locus')

const LOCUS_AT_END = new RegExp(`(?:^|[_. -])(?:HLA[_. -]?)?(${LOCUS_WORDS.join('|')})$`, 'i')

export function locusAtEnd(subject: string): string | undefined {
  return subject === '' ? undefined : LOCUS_AT_END.exec(subject)?.[1]
}

const LOCUS_AT_START = new RegExp(`^(?:HLA[_. -]?)?(?:${LOCUS_WORDS.join('|')})\\d?[_. -]`, 'i')

/** `A_mother`, before the `G` of a method or the `a` and `b` of two typings. */
export function startsWithLocus(subject: string): boolean {
  return LOCUS_AT_START.test(subject)
}

/** A cohort may be called `C`: `C_donor_DRB1` names a locus that is no method and no slot, `C_donor_A_1` has two loci with slots. */
function hasOtherLoci(subject: string, readings: readonly LocusHeader[]): boolean {
  const own = readings.filter((one) => one.subject === subject)
  if (own.some(({ length }) => length > 1)) return true
  return new Set(own.filter(({ slot }) => slot !== undefined).map(({ locus }) => locus)).size > 1
}

function spelledAlike(subject: string): string {
  return subject.toUpperCase().replaceAll(/[. -]/g, '_')
}
