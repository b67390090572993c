/** Examples in the help of `hla drive`: moving, copying, finding and putting away, by the words behind `hla drive`. */
import type { Example } from '../../../../operations/operation.ts'

function shown(command: string, output = ''): Example {
  return { command: `hla drive ${command}`, output }
}

export const CHANGE_EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
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
