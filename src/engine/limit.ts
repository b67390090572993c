/** Inputs and answers with more names than the limit. */
import { HlaError } from '../errors.ts'
import type { Engine } from './engine.ts'

/** `what` has too many names: `the answer`. */
export function tooAmbiguous(what: string, { options: { limit }, hasOperatorLimit }: Engine): HlaError {
  const hint =
    hasOperatorLimit === true
      ? 'the limit is that of the service, which its operator sets with --max-alleles'
      : 'change it with --limit; --limit 0 removes it'
  return new HlaError('too-ambiguous', `${what}; the limit is ${limit.toLocaleString('en')}`, { hint })
}

/** @throws {HlaError} too-ambiguous; a limit of 0 is none */
export function checkLeafCount(leaves: number, engine: Engine): void {
  const { limit } = engine.options
  if (limit === 0 || leaves <= limit) return
  throw tooAmbiguous(`the input has ${leaves.toLocaleString('en')} names`, engine)
}
