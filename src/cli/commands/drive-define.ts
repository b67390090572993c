/** Defines one command of `hla drive`: its help, its examples, its action. */
import type { Command } from 'commander'
import { addExamples } from '../help.ts'
import { ownExamples } from './drive-examples.ts'
import { dataOption } from './drive-options.ts'

/** Options are what commander makes of those that were added. */
type Run<Options> = (argument: string, options: Options) => Promise<number>
export type Define = <Options>(parent: Command, usage: string, summary: string, run: Run<Options>) => Command

export function definer(done: (status: number) => void): Define {
  return <Options>(parent: Command, usage: string, summary: string, run: Run<Options>) => {
    const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
    const command = parent.command(usage).summary(summary).description(sentence).addOption(dataOption())
    addExamples(command, ownExamples(wordsOf(parent, command)))
    return command.action(async (...given: unknown[]) => {
      const argument = typeof given[0] === 'string' ? given[0] : ''
      // as the options of this command were declared
      done(await run(argument, command.opts() as Options))
    })
  }
}

/** Behind `hla drive`. */
function wordsOf(parent: Command, command: Command): string {
  return parent.name() === 'drive' ? command.name() : `${parent.name()} ${command.name()}`
}
