/** Cell -> its GL String by the locus of its column, its token, or its error. */
import { formatCount } from '../../format-count.ts'
import { findDamage, isDate, recognizeShape, withoutMarks } from '../words/typing-shape.ts'
import { advice, clause, option } from '../../advice.ts'
import type { Leniency } from '../../engine/accept.ts'
import { HlaError } from '../../errors.ts'
import { readGlStringCode } from '../../operations/answers/gl-string-code.ts'
import {
  NAME_FIELDS,
  type TokenStatus,
  type Tokens,
  findPartToken,
  findToken,
  mayBeAntigen,
  notedNames,
} from './tokens.ts'
import { withoutPrefix } from '../../nomenclature/allele.ts'
import { parseAntigen } from '../../nomenclature/antigen.ts'
import { readNotation } from '../../nomenclature/programs.ts'
import { type DigitReading, isLocusAntigen, readDigits } from './digits.ts'
import { nameAntigen } from '../../nomenclature/antigen.ts'
import type { CellNote, CellReading } from './cell-reading.ts'
import { type Joined, readJoined } from './joined/joined.ts'
import type { SettlingFacts } from './name-facts.ts'

/** Everything that decides how a cell is read; columns with equal contexts share answers. */
export interface CellContext {
  /** undefined when every name carries its locus. */
  readonly locus: string | undefined
  readonly digits: DigitReading
  readonly tokens: Tokens
  /** Leniencies applied here; the operation applies the others. */
  readonly accept: readonly Leniency[]
  readonly facts: SettlingFacts
  /** undefined when a cell is one typing, or a GL String. */
  readonly joined?: Joined | undefined
  /** True when nearly all names are in the notation of peptide-binding predictors: `A0201`. */
  readonly isNotation?: boolean | undefined
}

/** @throws {HlaError} bad-encoding, bad-character, excel-artifact, ambiguous-separator, locus-mismatch, ambiguous-digits, unknown-antigen, bad-syntax */
export function readCell(written: string, context: CellContext): CellReading {
  const { locus, tokens, accept, joined } = context
  if (joined === undefined && isPlainCell(written, locus, tokens))
    return { kind: 'typing', glString: written, release: undefined, notes: [] }
  const given = withoutMarks(written)
  const trimmed = given.trim()
  const status = findToken(trimmed === '' || accept.includes('space') ? trimmed : given, locus, tokens)
  if (status !== undefined) return { kind: 'token', status }
  if (given.includes(UNDECODED)) throw undecoded(given)
  if (locus !== undefined && isDate(trimmed)) throw turnedInto('date', trimmed)
  if (SCIENTIFIC.test(trimmed)) throw turnedInto('number', trimmed)
  const notes: CellNote[] = given === written ? [] : [{ code: 'spreadsheet-marks', reading: written }]
  if (joined !== undefined) {
    const one = { ...context, joined: undefined }
    const several = readJoined(given, joined, (part, at) => readCell(part, { ...one, ...at }))
    if (several?.kind === 'typing') return { ...several, notes: [...notes, ...several.notes] }
    if (several !== undefined) return several
  }
  const spaced = readSpaces(given, accept, notes)
  const text = readDamage(spaced, context, notes)
  const { release, body } = readCode(text, notes)
  if (!OPERATOR.test(body)) {
    const glString = readLeaf(body, { ...context, isField: false }, notes)
    return { kind: 'typing', glString, release, notes }
  }
  return readParts(body, { context, release, notes })
}

interface Whole {
  readonly context: CellContext
  readonly release: string | undefined
  readonly notes: CellNote[]
}

/** A list, a genotype, or larger. */
function readParts(body: string, { context, release, notes }: Whole): CellReading {
  const typings = body.split(OPERATORS)
  const lists = typings.map((typing, at) => (at % 2 === 1 ? [] : typing.split('/')))
  const leaves = lists.flat()
  for (const leaf of leaves) {
    const token = tokenIn(leaf, context)
    if (token !== undefined) return { kind: 'token', status: token }
  }
  const hasFields = leaves.some((leaf) => !DIGITS.test(leaf))
  const asField = { ...context, isField: true }
  const asName = { ...context, isField: false }
  const readList = (list: readonly string[]) => {
    // 0201/30: two digits in a list of four-digit names
    const isLong = list.some((leaf) => leaf.length > 3)
    const isField = (leaf: string) => hasFields || (isLong && leaf.length < 3)
    return list.map((leaf) => readLeaf(leaf, isField(leaf) ? asField : asName, notes)).join('/')
  }
  const read = lists.map(readList)
  const glString = typings.map((operator, at) => (at % 2 === 1 ? operator : (read[at] ?? ''))).join('')
  return { kind: 'typing', glString, release, notes }
}

/** Replaces bytes invalid in the table's encoding; no typing contains it. */
const UNDECODED = '\ufffd'

function undecoded(given: string): HlaError {
  return new HlaError('bad-encoding', `${JSON.stringify(given)} has bytes that are invalid in its encoding`, {
    offending: given,
    hint: advice`${option('encoding')} sets the encoding of the table`,
  })
}

/** Operators between typings. A question mark at an end expresses doubt, or is a token. */
const OPERATORS = /([\^|+~]|(?<=\w)\?(?=\w))/
const OPERATOR = new RegExp(`${OPERATORS.source}|/`)
const DIGITS = /^\d+$/

/** Token among the parts of a cell: the whole cell is then passed through. An empty part is malformed instead. */
function tokenIn(leaf: string, { locus, tokens }: CellContext): TokenStatus | undefined {
  return leaf === '' ? undefined : findPartToken(leaf, locus, tokens)
}

/** Characters of a cell beyond which spaces are no slip: an open quote may have swallowed the rest of the table. */
const MAX_SPACED = 10_000

function readSpaces(given: string, accept: readonly Leniency[], notes: CellNote[]): string {
  if (given.length > MAX_SPACED && /\s/u.test(given)) {
    const message = `a cell of ${formatCount(given.length)} characters with spaces or line breaks is not a typing`
    throw new HlaError('bad-character', message, { offending: given.slice(0, MAX_SPACED) })
  }
  const bare = given.replaceAll(/\s/gu, '')
  if (bare === given) return given
  // digits separated by spaces would form another number
  if (accept.includes('space') && !/\d\s+\d/u.test(given)) {
    notes.push({ code: 'accepted', reading: bare })
    return bare
  }
  const isAround = given.trim() === bare
  const areTwo = /\d\s+\d/u.test(given)
  const isTyping = !areTwo && recognizeShape(bare) !== 'other'
  const remedy = areTwo
    ? '; are they two typings?'
    : isTyping
      ? clause`; ${option('accept', 'space')} reads it as ${bare}`
      : ''
  const message = advice`${JSON.stringify(given)} has spaces ${isAround ? 'around it' : 'in it'}${remedy}`
  throw new HlaError('bad-character', message, {
    offending: given,
    suggestions: isTyping ? [bare] : [],
  })
}

function readDamage(text: string, { accept, locus }: CellContext, notes: CellNote[]): string {
  const damage = locus === undefined ? undefined : findDamage(text)
  if (damage === undefined) return text
  const { reading, how } = damage
  if (accept.includes('excel')) {
    notes.push({ code: 'accepted', reading })
    return reading
  }
  throw new HlaError(
    'excel-artifact',
    `${text} is ${reading} ${how}; export the column again, formatted as text`,
    {
      offending: text,
      suggestions: [reading],
    },
  )
}

/** Rounded by a spreadsheet: `1E+02`. */
const SCIENTIFIC = /^\d+(?:[.,]\d+)?E[+-]\d+$/i

/** Error that no leniency forgives: a month and a day, or a rounded number, may have been any of several typings. */
function turnedInto(what: 'date' | 'number', text: string): HlaError {
  const message = `a spreadsheet turned this typing into the ${what} ${text}; enter it again in cells formatted as text`
  return new HlaError('excel-artifact', message, { offending: text })
}

/** `hla#3.58.0#A*01:01+…`: a GL String Code with its own release. */
function readCode(text: string, notes: CellNote[]): { release: string | undefined; body: string } {
  const code = readGlStringCode(text)
  for (const { message } of code?.notes ?? []) notes.push({ code: 'dated-code', reading: message })
  return { release: code?.release, body: code?.glString ?? text }
}

interface LeafContext extends CellContext {
  /** True for fewer digits than the other names of the list have: it may be the last field only. */
  readonly isField: boolean
}

/** Text that is not a name stays unchanged: the operation reports what is wrong. */
function readLeaf(leaf: string, context: LeafContext, notes: CellNote[]): string {
  const name = context.isNotation === true ? readNotedName(leaf, context) : leaf
  return context.locus === undefined ? name : readAtLocus(name, context.locus, context, notes)
}

function readAtLocus(leaf: string, locus: string, context: LeafContext, notes: CellNote[]): string {
  const { accept, facts } = context
  // the usual spelling
  if (leaf.startsWith(locus) && leaf[locus.length] === '*') return leaf
  if (DIGITS.test(leaf)) return readDigitLeaf(leaf, locus, context, notes)
  if (SPLIT_OF_BROAD.test(leaf)) return nameAntigen(leaf, locus) ?? leaf
  if (/^\*?\d{1,4}:/.test(leaf) || OLD_WITH_LETTERS.test(leaf)) return withLocus(leaf, locus)
  if (/^\*\d/.test(leaf)) return context.facts.respell(withLocus(leaf, locus))
  const [, named] = /^(?:HLA-)?([A-Za-z][A-Za-z0-9]*)\*/.exec(leaf) ?? []
  if (named !== undefined) {
    if (isLocus(named, locus)) return leaf
    throw mismatch(leaf, `${withArticle(named.toUpperCase())} allele`, locus)
  }
  const noted = accept.includes('notation') ? readNotation(leaf) : undefined
  if (noted !== undefined && !mayBeAntigen(leaf, facts))
    for (const name of noted.split('~')) readAtLocus(name, locus, context, notes)
  const antigen = withoutPrefix(leaf)
  if (
    parseAntigen(antigen) === undefined ||
    isLocusAntigen(antigen, locus) ||
    !context.facts.isAntigen(antigen)
  )
    return leaf
  throw mismatch(leaf, 'another antigen', locus)
}

/** @throws {HlaError} ambiguous-digits — an antigen has the same name */
function readNotedName(leaf: string, { facts }: LeafContext): string {
  const names = notedNames(leaf, facts)
  if (names === undefined || !mayBeAntigen(leaf, facts)) return names ?? leaf
  throw new HlaError(
    'ambiguous-digits',
    `${leaf} is an antigen of ${facts.title}; other cells of the column have this form, and are not antigens`,
    {
      offending: leaf,
      suggestions: [names],
      hint: `${names} names the allele`,
    },
  )
}

/** `23(9)`: a split without its letters, as the WHO Nomenclature Committee writes it. */
const SPLIT_OF_BROAD = /^\d{1,4}\(w?\d{1,2}\)$/

/** `0104N`, `27AB`: names without their locus, as the letters show. */
const OLD_WITH_LETTERS = /^\*?(?:\d{4,8}[NLSQCA]|\d{2}[A-Z]{2,})$/

function readDigitLeaf(leaf: string, locus: string, context: LeafContext, notes: CellNote[]): string {
  if (context.isField) {
    // the operation completes it from the name before it
    if (context.accept.includes('shorthand')) return leaf
    throw new HlaError('bad-syntax', `${leaf}: one name in the list has no fields, but the others have`, {
      offending: leaf,
    })
  }
  const { name, asFirstField } = readDigits(leaf, locus, context.digits, context.facts)
  if (asFirstField) notes.push({ code: 'antigen-as-xx', reading: name })
  return name
}

function withLocus(leaf: string, locus: string): string {
  return `${locus}*${leaf.replace(/^\*/, '')}`
}

/** `Cw*0102` is how C was written before 2010. */
function isLocus(named: string, locus: string): boolean {
  return named.toUpperCase() === locus || (named === 'Cw' && locus === 'C')
}

function mismatch(leaf: string, what: string, locus: string): HlaError {
  return new HlaError('locus-mismatch', `${leaf} is ${what} in ${withArticle(locus)} column`, {
    offending: leaf,
  })
}

/** `an A`, `a DRB1` */
function withArticle(locus: string): string {
  return `${/^[AEF]/.test(locus) ? 'an' : 'a'} ${locus}`
}

/**
 * True when `readCell` would return the text unchanged and without notes. `locus`: that of the column; undefined where
 * names of any may occur.
 */
export function isPlainCell(text: string, locus: string | undefined, tokens: Tokens): boolean {
  if (text.length > MAX_LENGTH || !NAMES.test(text) || tokens.hasNames) return false
  if (locus === undefined) return true
  for (let at = 0; ;) {
    if (!text.startsWith(locus, at) || text[at + locus.length] !== '*') return false
    at = text.indexOf('/', at) + 1
    if (at === 0) return true
  }
}

/** Characters; a regular expression cannot match a list of a million names. */
const MAX_LENGTH = 4096

const NAME = `[A-Z][A-Z0-9]*\\*${NAME_FIELDS}`
const NAMES = new RegExp(`^${NAME}(?:/${NAME})*$`)
