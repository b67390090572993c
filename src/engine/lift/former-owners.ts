/** Names that were given twice: a name of the release that was another allele's in an earlier one. */
import type { Note } from '../../errors.ts'
import type { History } from '../../reference/history/history.ts'
import { compareReleases } from '../../reference/release-number.ts'
import { formatRange, liftAccession } from './accession.ts'
import { splitSuffix } from './relation.ts'

/** `name` is one of `release`, or the beginning of some. Undefined: it never meant another allele. */
export function findFormerOwners(
  history: History,
  name: string,
  release: string,
): Pick<Note, 'message' | 'suggestions' | 'facts'> | undefined {
  const owners = history
    .ownersOf(name)
    .filter(({ first }) => compareReleases(first, release) < 0)
    // a merged allele is now the other
    .map((owner) => ({ ...owner, now: liftAccession(history, owner.accession, name, release).result }))
    .filter(({ now }) => !isUnder(now, name))
  const latest = owners.at(-1)
  if (latest === undefined) return undefined
  const said = owners.map((owner) => `in ${formatRange(owner)} ${owner.accession}, ${owner.now === null ? 'deleted since' : `now ${owner.now}`}`) // prettier-ignore
  const { accession, last, now } = latest
  const facts = { accession, last, ...(now === null ? {} : { successor: now }) }
  return { message: `${name} was another allele's name: ${said.join('; ')}`, suggestions: [], facts }
}

/** Whether `short` is the allele's name, or its first fields, with or without the expression letter. */
function isUnder(full: string | null, short: string): boolean {
  if (full === null) return false
  if (full === short) return true
  const [long, part] = [splitSuffix(full), splitSuffix(short)]
  return long.stem.startsWith(`${part.stem}:`) && (part.letter === '' || part.letter === long.letter)
}
