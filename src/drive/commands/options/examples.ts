/**
 * Examples in the help of `hla drive`, by command path. The tests run those of a command one after the other, on a
 * store with the folder /registry, and give them real ids in place of EXAMPLE_IDS.
 */
import type { ExampleText } from '../../../cli/options/help.ts'

/** Ids as the lists of keys, tokens, rules and revisions print them. */
export const EXAMPLE_IDS = {
  key: '8bbef0cdd0fc8131896813da16b71b2fcd30accf',
  token: 'MyoORRRoUk',
  rule: '1Yk8d0cTqJ4wS2mZ',
  revision: '1AaIokCbQSjcL-9ejcSxHhOsy9JwnrFdq',
} as const

/** The output of most has ids and dates, which no example can show. */
function drive(...commands: readonly string[]): readonly ExampleText[] {
  return commands.map((command) => ({ command: `hla drive ${command}` }))
}

export const EXAMPLES: Readonly<Record<string, readonly ExampleText[]>> = {
  share: [
    [
      'hla drive share /registry/donors.csv --with ben@lab.example',
      `WHO              ROLE    INHERITED  LINK   EXPIRES
ben@lab.example  reader  false      false  -
owner@localhost  owner   false      false  -`,
    ],
    ...drive(
      'share /registry --with group:typing@lab.example --role writer',
      'share /registry/donors.csv --link --expires 168h --downloads 5',
      'share /registry/donors.csv',
      'share /registry/donors.csv --remove ben@lab.example',
    ),
  ],
  put: drive(
    'put donors.csv /registry/',
    'put -p donors.csv patients.csv /studies/2026/',
    'put --convert donors.csv /registry/cohort',
  ),
  get: drive(
    'get /registry/donors.csv -o registry.csv',
    'get /registry/cohort --as xlsx -o cohort.xlsx',
    'get /registry/cohort --reduce lgx -o cohort.lgx.csv',
    `get /registry/donors.csv -o old.csv \\\n    --revision ${EXAMPLE_IDS.revision}`,
  ),
  ls: [['hla drive ls /registry', 'cohort\ndonors.csv'], ...drive('ls -l /registry', 'ls /registry --json')],
  rm: drive('rm /studies/2026/patients.csv', 'rm -R /studies/2026', 'rm -R --forever /studies'),
  mv: drive(
    'put -p donors.csv /desk/draft.csv',
    'mv /desk/draft.csv /desk/final.csv',
    'mv /desk/final.csv /registry/',
  ),
  cp: drive(
    'cp /registry/donors.csv /desk/',
    'cp -R /registry /registry-2026',
    'cp --convert /registry/donors.csv /desk/table',
  ),
  mkdir: drive('mkdir /inbox', 'mkdir -p /studies/2026/may', 'mkdir /studies/2026/june /studies/2026/july'),
  search: drive(
    'search donors',
    'search --in /registry 24:02',
    `search --query "modifiedDate > '2026-01-01'" -l`,
  ),
  trash: drive('trash /desk/donors.csv', 'trash', 'trash -l'),
  untrash: drive('untrash /desk/donors.csv'),
  'empty-trash': drive('empty-trash'),
  sync: drive('sync --dry-run cohort /inbox', 'sync cohort /inbox'),
  log: drive('log /registry/donors.csv', 'log /registry/donors.csv --reads'),
  'link list': drive('link list', 'link list --all', 'link list --json'),
  'rule add': drive('rule add /inbox', `rule add /registry -m G --match '*.csv' --to /desk`),
  'rule list': drive('rule list', 'rule list /inbox'),
  'rule remove': drive(`rule remove ${EXAMPLE_IDS.rule}`),
  login: drive('login', 'login --refresh-file refresh'),
  logout: drive('logout'),
  serve: drive(
    'serve',
    'serve --data lab --port 8090 --owner ada@lab.example',
    'serve --public-url https://lab.example --access-log off',
  ),
  status: drive('status', 'status --data lab'),
  backup: drive('backup monday'),
  restore: drive('restore --data mended monday'),
  fsck: drive('fsck', 'fsck --data mended --deep'),
  gc: drive('gc', 'gc --grace 168h'),
  'user add': drive(
    'user add dora@lab.example',
    'user add emil@lab.example --name "Emil Ong" --quota 10GiB',
    'user add fay@lab.example --admin',
  ),
  'user set': drive(
    'user set dora@lab.example --name "Dora Ek" --quota 20GiB',
    'user set dora@lab.example --disable',
    'user set dora@lab.example --enable',
  ),
  'user remove': drive(
    'user remove emil@lab.example --give-to dora@lab.example',
    'user remove fay@lab.example',
  ),
  'user list': drive('user list', 'user list --json'),
  'group add': drive('group add night@lab.example --name Night'),
  'group set': drive(
    'group set night@lab.example --add ben@lab.example,dora@lab.example',
    'group set night@lab.example --remove ben@lab.example',
  ),
  'group remove': drive('group remove night@lab.example'),
  'group list': drive('group list'),
  'token create': drive(
    'token create --user ben@lab.example --expires 12h > token',
    'token create --user ben@lab.example --scopes drive.readonly > read',
    'token create --user ben@lab.example --refresh > refresh',
  ),
  'token list': drive('token list'),
  'token revoke': drive('token revoke "$(cat token)"', `token revoke ${EXAMPLE_IDS.token}`),
  'account add': drive('account add bot@lab.example --url https://lab.example > bot.json'),
  'account list': drive('account list'),
  'account remove': drive('account remove old-bot@lab.example'),
  'key add': drive('key add bot@lab.example --url https://lab.example > key.json'),
  'key list': drive('key list'),
  'key set': drive(`key set ${EXAMPLE_IDS.key} --disable`, `key set ${EXAMPLE_IDS.key} --enable`),
  'key rotate': drive(`key rotate ${EXAMPLE_IDS.key} > key.json`),
  'key revoke': drive(`key revoke ${EXAMPLE_IDS.key}`),
  'client add': drive('client add typing --name Typing'),
  'client set': drive(
    'client set typing --redirect http://localhost --name "Typing desk"',
    'client set typing --disable',
  ),
  'client credentials': drive(
    'client set typing --enable',
    'client credentials typing --url https://lab.example > client.json',
  ),
  'client list': drive('client list'),
  'client remove': drive('client remove typing'),
  'label set': drive('label set checked --fields fields.json'),
  'label list': [
    ['hla drive label list', 'ID       REVISION  FIELDS  DISABLED\nchecked  1         by      false'],
  ],
  'label remove': drive('label remove checked'),
  'limit set': [
    [
      'hla drive limit set folder-children=20000',
      `NAME             LIMIT   STANDARD  SET   OF
folder-children  20,000  500,000   true  items in a folder`,
    ],
    ...drive('limit set folder-children=standard'),
  ],
  'limit list': drive('limit list'),
}
