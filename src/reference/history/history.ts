/** History of names: accession number, release -> name; compiled and opened. */
import { compareText } from '../../nomenclature/order.ts'
import { type HistoryColumns, allocateHistory, sealHistory } from './format.ts'
import type { Deletion, ReleaseList } from './model.ts'
import { type Run, compileRuns } from './runs.ts'

export type { Deletion, History, ReleaseList, Spelling } from './model.ts'
export { readHistory } from './open.ts'
export { parseCodeRelease } from './release-label.ts'

/** Releases that one byte can index: twenty years more at four releases a year. */
const MOST_RELEASES = 256

/** Lists, rows and deletions may come in any order; each release at most once. */
export function encodeHistory(lists: readonly ReleaseList[], deletions: readonly Deletion[]): Uint8Array {
  const { releases, runs } = compileRuns(lists)
  if (new Set(releases).size !== releases.length) throw new Error('a release is there twice')
  if (releases.length > MOST_RELEASES) throw new Error(`more than ${MOST_RELEASES} releases`)
  const texts = {
    releases: Buffer.from(releases.join(' '), 'latin1'),
    names: Buffer.from(runs.map(({ name }) => name).join(''), 'latin1'),
    deletions: Buffer.from(formatDeletions(deletions), 'utf8'),
  }
  const { bytes, columns } = allocateHistory({
    runs: runs.length,
    releases: texts.releases.length,
    names: texts.names.length,
    deletions: texts.deletions.length,
  })
  columns.releases.set(texts.releases)
  columns.names.set(texts.names)
  columns.deletions.set(texts.deletions)
  fillRuns(columns, runs)
  sealHistory(bytes)
  return bytes
}

function fillRuns(
  { offsets, accessions, byAccession, first, last }: HistoryColumns,
  runs: readonly Run[],
): void {
  let end = 0
  for (const [at, run] of runs.entries()) {
    end += run.name.length
    offsets[at + 1] = end
    accessions[at] = run.accession
    first[at] = run.first
    last[at] = run.last
    byAccession[at] = at
  }
  byAccession.sort((a, b) => (accessions[a] ?? 0) - (accessions[b] ?? 0) || (first[a] ?? 0) - (first[b] ?? 0))
}

function formatDeletions(deletions: readonly Deletion[]): string {
  const lines = deletions.map(({ accession, name, description }) =>
    [accession, name, description].map((cell) => cell.replace(/[\t\r\n]/g, ' ')).join('\t'),
  )
  return lines.sort(compareText).join('\n')
}
