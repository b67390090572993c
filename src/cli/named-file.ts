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

/** Lines with their numbers, without blank lines and comments. @throws {HlaError} not-found */
export function readNamedLines(file: string): { readonly text: string; readonly line: number }[] {
  const lines = readNamed(file).split('\n').map((text, at) => ({ text: text.trim(), line: at + 1 })) // prettier-ignore
  return lines.filter(({ text }) => text !== '' && !text.startsWith('#'))
}
