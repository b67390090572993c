/** What a run does not try, since something is missing on this machine; its summary names it.  [disk] */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const list = () => join(process.env['HLA_TEST_RUN'] ?? '', 'skipped')

export function noteSkipped(what: string): void {
  process.stderr.write(`skipped: ${what}\n`)
  if (process.env['HLA_TEST_RUN'] !== undefined) appendFileSync(list(), `${what}\n`)
}

/** Noted in this run so far. */
export function readSkipped(): string[] {
  if (!existsSync(list())) return []
  return [...new Set(readFileSync(list(), 'utf8').trimEnd().split('\n'))].toSorted()
}
