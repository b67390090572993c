/**
 * Builds the commander program from the registry. When the command is known, only that command is built and has
 * options.
 */
import { Command, CommanderError } from 'commander'
import { assured } from '../../errors.ts'
import { versionLine } from '../../package-root.ts'
import type { Operation } from '../../operations/operation.ts'
import { OPERATIONS } from '../../operations/registry.ts'
import { declareCommand, type Program } from './declare-command.ts'
import { declareOperation } from './operation-options.ts'
import { addExamples, configureHelp, GROUP_TITLES } from './help.ts'
import { isTerminal, tell, writeOut } from '../../io/stdout.ts'
import { aliasesOf } from '../../options/command-aliases.ts'
import { type RowFilter, rowsMeantBy } from './option-of.ts'
import { addGlobalOptions, addSettingOptions } from './options.ts'

/** Examples for new users; they work with the starter set. */
const FIRST_EXAMPLES = [
  ["hla redux -m lgx 'A*01:01:01:01+A*02:01:01:01'", 'A*01:01+A*02:01'],
  ["hla validate 'A*01:01+A*02:01'", 'valid'],
  [
    "printf 'id,A_1,A_2\\n1,01:01:01,24:02\\n' | hla redux -d , --into replace",
    'id,A_1,A_2\n1,A*01:01,A*24:02',
  ],
] as const

/** @throws {CommanderError} the end of the command line */
function printVersion(): never {
  const line = versionLine()
  writeOut(`${line}\n`)
  throw new CommanderError(0, 'commander.version', line)
}

/**
 * `words` are the command line, the command first. The commands have no action yet.
 * Reducing a typing must not wait for the files of `programs`, so the caller passes those; and with `isLean` a question
 * has only options that the words can mean.
 */
export function buildProgram(
  words: readonly string[],
  programs: readonly Program[] = [],
  isLean = false,
): Command {
  const program = new Command('hla')
  const [commandName] = words
  const asksHelp = words.some((word) => /^-(?:-help$|[A-Za-z]*h)/.test(word))
  const isWanted = isLean && !asksHelp ? rowsMeantBy(words) : () => true
  const isKnown =
    commandName === 'help' || [...OPERATIONS, ...programs].some(({ name }) => name === commandName)
  program
    .description('Read, reduce, expand, check and translate HLA typings.')
    .option('-V, --version', 'print the version of hla')
    .on('option:version', printVersion)
    .usage('[options] <command> [typing ...]')
    .commandsGroup(GROUP_TITLES.meta)
    .helpCommand('help [topic]', 'show all options and examples of a command, or a topic of the manual')
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => writeOut(text),
      writeErr: tell,
      outputError: () => {},
      // commander asks process.stdout, which takes 3 ms to make; help has no colours
      getOutHasColors: () => false,
      getOutHelpWidth: () => (isTerminal('output') ? process.stdout.columns : 80),
    })
  configureHelp(program, words.includes('--help'))
  addExamples(program, FIRST_EXAMPLES)
  if (commandName === undefined || commandName.startsWith('-')) addGlobalOptions(program, () => true)
  // building the other commands would take as long as the answer; without a command all are listed
  const isBuilt = (name: string) => name === commandName || !isKnown
  for (const operation of OPERATIONS) {
    if (isBuilt(operation.name)) addOperation(program, operation, words, isWanted)
  }
  for (const { name, group, summary, settings, spec } of programs) {
    if (!isBuilt(name)) continue
    const command = add(program, spec?.usage ?? name, summary, GROUP_TITLES[group])
    if (commandName !== name) continue
    declareCommand(command, assured(spec, 'a command is built with its file'))
    if (settings !== undefined) addSettingOptions(command)
  }
  return program
}

/** Command of an operation with all of its options. */
export function wholeCommand(name: string): Command {
  const command = buildProgram([name]).commands.find((inner) => inner.name() === name)
  return assured(command, 'the command of an operation')
}

function addOperation(
  program: Command,
  operation: Operation,
  words: readonly string[],
  isWanted: RowFilter,
): void {
  const command = add(program, operation.name, operation.summary, GROUP_TITLES[operation.group])
  if (words[0] !== operation.name) return
  declareOperation(command, operation, isWanted)
  addSettingOptions(command, isWanted)
  addExamples(command, operation.examples)
}

/** `usage` is the name, and arguments. */
function add(program: Command, usage: string, summary: string, group: string): Command {
  const also = aliasesOf(usage.split(' ', 1)[0] ?? '')
  const description = also.length === 0 ? `${summary}.` : `${summary}. Also: ${also.join(', ')}.`
  return program.command(usage).summary(summary).description(description).helpGroup(group)
}
