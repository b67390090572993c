/** Parses a command line over tables, without running it. */
import type { Method } from '../../../engine/reduce/methods.ts'
import { assured, HlaError } from '../../../errors.ts'
import { type CellOperation, convertsCells, type Operation } from '../../../operations/operation.ts'
import { OPERATIONS } from '../../../operations/registry.ts'
import type { CommandOptions } from '../../options/operation-options.ts'
import { makeQuestions } from '../questions.ts'
import { applySettings } from '../settings.ts'
import { commandFirst } from '../../options/options.ts'
import { buildProgram } from '../../options/program.ts'
import { withPyardConfig } from '../arguments.ts'
import type { OperationQuestion } from '../../../operations/operation-question.ts'

export interface ParsedCommandLine<O extends Operation = CellOperation> {
  readonly operation: O
  readonly options: CommandOptions
  readonly questions: readonly OperationQuestion[]
}

/** @throws {HlaError} usage — another command than one that converts tables; any error of the command line */
export async function parseConversion(argv: readonly string[]): Promise<ParsedCommandLine> {
  const { operation, ...asked } = await parseCommandLine(argv)
  if (!convertsCells(operation)) throw new HlaError('usage', `${operation.name} does not convert tables`)
  return { operation, ...asked }
}

/**
 * `argv` excludes node and script; `methods` are those of the release that answers.
 * @throws {HlaError} usage; any error of the command line
 */
export async function parseCommandLine(
  argv: readonly string[],
  methods?: readonly Method[],
): Promise<ParsedCommandLine<Operation>> {
  const words = await withPyardConfig(commandFirst(argv, isOperation))
  const operation = OPERATIONS.find(({ name }) => name === words[0])
  if (operation === undefined) throw new HlaError('usage', `${words[0] ?? 'nothing'} does not convert tables`)
  const program = buildProgram(words)
  const command = assured(
    program.commands.find((one) => one.name() === operation.name),
    'the program has a command for each operation',
  )
  let options: CommandOptions | undefined
  program.hook('preAction', () => applySettings(command))
  command.action(() => {
    options = { ...command.opts<CommandOptions>(), leading: {}, words }
  })
  await program.parseAsync([...words], { from: 'user' })
  if (options === undefined) throw new HlaError('usage', 'the command line asks for help')
  return { operation, options, questions: makeQuestions(operation, options, methods) }
}

function isOperation(word: string): boolean {
  return OPERATIONS.some(({ name }) => name === word)
}
