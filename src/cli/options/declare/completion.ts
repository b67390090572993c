/** `hla completion`: what makes a shell complete command lines of hla. */
import { Argument, type Command } from 'commander'
import type { Shell } from '../../../manual/completion/scripts.ts'
import { addExamples } from '../help.ts'

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish']

export function declareCompletion(command: Command): void {
  command.addArgument(new Argument('<shell>', 'the shell whose lines are to be completed').choices(SHELLS))
  addExamples(command, [
    { command: 'source <(hla completion bash)', output: '' },
    { command: 'hla completion zsh | head -1', output: '#compdef hla' },
    {
      command: 'hla completion fish | head -1',
      output: '# Completion of hla for fish. Now: hla completion fish | source',
    },
  ])
}
