/** Names as they were before April 2010: no colons between the fields (`A*0101`). */

/**
 * The present spelling of an old name by the rules of the 2010 change; `name` itself when no rule fits.
 * Exceptions to the rules are data of the release (data/tables/old-names.csv) and come first.
 */
export function respellVersion2(name: string): string {
  return respellings(name)[0] ?? name
}

/** The same of a name that has one reading; others are left as they are, for the release to decide. */
export function theReading(name: string): string {
  const readings = respellings(name)
  return readings.length === 1 ? (readings[0] ?? name) : name
}

/**
 * All readings, the first by the rules of 2010. Up to 2002 the third field, of silent changes, had one digit (`C*07011`, `A*2402102L`);
 * without its colon a second field of three digits looks alike (`A*02116`), but none begins with 0.
 */
export function respellings(name: string): readonly string[] {
  const star = name.indexOf('*')
  if (star < 0) return []
  const digits = /^\d*/.exec(name.slice(star + 1))?.[0] ?? ''
  const rest = name.slice(star + 1 + digits.length)
  return splitDigits(digits, rest, name.startsWith('DP')).map(
    (fields) => name.slice(0, star + 1) + fields + rest,
  )
}

function splitDigits(digits: string, rest: string, isDp: boolean): readonly string[] {
  const { length } = digits
  if (length < 2) return []
  if (length === 2) return rest === '' ? [] : [`${digits}:`]
  if (length % 2 === 0) return [pairs(digits)]
  if (length !== 5 && length !== 7) return [`${digits.slice(0, 2)}:${digits.slice(2)}`]
  // alleles of DPA1 and DPB1 have first fields of three digits
  const first = isDp ? 3 : 2
  const behind = digits.slice(5)
  const fields = behind === '' ? '' : `:${behind}`
  const silent = `${pairs(digits.slice(0, 4))}:0${digits.charAt(4)}${fields}`
  return digits.charAt(isDp ? 0 : 2) === '0'
    ? [silent]
    : [`${digits.slice(0, first)}:${digits.slice(first, 5)}${fields}`, silent]
}

function pairs(digits: string): string {
  return (digits.match(/../g) ?? []).join(':')
}
