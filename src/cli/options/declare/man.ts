/** `hla man`: a page of the manual, of a command or a help topic. */
import { Argument, type Command } from 'commander'
import { addExamples } from '../help.ts'

export function declareMan(command: Command): void {
  command.addArgument(
    new Argument('[page...]', 'a command, such as "data install", or a help topic; without one, hla itself'),
  )
  addExamples(command, [
    { command: 'hla man redux | head -1', output: EXAMPLE },
    {
      command: 'hla man data install | head -1',
      output: 'hla-data-install - install a published release and make it active if none is',
    },
    {
      command: 'hla man tables | head -1',
      output: 'hla-tables - tables of typings: layouts, columns, cells, results',
    },
  ])
}

const EXAMPLE = 'hla-redux - reduce typings (GL Strings, alleles, MACs, XX codes, antigens)'
