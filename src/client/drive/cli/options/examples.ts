/** Examples in the help of `hla drive`. Each runs after those before it. */
import type { Example } from '../../../../operations/operation.ts'
import { MORE_EXAMPLES } from './file-examples.ts'

const SIGN_IN_EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
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

const REMOVAL_EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
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

function shown(command: string, output = ''): Example {
  return { command: `hla drive ${command}`, output }
}

const CHANGE_EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  mv: [
    shown('put -p typed.csv /desk/typed.csv'),
    shown('mv /desk/typed.csv /desk/first.csv'),
    shown('ls /desk', 'first.csv'),
  ],
  cp: [
    shown('cp /desk/first.csv /desk/second.csv'),
    shown('cp -R /desk /copy'),
    shown('ls /copy', 'first.csv\nsecond.csv'),
  ],
  mkdir: [
    shown('mkdir -p /desk/2026/may'),
    shown('mkdir /desk/2026/june'),
    shown('ls /desk/2026', 'june/\nmay/'),
  ],
  'rule add': [
    shown('mkdir -p /incoming'),
    shown('rule add /incoming --rule-release starter --json | cut -c1-6', '{"id":'),
    shown(`rule add /incoming --rule-release starter -m G --match '*.csv' | wc -l`, '2'),
  ],
  'rule list': [
    shown('rule list /incoming | wc -l', '3'),
    shown('rule list --json | wc -l', '2'),
    shown(`rule list --json | cut -d'"' -f12`, 'lgx\nG'),
  ],
  'rule remove': [
    shown(`rule list --json | cut -d'"' -f4 > rules`),
    shown('rule remove "$(head -1 rules)"'),
    shown('rule list --json | wc -l', '1'),
    shown('rm -R --forever /incoming'),
  ],
  search: [
    shown('search --in /desk second', 'second.csv'),
    shown(`search --in /desk --query "mimeType = 'text/csv'" -l | wc -l`, '3'),
    shown('search --in /copy A1 --json | wc -l', '2'),
  ],
  trash: [
    shown('trash /desk/first.csv'),
    shown('trash | grep first', 'first.csv'),
    shown('ls /desk', '2026/\nsecond.csv'),
  ],
  untrash: [
    shown('untrash /desk/first.csv'),
    shown('ls /desk', '2026/\nfirst.csv\nsecond.csv'),
    shown('trash | grep -c first || true', '0'),
  ],
  'empty-trash': [shown('trash /copy'), shown('empty-trash'), shown('trash')],
  sync: [
    shown(
      'sync -q desk /desk',
      'make-here 2026\nmake-here 2026/june\nmake-here 2026/may\ndownload first.csv\ndownload second.csv',
    ),
    { command: 'mv desk/second.csv desk/2026/', output: '' },
    shown('sync -q desk /desk', 'move-there second.csv to 2026/second.csv'),
    shown('sync -q desk /desk'),
    shown('rm -R --forever /desk'),
  ],
}

export const SERVE_EXAMPLES: readonly Example[] = [
  { command: 'hla drive serve --data lab --port 8090 &', output: '' },
  { command: 'hla drive token create --data lab --user owner@localhost > token', output: '' },
  {
    command: `curl -s -H "Authorization: Bearer $(cat token)" 'http://localhost:8090/drive/v2/about?fields=name'`,
    output: '{"name":"owner@localhost"}',
  },
]

export const USER_EXAMPLES: readonly Example[] = [
  {
    command: 'hla drive user add --data lab --name Ada --quota 10GiB ada@example.org',
    output: [
      'EMAIL            NAME  ID                    ADMIN  QUOTA           USED  DISABLED  PASSWORD',
      'ada@example.org  Ada   14978987608958276646  false  10,737,418,240  0     false     false',
    ].join('\n'),
  },
]

export const GROUP_EXAMPLES: readonly Example[] = [
  {
    command: 'hla drive group add --data lab --name Typing typing@example.org',
    output: [
      'EMAIL               NAME    ID                    MEMBERS  DISABLED',
      'typing@example.org  Typing  04979905176297852677  0        false',
    ].join('\n'),
  },
  {
    command: 'hla drive group set --data lab --add ada@example.org typing@example.org --json',
    output:
      '{"email":"typing@example.org","name":"Typing","id":"04979905176297852677","members":1,"disabled":false}',
  },
]

export const TOKEN_EXAMPLES: readonly Example[] = [
  { command: 'hla drive token create --data lab --user ada@example.org --expires 12h > token', output: '' },
  {
    command: 'hla drive token create --data lab --user ada@example.org --scopes drive.readonly > reading',
    output: '',
  },
  { command: 'hla drive token list --data lab --json | wc -l', output: '4' },
]

/** Command path after `hla drive` -> examples of subcommands. */
const OWN_EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  ...REMOVAL_EXAMPLES,
  ...CHANGE_EXAMPLES,
  ...SIGN_IN_EXAMPLES,
  'user set': [
    {
      command: 'hla drive user set --data lab --quota 20GiB ada@example.org',
      output: [
        'EMAIL            NAME  ID                    ADMIN  QUOTA           USED  DISABLED  PASSWORD',
        'ada@example.org  Ada   14978987608958276646  false  21,474,836,480  0     false     false',
      ].join('\n'),
    },
  ],
  'user list': [{ command: 'hla drive user list --data lab | grep -c example', output: '1' }],
  'group list': [{ command: 'hla drive group list --data lab | grep -c example', output: '1' }],
  'token revoke': [{ command: 'hla drive token revoke --data lab "$(cat reading)"', output: '' }],
  'account add': [
    {
      command: 'hla drive account add --data lab --url http://localhost:8090 robot@example.org > robot.json',
      output: '',
    },
  ],
  'account list': [
    {
      command: 'hla drive account list --data lab',
      output: [
        'EMAIL              NAME               KEYS  DISABLED',
        'robot@example.org  robot@example.org  1     false',
      ].join('\n'),
    },
  ],
  'key add': [
    {
      command: 'hla drive key add --data lab --url http://localhost:8090 robot@example.org > robot-2.json',
      output: '',
    },
  ],
  'key rotate': [
    {
      command: `hla drive key rotate --data lab "$(grep -om1 '[0-9a-f]\\{40\\}' robot-2.json)" > robot-3.json`,
      output: '',
    },
  ],
  'key set': [
    {
      command: `hla drive key set --data lab --disable "$(grep -om1 '[0-9a-f]\\{40\\}' robot.json)" --json | grep -c '"disabled":true'`,
      output: '1',
    },
  ],
  'key revoke': [
    {
      command: `hla drive key revoke --data lab "$(grep -om1 '[0-9a-f]\\{40\\}' robot.json)"`,
      output: '',
    },
  ],
  'key list': [{ command: 'hla drive key list --data lab --json | wc -l', output: '1' }],
  'client add': [
    {
      command: 'hla drive client add --data lab --name Typing typing',
      output: 'ID      NAME    DISABLED  REDIRECT  SECRET\ntyping  Typing  false     -         false',
    },
  ],
  'client set': [
    {
      command: 'hla drive client set --data lab --name "Typing desk" typing --json',
      output: '{"id":"typing","name":"Typing desk","disabled":false,"redirect":null,"secret":false}',
    },
  ],
  'label set': [
    {
      command: `printf '[{"id":"by","valueType":"user"}]' > fields.json`,
      output: '',
    },
    {
      command: 'hla drive label set --data lab --fields fields.json checked',
      output: 'ID       REVISION  FIELDS  DISABLED\nchecked  1         by      false',
    },
  ],
  'label list': [
    {
      command: 'hla drive label list --data lab',
      output: 'ID       REVISION  FIELDS  DISABLED\nchecked  1         by      false',
    },
  ],
  'limit set': [
    {
      command: 'hla drive limit set --data lab folder-children=20000',
      output: [
        'NAME             LIMIT   STANDARD  SET   OF',
        'folder-children  20,000  500,000   true  items in a folder',
      ].join('\n'),
    },
    {
      command: 'hla drive limit set --data lab folder-children=standard --json',
      output:
        '{"name":"folder-children","limit":500000,"standard":500000,"set":false,"of":"items in a folder"}',
    },
  ],
  'limit list': [
    {
      command: 'hla drive limit list --data lab | grep token',
      output: 'token-seconds           3,600        3,600        false  lifetime of a token from /token',
    },
  ],
  status: [{ command: 'hla drive status --data lab | grep users', output: 'users          3' }],
  gc: [
    {
      command: 'hla drive gc --data lab --grace 168h | grep contents',
      output: 'contents        0',
    },
  ],
}

/** Examples of a command; empty where those of its parent suffice. */
export function ownExamples(words: string): readonly Example[] {
  return [...(OWN_EXAMPLES[words] ?? []), ...(MORE_EXAMPLES[words] ?? [])]
}

export const CARE_EXAMPLES: readonly Example[] = [
  { command: 'hla drive backup --data lab copy', output: '' },
  { command: 'hla drive restore --data again copy', output: '' },
  { command: 'hla drive fsck --data again --deep --json', output: '' },
]

export const FILES_EXAMPLES: readonly Example[] = [
  { command: 'hla config set drive-token-file "$PWD/token"', output: '' },
  { command: "printf 'ID,A1,A2\\nR1,01:01,24:02\\n' > donors.csv", output: '' },
  { command: 'hla drive put -p donors.csv /registry/', output: '' },
  { command: 'hla drive ls /registry', output: 'donors.csv' },
  { command: 'hla drive get /registry/donors.csv -o - | head -1', output: 'ID,A1,A2' },
  { command: 'hla drive log /registry/donors.csv --json | grep -c md5', output: '1' },
]

/** Examples that use the folder left by the file examples. */
export const SHARE_EXAMPLES: readonly Example[] = [
  {
    command: 'hla drive share /registry',
    output: [
      'WHO              ROLE   INHERITED  LINK   EXPIRES',
      'owner@localhost  owner  false      false  -',
    ].join('\n'),
  },
]
