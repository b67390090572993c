/** Executor: who answers operations, here or far away. */
import type { OperationRequest } from './operation-request.ts'
import { type CheckedInput, readInput } from './read-input.ts'
import type { Operation } from './operation.ts'
import type { Knowledge } from './knowledge.ts'
import { type KnownCodes, knownCodes } from './answers/known-codes.ts'
import { operationNamed } from './registry.ts'

export interface Executor {
  /**
   * The output of an operation.
   * @throws {HlaError} whatever is wrong with the input
   */
  readonly execute: (operation: string, input: unknown) => unknown
  /** Where each question costs a journey: asks them together; the executor it gives knows these answers, and no others. */
  readonly ahead?: (questions: readonly OperationRequest[]) => Promise<Executor>
  /** For who asks `input` of very many codes; undefined where there is no shorter way than `execute`. */
  readonly codes?: (operation: string, input: Readonly<Record<string, unknown>>) => KnownCodes | undefined
}

/** An executor that answers these questions at once: itself, where it is here. */
export function readyExecutor(
  executor: Executor,
  questions: () => readonly OperationRequest[],
): Promise<Executor> | Executor {
  return executor.ahead === undefined ? executor : executor.ahead(questions())
}

/** The output, with what was said when its input was checked. */
export function answerChecked(
  operation: Operation,
  { input, notes }: CheckedInput,
  knowledge: Knowledge,
): Readonly<Record<string, unknown>> {
  // readInput checked it against the operation's own schema
  const output = operation.run(input as never, knowledge) as Readonly<Record<string, unknown>>
  if (notes.length === 0) return output
  const own = output['notes']
  return { ...output, notes: [...notes, ...(Array.isArray(own) ? own : [])] }
}

export function localExecutor(knowledge: Knowledge): Executor {
  return {
    execute(name, given) {
      const operation = operationNamed(name)
      return answerChecked(operation, readInput(operation.input, given), knowledge)
    },
    codes: (operation, input) => (operation === 'redux' ? knownCodes(input, knowledge) : undefined),
  }
}
