/** Engine: a release, the code list beside it, and how to read. Everything that answers takes one. */
import { HlaError } from '../errors.ts'
import type { MacTable } from '../reference/mac-table.ts'
import type { Release } from '../reference/release.ts'
import { DEFAULT_OPTIONS, type EngineOptions } from './options.ts'

export interface Engine {
  readonly release: Release
  /** undefined when the release was installed without a code list. */
  readonly mac: MacTable | undefined
  readonly options: EngineOptions
  /** The limit is not of who asks, but of who serves. */
  readonly hasOperatorLimit?: boolean
}

export function makeEngine(
  release: Release,
  mac?: MacTable,
  options: EngineOptions = DEFAULT_OPTIONS,
): Engine {
  // what the starter set does not hold exactly may exist in the release, under that name or another: nothing is guessed
  const isStarter = release.facts.dataset === 'starter'
  return { release, mac, options: isStarter ? { ...options, exact: true, strict: true } : options }
}

/** @throws {HlaError} no-data — installed with --no-mac */
export function requireMacTable({ mac }: Engine): MacTable {
  if (mac !== undefined) return mac
  throw new HlaError('no-data', 'no MAC list is installed', { hint: 'hla data mac <numer.v3.zip or URL>' })
}

/** `IPD-IMGT/HLA 3.58.0`, for messages. */
export function releaseTitle({ release }: Engine): string {
  const { dataset, label } = release.facts
  return dataset === 'starter' ? `the built-in starter set of ${label}` : `IPD-IMGT/HLA ${label}`
}
