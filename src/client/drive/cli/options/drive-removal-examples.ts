/** Examples in the help of `hla drive`: what was made is removed again, by the words behind `hla drive`. */
import type { Example } from '../../../../operations/operation.ts'

export const REMOVAL_EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  'user remove': [
    { command: 'hla drive user add --data lab gone@lab.example > gone.txt', output: '' },
    { command: 'hla drive user remove --data lab gone@lab.example >> gone.txt', output: '' },
  ],
  'group remove': [
    { command: 'hla drive group add --data lab gone-team@lab.example > gone.txt', output: '' },
    { command: 'hla drive group remove --data lab gone-team@lab.example >> gone.txt', output: '' },
  ],
  'account remove': [
    {
      command:
        'hla drive account add --data lab --url http://localhost:8090 gone-robot@lab.example > gone.txt',
      output: '',
    },
    { command: 'hla drive account remove --data lab gone-robot@lab.example >> gone.txt', output: '' },
  ],
  'client remove': [
    { command: 'hla drive client add --data lab gone > gone.txt', output: '' },
    { command: 'hla drive client remove --data lab gone >> gone.txt', output: '' },
  ],
  'label remove': [
    { command: 'hla drive label set --data lab gone > gone.txt', output: '' },
    { command: 'hla drive label remove --data lab gone >> gone.txt', output: '' },
  ],
}
