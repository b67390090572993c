/** Definitions of commands as plain data, the source of manual, completion and settings. */
import type { Example } from '../operations/operation.ts'

export interface OptionFacts {
  /** `-m, --method <method>` */
  readonly flags: string
  readonly short: string | undefined
  /** Long flag, which every option has: `--method`, `--no-ping`. */
  readonly long: string
  readonly description: string
  /** Placeholder, which names the type of value: `method` for `<method>`; undefined for a flag. */
  readonly value: string | undefined
  readonly isValueOptional: boolean
  readonly isRepeatable: boolean
  /** Takes several values, separated by commas. */
  readonly isList: boolean
  readonly choices: readonly string[] | undefined
  /** Environment variable that sets the option. */
  readonly variable: string | undefined
  /** Default as text; undefined without one, or when the description has it. */
  readonly default: string | undefined
  /** Heading, such as `Tables`; undefined for the command's own options. */
  readonly group: string | undefined
}

export interface ArgumentFacts {
  readonly name: string
  readonly description: string
  readonly isRequired: boolean
  readonly isVariadic: boolean
  readonly choices: readonly string[] | undefined
}

export interface CommandFacts {
  /** Path: `['data', 'install']`, or `[]` for hla itself. */
  readonly words: readonly string[]
  readonly summary: string
  readonly description: string
  /** Text after the name: `[options] [gl_string...]`. */
  readonly usage: string
  /** Group in the overview: `Reduce`. */
  readonly group: string | undefined
  readonly arguments: readonly ArgumentFacts[]
  readonly options: readonly OptionFacts[]
  readonly examples: readonly Example[]
  readonly commands: readonly CommandFacts[]
}

/** Full command: `hla data install`. */
export function commandLine({ words }: Pick<CommandFacts, 'words'>): string {
  return ['hla', ...words].join(' ')
}

/** Page name: `hla-drive-user`. */
export function pageName({ words }: Pick<CommandFacts, 'words'>): string {
  return ['hla', ...words].join('-')
}

/** True for hla, its commands, and groups of commands below them. Other subcommands are on the page of their group. */
export function hasOwnPage({ words, commands }: CommandFacts): boolean {
  return words.length < 2 || commands.length > 0
}

/** The command and all its descendants, outermost first. */
export function withSubcommands(command: CommandFacts): CommandFacts[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

/** Minimum number of examples in a help. */
const FEWEST_EXAMPLES = 3

/** The command's own examples; a group with too few adds the first ones of its subcommands. */
export function exampleList(own: readonly Example[], below: readonly (readonly Example[])[]): Example[] {
  const inTurn = below
    .flatMap((one) => [...one.entries()])
    .toSorted(([one], [other]) => one - other)
    .map(([, example]) => example)
  const known = new Set(own.map(({ command }) => command))
  const more = inTurn.filter(({ command }) => !known.has(command))
  return [...own, ...more.slice(0, Math.max(0, FEWEST_EXAMPLES - own.length))]
}
