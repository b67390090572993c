/** History of names: accession number, release -> name; compiled and opened. */
import { compareText } from '../../nomenclature/order.ts'
import { encodeContainer } from '../format.ts'
import type { Deletion, ReleaseList } from './model.ts'
import { type Run, compileRuns } from './runs.ts'

export type { Deletion, History, ReleaseList, Spelling } from './model.ts'
export { readHistory } from './open.ts'
export { parseCodeRelease } from './release-label.ts'

/** Releases that one byte can index: twenty years more at four releases a year. */
const MAX_RELEASES = 256

/** Lists, rows and deletions may come in any order; each release at most once. */
export function encodeHistory(lists: readonly ReleaseList[], deletions: readonly Deletion[]): Uint8Array {
  const { releases, runs } = compileRuns(lists)
  if (new Set(releases).size !== releases.length) throw new Error('a release occurs twice')
  if (releases.length > MAX_RELEASES) throw new Error(`more than ${MAX_RELEASES} releases`)
  return encodeContainer(
    {},
    new Map(
      Object.entries({
        ...runColumns(runs),
        releases: Buffer.from(releases.join(' '), 'latin1'),
        names: Buffer.from(runs.map(({ name }) => name).join(''), 'latin1'),
        deletions: Buffer.from(formatDeletions(deletions), 'utf8'),
      }),
    ),
  )
}

/** Name of run `i`: `names[offsets[i]..offsets[i + 1]]`. `byAccession`: runs by accession number, then by first release. */
function runColumns(runs: readonly Run[]) {
  const offsets = new Uint32Array(runs.length + 1)
  for (const [at, { name }] of runs.entries()) offsets[at + 1] = (offsets[at] ?? 0) + name.length
  const order = (one: Run | undefined, other: Run | undefined) =>
    (one?.accession ?? 0) - (other?.accession ?? 0) || (one?.first ?? 0) - (other?.first ?? 0)
  return {
    offsets,
    accessions: Uint32Array.from(runs, ({ accession }) => accession),
    byAccession: Uint32Array.from(runs.keys()).sort((one, other) => order(runs[one], runs[other])),
    first: Uint8Array.from(runs, ({ first }) => first),
    last: Uint8Array.from(runs, ({ last }) => last),
  }
}

function formatDeletions(deletions: readonly Deletion[]): string {
  const lines = deletions.map(({ accession, name, description }) =>
    [accession, name, description].map((cell) => cell.replace(/[\t\r\n]/g, ' ')).join('\t'),
  )
  return lines.sort(compareText).join('\n')
}
