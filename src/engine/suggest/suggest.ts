/** Advice on a name that a release does not know: its fate, or names that may have been meant. */
import { type Advice as AdviceText, advice, clause, option } from '../../advice.ts'
import { formatCount } from '../../format-count.ts'
import {
  PREFIX,
  countFields,
  cutFields,
  hasPrefix,
  readLocus,
  withoutPrefix,
} from '../../nomenclature/allele.ts'
import type { History } from '../../reference/history/history.ts'
import { SUFFIXES, splitSuffix } from '../lift/relation.ts'
import { type Advice, MAX_SUGGESTIONS, type NameSource, type Slips } from './advice.ts'
import { adviseFromPast, adviseOnAccession } from './past.ts'
import { isBrokenOldName, type Tidied, tidyName } from './tidy.ts'

export type { Advice, NameSource } from './advice.ts'

/**
 * First that applies: an accession number; an lg answer; renamed or deleted, by the history; another expression letter;
 * a slip in writing; the known part of the name with names one edit away. Suggestions carry `HLA-` when `name` does;
 * none is ever applied.
 */
export function adviseOnUnknown(name: string, names: NameSource, history: History | undefined): Advice {
  const bare = withoutPrefix(name)
  const advice =
    adviseOnAccession(bare, names.release, history) ??
    adviseOnLg(bare, names) ??
    adviseOnSpelling(bare, names, history) ??
    adviseOnBroken(bare) ??
    adviseOnSlip(bare, names, history) ??
    adviseOnStem(bare, names)
  const prefix = hasPrefix(name) ? PREFIX : ''
  const distinct = [...new Set(advice.suggestions)].slice(0, MAX_SUGGESTIONS)
  return { ...advice, suggestions: distinct.map((suggestion) => prefix + suggestion) }
}

/** `A*01:01g`, `A*01:01ARS`: our own answers, which are not names of a release. */
function adviseOnLg(name: string, names: NameSource): Advice | undefined {
  const [, stem, suffix] = /^(.*\d)(g|ARS)$/.exec(name) ?? []
  if (stem === undefined || !names.isKnown(stem)) return undefined
  const hint = `this is a result of method lg; without ${suffix} it is an allele name`
  const detail = useOrAccept(stem, suffix === 'g' ? ['g'] : undefined)
  return { code: 'unknown-allele', hint, detail, suggestions: [stem] }
}

/** The history takes precedence: it knows which expression letter the name got, and when. */
function adviseOnSpelling(
  name: string,
  names: NameSource,
  history: History | undefined,
  slips: Slips = [],
): Advice | undefined {
  const past = history === undefined ? undefined : adviseFromPast(name, names.release, history, slips)
  return past ?? adviseOnSuffix(name, names, slips)
}

function adviseOnSuffix(name: string, names: NameSource, slips: Slips): Advice | undefined {
  const { stem, letter } = splitSuffix(name)
  // another letter says something else of the expression: it is named, and never suggested
  if (letter !== '') {
    const others = [stem, ...SUFFIXES.map((suffix) => stem + suffix)].filter(
      (form) => form !== name && names.isKnown(form),
    )
    return others.length === 0
      ? undefined
      : {
          code: 'unknown-allele',
          hint: `${names.release} has ${others.join(', ')}, ${others.length === 1 ? 'which is not' : 'none of which is'} ${name}`,
          suggestions: [],
        }
  }
  const suggestions = /\d$/.test(stem)
    ? SUFFIXES.map((suffix) => stem + suffix).filter((form) => names.isKnown(form))
    : []
  const [best] = suggestions
  if (best === undefined) return undefined
  const hint = `the expression letter is part of the name: ${best}`
  return {
    code: 'missing-suffix',
    hint,
    detail: useOrAccept(best, slips && [...slips, 'suffix']),
    suggestions,
  }
}

/** No suggestion: any similar name would be a guess. */
function adviseOnBroken(name: string): Advice | undefined {
  const hint = isBrokenOldName(name)
    ? 'no field of three digits or more begins with 0 after the first: it may be an old name with a misplaced colon'
    : name.includes(':') && /\d{5}/.test(name)
      ? 'no field has more than four digits'
      : undefined
  return hint === undefined ? undefined : { code: 'unknown-allele', hint, suggestions: [] }
}

function adviseOnSlip(name: string, names: NameSource, history: History | undefined): Advice | undefined {
  const readings = tidyName(name)
  const known = readings.filter((reading) => names.isKnown(reading.name))
  const [best] = known
  if (best !== undefined) {
    const detail = useOrAccept(best.name, slipsOf(best))
    return { code: 'unknown-allele', detail, suggestions: known.map((reading) => reading.name) }
  }
  for (const reading of readings) {
    const advice = adviseOnSpelling(reading.name, names, history, slipsOf(reading))
    if (advice !== undefined) return advice
  }
  return undefined
}

function adviseOnStem(name: string, names: NameSource): Advice {
  const stem = knownStem(name, names)
  // a first field with alleles is no slip
  const isFamily = countFields(name) === 1 && hasAny(names.withPrefix(`${name}:`))
  const suggestions = [...(stem?.suggestions ?? []), ...(isFamily ? [] : findNeighbours(name, names))]
  return { code: 'unknown-allele', ...(stem === undefined ? {} : { hint: stem.hint }), suggestions }
}

function slipsOf({ leniencies }: Tidied): Slips {
  return leniencies.length === 0 ? undefined : leniencies
}

function useOrAccept(name: string, slips: Slips): AdviceText {
  if (slips === undefined) return `use ${name}`
  return advice`use ${name}${clause`, or ${option('accept', slips.join(','))}`}`
}

const FIELD_WORDS = ['', 'one-field', 'two-field', 'three-field', 'four-field'] as const

interface KnownStem {
  readonly hint: string
  /** The known part, if it is itself a name. */
  readonly suggestions: readonly string[]
}

/** Longest prefix, in whole fields, that has names in the release, and their number with as many fields as `name`. */
function knownStem(name: string, names: NameSource): KnownStem | undefined {
  const star = name.indexOf('*')
  if (star < 0) return undefined
  const locus = readLocus(name)
  for (let fields = countFields(name) - 1; fields > 0; fields -= 1) {
    const stem = cutFields(name, fields)
    const count = countUnder(names, `${stem}:`, fields + 1)
    const suggestions = fields > 1 && names.isKnown(stem) ? [stem] : []
    if (count === 0 && suggestions.length > 0) return { hint: `${stem} has no further fields`, suggestions }
    if (count === 0) continue
    const words = `${formatCount(count)} ${FIELD_WORDS[fields + 1] ?? ''} ${count === 1 ? 'name starts' : 'names start'}`
    return { hint: `${words} with ${stem}:`, suggestions }
  }
  if (countFields(name) === 1) return loneFirstField(name, names)
  const [any] = names.withPrefix(`${locus}*`)
  const beginning = any === undefined ? `${locus}*` : cutFields(name, 1)
  return { hint: `no name in ${names.release} starts with ${beginning}`, suggestions: [] }
}

/** Advice on a bare first field such as `A*02`, for which codes exist. */
function loneFirstField(name: string, names: NameSource): KnownStem {
  const locus = readLocus(name)
  const [example] = /\*\D/.test(name) ? names.withPrefix(`${locus}*`) : []
  if (example !== undefined)
    return { hint: `names of ${locus} begin with a number, such as ${example}`, suggestions: [] }
  const padded = name.replace(/\*(\d)$/, '*0$1')
  const [any] = names.withPrefix(`${padded}:`)
  if (any === undefined)
    return { hint: `no allele of ${names.release} begins with ${name}:`, suggestions: [] }
  const hint = `an allele has two fields or more; ${padded}:XX stands for every ${padded} allele`
  return { hint, suggestions: [] }
}

/** Distinct prefixes of `fields` fields; short forms with an expression letter (`A*01:04N`) do not count again. */
function countUnder(names: NameSource, prefix: string, fields: number): number {
  // a prefix is always counted for one number of fields: its own and one more
  const before = names.counts.get(prefix)
  if (before !== undefined) return before
  const found = new Set<string>()
  for (const name of names.withPrefix(prefix)) found.add(splitSuffix(cutFields(name, fields)).stem)
  // not cached without names: the number of such prefixes is unlimited
  if (found.size > 0) names.counts.set(prefix, found.size)
  return found.size
}

const DIGITS = makeUnits('0123456789')
const LETTERS_AND_DIGITS = makeUnits('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')

/** Shorter loci are too similar to tell a slip from a choice. */
const MIN_LOCUS_LENGTH = 3

/**
 * Known names one edit from `name`, likeliest kind of slip first. Digits of the first field are neither replaced nor
 * added: another first field is another antigen, and A*29:99 is no likelier meant by A*99:99 than anything else.
 */
function findNeighbours(name: string, names: NameSource): string[] {
  const star = name.indexOf('*')
  if (star < 0) return []
  const isLocusRight = star < MIN_LOCUS_LENGTH || hasAny(names.withPrefix(`${readLocus(name)}*`))
  const from = isLocusRight ? star + 1 : 0
  const found = new Set<string>()
  eachEdit(name, star, from, (edited) => {
    if (!names.isKnownText(edited)) return true
    const text = String.fromCharCode(...edited)
    if (text !== name) found.add(text)
    return found.size < MAX_SUGGESTIONS
  })
  return [...found]
}

function hasAny(names: Iterable<string>): boolean {
  return names[Symbol.iterator]().next().done !== true
}

/** Edits of a name at one position. */
interface Editing {
  readonly name: string
  readonly star: number
  readonly from: number
  /** True where characters may be inserted. */
  readonly isEditable: (at: number) => boolean
  /** Receives UTF-16 units, valid only during the call; returns false to stop. */
  readonly take: (edited: Uint16Array) => boolean
}

/** Some hundred edits, as UTF-16 units: strings would take half as long as all other advice on a name. */
function eachEdit(name: string, star: number, from: number, take: Editing['take']): void {
  const colon = name.indexOf(':')
  const second = colon < 0 ? name.length : colon + 1
  const isEditable = (at: number) => (at >= from && at <= star) || at >= second
  const editing = { name, star, from, isEditable, take }
  void (swap(editing) && leaveOut(editing) && putIn(editing) && replace(editing))
}

function swap({ name, star, from, take }: Editing): boolean {
  const units = makeUnits(name)
  for (let at = from; at + 1 < name.length; at += 1) {
    if (at === star || at + 1 === star) continue
    units[at] = name.charCodeAt(at + 1)
    units[at + 1] = name.charCodeAt(at)
    if (!take(units)) return false
    units[at] = name.charCodeAt(at)
    units[at + 1] = name.charCodeAt(at + 1)
  }
  return true
}

function leaveOut({ name, star, from, take }: Editing): boolean {
  const units = makeUnits(name.slice(0, from) + name.slice(from + 1))
  for (let at = from; at < name.length; at += 1) {
    if (at !== star && !take(units)) return false
    units[at] = name.charCodeAt(at)
  }
  return true
}

function putIn({ name, star, from, isEditable, take }: Editing): boolean {
  const units = makeUnits(`${name.slice(0, from)} ${name.slice(from)}`)
  for (let at = from; at <= name.length; at += 1) {
    if (isEditable(at) && !takeEach(at <= star ? LETTERS_AND_DIGITS : DIGITS, units, at, take)) return false
    units[at] = name.charCodeAt(at)
  }
  return true
}

function replace({ name, star, from, isEditable, take }: Editing): boolean {
  const units = makeUnits(name)
  for (let at = from; at < name.length; at += 1) {
    if (at === star || name[at] === ':' || !isEditable(at)) continue
    if (!takeEach(at < star ? LETTERS_AND_DIGITS : DIGITS, units, at, take)) return false
    units[at] = name.charCodeAt(at)
  }
  return true
}

/** Tries each character at the position. */
function takeEach(characters: Uint16Array, units: Uint16Array, at: number, take: Editing['take']): boolean {
  for (let one = 0; one < characters.length; one += 1) {
    units[at] = characters[one] ?? 0
    if (!take(units)) return false
  }
  return true
}

function makeUnits(text: string): Uint16Array {
  const units = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at)
  return units
}
