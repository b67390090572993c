/** Typings of documents, each under the name of its locus, in DNA and serology. Pure. */
import { encodeByteText } from '../../input/encoding.ts'

/** Locus -> letters before the number of an antigen. */
const ANTIGENS: ReadonlyMap<string, string> = new Map([
  ['C', 'Cw'],
  ['DRB1', 'DR'],
  ['DRB3', 'DR'],
  ['DRB4', 'DR'],
  ['DRB5', 'DR'],
  ['DQB1', 'DQ'],
  ['DPB1', 'DPw'],
])

/** `HLA-A`, `a` -> `A` */
export function bareLocus(name: string): string {
  return name.trim().replace(/^HLA-/i, '').toUpperCase()
}

/** `*01:01`, `01:01/02`, `01:01/*01:03` -> `A*01:01/A*01:02`, ...; names with their locus are unchanged. */
export function dnaTyping(locus: string, text: string): string {
  const bare = text.trim()
  if (bare === '' || /^[A-Za-z]/.test(bare)) return bare
  const [first = '', ...others] = bare.split('/').map((one) => one.trim().replace(/^\*/, ''))
  // 01:01/02 omits the first field
  const [family, , ...more] = first.split(':')
  const isShort = more.length === 0 && others.every((one) => /^\d+[A-Z]?$/.test(one))
  const rest = isShort ? others.map((one) => `${family}:${one}`) : others
  return [first, ...rest].map((one) => (/^[A-Za-z]/.test(one) ? one : `${locus}*${one}`)).join('/')
}

/** `2` -> `A2`; text that is not a number is unchanged. */
export function serologicTyping(locus: string, text: string): string {
  const bare = text.trim()
  return /^\d+$/.test(bare) ? `${ANTIGENS.get(locus) ?? locus}${bare}` : bare
}

/** Typing as in a table; most texts need only the locus's name and a list separator searched for. */
export function dnaField(locus: string, text: string): string {
  const code = text.charCodeAt(0)
  const isDigit = code >= ZERO && code <= NINE
  const isPlain = (isDigit || code === STAR) && !text.includes('/')
  return encodeByteText(isPlain ? `${locus}${isDigit ? '*' : ''}${text}` : dnaTyping(locus, text), 'utf8')
}

export function serologicField(locus: string, text: string): string {
  return encodeByteText(serologicTyping(locus, text), 'utf8')
}

const [STAR, ZERO, NINE] = [42, 48, 57]
