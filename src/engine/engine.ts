/** Engine: a release, the code list beside it, how to read, and how many names at most. Everything that answers takes one. */
import { advice, command, option } from '../advice.ts'
import { HlaError } from '../errors.ts'
import type { History } from '../reference/history/history.ts'
import type { MacTable } from '../reference/mac-table.ts'
import type { Release } from '../reference/release.ts'
import { type EngineMemory, makeMemory } from './memory.ts'
import { DEFAULT_OPTIONS, type EngineOptions } from './options.ts'

export interface Engine {
  readonly release: Release
  /** undefined when the release was installed without a code list. */
  readonly mac: MacTable | undefined
  readonly options: EngineOptions
  /** What was answered before. */
  readonly memory: EngineMemory
  /** The limit is not of who asks, but of who serves. */
  readonly hasOperatorLimit?: boolean
  /** Members of codes that are called otherwise now are read by their present names; else they are left out. */
  readonly liftsMembers?: boolean
  /** Names of all releases; undefined when their lists were not installed. Opened at first use. */
  readonly history?: (() => History | undefined) | undefined
}

export function makeEngine(
  release: Release,
  mac?: MacTable,
  options: EngineOptions = DEFAULT_OPTIONS,
  history?: Engine['history'],
): Engine {
  // what the starter set does not hold exactly may exist in the release, under that name or another: nothing is guessed
  const isStarter = release.facts.dataset === 'starter'
  const read = isStarter ? { ...options, exact: true, strict: true } : options
  return { release, mac, options: read, memory: makeMemory(), history }
}

/** @throws {HlaError} no-data — installed with --no-mac */
export function requireMacTable({ mac }: Engine): MacTable {
  if (mac !== undefined) return mac
  throw new HlaError('no-data', 'no MAC list is installed', {
    hint: command('data mac', { form: '<numer.v3.zip or URL>' }),
  })
}

/** `IPD-IMGT/HLA 3.58.0`, for messages. */
export function releaseTitle({ release }: Engine): string {
  const { dataset, label } = release.facts
  return dataset === 'starter' ? `the built-in starter set of ${label}` : `IPD-IMGT/HLA ${label}`
}

/** Inputs and answers with more names than the limit. */
interface NameLimit {
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

const OPERATORS: ReadonlySet<number> = new Set(Array.from('?^|+~/', (operator) => operator.charCodeAt(0)))

function tooAmbiguous(what: string, { limit, isOperators }: NameLimit): HlaError {
  const hint = isOperators
    ? 'the limit is that of the service, which its operator sets'
    : advice`change it with ${option('limit')}; ${option('limit', '0')} removes it`
  return new HlaError('too-ambiguous', `${what}; the limit is ${limit.toLocaleString('en')}`, { hint })
}
