/** Names as they were before April 2010: no colons between the fields (`A*0101`). */

/**
 * The present spelling of an old name by the rules of the 2010 change; `name` itself when no rule fits.
 * Exceptions to the rules are data of the release (data/tables/old-names.csv) and come first.
 */
export function respellVersion2(name: string): string {
  const star = name.indexOf('*')
  if (star < 0) return name
  const digits = /^\d*/.exec(name.slice(star + 1))?.[0] ?? ''
  const rest = name.slice(star + 1 + digits.length)
  const fields = splitDigits(name, digits, rest)
  return fields === undefined ? name : name.slice(0, star + 1) + fields
}

function splitDigits(name: string, digits: string, rest: string): string | undefined {
  if (digits.length < 2) return undefined
  if (digits.length === 2) return rest === '' ? undefined : `${digits}:${rest}`
  if (digits.length === 5 && name.startsWith('DP')) return `${digits.slice(0, 3)}:${digits.slice(3)}${rest}`
  if (digits.length % 2 === 0) return (digits.match(/../g) ?? []).join(':') + rest
  return `${digits.slice(0, 2)}:${digits.slice(2)}${rest}`
}
