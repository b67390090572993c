/** The options of an operation as commander gives them -> the questions that are asked about each typing. Pure. */
import { LENIENT, readLeniencies } from '../../engine/accept.ts'
import { CONTRACT_METHODS, DEFAULT_METHOD, parseMethod } from '../../engine/reduce/methods.ts'
import type { Operation } from '../../operations/operation.ts'
import type { CommandOptions } from '../options/declare/operation.ts'
import { engineInput } from '../options/engine-options.ts'
import { defined } from '../options/options.ts'
import { ownInput } from '../options/own-options.ts'
import type { Question } from './run-operation.ts'

/** One question a method; `all` is every method of the contract. */
export function questionsOf(operation: Operation, options: CommandOptions): Question[] {
  const input = {
    ...engineInput(operation, options),
    ...readingInput(operation, options),
    ...options.leading,
    ...ownInput(operation, options),
  }
  if (!('reduction_method' in operation.input.properties)) return [{ method: undefined, input }]
  const names = options.method ?? [DEFAULT_METHOD]
  const methods = names.flatMap((name) => (name === 'all' ? CONTRACT_METHODS : [parseMethod(name)]))
  return [...new Set(methods)].map((method) => ({ method, input: { ...input, reduction_method: method } }))
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
