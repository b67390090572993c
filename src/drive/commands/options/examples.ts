/**
 * Examples in the help of `hla drive`, by command path. Each runs after those before it: they show the result of a
 * command too.
 */
import type { Example } from '../../../operations/operation.ts'

const LAB = '--data lab'

function run(command: string, output = ''): Example {
  return { command, output }
}

function shown(command: string, output = ''): Example {
  return run(`hla drive ${command}`, output)
}

function counted(command: string, what: string, output = '1'): Example {
  return shown(`${command} | grep -c '${what}'`, output)
}

/** Shows that a removed item is no longer listed. */
function gone(list: string): Example {
  return shown(`${list} ${LAB} | sed -n /gone/p`)
}

export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  serve: [
    shown(`serve ${LAB} --port 8090 &`),
    shown(`token create ${LAB} --user owner@localhost > token`),
    run(
      `curl -s -H "Authorization: Bearer $(cat token)" 'http://localhost:8090/drive/v2/about?fields=name'`,
      '{"name":"owner"}',
    ),
  ],
  login: [
    shown(`token create ${LAB} --user owner@localhost --refresh > refresh`),
    shown('login --refresh-file refresh'),
    shown('ls'),
  ],
  logout: [
    shown('logout'),
    shown('login --refresh-file refresh 2> refused || echo over', 'over'),
    run("grep -c 'sign-in any more' refused", '1'),
  ],
  ls: [
    run('hla config set drive-token-file "$PWD/token"'),
    run("printf 'ID,A1,A2\\nR1,01:01,24:02\\n' > typed.csv"),
    shown('put -p typed.csv /typed/'),
    shown('ls /typed', 'typed.csv'),
    counted('ls /typed --json', 'typed.csv'),
  ],
  get: [
    shown('get /typed/typed.csv -o - | head -1', 'ID,A1,A2'),
    shown('get /typed/typed.csv -o copy.csv'),
    run('cmp typed.csv copy.csv'),
    shown('put --convert typed.csv /typed/kept.csv'),
    shown('get /typed/kept.csv --as jsonl -o -', '{"ID":"R1","A1":"01:01","A2":"24:02"}'),
    shown('get /typed/kept.csv --reduce lgx -q -o - | tail -1', 'R1,01:01,A*01:01,24:02,A*24:02,ok,'),
    shown('rm --forever /typed/kept.csv'),
  ],
  put: [
    run('hla config set drive-token-file "$PWD/token"'),
    run("printf 'ID,A1,A2\\nR1,01:01,24:02\\n' > donors.csv"),
    shown('put -p donors.csv /registry/'),
    shown('ls /registry', 'donors.csv'),
    shown('get /registry/donors.csv -o - | head -1', 'ID,A1,A2'),
    shown('log /registry/donors.csv --json | grep -c md5', '1'),
  ],
  rm: [
    shown('put typed.csv /typed/spare.csv'),
    shown('rm /typed/spare.csv'),
    shown('ls /typed', 'typed.csv'),
  ],
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
      `make-here 2026
make-here 2026/june
make-here 2026/may
download first.csv
download second.csv`,
    ),
    run('mv desk/second.csv desk/2026/'),
    shown('sync -q desk /desk', 'move-there second.csv to 2026/second.csv'),
    shown('sync -q desk /desk'),
    shown('rm -R --forever /desk'),
  ],
  log: [
    counted('log /typed/typed.csv --json', 'md5'),
    shown('log /typed/typed.csv --json | wc -l', '1'),
    shown('get /typed/typed.csv -o - | wc -l', '2'),
    // equal accesses within a while are one line
    shown('log /typed/typed.csv --reads | grep -o download | sort -u', 'download'),
    shown('rm -R /typed'),
  ],
  share: [
    shown(
      'share /registry',
      `WHO              ROLE   INHERITED  LINK   EXPIRES
owner@localhost  owner  false      false  -`,
    ),
    counted('share /registry --json', 'owner'),
    counted('share /registry/donors.csv --json', 'owner'),
    counted('share /registry/donors.csv --link --downloads 5 --json', '/link/link-'),
  ],
  'link list': [
    counted('link list --json', '"most":5'),
    counted('link list', 'PASSWORD'),
    counted('link list', 'donors.csv'),
  ],
  'rule add': [
    shown('mkdir -p /incoming'),
    shown('rule add /incoming --rule-release starter --json | cut -c1-6', '{"id":'),
    shown("rule add /incoming --rule-release starter -m G --match '*.csv' | wc -l", '2'),
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
  user: [
    shown(
      `user add ${LAB} --name Ada --quota 10GiB ada@example.org`,
      `EMAIL            NAME  ID                    ADMIN  QUOTA           USED  DISABLED  PASSWORD
ada@example.org  Ada   14978987608958276646  false  10,737,418,240  0     false     false`,
    ),
  ],
  'user add': [
    shown(`user add ${LAB} bob@lab.example > bob.txt`),
    counted(`user add ${LAB} --name Cy --json cy@lab.example`, '"name":"Cy"'),
    shown(`user remove ${LAB} bob@lab.example >> bob.txt`),
    shown(`user remove ${LAB} cy@lab.example >> bob.txt`),
  ],
  'user set': [
    shown(
      `user set ${LAB} --quota 20GiB ada@example.org`,
      `EMAIL            NAME  ID                    ADMIN  QUOTA           USED  DISABLED  PASSWORD
ada@example.org  Ada   14978987608958276646  false  21,474,836,480  0     false     false`,
    ),
    counted(`user set ${LAB} --name "Ada L." --json ada@example.org`, '"name":"Ada L."'),
    counted(`user set ${LAB} --name Ada --json ada@example.org`, '"name":"Ada"'),
  ],
  'user remove': [
    shown(`user add ${LAB} gone@lab.example > gone.txt`),
    shown(`user remove ${LAB} gone@lab.example >> gone.txt`),
    gone('user list'),
  ],
  'user list': [
    shown(`user list ${LAB} | grep -c example`, '1'),
    counted(`user list ${LAB} --json`, 'ada@example.org'),
    shown(`user list ${LAB} --json | wc -l`, '2'),
  ],
  group: [
    shown(
      `group add ${LAB} --name Typing typing@example.org`,
      `EMAIL               NAME    ID                    MEMBERS  DISABLED
typing@example.org  Typing  04979905176297852677  0        false`,
    ),
    shown(
      `group set ${LAB} --add ada@example.org typing@example.org --json`,
      '{"email":"typing@example.org","name":"Typing","id":"04979905176297852677","members":1,"disabled":false}',
    ),
  ],
  'group add': [
    shown(`group add ${LAB} night@lab.example > night.txt`),
    counted(`group list ${LAB}`, 'night'),
    shown(`group remove ${LAB} night@lab.example >> night.txt`),
  ],
  'group set': [
    counted(`group set ${LAB} --remove ada@example.org --json typing@example.org`, '"members":0'),
    counted(`group set ${LAB} --add ada@example.org --json typing@example.org`, '"members":1'),
    counted(`group list ${LAB} --json`, 'typing@example.org'),
  ],
  'group remove': [
    shown(`group add ${LAB} gone-team@lab.example > gone.txt`),
    shown(`group remove ${LAB} gone-team@lab.example >> gone.txt`),
    gone('group list'),
  ],
  'group list': [
    shown(`group list ${LAB} | grep -c example`, '1'),
    counted(`group list ${LAB} --json`, 'typing@example.org'),
    shown(`group list ${LAB} --json | wc -l`, '1'),
  ],
  token: [
    shown(`token create ${LAB} --user ada@example.org --expires 12h > token`),
    shown(`token create ${LAB} --user ada@example.org --scopes drive.readonly > reading`),
    shown(`token list ${LAB} --json | wc -l`, '4'),
  ],
  'token create': [
    shown(`token create ${LAB} --user ada@example.org --expires 1h > short`),
    run('grep -c hla_ short', '1'),
    shown(`token revoke ${LAB} "$(cat short)"`),
  ],
  'token list': [
    counted(`token list ${LAB} --json`, 'ada@example.org', '2'),
    counted(`token list ${LAB}`, 'ada@example.org', '2'),
    shown(`token list ${LAB} --json | wc -l`, '4'),
  ],
  'token revoke': [
    shown(`token revoke ${LAB} "$(cat reading)"`),
    shown(`token create ${LAB} --user ada@example.org > spare`),
    shown(`token revoke ${LAB} "$(cat spare)"`),
  ],
  'account add': [
    shown(`account add ${LAB} --url http://localhost:8090 robot@example.org > robot.json`),
    run('grep -om1 robot@example.org robot.json', 'robot@example.org'),
    shown(`account list ${LAB} --json | wc -l`, '1'),
  ],
  'account remove': [
    shown(`account add ${LAB} --url http://localhost:8090 gone-robot@lab.example > gone.txt`),
    shown(`account remove ${LAB} gone-robot@lab.example >> gone.txt`),
    gone('account list'),
  ],
  'account list': [
    shown(
      `account list ${LAB}`,
      `EMAIL              NAME   KEYS  DISABLED
robot@example.org  robot  1     false`,
    ),
    shown(`account list ${LAB} --json | wc -l`, '1'),
    counted(`account list ${LAB} --json`, '"keys":1'),
  ],
  'key add': [
    shown(`key add ${LAB} --url http://localhost:8090 robot@example.org > robot-2.json`),
    run('grep -om1 robot@example.org robot-2.json', 'robot@example.org'),
    shown(`key list ${LAB} --json | wc -l`, '2'),
  ],
  'key rotate': [
    shown(`key rotate ${LAB} "$(grep -om1 '[0-9a-f]\\{40\\}' robot-2.json)" > robot-3.json`),
    run('grep -om1 robot@example.org robot-3.json', 'robot@example.org'),
    shown(`key list ${LAB} --json | wc -l`, '2'),
  ],
  'key set': [
    counted(
      `key set ${LAB} --disable "$(grep -om1 '[0-9a-f]\\{40\\}' robot.json)" --json`,
      '"disabled":true',
    ),
    counted(`key list ${LAB} --json`, '"disabled":true'),
    counted(`key list ${LAB} --json`, '"disabled":false'),
  ],
  'key revoke': [
    shown(`key revoke ${LAB} "$(grep -om1 '[0-9a-f]\\{40\\}' robot.json)"`),
    shown(`key list ${LAB} --json | wc -l`, '1'),
    counted(`key list ${LAB} --json`, '"disabled":false'),
  ],
  'key list': [
    shown(`key list ${LAB} --json | wc -l`, '1'),
    counted(`key list ${LAB} --json`, 'robot@example.org'),
    counted(`key list ${LAB}`, 'robot@example.org'),
  ],
  'client add': [
    shown(
      `client add ${LAB} --name Typing typing`,
      `ID      NAME    DISABLED  REDIRECT  SECRET
typing  Typing  false     -         false`,
    ),
    counted(`client list ${LAB}`, '^typing'),
    counted(`client list ${LAB} --json`, '"id":"typing"'),
  ],
  'client set': [
    shown(
      `client set ${LAB} --name "Typing desk" typing --json`,
      '{"id":"typing","name":"Typing desk","disabled":false,"redirect":null,"secret":false}',
    ),
    counted(`client set ${LAB} --disable typing --json`, '"disabled":true'),
    counted(`client set ${LAB} --enable typing --json`, '"disabled":false'),
  ],
  'client credentials': [
    shown(`client set ${LAB} --redirect http://localhost typing --json | grep -c localhost`, '1'),
    shown(`client credentials ${LAB} --url http://localhost:8090 typing > client.json`),
    run(`grep -c '"client_secret": "hla_' client.json`, '1'),
  ],
  'client remove': [
    shown(`client add ${LAB} gone > gone.txt`),
    shown(`client remove ${LAB} gone >> gone.txt`),
    gone('client list'),
  ],
  'client list': [
    shown(
      `client list ${LAB}`,
      `ID                 NAME               DISABLED  REDIRECT          SECRET
hla                hla                false     -                 false
robot@example.org  robot@example.org  false     -                 false
typing             Typing desk        false     http://localhost  true`,
    ),
    shown(`client list ${LAB} --json | wc -l`, '3'),
    counted(`client list ${LAB} --json`, '"id":"hla"'),
  ],
  'label set': [
    run(`printf '[{"id":"by","valueType":"user"}]' > fields.json`),
    shown(
      `label set ${LAB} --fields fields.json checked`,
      `ID       REVISION  FIELDS  DISABLED
checked  1         by      false`,
    ),
    counted(`label list ${LAB} --json`, '"id":"checked"'),
  ],
  'label remove': [
    shown(`label set ${LAB} gone > gone.txt`),
    shown(`label remove ${LAB} gone >> gone.txt`),
    gone('label list'),
  ],
  'label list': [
    shown(
      `label list ${LAB}`,
      `ID       REVISION  FIELDS  DISABLED
checked  1         by      false`,
    ),
    counted(`label list ${LAB} --json`, '"id":"checked"'),
    shown(`label list ${LAB} --json | wc -l`, '1'),
  ],
  'limit set': [
    shown(
      `limit set ${LAB} folder-children=20000`,
      `NAME             LIMIT   STANDARD  SET   OF
folder-children  20,000  500,000   true  items in a folder`,
    ),
    shown(
      `limit set ${LAB} folder-children=standard --json`,
      '{"name":"folder-children","limit":500000,"standard":500000,"set":false,"of":"items in a folder"}',
    ),
    counted(`limit list ${LAB}`, '^folder-children '),
  ],
  'limit list': [
    shown(
      `limit list ${LAB} | grep token`,
      'token-seconds           3,600        3,600        false  lifetime of a token from /token',
    ),
    counted(`limit list ${LAB} --json`, '"name":"token-seconds"'),
    counted(`limit list ${LAB}`, '^folder-children '),
  ],
  status: [
    shown(`status ${LAB} | grep users`, 'users          3'),
    shown(`status ${LAB} --json | wc -l`, '1'),
    counted(`status ${LAB} --json`, '"users":3'),
  ],
  fsck: [
    shown(`backup ${LAB} kept`),
    shown('restore --data mended kept'),
    shown('fsck --data mended --deep --json'),
  ],
  gc: [
    shown(`gc ${LAB} --grace 168h | grep files`, 'files           0'),
    shown(`gc ${LAB} --grace 720h --json | wc -l`, '1'),
    counted(`gc ${LAB} --json`, 'files'),
  ],
  backup: [
    shown(`backup ${LAB} copy`),
    shown('restore --data again copy'),
    shown('fsck --data again --deep --json'),
  ],
  restore: [
    shown('restore --data third copy'),
    shown('fsck --data third --json'),
    shown('status --data third | grep users', 'users          3'),
  ],
}
