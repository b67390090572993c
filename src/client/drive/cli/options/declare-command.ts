/** Declares an `hla drive` command that works on a store's folder, with its help and examples. */
import type { Command } from 'commander'
import { ownExamples } from './examples.ts'
import { dataOption } from './store-options.ts'
import { declareSubcommand } from '../../../../cli/options/declare/subcommand.ts'
import { addExamples } from '../../../../cli/options/help.ts'

export function addDriveCommand(parent: Command, usage: string, summary: string): Command {
  const command = declareSubcommand(parent, usage, summary, {}).addOption(dataOption())
  return addExamples(command, ownExamples(commandPath(parent, command)))
}

/** Command path after `hla drive`. */
function commandPath(parent: Command, command: Command): string {
  return parent.name() === 'drive' ? command.name() : `${parent.name()} ${command.name()}`
}
