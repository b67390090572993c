/** Rules for single fields of a donor, and the errors for broken ones. Pure. */
import { HlaError } from '../../../../errors.ts'
import { quoted } from '../../../placed-error.ts'
import type { BrokenRule, TypingPlace } from '../../../input/places.ts'

/** Reason why a text breaks the rule; undefined if it does not. */
export type FieldRule = (text: string) => string | undefined

export function oneOf(...values: readonly string[]): FieldRule {
  const known = new Set(values)
  return (text) => (known.has(text) ? undefined : `is not one of ${values.join(' ')}`)
}

export function atMostLong(length: number): FieldRule {
  return (text) => (text.length <= length ? undefined : `is longer than ${length} characters`)
}

export function wholeNumber(least: number, most: number): FieldRule {
  return (text) =>
    /^\+?\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most
      ? undefined
      : `is not a whole number from ${least} to ${most}`
}

/** `1968-06-28` */
export const date: FieldRule = (text) => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  const found =
    year === undefined ? undefined : new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return found?.toISOString().slice(0, 10) === text ? undefined : 'is not a date like 1968-06-28'
}

/** Four digits of the issuing organization, thirteen characters, two digits. */
export const grid: FieldRule = (text) =>
  /^\d{4}[0-9A-Z]{13}\d\d$/.test(text)
    ? undefined
    : 'is not a GRID: four digits, thirteen digits or capital letters, two digits'

/** Ethnic groups of EMDIS. */
export const ETHNIC_GROUPS = [
  'AFNA', 'AFSS', 'ASSW', 'ASSO', 'ASCE', 'ASSE', 'ASNE', 'ASOC', 'CAEU', 'CAER', 'CANA', 'CAAU', 'HICA', 'HISA', 'AF', 'AS', 'CA', 'HI', 'MX', 'OT', 'UK',
] as const // prettier-ignore

/** Error for a broken rule; the path names the field. */
export function brokenRule({ line, path }: TypingPlace, value: string, reason: string): BrokenRule {
  const said = value === '' ? 'it' : quoted(value)
  return { line, path, value: value.slice(0, 200), error: new HlaError('bad-record', `${said} ${reason}`) }
}
