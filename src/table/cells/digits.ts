/** Digits without a colon: an antigen, a first field or an old name, decided for all loci of a person together. */
import { nameAntigen } from '../../nomenclature/antigen.ts'
import { type Advice, advice, option } from '../../advice.ts'
import type { DIGIT_READINGS } from '../../options/choices.ts'
import { HlaError } from '../../errors.ts'
import { parseAntigen } from '../../nomenclature/antigen.ts'
import { namesAntigensOf2026 } from '../../reference/release-number.ts'
import type { NameFacts } from './name-facts.ts'
import { formatCount } from '../../format-count.ts'

/**
 * `mixed`: two digits are a first field, four and more an old name. `error`: undecided or refused; every such cell is
 * an error.
 */
export type DigitReading = (typeof DIGIT_READINGS)[number]

/** Cells of a locus that consist of digits. */
export interface DigitColumns {
  readonly locus: string
  readonly values: readonly string[]
  /** Number of occurrences of each; undefined means one. */
  readonly counts?: ReadonlyMap<string, number> | undefined
}

/**
 * Readings of digits at each locus of one person, decided together, since one laboratory wrote them all. Loci without
 * digits are left out. `error` where they may be antigens at one locus and first fields at another: the user must say.
 */
export function decideDigits(
  columns: readonly DigitColumns[],
  facts: NameFacts,
): ReadonlyMap<string, DigitReading> {
  const cells = columns.flatMap(({ locus, values, counts }) =>
    values.map((digits) => ({ digits, locus, count: counts?.get(digits) ?? 1 })),
  )
  const [short, long] = [cells.filter(isShort), cells.filter((cell) => !isShort(cell))]
  const areAntigens = long.every((cell) => isKnownAntigen(cell, facts))
  const ofShort = decideShort(short, { areLongAntigens: areAntigens, hasLong: long.length > 0 }, facts)
  const decide = ({ values }: DigitColumns): DigitReading => {
    const ofLocus = values.filter((digits) => digits.length > 2)
    if (ofLocus.length === 0) return ofShort
    const hasThree = ofLocus.some(({ length }) => length === 3)
    // 2403 is A2403 and A*24:03, but 0101 is not an antigen, and 203 not an old name
    if (areAntigens) return ofShort === 'antigen' && (short.length > 0 || hasThree) ? 'antigen' : 'error'
    return ofLocus.length < values.length || hasThree ? 'error' : 'v2'
  }
  return new Map(columns.filter(({ values }) => values.length > 0).map((one) => [one.locus, decide(one)]))
}

/** Number of cells that are digits, and of those that each reading fits. */
export interface DigitFits {
  readonly cells: number
  readonly antigen: number
  readonly 'first-field': number
  readonly v2: number
}

export function countFits({ locus, values, counts }: DigitColumns, facts: NameFacts): DigitFits {
  const count = (fits: (digits: string) => boolean) =>
    values.reduce((sum, digits) => sum + (fits(digits) ? (counts?.get(digits) ?? 1) : 0), 0)
  return {
    cells: count(() => true),
    antigen: count((digits) => isKnownAntigen({ digits, locus }, facts)),
    'first-field': count((digits) => digits.length < 3 && facts.isFirstField(makeFamily(digits, locus))),
    v2: count((digits) => digits.length > 3 && facts.respell(`${locus}*${digits}`) !== `${locus}*${digits}`),
  }
}

/**
 * `first-field fits 303,944 of 303,944, antigen 286,641`: best reading first; readings that fit no cell are left out.
 */
export function fitsText(all: readonly DigitFits[]): string {
  const total = formatCount(all.reduce((sum, { cells }) => sum + cells, 0))
  const [best, ...others] = fittingReadings(all)
  if (best === undefined) return `no reading fits any of the ${total} cells`
  const rest = others.map(([reading, count]) => `, ${reading} ${formatCount(count)}`).join('')
  return `${best[0]} fits ${formatCount(best[1])} of ${total}${rest}`
}

/** Readings that fit cells, with their number; best first. */
function fittingReadings(all: readonly DigitFits[]) {
  return (['antigen', 'first-field', 'v2'] as const)
    .map((reading) => [reading, all.reduce((sum, one) => sum + one[reading], 0)] as const)
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1])
}

/**
 * `--bare-digits antigen or v2`: the readings that fit cells, best first; undefined when none does. `given`: reading of
 * the other cells, which did not fit these.
 */
export function digitsAdvice(all: readonly DigitFits[], given?: DigitReading): Advice | undefined {
  const fits: readonly DigitReading[] = fittingReadings(all).map(([reading]) => reading)
  const has = (reading: DigitReading) => fits.includes(reading) || given === reading
  const isMixed = fits.some((one) => one !== 'antigen') && has('first-field') && has('v2')
  const [first, ...others] = isMixed ? ['mixed', ...fits] : fits
  if (first === undefined) return undefined
  const list = others.map((one, at) => `${at === others.length - 1 ? ' or' : ','} ${one}`)
  return advice`${option('bare-digits', first)}${list.join('')}`
}

function isPadded(digits: string): boolean {
  return digits.startsWith('0')
}

interface DigitCell {
  readonly digits: string
  readonly locus: string
}

function isShort({ digits }: DigitCell): boolean {
  return digits.length <= 2
}

/** First fields are written `01`, antigens `1`, as are first fields that a spreadsheet has read as numbers. */
function decideShort(
  cells: readonly (DigitCell & { readonly count: number })[],
  { areLongAntigens, hasLong }: { readonly areLongAntigens: boolean; readonly hasLong: boolean },
  facts: NameFacts,
): 'antigen' | 'first-field' | 'error' {
  const hasPadded = cells.some(({ digits }) => /^0\d$/.test(digits))
  if (hasPadded) return cells.some(({ digits }) => digits.length === 1) ? 'error' : 'first-field'
  // digits that fit neither do not count
  const mayBeAntigen = (cell: DigitCell) =>
    isKnownAntigen(cell, facts) || !facts.isFirstField(makeFamily(cell.digits, cell.locus))
  if (areLongAntigens && cells.every(mayBeAntigen)) return 'antigen'
  // C has no antigen 12: where first fields fit every cell and antigens do not, they are first fields
  const isOfFamily = ({ digits, locus }: DigitCell) => facts.isFirstField(makeFamily(digits, locus))
  const total = sumOf(cells)
  const others = total - sumOf(cells.filter((cell) => isKnownAntigen(cell, facts)))
  return !hasLong && cells.every(isOfFamily) && others >= MIN_OTHERS_SHARE * total ? 'first-field' : 'error'
}

/** Share of cells without an antigen of that number; slips among real antigens are rarer. */
const MIN_OTHERS_SHARE = 0.01

function sumOf(cells: readonly { readonly count: number }[]): number {
  return cells.reduce((sum, { count }) => sum + count, 0)
}

function isKnownAntigen({ digits, locus }: DigitCell, facts: NameFacts): boolean {
  const antigen = nameAntigen(digits, locus)
  const isName = !isPadded(digits) || (digits.length === 4 && namesAntigensOf2026(facts.label))
  return antigen !== undefined && isName && facts.isAntigen(antigen)
}

/** True when the antigen belongs to the locus. */
export function isLocusAntigen(name: string, locus: string): boolean {
  const { letters, number } = parseAntigen(name) ?? { letters: '', number: '' }
  if (letters === 'Bw' || letters === 'DPw') return locus === (letters === 'Bw' ? 'B' : 'DPB1')
  return nameAntigen(number, locus) === letters + number || (letters === 'C' && locus === 'C')
}

export interface DigitsRead {
  readonly name: string
  /** True when no antigen has that number, so that it was read as first field. */
  readonly asFirstField: boolean
}

/**
 * @throws {HlaError} ambiguous-digits — inconsistent with the other cells of the locus; unknown-antigen — neither
 * reading exists
 */
export function readDigits(
  digits: string,
  locus: string,
  reading: DigitReading,
  facts: NameFacts,
): DigitsRead {
  const of = { locus, reading, facts }
  switch (reading) {
    case 'antigen':
      return readAntigen(digits, locus, facts)
    case 'first-field':
      if (digits.length > 2) throw ambiguous(digits, 'other cells of this locus are first fields', of)
      return { name: readFirstField(digits, locus, facts), asFirstField: false }
    case 'mixed':
      if (digits.length === 3) throw ambiguous(digits, 'neither a first field nor an old name has three', of)
      return readDigits(digits, locus, digits.length < 3 ? 'first-field' : 'v2', facts)
    case 'v2':
      if (digits.length < 4)
        throw ambiguous(digits, 'other cells of this locus are old names of four digits or more', of)
      return { name: facts.respell(`${locus}*${digits}`), asFirstField: false }
    case 'error':
      throw ambiguous(digits, 'they may be an antigen, a first field or an old name', of)
  }
}

function readAntigen(digits: string, locus: string, facts: NameFacts): DigitsRead {
  const antigen = nameAntigen(digits, locus)
  // A203 counts as A0203 where that is the name
  const isName = !isPadded(digits) || digits.length === 4
  if (antigen !== undefined && isName && facts.isAntigen(antigen))
    return { name: antigen, asFirstField: false }
  if (digits.length > 2)
    throw ambiguous(digits, 'other cells of this locus are antigens', { locus, reading: 'antigen', facts })
  return { name: readFirstField(digits, locus, facts), asFirstField: true }
}

function readFirstField(digits: string, locus: string, facts: NameFacts): string {
  const family = makeFamily(digits, locus)
  if (facts.isFirstField(family)) return `${family}:XX`
  const antigen = nameAntigen(digits, locus)
  const neither = antigen === undefined ? `no ${family}` : `no antigen ${antigen} and no ${family}`
  throw new HlaError('unknown-antigen', `${digits}: ${facts.title} has ${neither}`, {
    offending: digits,
  })
}

function makeFamily(digits: string, locus: string): string {
  return `${locus}*${digits.padStart(2, '0')}`
}

interface DigitContext {
  readonly locus: string
  readonly reading: DigitReading
  readonly facts: NameFacts
}

function ambiguous(digits: string, why: string, { locus, reading, facts }: DigitContext): HlaError {
  const choices = digitsAdvice([countFits({ locus, values: [digits] }, facts)], reading)
  return new HlaError('ambiguous-digits', `${digits}: digits without ":"; ${why}`, {
    offending: digits,
    hint: choices && advice`choose with ${choices}`,
  })
}
