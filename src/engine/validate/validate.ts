/** Validation of a whole GL String: every problem, leaf by leaf, and what is odd about a valid one. */
import { type ErrorCode, HlaError, type Note, isHlaError } from '../../errors.ts'
import { ABSENT_GENE, readLocus, twoFields, withoutPrefix } from '../../nomenclature/allele.ts'
import { type GlLeaf, listDesignations, listTypings, parseGlString } from '../../nomenclature/gl-string.ts'
import { findMalformation, malformedError } from '../../nomenclature/grammar.ts'
import type { History } from '../../reference/history/history.ts'
import { findFormerOwners } from '../lift/former-owners.ts'
import { findSuccessor } from '../lift/retired.ts'
import { splitSuffix } from '../lift/relation.ts'
import { withWhatIsKnown } from '../suggest/advice.ts'
import { adviseFromPast, adviseOnAccession } from '../suggest/past.ts'
import { designate, noteSpelling, oldReading, unknownName } from '../designate.ts'
import { type Engine, checkLeafCount } from '../engine.ts'
import { located } from '../located.ts'
import { findAntigen } from '../antigen-levels.ts'
import {
  groupOfAnswer,
  isKnownName,
  isNotPublic,
  isReadByTwoFields,
  unlistedNote,
  withMissingLetter,
} from '../names.ts'
import { otherReadingNote } from '../old-names.ts'
import { parseMac } from '../expand/mac.ts'
import { noteRenamed } from '../expand/renamed-members.ts'
import { findOddities } from './oddities.ts'
import { findImplausible, THREE_COPIES } from './plausibility.ts'
import { addLastLocus } from './shorthand.ts'
import { verdictOfError } from './verdict.ts'

/** Whether names must exist in the release. The option `exact` says how much of them. */
export const VALIDATION_LEVELS = ['strict', 'grammar'] as const
export type ValidationLevel = (typeof VALIDATION_LEVELS)[number]

export interface ValidationChecks {
  /** False leaves out warnings on names that hardly are of one person. */
  readonly plausibility?: boolean | undefined
}

export interface Validation {
  readonly valid: boolean
  /** Some leaf is not a name at all, whatever the release. */
  readonly malformed: boolean
  /** Valid, but some third or fourth field is not listed in the release. */
  readonly unlisted: boolean
  /** Every problem with its place in the text, in the order of the text. */
  readonly problems: readonly HlaError[]
  /** Of a valid text: what hardly was meant so. */
  readonly warnings: readonly Note[]
}

/**
 * @throws {HlaError} too-ambiguous — over the limit; starter, no-data — whether a name is valid cannot be said
 */
export function validateGlString(
  engine: Engine,
  text: string,
  level: ValidationLevel = 'strict',
  { plausibility = true }: ValidationChecks = {},
): Validation {
  checkLeafCount(text, engine)
  const node = parseGlString(text)
  const leaves = listTypings(node).flatMap(listDesignations)
  const malformed = leaves.flatMap((leaf, at) => malformedLeaf(leaf, leaves[at - 1], text))
  if (level === 'grammar') return verdict(malformed)
  const invalid = invalidLeaves(leaves, makeChecker(engine), malformed.length > 0)
  const problems = [...malformed, ...invalid].sort((a, b) => (a.position?.[0] ?? 0) - (b.position?.[0] ?? 0))
  if (problems.length > 0) return verdict(problems)
  const isUnlisted = leaves.some(({ text }) => isReadByTwoFields(withoutPrefix(text), engine))
  const odd = plausibility
    ? [...findOddities(node), ...findImplausible(node, engine)]
    : findOddities(node).filter(({ code }) => code !== THREE_COPIES)
  return verdict([], [...odd, ...readings(leaves, engine)], isUnlisted)
}

/** Valid names that are read as something else, or were another allele's. */
function readings(leaves: readonly GlLeaf[], engine: Engine): Note[] {
  return leaves.flatMap(({ text, start }) => {
    const name = withoutPrefix(text)
    const position = [start, start + text.length] as const
    const mac = name.includes('*') ? parseMac(name) : undefined
    const notes =
      mac === undefined || engine.mac === undefined ? nameNotes(name, engine) : noteRenamed(mac, engine)
    return notes.map((note) => ({ ...note, offending: text, position }))
  })
}

function nameNotes(name: string, engine: Engine): Note[] {
  if (isAbsentGene(name, engine)) return [absentNote(name)]
  if (isReadByTwoFields(name, engine)) return [retiredNote(name, twoFields(name), engine) ?? unlistedNote(name, engine)] // prettier-ignore
  const old = oldReading(name, engine)
  const read = old?.read ?? groupOfAnswer(name, engine) ?? name
  const retired = read === name ? undefined : retiredNote(name, read, engine)
  const readAs = old !== undefined && old.others.length > 0 ? otherReadingNote(name, old) : spellingNote(name, engine) // prettier-ignore
  return [retired, readAs, retired === undefined ? reusedNote(read, engine) : undefined].filter((note) => note !== undefined) // prettier-ignore
}

/** Of a name that was given up, and is read as `read` all the same. */
function retiredNote(name: string, read: string, engine: Engine): Note | undefined {
  const history = coveringHistory(engine)
  if (history === undefined || isNotPublic(name, engine.release)) return undefined
  // before 2010 all names had other spellings: those that were given up are in the file
  if (!name.includes(':') && history.deletionOf(name) === undefined) return undefined
  const advice = adviseFromPast(name, engine.release.facts.label, history)
  if (advice === undefined || advice.code === 'unknown-allele') return undefined
  const { code, facts, suggestions, hint = '' } = advice
  const message = `${name}: ${hint}; it is read as ${read}`
  return {
    level: 'note',
    code,
    message,
    offending: name,
    suggestions,
    ...(facts === undefined ? {} : { facts }),
  }
}

/** A listed name, or the beginning of some, that was another allele's in an earlier release. */
function reusedNote(name: string, engine: Engine): Note | undefined {
  const history = coveringHistory(engine)
  const former = history && findFormerOwners(history, name, engine.release.facts.label)
  return former === undefined ? undefined : { level: 'warning', offending: name, code: 'reissued', ...former }
}

/** Undefined without the lists of other releases, or where they leave out the release in use. */
function coveringHistory({ history, release }: Engine): History | undefined {
  const lists = history?.()
  return lists?.releases.includes(release.facts.label) === true ? lists : undefined
}

/** A retired name whose allele now has other first two fields, or a letter: by its own it would be another allele. */
function isElsewhere(name: string, engine: Engine): boolean {
  const successor = isReadByTwoFields(name, engine) ? findSuccessor(name, engine) : undefined
  const short = (one: string) => twoFields(one).replace(/[A-Z]$/, '') + splitSuffix(one).letter
  return successor !== undefined && short(successor) !== short(name)
}

/** `DRB3*NNNN`: typed, and the gene is not there. */
function isAbsentGene(name: string, { release }: Engine): boolean {
  return name === `${readLocus(name)}*${ABSENT_GENE}` && release.facts.loci.includes(readLocus(name))
}

function absentNote(name: string): Note {
  const message = `${name}: the gene is absent`
  return { level: 'note', code: 'absent-gene', message, offending: name }
}

function spellingNote(name: string, engine: Engine): Note | undefined {
  const antigen = name.includes('*') ? undefined : findAntigen(name, engine.release)
  return antigen === undefined ? undefined : noteSpelling(name, antigen, engine).note
}

export function isMalformed({ code }: HlaError): boolean {
  return verdictOfError(code) === 'malformed'
}

function verdict(
  problems: readonly HlaError[],
  warnings: readonly Note[] = [],
  unlisted = false,
): Validation {
  return { valid: problems.length === 0, malformed: problems.some(isMalformed), unlisted, problems, warnings }
}

function malformedLeaf(leaf: GlLeaf, last: GlLeaf | undefined, text: string): HlaError[] {
  if (leaf.text === '') return [emptyPartError(text, leaf.start)]
  const malformation = findMalformation(leaf.text)
  if (malformation === undefined) return []
  return [addLastLocus(malformedError(malformation, leaf.text, leaf.start), leaf, last)]
}

type Checker = (name: string) => HlaError | undefined

function invalidLeaves(leaves: readonly GlLeaf[], check: Checker, decided: boolean): HlaError[] {
  // typings repeat within a text: each name is looked at once
  const known = new Map<string, HlaError | undefined>()
  return leaves.flatMap((leaf) => {
    const { text } = leaf
    if (findMalformation(text) !== undefined) return []
    if (!known.has(text)) known.set(text, check(withoutPrefix(text)))
    const error = known.get(text)
    if (error === undefined) return []
    if (!UNDECIDED.includes(error.code)) return [located(error, leaf)]
    // a malformed text is malformed, whatever cannot be said about its other names
    if (decided) return []
    throw located(error, leaf)
  })
}

const UNDECIDED: readonly ErrorCode[] = ['starter', 'no-data']

/** Switches say what is expanded or kept, not what is valid: a name of a kind that is switched off stays valid. */
function makeChecker(engine: Engine): Checker {
  const strict = { ...engine, options: { ...engine.options, strict: true, keep: [] } }
  return (name) => {
    if (isAbsentGene(name, engine)) return undefined
    if (!engine.options.strict && isKnownName(withMissingLetter(name, engine), engine)) return undefined
    try {
      designate(name, strict)
      return isElsewhere(name, engine) ? becameError(unknownName(name, engine), name, engine) : undefined
    } catch (error) {
      if (!isHlaError(error)) throw error
      return error.code === 'not-expanded' ? undefined : becameError(error, name, engine)
    }
  }
}

/** What the history knows of an unknown name is its verdict: it is looked up, whatever else may be found out about the name. */
function becameError(error: HlaError, name: string, engine: Engine): HlaError {
  const history = coveringHistory(engine)
  const isUnknown = error.code === 'unknown-allele' && error.hint === undefined
  if (history === undefined || !(isUnknown || error.code === 'unknown-locus')) return error
  const { label } = engine.release.facts
  const advice = adviseOnAccession(name, label, history) ?? adviseFromPast(name, label, history)
  return advice === undefined || advice.code === 'unknown-allele' ? error : withWhatIsKnown(error, advice)
}

/** `at` is where the missing part would stand. The error points at the operator, which can be seen. */
function emptyPartError(text: string, at: number): HlaError {
  if (text === '') return error('there is no text', '', 0)
  const before = text.charAt(at - 1)
  const after = text.charAt(at)
  if (before === '') return error(`nothing before the first "${after}"`, after, at)
  if (after === '') return error(`nothing after the last "${before}"`, before, at - 1)
  return error(`nothing between "${before}" and "${after}"`, before, at - 1)
}

function error(message: string, offending: string, start: number): HlaError {
  return new HlaError('empty-part', message, { offending, position: [start, start + offending.length] })
}
