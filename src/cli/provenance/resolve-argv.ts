/** What a command line asks of a table, with all defaults, without doing it. */
import { HlaError } from '../../errors.ts'
import { convertsCells } from '../../operations/operation.ts'
import { OPERATIONS } from '../../operations/registry.ts'
import { type CommandOptions, questionsOf } from '../commands/operation-command.ts'
import { commandFirst } from '../options.ts'
import { commandNames, programOf } from '../program.ts'
import { withPyardConfig } from '../pyard-words.ts'
import { resolvedOptions } from '../table/run-table.ts'
import { withoutSettings } from '../settings.ts'
import { tableAsked } from '../table/table-command.ts'

/** `argv` without node and script. @throws {HlaError} usage; whatever the command line is refused for */
export async function resolveArgv(argv: readonly string[]): Promise<ReturnType<typeof resolvedOptions>> {
  const words = await withPyardConfig(
    commandFirst(withoutSettings(argv), (word) => commandNames().includes(word)),
  )
  const operation = OPERATIONS.find(({ name }) => name === words[0])
  const program = programOf(words, () => undefined)
  const command = program.commands.find((one) => one.name() === words[0])
  if (operation === undefined || command === undefined || !convertsCells(operation))
    throw new HlaError('usage', `${words[0] ?? 'nothing'} converts no tables`)
  let given: CommandOptions | undefined
  // in place of the one that runs it
  command.action(() => {
    given = { ...command.opts<CommandOptions>(), leading: {}, words }
  })
  await program.parseAsync([...words], { from: 'user' })
  if (given === undefined) throw new HlaError('usage', 'the command line asks for help')
  const questions = questionsOf(operation, given)
  const asked = tableAsked({ given: [], options: given, operation, questions })
  return resolvedOptions({ ...asked, operation, inputs: questions.map(({ input }) => input) })
}
