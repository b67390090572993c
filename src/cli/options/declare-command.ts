/** A command that is not an operation, as data: its options, arguments and examples, and what it does. */
import type { Command } from 'commander'
import type { OptionRow, OptionsOf } from '../../options/option-row.ts'
import { addExamples, type ExampleText, type GROUP_TITLES } from './help.ts'
import { optionOf } from './option-of.ts'
import { addGlobalOptions } from './options.ts'

/** Without `run`, a group of `commands`. */
export interface CommandSpec {
  /** Name with its arguments: `verify <file>`. */
  readonly usage: string
  /** Begins with a lower-case verb; the list has that of a command behind `hla`. */
  readonly summary?: string
  /** Default: the summary as a sentence. */
  readonly description?: string
  /** Argument -> its description. */
  readonly args?: Readonly<Record<string, string>>
  /** Argument -> its choices. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
  readonly options?: readonly OptionRow[]
  /** Has the options that every question has, too. */
  readonly hasGlobalOptions?: true
  readonly examples?: readonly ExampleText[]
  readonly commands?: readonly CommandSpec[]
  readonly run?: Work
}

/** Exit status of a command; it has done well when it returns none. */
type Exit = number | void

/** Gets the arguments, the options and LoadPrograms. */
type Work = (...given: never[]) => Promise<Exit> | Exit

/** Types of the arguments of a usage: `<file>` is a text, `[file]` a text or undefined, `<file...>` a list. */
type ArgumentsOf<Usage extends string> = Usage extends `${infer Word} ${infer Rest}`
  ? [...ArgumentsOf<Word>, ...ArgumentsOf<Rest>]
  : Usage extends `${string}...${string}`
    ? [readonly string[]]
    : Usage extends `<${string}`
      ? [string]
      : Usage extends `[${string}`
        ? [string | undefined]
        : []

/** Work of the types that a usage and the rows of its options declare. */
export type WorkOf<Usage extends string, Rows extends readonly OptionRow[]> = (
  ...given: [...ArgumentsOf<Usage>, OptionsOf<Rows>, LoadPrograms]
) => Promise<Exit> | Exit

/** Loads all commands. */
export type LoadPrograms = () => Promise<readonly Program[]>

/** A command that is not an operation, behind `hla`. */
export interface Program {
  readonly name: string
  readonly group: keyof typeof GROUP_TITLES
  readonly summary: string
  /** Settings are applied to its options, or are what it edits; undefined: it has no use for them. */
  readonly settings?: 'applied' | 'edited'
  /** Present in the command that a line names. */
  readonly spec?: CommandSpec
}

/** A command whose work gets what its usage and the rows of its options declare. */
export function commandOf<const Usage extends string, const Rows extends readonly OptionRow[] = readonly []>(
  spec: Omit<CommandSpec, 'usage' | 'options' | 'run'> & {
    readonly usage: Usage
    readonly options?: Rows
    readonly run: WorkOf<Usage, Rows>
  },
): CommandSpec {
  const run: unknown = spec.run
  return { ...spec, run: run as Work }
}

/** Work of a module that is loaded when the command runs. */
export function late<Name extends string, Module extends Readonly<Record<Name, Work>>>(
  load: () => Promise<Module>,
  name: Name,
): Module[Name] {
  const work: Work = async (...given) => (await load())[name](...given)
  return work as Module[Name]
}

const WORK = new WeakMap<Command, Work>()

/** The function of a declared command; undefined for a group. */
export function workOf(command: Command): Work | undefined {
  return WORK.get(command)
}

export function declareCommand(command: Command, spec: Omit<CommandSpec, 'usage'>): void {
  const { description, args = {}, choices = {}, options = [], examples = [], commands = [], run } = spec
  if (description !== undefined) command.description(description)
  if (spec.hasGlobalOptions === true) addGlobalOptions(command, () => false)
  for (const row of options) command.addOption(optionOf(row))
  for (const argument of command.registeredArguments) {
    const { [argument.name()]: allowed } = choices
    argument.description = args[argument.name()] ?? ''
    if (allowed !== undefined) argument.choices(allowed)
  }
  addExamples(command, examples)
  if (run !== undefined) WORK.set(command, run)
  for (const { usage, summary = '', ...inner } of commands) {
    const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
    declareCommand(command.command(usage).summary(summary).description(sentence), inner)
  }
}
