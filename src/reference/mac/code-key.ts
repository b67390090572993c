/** Codes as numbers in base 27, left-aligned, so that numeric order is alphabetical order. */

/** Length of the longest code that is still an exact number. */
export const MAX_CODE_LETTERS = 11

/** `undefined` when `code` is not 1 to `width` letters A to Z. */
export function packCode(code: string, width: number): number | undefined {
  if (code.length === 0 || code.length > width) return undefined
  let key = 0
  for (let at = 0; at < width; at++) {
    const letter = at < code.length ? code.charCodeAt(at) - BEFORE_A : 0
    if (at < code.length && (letter < 1 || letter > 26)) return undefined
    key = key * 27 + letter
  }
  return key
}

export function unpackCode(key: number, width: number): string {
  let code = ''
  let rest = key
  for (let at = 0; at < width; at++) {
    const letter = rest % 27
    if (letter > 0) code = String.fromCharCode(BEFORE_A + letter) + code
    rest = Math.floor(rest / 27)
  }
  return code
}

/** Number of keys that share their first `letters` letters. */
export function keySpan(letters: number, width: number): number {
  return 27 ** (width - letters)
}

const BEFORE_A = 64
