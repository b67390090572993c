/** Names as they were before April 2010: no colons between the fields (`A*0101`). */
import { canHaveOldNames, readLocus } from './allele.ts'

/**
 * Present spelling of an old name by the rules of 2010; `name` itself when no rule fits.
 * Exceptions to the rules are data of the release (data/tables/old-names.csv) and take precedence.
 */
export function respellVersion2(name: string): string {
  return respellings(name)[0] ?? name
}

/** Present spelling of a name that can be split in only one way; other names unchanged, for the release to decide. */
export function theReading(name: string): string {
  const all = allRespellings(name)
  return all.length === 1 ? (all[0] ?? name) : name
}

/**
 * Possible spellings of a name, first by the rules of 2010. Up to 2002 the third field, of silent changes, had one
 * digit (`C*07011`, `A*2402102L`). Without its colon a second field of three digits looks alike (`A*02116`), but none
 * begins with 0.
 */
export function respellings(name: string): readonly string[] {
  return respell(name, splitDigits)
}

/**
 * Present spelling of a name in a published record: `Cw*0422` is `C*04:22`, `DRB1*08031` is `DRB1*08:03:01`. No second
 * field had three digits before colons were written.
 */
export function spellRecord(name: string): string {
  const present = name.replace('Cw*', 'C*')
  const isOld = !name.includes(':') && canHaveOldNames(readLocus(name))
  return isOld ? (respellings(present).at(-1) ?? present) : present
}

/**
 * `respellings` and every other way to split the digits (`A*021101` as `A*02:1101`): never used to read a name, only to
 * suggest one.
 */
export function allRespellings(name: string): readonly string[] {
  return [...new Set([...respellings(name), ...respell(name, cutDigits)])]
}

/** True for a spelling by the rules of 2010 alone, as in py-ard. */
export function isByRule(name: string, spelling: string): boolean {
  return respell(name, (digits, rest, isDp) => [cutByRule(digits, rest, isDp)]).includes(spelling)
}

type Split = (digits: string, rest: string, isDp: boolean) => readonly string[]

function respell(name: string, split: Split): readonly string[] {
  const star = name.indexOf('*')
  if (star === -1) return []
  const fields = name.slice(star + 1)
  const length = fields.search(/\D|$/)
  const rest = fields.slice(length)
  return split(fields.slice(0, length), rest, name.startsWith('DP')).map(
    (read) => name.slice(0, star + 1) + read + rest,
  )
}

function splitDigits(digits: string, rest: string, isDp: boolean): readonly string[] {
  const { length } = digits
  if (length < 2) return []
  if (length === 2) return rest === '' ? [] : [`${digits}:`]
  if (length !== 5 && length !== 7) return [cutByRule(digits, rest, isDp)]
  // alleles of DPA1 and DPB1 have first fields of three digits
  const first = isDp ? 3 : 2
  const behind = digits.slice(5)
  const fields = behind === '' ? '' : `:${behind}`
  const silent = `${digits.slice(0, 2)}:${digits.slice(2, 4)}:0${digits.charAt(4)}${fields}`
  return digits.charAt(isDp ? 0 : 2) === '0'
    ? [silent]
    : [`${digits.slice(0, first)}:${digits.slice(first, 5)}${fields}`, silent]
}

function cutByRule(digits: string, rest: string, isDp: boolean): string {
  const { length } = digits
  if (length < 2) return digits
  if (length === 2) return rest === '' ? digits : `${digits}:`
  if (length % 2 === 0) return pairs(digits)
  const first = isDp && length === 5 ? 3 : 2
  return `${digits.slice(0, first)}:${digits.slice(first)}`
}

/**
 * Field lengths by position: first fields of more than two digits are of DPA1 and DPB1, third fields of one from before
 * 2002.
 */
const LENGTHS = [[2, 3, 4], [2, 3, 4], [1, 2, 3], [2, 3]] as const // prettier-ignore

function cutDigits(digits: string, _rest: string, isDp: boolean): readonly string[] {
  return cutFrom(digits, 0, isDp)
    .filter((fields) => fields.length > 1)
    .map((fields) => fields.join(':'))
}

function cutFrom(digits: string, place: number, isDp: boolean): readonly (readonly string[])[] {
  if (digits === '') return [[]]
  const lengths = LENGTHS[place] ?? []
  return lengths.flatMap((length) => {
    const field = digits.slice(0, length).padStart(2, '0')
    const isField =
      length <= digits.length && !/^0(?:0$|\d\d)/.test(field) && (place > 0 || isDp || length === 2)
    return isField ? cutFrom(digits.slice(length), place + 1, isDp).map((more) => [field, ...more]) : []
  })
}

function pairs(digits: string): string {
  return (digits.match(/../g) ?? []).join(':')
}
