/** Compiled history bytes -> `History`; only the list of releases is read at once. */
import { assured } from '../../errors.ts'
import { spellRecord } from '../../nomenclature/version2.ts'
import { type Container, openContainer } from '../format.ts'
import { lowerBound } from '../lower-bound.ts'
import type { Pages } from '../pages.ts'
import type { Deletion, History, Spelling } from './model.ts'
import { accessionNumber, formatAccession } from './runs.ts'

/** Run `i` is entry `i` of each column; its name is `names[offsets[i]..offsets[i + 1]]`, in ASCII. */
interface HistoryColumns {
  readonly offsets: Uint32Array
  readonly accessions: Uint32Array
  /** Runs by accession number, then by first release. */
  readonly byAccession: Uint32Array
  /** Positions in the list of releases. */
  readonly first: Uint8Array
  readonly last: Uint8Array
  readonly names: Uint8Array
  readonly pages: Pages
}

/**
 * `remake` and `load` as in `readRelease`.
 * @throws {HlaError} unknown-format, truncated-file; checksum-mismatch, at any question too
 */
export function readHistory(
  given: Uint8Array,
  remake?: () => Uint8Array,
  load?: (from: number, to: number) => void,
): History {
  const bytes = given.byteOffset % 4 === 0 ? given : given.slice()
  const container = openContainer(bytes, remake, load)
  const columns = openColumns(container)
  const names = Buffer.from(columns.names.buffer, columns.names.byteOffset, columns.names.length)
  const releases = wholeOf(container, 'releases').toString('latin1').split(' ').filter(Boolean)
  const positions = new Map(releases.map((release, at) => [release, at]))
  let rows: ReadonlyMap<string, Deletion> | undefined
  const deletions = () => (rows ??= readDeletions(wholeOf(container, 'deletions').toString()))

  const nameAt = (run: number) => names.toString('latin1', ...nameRange(columns, run))
  const releaseAt = (position: number) =>
    assured(releases[position], 'a run of names begins and ends in a release of the list')
  const accessionAt = (run: number) => formatAccession(at(columns, 'accessions', run))
  const spellingAt = (run: number): Spelling => ({
    accession: accessionAt(run),
    name: nameAt(run),
    first: releaseAt(at(columns, 'first', run)),
    last: releaseAt(at(columns, 'last', run)),
  })
  const runsOf = (accession: string) => {
    const number = accessionNumber(accession)
    return number === undefined ? [] : findAccessionRuns(columns, number)
  }
  const runIn = (release: string, runs: readonly number[]) => {
    const position = positions.get(release) ?? -1
    return runs.find((run) => at(columns, 'first', run) <= position && position <= at(columns, 'last', run))
  }

  return {
    releases,
    ownersOf: (name) => findNameRuns(columns, name).map(spellingAt),
    spellingsOf: (accession) => runsOf(accession).map(spellingAt),
    spellingsUnder: (prefix) => [...runsUnder(columns, prefix)].map(spellingAt),
    hasSpellingUnder(prefix, accept = () => true) {
      for (const run of runsUnder(columns, prefix)) if (accept(spellingAt(run))) return true
      return false
    },
    accessionIn: (release, name) => mapped(runIn(release, findNameRuns(columns, name)), accessionAt),
    nameIn: (release, accession) => mapped(runIn(release, runsOf(accession)), nameAt),
    deletionOf: (name) => deletions().get(name),
    deletionOfAccession: (accession) => deletions().get(accession),
  }
}

function openColumns(container: Container): HistoryColumns {
  return {
    offsets: container.u32('offsets'),
    accessions: container.u32('accessions'),
    byAccession: container.u32('byAccession'),
    first: container.u8('first'),
    last: container.u8('last'),
    names: container.u8('names'),
    pages: container.pages,
  }
}

/** A section as a whole, which may be read. */
function wholeOf(container: Container, name: string): Buffer {
  const array = container.u8(name)
  if (array.length > 0) container.pages.need(array, 0, array.length)
  return Buffer.from(array.buffer, array.byteOffset, array.length)
}

/** An entry of a column, whose page was compared with its sum. */
function at(columns: HistoryColumns, column: Exclude<keyof HistoryColumns, 'pages'>, place: number): number {
  const { [column]: array, pages } = columns
  if (!pages.isWhole) pages.need(array, place, place + 1)
  return array[place] ?? 0
}

/** Where the name of a run begins and ends in `names`; its bytes may be read. */
function nameRange(columns: HistoryColumns, run: number): readonly [start: number, end: number] {
  const range = [at(columns, 'offsets', run), at(columns, 'offsets', run + 1)] as const
  if (!columns.pages.isWhole) columns.pages.need(columns.names, ...range)
  return range
}

function mapped(run: number | undefined, map: (run: number) => string): string | undefined {
  return run === undefined ? undefined : map(run)
}

/** Rows by accession, by name and by the name's present spelling, in this order of precedence; the first of each counts. */
function readDeletions(text: string): ReadonlyMap<string, Deletion> {
  const rows = text.split('\n').flatMap((line) => {
    const [accession, name, description] = line.split('\t')
    return accession === undefined || name === undefined || description === undefined
      ? []
      : [{ accession, name, description }]
  })
  const byKey = new Map<string, Deletion>()
  const keep = (key: string, row: Deletion) => void (byKey.has(key) || byKey.set(key, row))
  for (const row of rows) for (const key of [row.accession, row.name]) keep(key, row)
  for (const row of rows) keep(spellRecord(row.name), row)
  return byKey
}

/** Runs of this name, by first release. */
function findNameRuns(columns: HistoryColumns, name: string): number[] {
  return [...runsUnder(columns, name, true)]
}

/** Runs whose name begins with `prefix`, or with `whole` equals it, by name. */
function* runsUnder(columns: HistoryColumns, prefix: string, whole = false): Generator<number> {
  const { length } = columns.accessions
  const start = lowerBound(length, (run) => compareAt(columns, run, prefix) < 0)
  for (let run = start; run < length; run += 1) {
    if (!startsWith(columns, run, prefix)) break
    if (whole && runLength(columns, run) !== prefix.length) break
    yield run
  }
}

/** Runs of this accession number, by first release. */
function findAccessionRuns(columns: HistoryColumns, number: number): number[] {
  const { length } = columns.byAccession
  const accessionAt = (place: number) => at(columns, 'accessions', at(columns, 'byAccession', place))
  const found: number[] = []
  const start = lowerBound(length, (probe) => accessionAt(probe) < number)
  for (let place = start; place < length && accessionAt(place) === number; place += 1)
    found.push(at(columns, 'byAccession', place))
  return found
}

/** Compares the bytes where they are: no text is made on the way. */
function compareAt(columns: HistoryColumns, run: number, name: string): number {
  const [start, end] = nameRange(columns, run)
  const shared = Math.min(end - start, name.length)
  for (let place = 0; place < shared; place += 1) {
    const difference = (columns.names[start + place] ?? 0) - name.charCodeAt(place)
    if (difference !== 0) return difference
  }
  return end - start - name.length
}

function startsWith(columns: HistoryColumns, run: number, prefix: string): boolean {
  const [start, end] = nameRange(columns, run)
  if (end - start < prefix.length) return false
  for (let place = 0; place < prefix.length; place += 1) {
    if (columns.names[start + place] !== prefix.charCodeAt(place)) return false
  }
  return true
}

function runLength(columns: HistoryColumns, run: number): number {
  return at(columns, 'offsets', run + 1) - at(columns, 'offsets', run)
}
