/** Converts the commander program to plain data, the source for everything generated from the definitions. */
import type { Argument, Command, Option } from 'commander'
import type { ArgumentFacts, CommandFacts, OptionFacts } from '../../manual/command-facts.ts'
import { assured } from '../../errors.ts'
import type { Program } from './declare-command.ts'
import { listExamples } from './help.ts'
import { collect, isListParser } from './parsers.ts'
import { buildProgram } from './program.ts'

/** Facts of all commands. Each command is built on request, so this builds each one. */
export function programFacts(programs: readonly Program[]): CommandFacts {
  const overview = overviewFacts(programs)
  return {
    ...overview,
    commands: overview.commands.map(({ words }) => commandFacts(words[0] ?? '', programs)),
  }
}

/** Facts of hla itself, with the names and summaries of its commands. */
export function overviewFacts(programs: readonly Program[]): CommandFacts {
  return collectFacts(buildProgram([], programs), [])
}

/** One command, its options and subcommands. */
export function commandFacts(name: string, programs: readonly Program[]): CommandFacts {
  return collectFacts(commandNamed(name, programs), [name])
}

/** Every option of every command and subcommand, with the first word of the command. */
export function everyOption(
  programs: readonly Program[],
): { readonly command: string; readonly option: Option }[] {
  const optionsIn = ({ options, commands }: Command): Option[] => [...options, ...commands.flatMap(optionsIn)]
  return overviewFacts(programs).commands.flatMap(({ words: [command = ''] }) =>
    optionsIn(commandNamed(command, programs)).map((option) => ({ command, option })),
  )
}

function commandNamed(name: string, programs: readonly Program[]): Command {
  const command = buildProgram([name], programs).commands.find((inner) => inner.name() === name)
  return assured(command, 'the overview lists the commands')
}

function collectFacts(command: Command, words: readonly string[]): CommandFacts {
  return {
    words,
    summary: command.summary() || command.description().replace(/\.$/, ''),
    description: command.description(),
    usage: command.usage(),
    group: command.helpGroup().replace(/:$/, ''),
    arguments: command.registeredArguments.map(argumentFacts),
    options: command.options.filter(({ hidden }) => !hidden).map(optionFacts),
    examples: listExamples(command),
    commands: command.commands.map((inner) => collectFacts(inner, [...words, inner.name()])),
  }
}

function argumentFacts(argument: Argument): ArgumentFacts {
  return {
    name: argument.name(),
    description: argument.description,
    isRequired: argument.required,
    isVariadic: argument.variadic,
    choices: argument.argChoices,
  }
}

function optionFacts(option: Option): OptionFacts {
  const { flags, short, long, description, envVar, argChoices, helpGroupHeading } = option
  return {
    flags,
    short,
    long: long ?? flags,
    description,
    value: /[<[]([^>\]]+)/.exec(flags)?.[1],
    isValueOptional: option.optional,
    isRepeatable: option.parseArg === collect,
    isList: isListParser(option.parseArg) || Array.isArray(option.defaultValue),
    choices: argChoices,
    variable: envVar,
    default: describeDefault(option),
    group: helpGroupHeading?.replace(/:$/, ''),
  }
}

/** Default value as text; undefined for a flag that is off. */
function describeDefault({ defaultValue, defaultValueDescription }: Option): string | undefined {
  if (defaultValueDescription !== undefined) return defaultValueDescription
  return typeof defaultValue === 'string' || (typeof defaultValue === 'number' && defaultValue !== 0)
    ? String(defaultValue)
    : undefined
}
