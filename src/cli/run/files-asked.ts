/** The files that options of one command line name: no two may be the same. */
import { type NamedFile, refuseClashes } from './clashing-files.ts'
import { parseSummary } from './table/table-requests.ts'
import type { CommandOptions } from '../options/declare/operation.ts'

/** @throws {HlaError} usage — a file would be overwritten that is read, or written for another option */
export function refuseClashingFiles(options: CommandOptions): void {
  const { input = [], planFrom, output, errors, provenance, summary } = options
  const summaryFile = typeof summary === 'string' ? parseSummary(summary).file : undefined
  refuseClashes(
    [...input.flatMap((file) => named('-i', file)), ...named('--plan-from', planFrom)],
    [
      ...named('-o', output),
      ...named('--errors', errors),
      ...named('--provenance', provenance),
      ...named('--summary', summaryFile),
    ],
  )
}

function named(option: string, file: unknown): NamedFile[] {
  return typeof file === 'string' ? [{ option, file }] : []
}
