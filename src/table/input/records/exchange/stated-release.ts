/** The release that a document states for its typings. Pure. */
import { isHlaError } from '../../../../errors.ts'
import { parseReleaseNumber } from '../../../../reference/release-number.ts'

/** `IMGT/HLA 3.25.0` or `3.25.0` -> `3.25.0`; undefined: of another database, or no number of a release. */
export function hlaRelease(name: string): string | undefined {
  const [, number] = /^(?:IMGT\/HLA )?(\S+)$/.exec(name) ?? []
  try {
    return number === undefined ? undefined : parseReleaseNumber(number).label
  } catch (error) {
    if (isHlaError(error)) return undefined
    throw error
  }
}
