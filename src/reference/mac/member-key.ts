/** A member of an expansion (`01`, `25:01N`) as a number that sorts in published order. */

/** First field plus one (0: none), the second field, the expression letter (0: none, A is 1). */
export interface MemberParts {
  readonly group: number
  readonly number: number
  readonly letter: number
}

/**
 * Keys of members joined by `/`, in their order, when all are written as in the published list: fields of two digits
 * or, from 100 on, as many as needed. One pass, since compiling a list reads 100 MB of them.
 */
export function plainKeys(expansion: string): number[] | undefined {
  const keys: number[] = []
  let group = 0
  let number = 0
  let letter = 0
  let figures = 0
  for (let at = 0; at <= expansion.length; at++) {
    const unit = at < expansion.length ? expansion.charCodeAt(at) : SLASH
    if (unit >= 48 && unit <= 57 && letter === 0) {
      number = number * 10 + unit - 48
      figures += 1
    } else if (!isPublishedForm(number, figures)) {
      return undefined
    } else if (unit === SLASH) {
      keys.push(joinKey(group, number, letter))
      group = number = letter = figures = 0
    } else if (unit === COLON && group === 0 && letter === 0) {
      group = number + 1
      number = figures = 0
    } else if (unit >= 65 && unit <= 90 && letter === 0) {
      letter = unit - 64
    } else {
      return undefined
    }
  }
  return keys
}

export function joinKey(group: number, number: number, letter: number): number {
  return group * LOW_BITS + ((number << 5) | letter)
}

export function splitKey(key: number): MemberParts {
  // a shift takes the low 32 bits of any whole number; `%` above 2^31 is far slower
  const low = key >>> 0
  return { group: (key - low) / LOW_BITS, number: low >>> 5, letter: low & 31 }
}

export function memberText(key: number): string {
  const low = key >>> 0
  const letter = low & 31
  const number = fieldText(low >>> 5)
  const second = letter === 0 ? number : number + String.fromCharCode(64 + letter)
  return key === low ? second : `${fieldText((key - low) / LOW_BITS - 1)}:${second}`
}

const COLON = 58
const SLASH = 47
/** Bits below the group: 27 for second fields, which have at most six digits, and 5 for the letter. */
const LOW_BITS = 2 ** 32
const SMALLEST = [Infinity, Infinity, 0, 100, 1_000, 10_000, 100_000]

function isPublishedForm(number: number, figures: number): boolean {
  return number >= (SMALLEST[figures] ?? Infinity)
}

function fieldText(number: number): string {
  return number < 10 ? `0${number}` : String(number)
}
