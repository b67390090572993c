/** Executor: who answers operations, here or far away. */
import { readInput } from './read-input.ts'
import type { Knowledge } from './knowledge.ts'
import { operationNamed } from './registry.ts'

export interface Executor {
  /**
   * The output of an operation.
   * @throws {HlaError} whatever is wrong with the input
   */
  readonly execute: (operation: string, input: unknown) => unknown
}

export function localExecutor(knowledge: Knowledge): Executor {
  return {
    execute(name, given) {
      const operation = operationNamed(name)
      const input = readInput(operation.input, given)
      // checked against the operation's own schema a line above
      return operation.run(input as never, knowledge)
    },
  }
}
