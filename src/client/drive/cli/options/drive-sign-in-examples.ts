/** Examples in the help of `hla drive`: signing in, by the words behind `hla drive`. */
import type { Example } from '../../../../operations/operation.ts'

export const SIGN_IN_EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  login: [
    {
      command: 'hla drive token create --data lab --user owner@localhost --refresh > refresh',
      output: '',
    },
    { command: 'hla drive login --refresh-file refresh', output: '' },
    { command: 'hla drive ls', output: '' },
  ],
  logout: [
    { command: 'hla drive logout', output: '' },
    { command: 'hla drive login --refresh-file refresh 2> refused || echo over', output: 'over' },
    { command: "grep -c 'sign-in any more' refused", output: '1' },
  ],
  'client credentials': [
    {
      command:
        'hla drive client set --data lab --redirect http://localhost typing --json | grep -c localhost',
      output: '1',
    },
    {
      command: 'hla drive client credentials --data lab --url http://localhost:8090 typing > client.json',
      output: '',
    },
    { command: `grep -c '"client_secret": "hla_' client.json`, output: '1' },
  ],
  'client list': [
    {
      command: 'hla drive client list --data lab',
      output: [
        'ID                 NAME               DISABLED  REDIRECT          SECRET',
        'hla                hla                false     -                 false',
        'robot@example.org  robot@example.org  false     -                 false',
        'typing             Typing desk        false     http://localhost  true',
      ].join('\n'),
    },
  ],
}
