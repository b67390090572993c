/** Release codes in file names and column headers (`3290`), including those before 3.0.0. */
import { HlaError } from '../../errors.ts'

/** The lists of release 3.13.0 were republished as 3131; every other file of that release says 3.13.0. */
const CODE_EXCEPTIONS: ReadonlyMap<string, string> = new Map([['3131', '3.13.0']])

/**
 * `3290` is `3.29.0`, `300` is `3.0.0`, `2221` is `2.22.1`.
 * @throws {HlaError} bad-release-file — not such a code
 */
export function parseCodeRelease(code: string): string {
  const text = code.trim()
  const [, major, minor, patch] = /^(\d)(\d+)(\d)$/.exec(text) ?? []
  if (major === undefined || minor === undefined || patch === undefined) {
    throw new HlaError('bad-release-file', `"${text}" is not a release number`, { offending: text })
  }
  return CODE_EXCEPTIONS.get(text) ?? `${major}.${Number(minor)}.${patch}`
}
