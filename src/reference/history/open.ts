/** Compiled history bytes -> `History`; only the list of releases is read at once. */
import { assured } from '../../errors.ts'
import { type HistoryColumns, openHistory } from './format.ts'
import type { Deletion, History, Spelling } from './model.ts'
import { accessionNumber, formatAccession } from './runs.ts'

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

interface DeletionIndex {
  readonly byName: ReadonlyMap<string, Deletion>
  readonly byAccession: ReadonlyMap<string, Deletion>
}

/** Some 270 lines, read on first use. Of two lines with one key, the first counts. */
function readDeletions(bytes: Uint8Array): DeletionIndex {
  const byName = new Map<string, Deletion>()
  const byAccession = new Map<string, Deletion>()
  for (const line of new TextDecoder().decode(bytes).split('\n')) {
    const [accession, name, description] = line.split('\t')
    if (accession === undefined || name === undefined || description === undefined) continue
    const deletion = { accession, name, description }
    if (!byName.has(name)) byName.set(name, deletion)
    if (!byAccession.has(accession)) byAccession.set(accession, deletion)
  }
  return { byName, byAccession }
}

/** Runs of this name, by first release. */
function findNameRuns(columns: HistoryColumns, name: string): number[] {
  return runsUnder(columns, name, true)
}

/** Runs whose name begins with `prefix`, or with `whole` equals it, by name. */
function runsUnder(columns: HistoryColumns, prefix: string, whole = false): number[] {
  const found: number[] = []
  for (let run = firstNotBelow(columns, prefix); run < columns.accessions.length; run += 1) {
    if (!startsWith(columns, run, prefix)) break
    if (whole && runLength(columns, run) !== prefix.length) break
    found.push(run)
  }
  return found
}

/** Runs of this accession number, by first release. */
function findAccessionRuns({ accessions, byAccession }: HistoryColumns, number: number): number[] {
  const accessionAt = (at: number) => accessions[byAccession[at] ?? 0] ?? 0
  const found: number[] = []
  for (
    let at = lowerBound(byAccession.length, (probe) => accessionAt(probe) < number);
    at < byAccession.length;
    at += 1
  ) {
    if (accessionAt(at) !== number) break
    found.push(byAccession[at] ?? 0)
  }
  return found
}

function firstNotBelow(columns: HistoryColumns, name: string): number {
  return lowerBound(columns.accessions.length, (run) => compareAt(columns, run, name) < 0)
}

/** Smallest position not below, in a list where all below come first. */
function lowerBound(length: number, isBelow: (at: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBelow(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** Compares the bytes in place, without making strings. */
function compareAt({ offsets, names }: HistoryColumns, run: number, name: string): number {
  const start = offsets[run] ?? 0
  const length = (offsets[run + 1] ?? 0) - start
  const shared = Math.min(length, name.length)
  for (let at = 0; at < shared; at += 1) {
    const difference = (names[start + at] ?? 0) - name.charCodeAt(at)
    if (difference !== 0) return difference
  }
  return length - name.length
}

function startsWith({ offsets, names }: HistoryColumns, run: number, prefix: string): boolean {
  const start = offsets[run] ?? 0
  if ((offsets[run + 1] ?? 0) - start < prefix.length) return false
  for (let at = 0; at < prefix.length; at += 1) {
    if (names[start + at] !== prefix.charCodeAt(at)) return false
  }
  return true
}

function runLength({ offsets }: HistoryColumns, run: number): number {
  return (offsets[run + 1] ?? 0) - (offsets[run] ?? 0)
}
