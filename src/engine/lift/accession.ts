/** Translating one allele, known by its accession number, to its name in a release. */
import type { Deletion, History, Spelling } from '../../reference/history/history.ts'
import { compareReleases } from '../../reference/release-number.ts'
import { failure, warning } from './lifted.ts'
import type { LiftOutcome } from './lifted.ts'
import { compareLifted } from './relation.ts'
import { locateSuccessor } from './successor.ts'

/** `name` is what the allele was called; `accession` may be one that only `Deleted_alleles.txt` knows. */
export function liftAccession(history: History, accession: string, name: string, to: string): LiftOutcome {
  const result = history.nameIn(to, accession)
  if (result !== undefined) return { accession, result, status: compareLifted(name, result), warnings: [] }
  const [first] = history.spellingsOf(accession)
  if (first !== undefined && compareReleases(to, first.first) < 0) {
    const message = `${name} (${accession}) is first named in ${first.first}, after ${to}`
    return failure('unknown', accession, warning('unknown-allele', message, name))
  }
  return liftDeleted(history, accession, name, to)
}

/** Another allele with the same text in `to`, which a reader of that release would take for this one. */
export function reissueIn(history: History, accession: string | null, name: string, to: string) {
  const owner = history.accessionIn(to, name)
  if (owner === undefined || owner === accession) return []
  return [warning('reissued', `${name} is a different allele in ${to} (${owner})`, name)]
}

/** `3.25.0` or `3.26.0 to 3.31.0` */
export function formatRange({ first, last }: Spelling): string {
  return first === last ? first : `${first} to ${last}`
}

/** The row may be filed under the number or, where the number was given up with it, under the name. */
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
