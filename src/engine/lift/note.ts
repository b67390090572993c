/** Note on a name that was read as another release's name. */
import type { Note } from '../../errors.ts'
import { withoutPrefix } from '../../nomenclature/allele.ts'
import type { History } from '../../reference/history/history.ts'
import { compareReleases } from '../../reference/release-number.ts'
import type { Lifted } from './lifted.ts'

/** undefined when the name was read unchanged, or in the present spelling, or could not be read. */
export function liftNote(history: History, lifted: Lifted): Note | undefined {
  const { input, from, result, status, spelling } = lifted
  if (result === null || result === (spelling ?? input)) return undefined
  const since = from === 'any' && spelling === undefined ? renamedSince(history, lifted) : undefined
  const read = from === 'any' ? `${input} read as ${result}` : `${input} (${from}) read as ${result}`
  const code = status === 'merged' ? 'deleted-allele' : 'renamed-allele'
  return {
    level: 'note',
    code,
    message: since === undefined ? read : `${read} (renamed in ${since})`,
    offending: input,
  }
}

/**
 * First release with the name that the allele has in `to`; undefined for a name assigned later, or not the allele's
 * own.
 */
export function renamedSince(history: History, { input, to, accession, result }: Lifted): string | undefined {
  if (accession === null || result === null) return undefined
  const spellings = history.spellingsOf(accession)
  const now = spellings.find(
    ({ name, first, last }) => name === withoutPrefix(result) && isWithin(to, first, last),
  )
  const before = spellings.find(({ name }) => name === withoutPrefix(input))
  if (now === undefined) return undefined
  return before === undefined || compareReleases(before.first, now.first) < 0 ? now.first : undefined
}

function isWithin(release: string, first: string, last: string): boolean {
  return compareReleases(first, release) <= 0 && compareReleases(release, last) <= 0
}
