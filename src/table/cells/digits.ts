/** Digits without a colon: an antigen, a first field or an old name, decided for all cells of a locus together. */
import { HlaError } from '../../errors.ts'
import type { NameFacts } from './name-facts.ts'

export const DIGIT_READINGS = ['antigen', 'first-field', 'v2', 'error'] as const
/** `error`: not decided, or not wanted; every such cell is an error. */
export type DigitReading = (typeof DIGIT_READINGS)[number]

/** What the letters of a locus's antigens are. No antigen of another locus, DPw included, has a known allele. */
const ANTIGEN_LETTERS: Readonly<Record<string, string>> = {
  A: 'A', B: 'B', C: 'Cw', DRB1: 'DR', DRB3: 'DR', DRB4: 'DR', DRB5: 'DR', DQB1: 'DQ',
} // prettier-ignore

/** Carried by one locus each, and by no DRB1 allele. */
const ANTIGEN_OF_DRB345: Readonly<Record<string, string>> = { DRB3: 'DR52', DRB4: 'DR53', DRB5: 'DR51' }

/** `values` are the cells of the locus that are digits alone; undefined when there are none. */
export function decideDigits(
  values: readonly string[],
  locus: string,
  facts: NameFacts,
): DigitReading | undefined {
  if (values.length === 0) return undefined
  const long = values.filter((value) => value.length > 2)
  if (long.length === 0) return decideShort(values)
  const areAntigens = long.every((value) => isKnownAntigen(value, locus, facts))
  if (long.length < values.length) return areAntigens ? 'antigen' : 'error'
  // 2403 is A2403 and A*24:03, but 0101 is not an antigen
  return areAntigens || long.some(({ length }) => length < 4) ? 'error' : 'v2'
}

/** `01` is how first fields are written, `1` how antigens are. */
function decideShort(values: readonly string[]): DigitReading {
  const hasPadded = values.some((value) => /^0\d$/.test(value))
  if (!hasPadded) return 'antigen'
  return values.some((value) => value.length === 1) ? 'error' : 'first-field'
}

function isKnownAntigen(digits: string, locus: string, facts: NameFacts): boolean {
  const antigen = findAntigen(digits, locus)
  return antigen !== undefined && !digits.startsWith('0') && facts.isAntigen(antigen)
}

/** `7` at C is Cw7. */
export function findAntigen(digits: string, locus: string): string | undefined {
  const letters = ANTIGEN_LETTERS[locus]
  if (letters === undefined) return undefined
  const antigen = letters + digits
  const only = ANTIGEN_OF_DRB345[locus]
  if (only !== undefined) return antigen === only ? antigen : undefined
  return Object.values(ANTIGEN_OF_DRB345).includes(antigen) ? undefined : antigen
}

/** Which loci the antigen of these letters and number may stand at. */
export function isLocusAntigen(name: string, locus: string): boolean {
  const [, letters = '', digits = ''] = /^([A-Z]+w?)(\d+)$/.exec(name) ?? []
  if (letters === 'Bw' || letters === 'DPw') return locus === (letters === 'Bw' ? 'B' : 'DPB1')
  return findAntigen(digits, locus) === name || (letters === 'C' && locus === 'C')
}

export interface DigitsRead {
  readonly name: string
  /** No antigen of that number: read as first field. */
  readonly asFirstField: boolean
}

/** @throws {HlaError} ambiguous-digits — not as the other cells of the locus; unknown-antigen — nothing has that number */
export function readDigits(
  digits: string,
  locus: string,
  reading: DigitReading,
  facts: NameFacts,
): DigitsRead {
  switch (reading) {
    case 'antigen':
      return readAntigen(digits, locus, facts)
    case 'first-field':
      if (digits.length > 2) throw ambiguous(digits, 'other cells of this locus are first fields')
      return { name: readFirstField(digits, locus, facts), asFirstField: false }
    case 'v2':
      if (digits.length < 4)
        throw ambiguous(digits, 'other cells of this locus are old names of four digits or more')
      return { name: facts.respell(`${locus}*${digits}`), asFirstField: false }
    case 'error':
      throw ambiguous(digits, 'they may be an antigen, a first field or an old name')
  }
}

function readAntigen(digits: string, locus: string, facts: NameFacts): DigitsRead {
  const antigen = findAntigen(digits, locus)
  if (antigen !== undefined && !digits.startsWith('0') && facts.isAntigen(antigen)) {
    return { name: antigen, asFirstField: false }
  }
  if (digits.length > 2) throw ambiguous(digits, 'other cells of this locus are antigens')
  return { name: readFirstField(digits, locus, facts), asFirstField: true }
}

function readFirstField(digits: string, locus: string, facts: NameFacts): string {
  const family = `${locus}*${digits.padStart(2, '0')}`
  if (facts.isFirstField(family)) return `${family}:XX`
  const antigen = findAntigen(digits, locus)
  const neither = antigen === undefined ? `no ${family}` : `no antigen ${antigen} and no ${family}`
  throw new HlaError('unknown-antigen', `${digits}: there is ${neither} in ${facts.title}`, {
    offending: digits,
  })
}

function ambiguous(digits: string, why: string): HlaError {
  return new HlaError('ambiguous-digits', `${digits}: digits without ":"; ${why}`, {
    offending: digits,
    hint: 'choose with --bare-digits antigen, first-field or v2',
  })
}
