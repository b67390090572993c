/**
 * Shapes of values, single and per column: forms of typings recognised without a release. A repeated word counts once
 * among distinct values, so it cannot outweigh typings.
 */
import { readNotation } from '../../nomenclature/programs.ts'
import { isPhenotype } from './phenotype.ts'
import { wordPattern, listWords } from './header-words.ts'
import { locusInTyping } from './locus-header.ts'

const CODE = /^hla#/i
const NAMED = /^(?:HLA[-_]?)?(?:(?:DR|DQ|DP|DM|DO|MIC)?[A-Z]\d?|Cw)\*\d/i
/** Typings with their loci between operators: the usual GL String, recognised quickly. */
const NAMED_LIST =
  /^(?:HLA-)?(?:DR|DQ|DP|DM|DO|MIC)?[A-Z]\d?\*\d[\dA-Z:]*(?:[\^|+~/](?:HLA-)?(?:DR|DQ|DP|DM|DO|MIC)?[A-Z]\d?\*\d[\dA-Z:]*)*$/
/** A name without its asterisk, which cannot be read. */
const MEANT = /^(?:HLA[-_]?)?(?:A|B|Cw?|D[RQP][AB]\d)\d{2,3}:\d/i
const FIELDS = /^\*?\d{2,4}:[\dA-Z][\w:]*[*'"]?$/i
const ANTIGEN = /^(?:HLA-)?(?:A|B|Bw|C|Cw|DR|DRB?1?|DQ|DPw?)\d{1,4}(?:\(w?\d{1,2}\))?$/
/** `23(9)` is a split with its broad antigen. */
const DIGITS = /^(?:\*?\d{1,8}[A-Z]{0,5}|\d{1,4}\(w?\d{1,2}\))$/
const LOCUS = /^(?:A|B|Bw|C|Cw|DR|DRB?1?|DQ|DP):?$/
/** Operators, and characters that people write between two alleles of a cell. */
const BETWEEN = /[\^|+~/,;\s]+/
/** Separators that are not GL String operators. */
const JOINED = /[,;\s]/

export type TypingShape = 'named' | 'fields' | 'antigen' | 'digits' | 'pair' | 'phenotype' | 'other'

/** Leaves examined; the beginning of a longer text suffices. */
const MAX_LEAVES = 64
const MAX_LENGTH = 4096
/** Maximum characters of a cell with a whole phenotype. */
const MAX_PHENOTYPE_LENGTH = 500
/** Words for no second typing. */
const BLANK = /^(?:[-?.xX]|NA|ND|NT|NNNN|UUUU|XXXX|NEW)$/

/**
 * `named`: with its locus. A list or a genotype has the shape of its first leaf, if all others look like typings too;
 * `pair`: several typings of one locus without an operator between them. `phenotype`: typings after their loci.
 */
export function recognizeShape(text: string): TypingShape {
  const trimmed = withoutMarks(text.slice(0, MAX_LENGTH).trim())
  if (NAMED_LIST.test(trimmed) || CODE.test(trimmed)) return 'named'
  if (findOddSeparator(trimmed) !== undefined) return NAMED.test(trimmed) ? 'named' : 'pair'
  const leaves = trimmed.split(BETWEEN, MAX_LEAVES).filter((leaf) => leaf !== '')
  const [only = '', another] = leaves
  if (another === undefined) {
    const shape = leafShape(only)
    return shape === 'locus' ? 'other' : shape
  }
  const shapes = new Set(leaves.filter((leaf) => !BLANK.test(leaf)).map(leafShape))
  if (shapes.has('named') && !shapes.has('other')) return 'named'
  const isJoined = JOINED.test(trimmed)
  if (isJoined && trimmed.length <= MAX_PHENOTYPE_LENGTH && isPhenotype(trimmed)) return 'phenotype'
  if (shapes.has('other') || shapes.size === 0) return 'other'
  // a single letter is not a typing; before a number it names its locus
  if (shapes.has('locus')) return shapes.has('digits') ? 'antigen' : 'other'
  if (isJoined) return leaves.some((leaf) => /^\d{3}$/.test(leaf)) ? 'other' : 'pair'
  for (const shape of ['fields', 'antigen'] as const) if (shapes.has(shape)) return shape
  return 'digits'
}

/** True for a typing that does not also look like a name or a count, as antigens and digits do. */
export function looksTyped(text: string): boolean {
  return ['named', 'fields', 'pair', 'phenotype'].includes(recognizeShape(text))
}

/** True for a name of two fields or more. */
export function looksNamed(text: string): boolean {
  return ['named', 'fields'].includes(recognizeShape(text))
}

function leafShape(leaf: string): TypingShape | 'locus' {
  if (leaf.includes('*') && NAMED.test(leaf)) return 'named'
  if (leaf.includes(':')) {
    if (MEANT.test(leaf)) return 'named'
    if (FIELDS.test(leaf)) return 'fields'
  }
  if (ANTIGEN.test(leaf)) return 'antigen'
  if (DIGITS.test(leaf)) return 'digits'
  return LOCUS.test(leaf) ? 'locus' : 'other'
}

/** Share of the values that have one of the shapes; 1 without values. */
export function measureShare(values: readonly string[], shapes: readonly TypingShape[]): number {
  if (values.length === 0) return 1
  return values.filter((value) => shapes.includes(valueShape(value))).length / values.length
}

/** Shape of a value, which may also look like a column's name: `hla_a_02_01`, `DRB1_0101`, `HLA-DQA10501-DQB10201`. */
function valueShape(value: string): TypingShape {
  const shape = recognizeShape(value)
  return shape === 'other' && NOTED.test(value) && readNotation(value) !== undefined ? 'named' : shape
}

/** A prefix that rules out other meanings of such a text. */
const NOTED = /^(?:HLA|D[RQPMO][AB])/i

/** `numbers`: several without a field or a letter in one cell. */
export type ContentKind = TypingShape | 'numbers' | 'damaged'

/** One of several typings of a cell, as opposed to numbers: `07:02`, `B7`. */
const PAIRED = /\d:\d|(?:^|[,;\s])[A-Z]+w?\d/

export interface ColumnContent {
  /** Counts of values that are typings or words; empty cells and tokens are excluded. */
  readonly cells: number
  /** Distinct values of each kind. */
  readonly kinds: Readonly<Record<ContentKind, number>>
  /** Cells of each kind. */
  readonly counts: Readonly<Record<ContentKind, number>>
  /** Locus -> cells whose typing names it. */
  readonly loci: ReadonlyMap<string, number>
}

export function readContent(values: readonly string[]): ColumnContent {
  const kinds = countNone()
  const counts = { ...kinds }
  const loci = new Map<string, number>()
  for (const [value, count] of countValues(values)) {
    const kind = kindOf(value)
    kinds[kind] += 1
    counts[kind] += count
    const locus = kind === 'named' ? locusInTyping(value.trim()) : undefined
    if (locus !== undefined) loci.set(locus, (loci.get(locus) ?? 0) + count)
  }
  return { cells: values.length, kinds, counts, loci }
}

/** Cells that name this locus, and others. */
export function countLoci(
  { loci }: ColumnContent,
  locus: string,
): { readonly own: number; readonly others: number } {
  const all = [...loci.values()].reduce((total, count) => total + count, 0)
  const own = loci.get(locus) ?? 0
  return { own, others: all - own }
}

/** Most columns of a table are numbers; these are recognised first. */
const DECIMAL = /^-?\d+\.\d+$/
const WHOLE = /^\d{1,8}$/

function kindOf(value: string): ContentKind {
  if (WHOLE.test(value)) return 'digits'
  if (DECIMAL.test(value)) return findDamage(value) === undefined ? 'other' : 'damaged'
  const shape = valueShape(value)
  if (shape === 'pair' && !PAIRED.test(value)) return 'numbers'
  return shape === 'other' && findDamage(value.trim()) !== undefined ? 'damaged' : shape
}

/** True when most cells, or most distinct values, are of these kinds: one frequent word must not hide typings. */
export function isMostly({ cells, kinds, counts }: ColumnContent, asked: readonly ContentKind[]): boolean {
  const count = sum(counts, asked)
  return count > 0 && (2 * count >= cells || 2 * sum(kinds, asked) >= sum(kinds, ALL))
}

export function countKinds({ counts }: ColumnContent, asked: readonly ContentKind[]): number {
  return sum(counts, asked)
}

const ALL = ['named', 'fields', 'antigen', 'digits', 'pair', 'numbers', 'phenotype', 'damaged', 'other'] as const // prettier-ignore

function countNone(): Record<ContentKind, number> {
  return { named: 0, fields: 0, antigen: 0, digits: 0, pair: 0, numbers: 0, phenotype: 0, damaged: 0, other: 0 } // prettier-ignore
}

function sum(of: Readonly<Record<ContentKind, number>>, kinds: readonly ContentKind[]): number {
  return kinds.reduce((total, kind) => total + of[kind], 0)
}

/** Content whose cells of these kinds turn out to be something else. */
export function setAside(content: ColumnContent, asides: readonly ContentKind[]): ColumnContent {
  const without = (of: ColumnContent['kinds']) => {
    const left = { ...of, other: of.other + sum(of, asides) }
    for (const kind of asides) left[kind] = 0
    return left
  }
  return { ...content, kinds: without(content.kinds), counts: without(content.counts) }
}

/** Content of both columns together. */
export function joinContent(one: ColumnContent, other: ColumnContent): ColumnContent {
  const add = (a: ColumnContent['kinds'], b: ColumnContent['kinds']) => {
    const total = countNone()
    for (const kind of ALL) total[kind] = a[kind] + b[kind]
    return total
  }
  const loci = new Map(one.loci)
  for (const [locus, count] of other.loci) loci.set(locus, (loci.get(locus) ?? 0) + count)
  return {
    loci,
    cells: one.cells + other.cells,
    kinds: add(one.kinds, other.kinds),
    counts: add(one.counts, other.counts),
  }
}

const WHOLE_NAME = String.raw`(?:HLA[-_]?)?(?:[A-Z]{1,4}\d?\*|\*)?\d{2,4}(?::\d[\dA-Z]*)+`
const TWO_NAMES = new RegExp(String.raw`^${WHOLE_NAME}\s*([-_\\&%#!=])\s*${WHOLE_NAME}$`, 'i')

/**
 * A separator between two complete names of two or more fields that elsewhere means something else, or nothing:
 * `01:01-24:02`, `A*01:01 & A*24:02`.
 */
export function findOddSeparator(text: string): string | undefined {
  return text.length >= MIN_PAIR_LENGTH && text.length <= MAX_PAIR_LENGTH && ODD_SIGN.test(text)
    ? TWO_NAMES.exec(text.trim())?.[1]
    : undefined
}

const ODD_SIGN = /[-_\\&%#!=]/
/** `01:01-02:01` */
const MIN_PAIR_LENGTH = 11
const MAX_PAIR_LENGTH = 100

/** Count of each value in a column of the sample, in order of occurrence. */
export function countValues(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** Distinct values of several columns. */
export function distinctValues(columns: readonly (readonly string[])[]): string[] {
  return [...new Set(columns.flat())]
}

const TIME = new RegExp(wordPattern(listWords('column', 'time')), 'i')

/** `10:30` and `09:00`: hours and minutes; second fields are never 00, and first fields rarely all below 24. */
export function areClockTimes(name: string, values: readonly string[]): boolean {
  const fields = values.map((value) => /^(\d{2}):(\d{2})(?::\d{2})?$/.exec(value.trim()))
  const times = fields.filter((one) => one !== null)
  if (2 * times.length < values.length) return false
  if (times.some(([, hours, minutes]) => Number(hours) > 23 || Number(minutes) > 59)) return false
  return TIME.test(name) || times.some(([, hours, minutes]) => hours === '00' || minutes === '00') // prettier-ignore
}

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const DATES = [
  /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?$/,
  new RegExp(`^(?:\\d{1,2}-${MONTH}(?:-\\d{2,4})?|${MONTH}-\\d{2,4})$`),
]

/**
 * True for a date as in sheets and in spreadsheets' exports: `2024-02-01`, `1-Feb`, `Feb-24`. The original text cannot
 * be recovered.
 */
export function isDate(text: string): boolean {
  return DATES.some((date) => date.test(text))
}

/** Probable original text of a cell, and the cause of the damage; undefined for an undamaged cell. */
export function findDamage(text: string): { readonly reading: string; readonly how: string } | undefined {
  const [, whole] = /^(\d{1,4})[.,]0+$/.exec(text) ?? []
  if (whole !== undefined) return { reading: whole, how: 'written as a decimal number' }
  const [, fieldPair] = /^(\d{1,4}:\d{2,3})(?::0+)+$/.exec(text) ?? []
  if (fieldPair !== undefined) return { reading: fieldPair, how: 'written as a time of day' }
  if (HYPHENS.test(text))
    return { reading: text.replaceAll(/(?<=\d)-/g, ':'), how: 'written with hyphens, as dates are' }
  // seconds of a time from a sheet; `timeText` explains the decimal
  const [, time] = /^(\d{2,4}:\d{2}:\d{2})\.0+$/.exec(text) ?? []
  if (time !== undefined) return { reading: time, how: 'written as a time of day' }
  if (!/^0?[.,]\d{2,}$/.test(text)) return undefined
  const seconds = Math.round(Number(text.replace(',', '.')) * SECONDS_A_DAY)
  const fields = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const shown = (fields[2] === 0 ? fields.slice(0, 2) : fields).map((field) => String(field).padStart(2, '0'))
  return { reading: shown.join(':'), how: 'read as a clock time by a spreadsheet' }
}

/** `01-01-01`, `A*01-01`, `*01-01N`: two digits or three in each field. */
const HYPHENS = /^(?:(?:HLA-)?[A-Z][A-Z0-9]*\*|\*)?\d{2,3}(?:-\d{2,3}){1,3}[A-Z]?$/

/** Text without the marks that keep spreadsheets from interpreting it: `="01:01"`, `'01:01`; unchanged without them. */
export function withoutMarks(text: string): string {
  if (!text.startsWith('=') && !text.startsWith("'") && !text.endsWith("'")) return text
  const [, formula] = /^="([^"]*)"$/.exec(text) ?? []
  return (formula ?? text).replace(/^'|'$/g, '')
}

const SECONDS_A_DAY = 86_400
