/** Slips in names: white space, lower case, missing or superfluous zeros, a missing `*` or colons. */
import { canHaveOldNames, insertStar, readLocus } from '../../nomenclature/allele.ts'
import { theReading } from '../../nomenclature/version2.ts'

/** Leniency of the command line that would have read the name. */
export type Leniency = 'space' | 'case' | 'zero' | 'v2'

export interface Tidied {
  readonly name: string
  /** Empty when no leniency reads it: the name must be corrected. */
  readonly leniencies: readonly Leniency[]
}

type Step = readonly [leniency: Leniency | undefined, apply: (text: string) => string]

const STEPS: readonly Step[] = [
  // digits separated by white space would form another number
  ['space', (text) => (/\d\s+\d/.test(text) ? text : text.replace(/^\s*hla\s+|\s+/gi, ''))],
  [
    'case',
    // locus, expression letter or code
    (text) =>
      text
        .replace(/^hla[-_]/i, '')
        .replace(/^[a-z]+|[a-z]$|(?<=:)[A-Za-z]{2,}$/g, (letters) => letters.toUpperCase()),
  ],
  ['v2', (text) => text.replace(/^C[Ww](?=\*\d)/, 'C')],
  [undefined, (text) => insertStar(text.replace(/^C[Ww](?=\d)/, 'C'))],
  ['v2', (text) => (mayBeOld(text) ? theReading(text) : text)],
]

/** Readings of `name`, most likely first; empty when it is tidy already. */
export function tidyName(name: string): Tidied[] {
  const used = new Set<Leniency | undefined>()
  let tidy = name
  for (const [leniency, apply] of STEPS) {
    const next = apply(tidy)
    if (next !== tidy) used.add(leniency)
    tidy = next
  }
  const padded = [...new Set([2, 3].map((digits) => padFields(tidy, digits)))]
  const readings = padded.map((form) => ({
    name: form,
    leniencies: listLeniencies(form === tidy ? used : new Set([...used, 'zero' as const])),
  }))
  return readings.filter((reading) => reading.name !== name)
}

function listLeniencies(used: ReadonlySet<Leniency | undefined>): Leniency[] {
  return used.has(undefined) ? [] : [...used].filter((leniency) => leniency !== undefined)
}

function mayBeOld(name: string): boolean {
  return !name.includes(':') && canHaveOldNames(readLocus(name))
}

/** At least two digits in every field; the first field of some loci (MICA, HFE) has three. */
function padFields(text: string, first: number): string {
  const star = text.indexOf('*')
  if (star < 0 || !text.includes(':', star)) return text
  const fields = text.slice(star + 1).split(':')
  const padded = fields.map((field, at) => pad(field, at === 0 ? first : 2, at))
  return text.slice(0, star + 1) + padded.join(':')
}

/**
 * `0101` is left alone: two fields without their colon, rather than 101. So is the second field `012`: `A*03:012` was
 * split at the wrong place rather than given an extra zero.
 */
function pad(field: string, digits: number, at: number): string {
  const superfluous = at === 0 ? /^0+(?=\d{1,2}$)/ : /^0+(?=0\d$)/
  return field.replace(/^\d+/, (number) => number.replace(superfluous, '').padStart(digits, '0'))
}

/**
 * True for a field after the first with a 0 before two or more digits (`012`; not `001`): no name has one, and its
 * meaning cannot be inferred.
 */
export function isBrokenOldName(name: string): boolean {
  return /:0\d*[1-9]\d/.test(name)
}
