/** What became of a deleted allele, from the words of `Deleted_alleles.txt`. */
import type { History } from '../../reference/history/history.ts'

/** `identical to [corrected [sequence of]] X`, `renamed X`, `partial of newly named X`: the first that is there. */
const SUCCESSOR =
  /\b(?:identical to(?: corrected)?(?: sequence of)?|renamed|newly named)\s+([A-Za-z0-9]+\*[0-9A-Z:]+)/

/** The name a description gives instead: `Sequence renamed A*24:329Q (October 2019)` gives `A*24:329Q`. */
export function parseSuccessor(description: string): string | undefined {
  return SUCCESSOR.exec(description)?.[1]
}

/**
 * That allele's name in release `to`: the descriptions use the names of their day, which may have changed since, and
 * the successor may be deleted too (Cw*0422 → Cw*0421 → C*04:15:02).
 */
export function locateSuccessor(history: History, description: string, to: string): string | undefined {
  const seen = new Set<string>()
  let words: string | undefined = description
  while (words !== undefined) {
    const name = parseSuccessor(words)
    if (name === undefined || seen.has(name)) return undefined
    seen.add(name)
    const accession = findOwner(history, name, to)
    const found = accession === undefined ? undefined : history.nameIn(to, accession)
    if (found !== undefined) return found
    if (history.spellingsUnder(`${name}:`).some(({ name: full }) => history.accessionIn(to, full)))
      return name
    words = findDeletion(history, accession, name)
  }
  return undefined
}

function findOwner(history: History, name: string, to: string): string | undefined {
  const owners = new Set(history.ownersOf(name).map(({ accession }) => accession))
  return history.accessionIn(to, name) ?? (owners.size === 1 ? [...owners][0] : undefined)
}

function findDeletion(history: History, accession: string | undefined, name: string): string | undefined {
  const own = accession === undefined ? undefined : history.deletionOfAccession(accession)
  return (own ?? history.deletionOf(name))?.description
}
