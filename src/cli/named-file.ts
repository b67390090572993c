/** Reads a file named by the command line, the environment or a setting.  [disk] */
import { readFileSync } from 'node:fs'
import { HlaError, errorReason } from '../errors.ts'

/** @throws {HlaError} not-found */
export function readNamed(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new HlaError('not-found', `cannot read ${file}: ${errorReason(error)}`, {
      offending: file,
      cause: error,
    })
  }
}
