/** Bytes of a compiled history to a `History`; nothing is read before it is asked for but the list of releases. */
import { assured } from '../../errors.ts'
import { readDeletions } from './deletions.ts'
import type { DeletionIndex } from './deletions.ts'
import { openHistory } from './format.ts'
import type { History, Spelling } from './model.ts'
import { accessionNumber, formatAccession } from './runs.ts'
import { findAccessionRuns, findNameRuns, runsUnder } from './search.ts'

/** @throws {HlaError} unknown-format, truncated-file */
export function readHistory(bytes: Uint8Array): History {
  const columns = openHistory(bytes)
  const names = Buffer.from(columns.names.buffer, columns.names.byteOffset, columns.names.length)
  const releases = Buffer.from(columns.releases).toString('latin1').split(' ').filter(Boolean) // prettier-ignore
  const positions = new Map(releases.map((release, at) => [release, at]))
  let index: DeletionIndex | undefined
  const deletions = () => (index ??= readDeletions(columns.deletions))

  const nameAt = (run: number) => names.toString('latin1', columns.offsets[run], columns.offsets[run + 1])
  const releaseAt = (position: number | undefined) =>
    assured(releases[position ?? -1], 'a run of names begins and ends in a release of the list')
  const accessionAt = (run: number) => formatAccession(columns.accessions[run] ?? 0)
  const spellingAt = (run: number): Spelling => ({
    accession: accessionAt(run),
    name: nameAt(run),
    first: releaseAt(columns.first[run]),
    last: releaseAt(columns.last[run]),
  })
  const runsOf = (accession: string) => {
    const number = accessionNumber(accession)
    return number === undefined ? [] : findAccessionRuns(columns, number)
  }
  const runIn = (release: string, runs: readonly number[]) => {
    const position = positions.get(release) ?? -1
    return runs.find((run) => (columns.first[run] ?? 0) <= position && position <= (columns.last[run] ?? 0))
  }

  return {
    releases,
    ownersOf: (name) => findNameRuns(columns, name).map(spellingAt),
    spellingsOf: (accession) => runsOf(accession).map(spellingAt),
    spellingsUnder: (prefix) => runsUnder(columns, prefix).map(spellingAt),
    accessionIn: (release, name) => mapped(runIn(release, findNameRuns(columns, name)), accessionAt),
    nameIn: (release, accession) => mapped(runIn(release, runsOf(accession)), nameAt),
    deletionOf: (name) => deletions().byName.get(name),
    deletionOfAccession: (accession) => deletions().byAccession.get(accession),
  }
}

function mapped(run: number | undefined, map: (run: number) => string): string | undefined {
  return run === undefined ? undefined : map(run)
}
