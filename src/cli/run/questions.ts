/** Converts an operation's options, as commander parses them, to the questions asked about each typing. Pure. */
import { LENIENT, readLeniencies } from '../../engine/accept.ts'
import {
  ALL_METHODS,
  DEFAULT_METHOD,
  type Method,
  METHOD_NAMES,
  releaseMethods,
  parseMethod,
} from '../../engine/reduce/methods.ts'
import { hasHatsColumn, parseReleaseNumber } from '../../reference/release-number.ts'
import type { Operation } from '../../operations/operation.ts'
import { type CommandOptions, ownInput } from '../options/operation-options.ts'
import { engineInput } from '../options/engine-options.ts'
import { defined } from '../../options/option-row.ts'
import type { OperationQuestion } from '../../operations/operation-question.ts'

/**
 * One question per method. `all` is every method of the executor, known once that is open.
 * @throws {HlaError} unknown-method
 */
export function makeQuestions(
  operation: Operation,
  options: CommandOptions,
  all: readonly Method[] = METHOD_NAMES,
): OperationQuestion[] {
  const input = {
    ...engineInput(operation, options),
    ...readingInput(operation, options),
    ...options.leading,
    ...ownInput(operation, options),
  }
  if (!('reduction_method' in operation.input.properties)) return [{ method: undefined, input }]
  const names = options.method ?? [DEFAULT_METHOD]
  const methods = names.flatMap((name) =>
    name.toLowerCase() === ALL_METHODS ? ofBoth(all, options) : [parseMethod(name)],
  )
  return [...new Set(methods)].map((method) => ({ method, input: { ...input, reduction_method: method } }))
}

/** A comparison uses its own two releases, not the answering one. */
function ofBoth(all: readonly Method[], { leading }: CommandOptions): readonly Method[] {
  const { from_release: from, to_release: to } = leading
  if (typeof from !== 'string' || typeof to !== 'string') return all
  return releaseMethods([from, to].every((release) => hasHatsColumn(parseReleaseNumber(release))))
}

function readingInput(
  operation: Operation,
  { from, lift, accept, lenient }: CommandOptions,
): Record<string, unknown> {
  const { properties } = operation.input
  const leniencies = [...(accept ?? []), ...(lenient ? LENIENT : [])]
  const given = { from, lift, accept: leniencies.length === 0 ? undefined : readLeniencies(leniencies) }
  return defined(Object.fromEntries(Object.entries(given).filter(([name]) => name in properties)))
}
