/** Finding runs in the columns of a compiled history: by name, by the beginning of a name, by accession number. */
import type { HistoryColumns } from './format.ts'

/** The runs of this name, by first release. */
export function findNameRuns(columns: HistoryColumns, name: string): number[] {
  return runsUnder(columns, name, true)
}

/** The runs whose name begins with `prefix`, by name; with `whole`, whose name is it. */
export function runsUnder(columns: HistoryColumns, prefix: string, whole = false): number[] {
  const found: number[] = []
  for (let run = firstNotBelow(columns, prefix); run < columns.accessions.length; run += 1) {
    if (!startsWith(columns, run, prefix)) break
    if (whole && runLength(columns, run) !== prefix.length) break
    found.push(run)
  }
  return found
}

/** The runs of this accession number, by first release. */
export function findAccessionRuns({ accessions, byAccession }: HistoryColumns, number: number): number[] {
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

/** The smallest position that is not below, in a list where all that are below come first. */
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

/** Compares the bytes where they are: no text is made on the way. */
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
