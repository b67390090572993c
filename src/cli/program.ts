/** The program: registry -> commander. Only the command that was asked for gets its options. */
import { Command } from 'commander'
import { packageVersion } from '../package-root.ts'
import type { Operation } from '../operations/operation.ts'
import { OPERATIONS } from '../operations/registry.ts'
import { defineDataCommand } from './commands/data-command.ts'
import { defineOperationCommand } from './commands/operation-command.ts'
import { definePipeCommand } from './commands/pipe-command.ts'
import { addExamples, GROUP_TITLES } from './help.ts'

/** `asked` is the first word of the command line; the exit status goes to `done`. */
export function programOf(asked: string | undefined, done: (status: number) => void): Command {
  const program = new Command('hla')
    .description('Read, reduce, expand, check and translate HLA typings')
    .version(`hla ${packageVersion()}`, '-V, --version', 'print the version of the program')
    .usage('[options] <command> [typing ...]')
    .helpCommand('help [command]', 'show the help of a command')
    .showSuggestionAfterError(false)
    .exitOverride()
  for (const operation of OPERATIONS) addOperation(program, operation, asked, done)
  const data = add(program, 'data', 'Install, list, choose, verify nomenclature releases', GROUP_TITLES.data)
  if (asked === 'data' || asked === 'help') defineDataCommand(data, done)
  const pipe = add(
    program,
    'pipe',
    'Answer requests as JSON Lines: a co-process for other languages',
    GROUP_TITLES.data,
  )
  definePipeCommand(pipe, done)
  return program
}

function addOperation(
  program: Command,
  operation: Operation,
  asked: string | undefined,
  done: (status: number) => void,
): void {
  const command = add(program, operation.name, operation.summary, GROUP_TITLES[operation.group])
  if (asked !== operation.name && asked !== 'help') return
  defineOperationCommand(command, operation, done)
  addExamples(command, operation.examples)
}

function add(program: Command, name: string, summary: string, group: string): Command {
  return program.command(name).summary(summary).description(`${summary}.`).helpGroup(group).exitOverride()
}
