/** `hla completion`: prints a completion script; run/completion answers it. */
import { writeOut } from '../../io/stdout.ts'
import type { Shell } from '../../manual/completion/scripts.ts'
import { commandOf } from '../options/declare-command.ts'

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish']

export const COMPLETION = commandOf({
  usage: 'completion <shell>',
  args: { shell: 'the shell to complete commands for' },
  choices: { shell: SHELLS },
  examples: ['source <(hla completion bash)', 'hla completion zsh > _hla', 'hla completion fish > hla.fish'],
  async run(shell) {
    const { COMPLETION_SCRIPTS } = await import('../../manual/completion/scripts.ts')
    // commander checks the argument against its choices
    writeOut(COMPLETION_SCRIPTS[shell as Shell])
  },
})
