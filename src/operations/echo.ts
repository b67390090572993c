/** Parts of a question that its answer repeats, so that a client can match them. */
import { findMethod } from '../engine/reduce/methods.ts'
import { isRecord } from './http-face.ts'
import type { OperationRequest } from './operation-request.ts'
import type { Operation } from './operation.ts'
import { OPERATIONS } from './registry.ts'

export type Echo = Readonly<Record<string, string>>

/** Subject text, and the canonical method name: a batch line repeats these beside an error. */
export function questionEcho({ operation: name, input }: OperationRequest): Echo {
  const operation = OPERATIONS.find((one) => one.name === name)
  const subject = operation?.subject
  if (subject === undefined || !isRecord(input)) return {}
  const text = input[subject]
  const { reduction_method: given } = input
  const method = typeof given === 'string' ? findMethod(given) : undefined
  return {
    ...(typeof text === 'string' ? { [subject]: text } : {}),
    ...(method === undefined ? {} : { reduction_method: method }),
  }
}

/** Properties of a correct answer that follow from the question alone. */
export function answerEcho(operation: Operation, input: Readonly<Record<string, unknown>>): Echo {
  // the input belongs to this operation
  const echo = operation.repeats?.(input as never) ?? questionEcho({ operation: operation.name, input })
  return Object.fromEntries(Object.entries(echo).filter(([name]) => name in operation.output.properties))
}
