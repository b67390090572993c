/** Inputs and answers with more names than the limit. */
import { HlaError } from '../errors.ts'
import type { Engine } from './engine.ts'

export interface NameLimit {
  /** Names; 0 is no limit. */
  readonly limit: number
  /** It was set by the operator of a service, and no request can raise it. */
  readonly isOperators: boolean
}

function limitIn({ options: { limit }, hasOperatorLimit }: Engine): NameLimit {
  return { limit, isOperators: hasOperatorLimit === true }
}

/** Characters: less than what a text may have, since what is made of an answer has more. */
export const LONGEST_ANSWER = 128 * 1024 ** 2

/** Where there is no limit of names. */
export function tooLong(): HlaError {
  const most = LONGEST_ANSWER.toLocaleString('en')
  return new HlaError('too-ambiguous', `the answer has more than ${most} characters`)
}

export function answerTooAmbiguous(engine: Engine): HlaError {
  return tooAmbiguous('the answer has too many names', limitIn(engine))
}

/** Before anything is made of the text. @throws {HlaError} too-ambiguous */
export function checkLeafCount(glString: string, engine: Engine): void {
  checkNames(glString, limitIn(engine))
}

/** Before anything is made of the text. @throws {HlaError} too-ambiguous */
export function checkNames(text: string, most: NameLimit): void {
  if (most.limit === 0 || text.length < most.limit) return
  const names = countNames(text)
  if (names > most.limit) throw tooAmbiguous(`the input has ${names.toLocaleString('en')} names`, most)
}

function countNames(text: string): number {
  let count = 1
  for (let at = 0; at < text.length; at += 1) if (OPERATORS.has(text.charCodeAt(at))) count += 1
  return count
}

const OPERATORS: ReadonlySet<number> = new Set(Array.from('^|+~/', (operator) => operator.charCodeAt(0)))

function tooAmbiguous(what: string, { limit, isOperators }: NameLimit): HlaError {
  const hint = isOperators
    ? 'the limit is that of the service, which its operator sets'
    : 'change it with --limit; --limit 0 removes it'
  return new HlaError('too-ambiguous', `${what}; the limit is ${limit.toLocaleString('en')}`, { hint })
}
