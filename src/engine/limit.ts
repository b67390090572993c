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

/** Characters: less than what a text may have, since what is made of an answer has more. */
export const LONGEST_ANSWER = 128 * 1024 ** 2

/** Where there is no limit of names. */
export function tooLong(): HlaError {
  const most = LONGEST_ANSWER.toLocaleString('en')
  return new HlaError('too-ambiguous', `the answer has more than ${most} characters`)
}

/** Before anything is made of the text. @throws {HlaError} too-ambiguous; a limit of 0 is none */
export function checkLeafCount(glString: string, engine: Engine): void {
  const { limit } = engine.options
  if (limit === 0 || glString.length < limit) return
  const leaves = countLeaves(glString)
  if (leaves > limit) throw tooAmbiguous(`the input has ${leaves.toLocaleString('en')} names`, engine)
}

function countLeaves(glString: string): number {
  let count = 1
  for (let at = 0; at < glString.length; at += 1) if (OPERATORS.has(glString.charCodeAt(at))) count += 1
  return count
}

const OPERATORS: ReadonlySet<number> = new Set(Array.from('^|+~/', (operator) => operator.charCodeAt(0)))
