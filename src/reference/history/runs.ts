/** Allele lists of many releases -> runs: one entry per range of releases with an unchanged name. */
import { HlaError } from '../../errors.ts'
import { compareText } from '../../nomenclature/order.ts'
import { compareReleases } from '../release-number.ts'
import type { ReleaseList } from './model.ts'

export interface Run {
  /** `HLA00001` is 1. */
  readonly accession: number
  readonly name: string
  /** Positions in the list of releases, inclusive. */
  readonly first: number
  last: number
}

export interface Runs {
  /** Labels, ascending. */
  readonly releases: readonly string[]
  /** By name (code points), then by first release. */
  readonly runs: readonly Run[]
}

/** @throws {HlaError} bad-release-file — an accession number not in the form `HLA00001` */
export function compileRuns(lists: readonly ReleaseList[]): Runs {
  const ordered = [...lists].sort((a, b) => compareReleases(a.release, b.release))
  const open = new Map<string, Run>()
  const runs: Run[] = []
  for (const [release, { rows }] of ordered.entries()) {
    for (const [accession, name] of rows) {
      const run = open.get(accession)
      if (run !== undefined && run.name === name && run.last >= release - 1) {
        run.last = release
        continue
      }
      const next = { accession: parseAccession(accession), name, first: release, last: release }
      open.set(accession, next)
      runs.push(next)
    }
  }
  return { releases: ordered.map(({ release }) => release), runs: runs.sort(compareRuns) }
}

/** `HLA00001` is 1. The text is always `HLA` and at least five digits, so the number suffices. */
export function parseAccession(accession: string): number {
  const number = accessionNumber(accession)
  if (number !== undefined) return number
  throw new HlaError('bad-release-file', `"${accession}" is not an accession number`, {
    offending: accession,
  })
}

/** undefined when the text is not an accession number. */
export function accessionNumber(accession: string): number | undefined {
  const number = /^HLA\d{5,9}$/.test(accession) ? Number(accession.slice(3)) : undefined
  return number !== undefined && formatAccession(number) === accession ? number : undefined
}

export function formatAccession(number: number): string {
  return `HLA${String(number).padStart(5, '0')}`
}

function compareRuns(a: Run, b: Run): number {
  return compareText(a.name, b.name) || a.first - b.first || a.accession - b.accession
}
