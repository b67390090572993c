/** Declares a command below another: its options, arguments and examples. */
import type { Command, Option } from 'commander'
import { addExamples, type ExampleText } from '../help.ts'

interface Declared {
  readonly options?: readonly Option[]
  /** Argument -> its description. */
  readonly args?: Readonly<Record<string, string>>
  readonly examples?: readonly ExampleText[]
  /** Continues the description. */
  readonly more?: string
}

/** `usage` is the name with its arguments; `summary` begins with a lower-case verb. */
export function declareSubcommand(
  parent: Command,
  usage: string,
  summary: string,
  { options = [], args = {}, examples = [], more = '' }: Declared,
): Command {
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.${more}`
  const command = parent.command(usage).summary(summary).description(sentence)
  for (const option of options) command.addOption(option)
  for (const argument of command.registeredArguments) argument.description = args[argument.name()] ?? ''
  return addExamples(command, examples)
}
