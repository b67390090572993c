/** What the definitions of commands say of themselves, as plain data: manual, completion and settings are made from it. */
import type { Example } from '../operations/operation.ts'

export interface OptionFacts {
  /** `-m, --method <method>` */
  readonly flags: string
  readonly short: string | undefined
  /** `--method`, `--no-ping`: every option has one. */
  readonly long: string
  readonly description: string
  /** `method` of `<method>`: what kind of value it is; undefined takes none. */
  readonly value: string | undefined
  readonly isValueOptional: boolean
  readonly isRepeatable: boolean
  /** Several values, separated by commas. */
  readonly isList: boolean
  readonly choices: readonly string[] | undefined
  /** The environment variable that sets it. */
  readonly variable: string | undefined
  /** The default for people; undefined where there is none, or the description tells it. */
  readonly default: string | undefined
  /** `Tables`; undefined for the command's own. */
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
  /** `[]` of hla itself, `['data', 'install']`. */
  readonly words: readonly string[]
  readonly summary: string
  readonly description: string
  /** What stands behind the name: `[options] [gl_string...]`. */
  readonly usage: string
  /** Of the overview: `Reduce`. */
  readonly group: string | undefined
  readonly arguments: readonly ArgumentFacts[]
  readonly options: readonly OptionFacts[]
  readonly examples: readonly Example[]
  readonly commands: readonly CommandFacts[]
}

/** `hla data install` */
export function commandLine({ words }: Pick<CommandFacts, 'words'>): string {
  return ['hla', ...words].join(' ')
}

/** `hla-data-install` */
export function pageName({ words }: Pick<CommandFacts, 'words'>): string {
  return ['hla', ...words].join('-')
}

/** A command and all below it, outermost first. */
export function withSubcommands(command: CommandFacts): CommandFacts[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

/** Examples of a page, at least. */
const FEWEST_EXAMPLES = 3

/** Its own; of a group that has fewer, the first ones of the commands below it, too. */
export function exampleList(own: readonly Example[], below: readonly (readonly Example[])[]): Example[] {
  const most = Math.max(0, ...below.map(({ length }) => length))
  const inTurn = Array.from({ length: most }, (_, at) => below.flatMap((one) => one[at] ?? [])).flat()
  const known = new Set(own.map(({ command }) => command))
  const more = inTurn.filter(({ command }) => !known.has(command))
  return [...own, ...more.slice(0, Math.max(0, FEWEST_EXAMPLES - own.length))]
}
