/** Cells that name an allele or group in full, or a list of them: nearly all there are. One look tells them, and they are read as they stand. */
import { NAME_FIELDS, type Tokens } from './tokens.ts'

/** Whether `readCell` would give the text as it stands, with nothing to be said. `locus`: of the column; undefined where names of any may stand. */
export function isPlainCell(text: string, locus: string | undefined, tokens: Tokens): boolean {
  if (text.length > LONGEST || !NAMES.test(text) || tokens.hasNames) return false
  if (locus === undefined) return true
  for (let at = 0; ;) {
    if (!text.startsWith(locus, at) || text[at + locus.length] !== '*') return false
    at = text.indexOf('/', at) + 1
    if (at === 0) return true
  }
}

/** A pattern keeps a place for every name of a list, and has no room for a million. */
const LONGEST = 4096

const NAME = `[A-Z][A-Z0-9]*\\*${NAME_FIELDS}`
const NAMES = new RegExp(`^${NAME}(?:/${NAME})*$`)
