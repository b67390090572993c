/** Validation of a whole GL String: every problem by leaf, and oddities of a valid one. */
import { type ErrorCode, HlaError, type Note, isHlaError } from '../../errors.ts'
import { ABSENT_GENE, readLocus, twoFields, withoutPrefix } from '../../nomenclature/allele.ts'
import { type GlLeaf, listDesignations, listTypings, parseGlString } from '../../nomenclature/gl-string.ts'
import { findMalformation, malformedError } from '../../nomenclature/grammar.ts'
import { findFormerOwners } from '../lift/former-owners.ts'
import { coveringHistory, findSuccessor, retiredNote } from '../retired.ts'
import { addAdvice } from '../suggest/advice.ts'
import { adviseFromPast, adviseOnAccession } from '../suggest/past.ts'
import { designate, oldReading, spellingNotes } from '../designate.ts'
import { type Engine, checkLeafCount } from '../engine.ts'
import { locateError } from '../locate-error.ts'
import { findAntigen } from '../antigen-levels.ts'
import { groupOfAnswer, isKnownName, isReadByTwoFields, unlistedNote, withMissingLetter } from '../names.ts'
import { otherReadingNote } from '../old-names.ts'
import { parseMac } from '../expand/mac.ts'
import { EXPRESSED, leafExpression } from '../expand/nulls.ts'
import { isNull } from '../expand/covered.ts'
import { expandMac, memberNotes } from '../expand/expand-mac.ts'
import { findOddities } from './oddities.ts'
import { findImplausible, THREE_COPIES } from './plausibility.ts'
import { addLastLocus } from './shorthand.ts'
import { verdictOfError } from './verdict.ts'

/** Levels: `strict` requires names of the release. The option `exact` determines how much of a name must exist. */
export const VALIDATION_LEVELS = ['strict', 'grammar'] as const
export type ValidationLevel = (typeof VALIDATION_LEVELS)[number]

export interface ValidationChecks {
  /** False omits warnings on names that are unlikely in one person. */
  readonly plausibility?: boolean | undefined
}

export interface Validation {
  readonly valid: boolean
  /** Some leaf is not a name in any release. */
  readonly malformed: boolean
  /** Valid, but some third or fourth field is missing from the release. */
  readonly unlisted: boolean
  /** Every problem with its position, in text order. */
  readonly problems: readonly HlaError[]
  /** Warnings on a valid text that is probably unintended. */
  readonly warnings: readonly Note[]
}

/** @throws {HlaError} too-ambiguous — over the limit; starter, no-data — validity cannot be decided */
export function validateGlString(
  engine: Engine,
  text: string,
  level: ValidationLevel = 'strict',
  { plausibility = true }: ValidationChecks = {},
): Validation {
  checkLeafCount(text, engine)
  const node = parseGlString(text)
  const leaves = listTypings(node).flatMap(listDesignations)
  const malformed = leaves.flatMap((leaf, at) => malformedLeaf(leaf, leaves[at - 1], text, engine))
  if (level === 'grammar') return verdict(malformed)
  const invalid = invalidLeaves(leaves, makeChecker(engine), malformed.length > 0)
  const problems = [...malformed, ...invalid].sort((a, b) => (a.position?.[0] ?? 0) - (b.position?.[0] ?? 0))
  if (problems.length > 0) return verdict(problems)
  const isUnlisted = leaves.some(({ text }) => isReadByTwoFields(withoutPrefix(text), engine))
  const odd = plausibility
    ? [...findOddities(node), ...findImplausible(node, (name) => oldReading(name, engine)?.read ?? name)]
    : findOddities(node).filter(({ code }) => code !== THREE_COPIES)
  return verdict([], [...odd, ...readings(leaves, engine)], isUnlisted)
}

/** Notes on valid names that are read as another name, or formerly belonged to another allele. */
function readings(leaves: readonly GlLeaf[], engine: Engine): Note[] {
  return leaves.flatMap(({ text, start }) => {
    const name = withoutPrefix(text)
    const position = [start, start + text.length] as const
    const mac = name.includes('*') ? parseMac(oldReading(name, engine)?.read ?? name) : undefined
    const notes =
      mac === undefined || engine.mac === undefined
        ? nameNotes(name, engine)
        : memberNotes(expandMac(mac, engine).losses, mac.text)
    return [...notes, ...notesOnNull(name, engine)].map((note) => ({ ...note, offending: text, position }))
  })
}

/** Warning on a name without the letter `N` that only null alleles have, and on their group or code. */
function notesOnNull(name: string, engine: Engine): Note[] {
  const { nulls, isExpressed } = isNull(name) ? EXPRESSED : leafExpression(name, engine)
  if (isExpressed || nulls.length === 0) return []
  const shown = nulls.length > MAX_NULLS ? [...nulls.slice(0, MAX_NULLS), '…'] : nulls
  const message = `${name} stands for null alleles only: ${shown.join(', ')}`
  return [{ level: 'warning', code: 'only-null', message }]
}

const MAX_NULLS = 4

function nameNotes(name: string, engine: Engine): Note[] {
  if (isAbsentGene(name, engine)) return [absentNote(name)]
  if (isReadByTwoFields(name, engine)) {
    const read = findSuccessor(name, engine) ?? twoFields(name)
    return [retiredNote(name, read, engine) ?? unlistedNote(name, engine)]
  }
  const old = oldReading(name, engine)
  const read = old?.read ?? groupOfAnswer(name, engine) ?? name
  const retired = read === name ? undefined : retiredNote(name, read, engine)
  const readAs = old !== undefined && old.others.length > 0 ? [otherReadingNote(name, old)] : notesOnSpelling(name, engine) // prettier-ignore
  return [retired, ...readAs, retired === undefined ? reusedNote(read, engine) : undefined].filter((note) => note !== undefined) // prettier-ignore
}

/** Warning on a name, or prefix of names, that belonged to another allele in an earlier release. */
function reusedNote(name: string, engine: Engine): Note | undefined {
  const history = coveringHistory(engine)
  const former = history && findFormerOwners(history, name, engine.release.facts.label)
  return former === undefined ? undefined : { level: 'warning', offending: name, code: 'reissued', ...former }
}

/** True for a typed but absent gene: `DRB3*NNNN`. */
function isAbsentGene(name: string, { release }: Engine): boolean {
  return name === `${readLocus(name)}*${ABSENT_GENE}` && release.facts.loci.includes(readLocus(name))
}

function absentNote(name: string): Note {
  const message = `${name}: the gene is absent`
  return { level: 'note', code: 'absent-gene', message, offending: name }
}

function notesOnSpelling(name: string, engine: Engine): readonly Note[] {
  const antigen = name.includes('*') ? undefined : findAntigen(name, engine.release)
  return antigen === undefined ? [] : spellingNotes(name, antigen, engine)
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

function malformedLeaf(leaf: GlLeaf, last: GlLeaf | undefined, text: string, engine: Engine): HlaError[] {
  if (leaf.text === '') return [emptyPartError(text, leaf.start)]
  const malformation = findMalformation(leaf.text)
  if (malformation === undefined) return []
  return [addLastLocus(malformedError(malformation, leaf.text, leaf.start), leaf, last, engine)]
}

type Checker = (name: string) => HlaError | undefined

function invalidLeaves(leaves: readonly GlLeaf[], check: Checker, decided: boolean): HlaError[] {
  // names repeat within a text, so each is checked once
  const known = new Map<string, HlaError | undefined>()
  return leaves.flatMap((leaf) => {
    const { text } = leaf
    if (findMalformation(text) !== undefined) return []
    if (!known.has(text)) known.set(text, check(withoutPrefix(text)))
    const error = known.get(text)
    if (error === undefined) return []
    if (!UNDECIDED.includes(error.code)) return [locateError(error, leaf)]
    // a malformed leaf decides the verdict, so undecidable names do not matter
    if (decided) return []
    throw locateError(error, leaf)
  })
}

const UNDECIDED: readonly ErrorCode[] = ['starter', 'no-data']

/** Checks with strict options: switches determine what is expanded or kept, not what is valid. */
function makeChecker(engine: Engine): Checker {
  const strict = { ...engine, options: { ...engine.options, strict: true, keep: [] } }
  return (name) => {
    if (isAbsentGene(name, engine)) return undefined
    if (!engine.options.strict && isKnownName(withMissingLetter(name, engine), engine)) return undefined
    try {
      designate(name, strict)
      return undefined
    } catch (error) {
      if (!isHlaError(error)) throw error
      return error.code === 'not-expanded' ? undefined : becameError(error, name, engine)
    }
  }
}

/** Adds the fate of an unknown name from the history, which determines its verdict. */
function becameError(error: HlaError, name: string, engine: Engine): HlaError {
  const history = coveringHistory(engine)
  const isUnknown = error.code === 'unknown-allele' && error.hint === undefined
  if (history === undefined || !(isUnknown || error.code === 'unknown-locus')) return error
  const { label } = engine.release.facts
  const advice = adviseOnAccession(name, label, history) ?? adviseFromPast(name, label, history)
  return advice === undefined || advice.code === 'unknown-allele' ? error : addAdvice(error, advice)
}

/** `at` is the position of the missing part. The error points at the adjacent operator, which is visible. */
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
