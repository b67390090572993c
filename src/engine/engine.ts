/** Engine: a release, its code list, the reading options and the name limit. Every operation takes one. */
import { advice, command, option } from '../advice.ts'
import { HlaError } from '../errors.ts'
import type { History } from '../reference/history/history.ts'
import type { MacTable } from '../reference/mac-table.ts'
import type { Release } from '../reference/release.ts'
import { type EngineMemory, makeMemory } from './memory.ts'
import { DEFAULT_OPTIONS, type EngineOptions } from './options.ts'
import { formatCount } from '../format-count.ts'

export interface Engine {
  readonly release: Release
  /** undefined when the release was installed without a code list. */
  readonly mac: MacTable | undefined
  readonly options: EngineOptions
  /** Earlier results. */
  readonly memory: EngineMemory
  /** True when the limit is the service operator's, not the caller's. */
  readonly hasOperatorLimit?: boolean
  /**
   * Earlier release whose names the members of codes and XX codes are, or `ANY_RELEASE`: renamed ones are read by their
   * present names. Omit to leave those out.
   */
  readonly membersOf?: string
  /** Names of all releases; undefined when their lists are not installed. Opened at first use. */
  readonly history?: (() => History | undefined) | undefined
}

export const ANY_RELEASE = 'any'

export function makeEngine(
  release: Release,
  mac?: MacTable,
  options: EngineOptions = DEFAULT_OPTIONS,
  history?: Engine['history'],
): Engine {
  // a name outside the starter set may exist in the release, under that or another name: nothing is guessed
  const isStarter = release.facts.dataset === 'starter'
  const read = isStarter ? { ...options, exact: true, strict: true } : options
  return { release, mac, options: read, memory: makeMemory(), history }
}

/** @throws {HlaError} no-data — installed with --no-mac */
export function requireMacTable({ mac }: Engine): MacTable {
  if (mac !== undefined) return mac
  throw new HlaError('no-data', 'no MAC list is installed', {
    hint: command('data mac'),
  })
}

/** `IPD-IMGT/HLA 3.58.0`, for messages. */
export function releaseTitle({ release }: Engine): string {
  const { dataset, label } = release.facts
  return dataset === 'starter' ? `the built-in starter set of ${label}` : `IPD-IMGT/HLA ${label}`
}

/** True where members of codes are names of one earlier release, each of which may have become another. */
export function hasFormerMembers({ membersOf }: Engine): boolean {
  return membersOf !== undefined && membersOf !== ANY_RELEASE
}

/** Title of the release whose names codes list. */
export function membersTitle(engine: Engine): string {
  return hasFormerMembers(engine) ? `IPD-IMGT/HLA ${engine.membersOf}` : releaseTitle(engine)
}

/** Limit of names in inputs and answers. */
interface NameLimit {
  /** Number of names; 0 means no limit. */
  readonly limit: number
  /** True when a service's operator set it and no request can raise it. */
  readonly isOperators: boolean
}

function limitIn({ options: { limit }, hasOperatorLimit }: Engine): NameLimit {
  return { limit, isOperators: hasOperatorLimit === true }
}

/** Characters; below the maximum string length, since output contains more than the answer. */
export const MAX_ANSWER_LENGTH = 128 * 1024 ** 2

/** Error for an answer too long without a limit of names. */
export function tooLongError(): HlaError {
  const most = formatCount(MAX_ANSWER_LENGTH)
  return new HlaError('too-ambiguous', `the answer has more than ${most} characters`)
}

export function answerTooAmbiguous(engine: Engine): HlaError {
  return tooAmbiguous('the answer has too many names', limitIn(engine))
}

/** Checks the number of leaves before processing. @throws {HlaError} too-ambiguous */
export function checkLeafCount(glString: string, engine: Engine): void {
  checkNames(glString, limitIn(engine))
}

/** Checks the number of names before processing. @throws {HlaError} too-ambiguous */
export function checkNames(text: string, most: NameLimit): void {
  if (most.limit === 0 || text.length < most.limit) return
  const names = countNames(text)
  if (names > most.limit) throw tooAmbiguous(`the input has ${formatCount(names)} names`, most)
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
  return new HlaError('too-ambiguous', `${what}; the limit is ${formatCount(limit)}`, { hint })
}
