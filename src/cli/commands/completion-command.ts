/** `hla completion`: what makes a shell complete command lines of hla. */
import { Argument, type Command } from 'commander'
import type { Shell } from '../../manual/completion/scripts.ts'
import { EXIT } from '../exit-status.ts'
import { addExamples } from '../help.ts'
import { writeAll } from '../io/stdout.ts'

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish']

export function defineCompletionCommand(command: Command, done: (status: number) => void): void {
  command
    .addArgument(new Argument('<shell>', 'the shell whose lines are to be completed').choices(SHELLS))
    .action(async (shell: Shell) => {
      const { COMPLETION_SCRIPTS } = await import('../../manual/completion/scripts.ts')
      writeAll(1, COMPLETION_SCRIPTS[shell])
      done(EXIT.ok)
    })
  addExamples(command, [
    { command: 'source <(hla completion bash)', output: '' },
    {
      command: 'hla completion fish | head -1',
      output: '# Completion of hla for fish. Now: hla completion fish | source',
    },
  ])
}
