/**
 * Further examples in the help of `hla drive`, by command path: how to inspect the result of a command. They follow
 * the command's own.
 */
import type { Example } from '../../../../operations/operation.ts'

const LAB = '--data lab'

function shown(command: string, output = ''): Example {
  return { command: `hla drive ${command}`, output }
}

/** Example that fails without a database, as on the machine that tests the examples. */
function failing(command: string, exit: number): Example {
  return { command: `hla drive ${command}`, output: '', exit }
}

function counted(command: string, what: string, output = '1'): Example {
  return shown(`${command} | grep -c '${what}'`, output)
}

/** Example that shows that a removed item is no longer listed. */
function gone(list: string): Example {
  return shown(`${list} ${LAB} | sed -n /gone/p`)
}

export const MORE_EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  ls: [
    { command: 'hla config set drive-token-file "$PWD/token"', output: '' },
    { command: "printf 'ID,A1,A2\\nR1,01:01,24:02\\n' > typed.csv", output: '' },
    shown('put -p typed.csv /typed/'),
    shown('ls /typed', 'typed.csv'),
    counted('ls /typed --json', 'typed.csv'),
  ],
  get: [
    shown('get /typed/typed.csv -o - | head -1', 'ID,A1,A2'),
    shown('get /typed/typed.csv -o copy.csv'),
    { command: 'cmp typed.csv copy.csv', output: '' },
    shown('put --convert typed.csv /typed/kept.csv'),
    shown('get /typed/kept.csv --as jsonl -o -', '{"ID":"R1","A1":"01:01","A2":"24:02"}'),
    shown('get /typed/kept.csv --reduce lgx -q -o - | tail -1', 'R1,01:01,A*01:01,24:02,A*24:02,ok,'),
    shown('rm --forever /typed/kept.csv'),
  ],
  rm: [
    shown('put typed.csv /typed/spare.csv'),
    shown('rm /typed/spare.csv'),
    shown('ls /typed', 'typed.csv'),
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
    counted('share /registry --json', 'owner'),
    counted('share /registry/donors.csv --json', 'owner'),
    counted('share /registry/donors.csv --link --downloads 5 --json', '/link/link-'),
  ],
  'link list': [
    counted('link list --json', '"most":5'),
    counted('link list', 'PASSWORD'),
    counted('link list', 'donors.csv'),
  ],
  'user add': [
    shown(`user add ${LAB} bob@lab.example > bob.txt`),
    counted(`user add ${LAB} --name Cy --json cy@lab.example`, '"name":"Cy"'),
    shown(`user remove ${LAB} bob@lab.example >> bob.txt`),
    shown(`user remove ${LAB} cy@lab.example >> bob.txt`),
  ],
  'user set': [
    counted(`user set ${LAB} --name "Ada L." --json ada@example.org`, '"name":"Ada L."'),
    counted(`user set ${LAB} --name Ada --json ada@example.org`, '"name":"Ada"'),
  ],
  'user remove': [gone('user list')],
  'user list': [
    counted(`user list ${LAB} --json`, 'ada@example.org'),
    shown(`user list ${LAB} --json | wc -l`, '2'),
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
  'group remove': [gone('group list')],
  'group list': [
    counted(`group list ${LAB} --json`, 'typing@example.org'),
    shown(`group list ${LAB} --json | wc -l`, '1'),
  ],
  'token create': [
    shown(`token create ${LAB} --user ada@example.org --expires 1h > short`),
    { command: 'grep -c hla_ short', output: '1' },
    shown(`token revoke ${LAB} "$(cat short)"`),
  ],
  'token list': [
    counted(`token list ${LAB} --json`, 'ada@example.org', '2'),
    counted(`token list ${LAB}`, 'ada@example.org', '2'),
    shown(`token list ${LAB} --json | wc -l`, '4'),
  ],
  'token revoke': [
    shown(`token create ${LAB} --user ada@example.org > spare`),
    shown(`token revoke ${LAB} "$(cat spare)"`),
  ],
  'account add': [
    { command: 'grep -om1 robot@example.org robot.json', output: 'robot@example.org' },
    shown(`account list ${LAB} --json | wc -l`, '1'),
  ],
  'account remove': [gone('account list')],
  'account list': [
    shown(`account list ${LAB} --json | wc -l`, '1'),
    counted(`account list ${LAB} --json`, '"keys":1'),
  ],
  'key add': [
    { command: 'grep -om1 robot@example.org robot-2.json', output: 'robot@example.org' },
    shown(`key list ${LAB} --json | wc -l`, '2'),
  ],
  'key rotate': [
    { command: 'grep -om1 robot@example.org robot-3.json', output: 'robot@example.org' },
    shown(`key list ${LAB} --json | wc -l`, '2'),
  ],
  'key set': [
    counted(`key list ${LAB} --json`, '"disabled":true'),
    counted(`key list ${LAB} --json`, '"disabled":false'),
  ],
  'key revoke': [
    shown(`key list ${LAB} --json | wc -l`, '1'),
    counted(`key list ${LAB} --json`, '"disabled":false'),
  ],
  'key list': [
    counted(`key list ${LAB} --json`, 'robot@example.org'),
    counted(`key list ${LAB}`, 'robot@example.org'),
  ],
  'client add': [
    counted(`client list ${LAB}`, '^typing'),
    counted(`client list ${LAB} --json`, '"id":"typing"'),
  ],
  'client set': [
    counted(`client set ${LAB} --disable typing --json`, '"disabled":true'),
    counted(`client set ${LAB} --enable typing --json`, '"disabled":false'),
  ],
  'client remove': [gone('client list')],
  'client list': [
    shown(`client list ${LAB} --json | wc -l`, '3'),
    counted(`client list ${LAB} --json`, '"id":"hla"'),
  ],
  'label set': [counted(`label list ${LAB} --json`, '"id":"checked"')],
  'label remove': [gone('label list')],
  'label list': [
    counted(`label list ${LAB} --json`, '"id":"checked"'),
    shown(`label list ${LAB} --json | wc -l`, '1'),
  ],
  'limit set': [counted(`limit list ${LAB}`, '^folder-children ')],
  'limit list': [
    counted(`limit list ${LAB} --json`, '"name":"token-seconds"'),
    counted(`limit list ${LAB}`, '^folder-children '),
  ],
  status: [shown(`status ${LAB} --json | wc -l`, '1'), counted(`status ${LAB} --json`, '"users":3')],
  fsck: [
    shown(`backup ${LAB} kept`),
    shown('restore --data mended kept'),
    shown('fsck --data mended --deep --json'),
  ],
  gc: [shown(`gc ${LAB} --grace 720h --json | wc -l`, '1'), counted(`gc ${LAB} --json`, 'contents')],
  copy: [
    failing('copy --from again --to postgres://localhost:1/hla --contents contents', 4),
    failing('copy --from postgres://localhost:1/hla --contents contents --to back --json', 4),
    failing('copy --from again --to back --contents contents', 2),
  ],
  restore: [
    shown('restore --data third copy'),
    shown('fsck --data third --json'),
    shown('status --data third | grep users', 'users          3'),
  ],
}
