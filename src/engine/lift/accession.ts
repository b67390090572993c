/** Translation of one allele, by accession number, to its name in a release. */
import type { Deletion, History, Spelling } from '../../reference/history/history.ts'
import { compareReleases } from '../../reference/release-number.ts'
import { type LiftOutcome, failure, warning } from './lifted.ts'
import { compareLifted } from './relation.ts'

/** `name` is the allele's former name; `accession` may be known to `Deleted_alleles.txt` only. */
export function liftAccession(history: History, accession: string, name: string, to: string): LiftOutcome {
  const result = history.nameIn(to, accession)
  if (result !== undefined) return { accession, result, status: compareLifted(name, result), warnings: [] }
  const [first] = history.spellingsOf(accession)
  if (first !== undefined && compareReleases(to, first.first) < 0) {
    const message = `${name} (${accession}) got its first name in ${first.first}, which is later than ${to}`
    return failure('unknown', accession, warning('unknown-allele', message, name))
  }
  return liftDeleted(history, accession, name, to)
}

/** Warning for another allele of the same name in `to`, which a reader of that release would take for this one. */
export function warnOfReissue(history: History, accession: string | null, name: string, to: string) {
  const owner = history.accessionIn(to, name)
  if (owner === undefined || owner === accession) return []
  return [warning('reissued', `${name} is a different allele in ${to} (${owner})`, name)]
}

/** `3.25.0` or `3.26.0 to 3.31.0` */
export function formatRange({ first, last }: Spelling): string {
  return first === last ? first : `${first} to ${last}`
}

/** Deletion row, filed under the number or, where the number was withdrawn too, under the name. */
function deletionFor(history: History, accession: string, name: string): Deletion | undefined {
  return history.deletionOfAccession(accession) ?? history.deletionOf(name)
}

function liftDeleted(history: History, accession: string, name: string, to: string): LiftOutcome {
  const description = deletionFor(history, accession, name)?.description
  const reason = description === undefined ? '' : `: "${description}"`
  const gone = warning('deleted-allele', `${name} (${accession}) is not in ${to}${reason}`, name)
  const result = description === undefined ? undefined : locateSuccessor(history, description, to)
  if (result !== undefined) return { accession, result, status: 'merged', warnings: [gone] }
  const isTaken = history.accessionIn(to, name) !== undefined
  return failure(isTaken ? 'reissued' : 'deleted', accession, gone)
}

/** `identical to [corrected [sequence of]] X`, `renamed X`, `partial of newly named X`: the first match. */
const SUCCESSOR =
  /\b(?:identical to(?: corrected)?(?: sequence of)?|renamed|newly named)\s+([A-Za-z0-9]+\*[0-9A-Z:]+)/

/** Name given in a deletion's description: `Sequence renamed A*24:329Q (October 2019)` gives `A*24:329Q`. */
export function parseSuccessor(description: string): string | undefined {
  return SUCCESSOR.exec(description)?.[1]
}

/**
 * The successor's name in release `to`: descriptions use the names of their time, which may have changed since, and the
 * successor may be deleted too (Cw*0422 → Cw*0421 → C*04:15:02).
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
    if (history.hasSpellingUnder(`${name}:`, ({ name: full }) => history.accessionIn(to, full) !== undefined))
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
