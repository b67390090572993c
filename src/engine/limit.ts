/** Inputs and answers with more names than the limit. */
import { HlaError } from '../errors.ts'

/** `what` has too many names: `the answer`. */
export function tooAmbiguous(what: string, limit: number): HlaError {
  const hint = 'the option limit sets another number, and 0 none; a service keeps to that of its operator'
  const message = `${what}; the limit is ${limit.toLocaleString('en')}`
  return new HlaError('too-ambiguous', message, { hint })
}

/** @throws {HlaError} too-ambiguous; a limit of 0 is none */
export function checkLeafCount(leaves: number, limit: number): void {
  if (limit === 0 || leaves <= limit) return
  throw tooAmbiguous(`the input has ${leaves.toLocaleString('en')} names`, limit)
}
