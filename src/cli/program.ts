/** The program: registry -> commander. A command that was asked for is the only one, and it alone has options. */
import { Command } from 'commander'
import { packageVersion } from '../package-root.ts'
import type { Operation } from '../operations/operation.ts'
import { OPERATIONS } from '../operations/registry.ts'
import { defineDataCommand } from './commands/data-command.ts'
import { defineDriveCommand } from './commands/drive-command.ts'
import { defineOperationCommand } from './commands/operation-command.ts'
import { definePipeCommand } from './commands/pipe-command.ts'
import { defineServeCommand } from './commands/serve-command.ts'
import { addExamples, configureHelp, GROUP_TITLES } from './help.ts'
import { tell, writeAll } from './io/stdout.ts'
import { addGlobalOptions } from './options.ts'

/** Commands that are no operations. */
const PROGRAMS = [
  ['data', 'Install, list, choose, verify nomenclature releases', defineDataCommand],
  ['drive', 'Run and administer a file store of your own', defineDriveCommand],
  ['pipe', 'Answer requests as JSON Lines: a co-process for other languages', definePipeCommand],
  ['serve', 'Run the HTTP service', defineServeCommand],
] as const

/** Every word that may stand first. */
export function commandNames(): string[] {
  return [...OPERATIONS.map(({ name }) => name), ...PROGRAMS.map(([name]) => name), 'help']
}

/** `words` are the command line, the command first; the exit status goes to `done`. */
export function programOf(words: readonly string[], done: (status: number) => void): Command {
  const [asked] = words
  const program = new Command('hla')
    .description('Read, reduce, expand, check and translate HLA typings.')
    .version(`hla ${packageVersion()}`, '-V, --version', 'print the version of the program')
    .usage('[options] <command> [typing ...]')
    .helpCommand('help [command]', 'show all options and examples of a command')
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => writeAll(1, text),
      writeErr: tell,
      outputError: () => {},
    })
  configureHelp(program, words.includes('--help'))
  if (asked === undefined || asked.startsWith('-')) addGlobalOptions(program, () => true)
  // the others would take as long as the answer; without a command all are listed
  const isWanted = (name: string) => name === asked || !commandNames().includes(asked ?? '')
  for (const operation of OPERATIONS) {
    if (isWanted(operation.name)) addOperation(program, operation, words, done)
  }
  for (const [name, summary, define] of PROGRAMS) {
    if (!isWanted(name)) continue
    const command = add(program, name, summary, GROUP_TITLES.data)
    if (asked === name) define(command, done, words.includes('--help'))
  }
  return program
}

function addOperation(
  program: Command,
  operation: Operation,
  words: readonly string[],
  done: (status: number) => void,
): void {
  const command = add(program, operation.name, operation.summary, GROUP_TITLES[operation.group])
  if (words[0] !== operation.name) return
  defineOperationCommand(command, operation, { words, done })
  addExamples(command, operation.examples, words.includes('--help'))
}

function add(program: Command, name: string, summary: string, group: string): Command {
  return program.command(name).summary(summary).description(`${summary}.`).helpGroup(group)
}
