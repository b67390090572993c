/** The codes of releases in file names and column headers (`3290`), of the time before 3.0.0 too. */
import { HlaError } from '../../errors.ts'

/** The lists of release 3.13.0 were published again as 3131; every other file of that release says 3.13.0. */
const CODE_EXCEPTIONS: ReadonlyMap<string, string> = new Map([['3131', '3.13.0']])

/**
 * `3290` is `3.29.0`, `300` is `3.0.0`, `2221` is `2.22.1`.
 * @throws {HlaError} bad-release-file — when it is no such code
 */
export function parseCodeRelease(code: string): string {
  const text = code.trim()
  const [, major, minor, patch] = /^(\d)(\d+)(\d)$/.exec(text) ?? []
  if (major === undefined || minor === undefined || patch === undefined) {
    throw new HlaError('bad-release-file', `"${text}" is not a release number`, { offending: text })
  }
  return CODE_EXCEPTIONS.get(text) ?? `${major}.${Number(minor)}.${patch}`
}
