/** Generates the manual page of a command from its definition. Pure. */
import {
  type ArgumentFacts,
  type CommandFacts,
  commandLine,
  hasOwnPage,
  type OptionFacts,
  pageName,
  withSubcommands,
} from './command-facts.ts'
import type { ManualFacts } from './manual-facts.ts'
import { type Block, type Page, section, session, subheading, type Term, terms, text } from './page.ts'
import { TOPICS } from './topic-names.ts'

/** Pages of hla, of each command, and of each group of commands below one. */
export function commandPages(facts: ManualFacts): Page[] {
  return withSubcommands(facts.program)
    .filter(hasOwnPage)
    .map((command) => commandPage(command, facts))
}

function commandPage(command: CommandFacts, facts: ManualFacts): Page {
  const own = command.commands.filter((one) => !hasOwnPage(one))
  const groups = command.commands.filter(hasOwnPage)
  const shared = sharedOptions(own)
  return {
    name: pageName(command),
    section: 1,
    summary: lowerFirst(command.summary),
    blocks: [
      ...section('Synopsis', text(`\`${commandLine(command)} ${command.usage}\``)),
      ...section('Description', describe(command)),
      ...section('Arguments', list(command.arguments.map(argumentTerm))),
      ...section('Commands', [
        ...own.flatMap((one) => subcommandBlocks(one, shared)),
        ...list(groups.map((one) => [one.words.at(-1) ?? '', `${one.summary}.`])),
      ]),
      ...optionSections(command),
      ...section('Options of several commands', list(shared.map((one) => sharedTerm(one, own)))),
      ...section('Help topics', command.words.length === 0 ? list(Object.entries(TOPICS)) : []),
      ...section('Examples', [session(...command.examples)]),
      ...section('Exit status', exitStatus(command, facts)),
      ...section('See also', text(seeAlso(command).join(', '))),
    ],
  }
}

/** A subcommand on the page of its group, without the options that others have too. */
function subcommandBlocks(command: CommandFacts, shared: readonly SharedOption[]): Block[] {
  const isShared = (option: OptionFacts) => shared.some(({ term }) => isSame(term, optionTerm(option)))
  const options = command.options.filter((option) => !isShared(option))
  return [
    subheading(`${commandLine(command)} ${command.usage}`),
    ...describe(command),
    ...list(command.arguments.map(argumentTerm).filter(([, about]) => about !== '')),
    ...list(options.map(optionTerm)),
    ...(command.examples.length === 0 ? [] : [session(...command.examples)]),
  ]
}

interface SharedOption {
  readonly term: Term
  /** Names of the commands that have it. */
  readonly names: readonly string[]
}

/** Options that several of the commands have, each once. */
function sharedOptions(commands: readonly CommandFacts[]): SharedOption[] {
  const found: { readonly term: Term; readonly names: string[] }[] = []
  for (const { words, options } of commands)
    for (const option of options) {
      const term = optionTerm(option)
      const known = found.find((one) => isSame(one.term, term))
      if (known === undefined) found.push({ term, names: [words.at(-1) ?? ''] })
      else known.names.push(words.at(-1) ?? '')
    }
  return found.filter(({ names }) => names.length > 1)
}

function sharedTerm({ term: [flags, about], names }: SharedOption, all: readonly CommandFacts[]): Term {
  const isOfAll = names.length === all.length
  return [flags, isOfAll ? about : `${about} With ${names.map((name) => `\`${name}\``).join(', ')}.`]
}

function isSame([flags, about]: Term, [other, otherAbout]: Term): boolean {
  return flags === other && about === otherAbout
}

function describe({ summary, description, arguments: given, options }: CommandFacts): Block[] {
  const last = given.at(-1)
  const readsTypings =
    last?.isVariadic === true && !last.name.includes('file') && options.some(({ long }) => long === '--input')
  return text(
    ...(readsTypings
      ? [
          ...(description === `${summary}.` ? [] : [description]),
          'Inputs are given as arguments, or one per line in the files of `-i` or on standard input. Every input gives exactly one record, in the same order. A failed input gives an empty line on standard output and its error on standard error.',
        ]
      : [description]),
  )
}

function argumentTerm({ name, description, choices, isRequired }: ArgumentFacts): Term {
  const said = [sentence(description), ...(choices === undefined ? [] : [`One of ${choices.join(', ')}.`])]
  return [name, [...said, ...(isRequired ? [] : ['May be left out.'])].filter((one) => one !== '').join(' ')]
}

function optionSections({ options }: CommandFacts): Block[] {
  const groups = [...new Set(options.map(({ group }) => group))]
  return groups.flatMap((group) => {
    const members = options.filter((option) => option.group === group)
    return section(group ?? 'Options', list(members.map(optionTerm)))
  })
}

/** Term for an option, with the facts that help shows in brackets as sentences. */
export function optionTerm(option: OptionFacts): Term {
  const { flags, description, choices, variable } = option
  const facts = [
    sentence(description),
    choices === undefined ? '' : `One of ${choices.join(', ')}.`,
    option.default === undefined ? '' : `Default: ${option.default}.`,
    variable === undefined ? '' : `Environment: \`${variable}\`.`,
  ]
  return [flags, facts.filter((one) => one !== '').join(' ')]
}

function exitStatus(command: CommandFacts, { exits }: ManualFacts): Block[] {
  if (command.words.length === 0) return [terms(exits)]
  return text('0 when everything asked for succeeded; `hla-exit-codes`(7) lists the others.')
}

function seeAlso(command: CommandFacts): string[] {
  const { words, options, commands } = command
  const topics = words.length === 0 ? Object.keys(TOPICS) : findTopics(options)
  return [
    ...(words.length === 0 ? [] : ['`hla`(1)']),
    ...commands.filter(hasOwnPage).map((one) => `\`${pageName(one)}\`(1)`),
    ...[...new Set([...topics, 'exit-codes'])].map((topic) => `\`hla-${topic}\`(7)`),
  ]
}

function findTopics(options: readonly OptionFacts[]): string[] {
  const has = (long: string) => options.some((option) => option.long === long)
  return [
    ...(has('--input-format') ? ['tables'] : []),
    ...(has('--format') ? ['formats', 'errors'] : []),
    ...(has('--remote') ? ['remote'] : []),
  ]
}

function list(given: readonly (readonly [string, string])[]): Block[] {
  return given.length === 0 ? [] : [terms(given)]
}

function sentence(given: string): string {
  return given === '' || /[.…]$/.test(given) ? given : `${given}.`
}

function lowerFirst(given: string): string {
  // keep names unchanged: `DRBX of a genotype`
  return /^[A-Z][a-z]/.test(given) ? given.charAt(0).toLowerCase() + given.slice(1) : given
}
