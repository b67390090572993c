/** Cells that name an allele or group in full, or a list of them: nearly all there are. One look tells them, and they are read as they stand. */
import { TOKEN_STATUSES, type Tokens } from './tokens.ts'

/** Whether `readCell` would give the text as it stands, with nothing to be said. `locus`: of the column; undefined where names of any may stand. */
export function isPlainCell(text: string, locus: string | undefined, tokens: Tokens): boolean {
  if (text.length > LONGEST || !NAMES.test(text) || hasNames(tokens)) return false
  if (locus === undefined) return true
  for (let at = 0; ;) {
    if (!text.startsWith(locus, at) || text[at + locus.length] !== '*') return false
    at = text.indexOf('/', at) + 1
    if (at === 0) return true
  }
}

/** A pattern keeps a place for every name of a list, and has no room for a million. */
const LONGEST = 4096

/** Two fields of digits or more; what begins with `00` may be PyPop's word for no typing. */
const FIELDS = '(?!00)\\d{2,4}(?::\\d{2,4}){1,3}[A-Z]?'
const NAME = `[A-Z][A-Z0-9]*\\*${FIELDS}`
const NAMES = new RegExp(`^${NAME}(?:/${NAME})*$`)

/** Of users who gave such a text as a word for no typing. */
const LIKE_NAMES = new RegExp(`${FIELDS}$`)

const known = new WeakMap<Tokens, boolean>()

function hasNames(tokens: Tokens): boolean {
  let has = known.get(tokens)
  if (has === undefined) {
    has = TOKEN_STATUSES.some((status) => [...tokens[status]].some((one) => LIKE_NAMES.test(one)))
    known.set(tokens, has)
  }
  return has
}
