/** Help topic and docs/migration.md: coming from py-ard. Pure. */
import {
  type CommandRow,
  DIFFERENT,
  DROPPED,
  OTHERWISE,
  PROGRAMS,
  QUESTIONS,
  type SettingRow,
  SETTINGS,
} from '../migration.ts'
import { REQUESTS } from '../migration-requests.ts'
import { type Block, file, heading, session, table, text } from '../page.ts'

export function migrateTopic(): Block[] {
  return [
    ...text(
      'The answers are the same, and docs/divergences.md lists every case where they are not. Typings are arguments instead of values of `-g`, and each operation is a command.',
    ),
    heading('Questions'),
    table(['py-ard', 'hla', 'prints', 'remarks'], QUESTIONS.map(commandRow)),
    heading('Data and programs'),
    table(
      ['py-ard', 'hla', 'remarks'],
      [...PROGRAMS.map(withoutOutput), ...OTHERWISE.map(([peer, ours]) => [code(peer), ours, ''])],
    ),
    ...serviceBlocks(),
    heading('Tables: reduce_conf.json'),
    ...text(
      '`pyard-reduce-csv -c conf.json` is `hla redux --pyard-config conf.json`: the configuration is read as it is, and `--plan` says which command line it is.',
    ),
    file('conf.json', CONFIG),
    file('in.csv', 'id,a1,a2\nD1,A*01:01:01,A*02:AB\nD2,A1,A*24:02\n'),
    session(
      {
        command: 'hla redux --pyard-config conf.json --plan | tail -1',
        output:
          "command    hla redux -i in.csv -o out.csv --csv --header-row 1 --accept space -l A=a1,a2 --only-named -m lgx --keep serology,xx --into after --name 'reduced_{col}'",
      },
      {
        command: 'hla redux -q --pyard-config conf.json && cat out.csv',
        output:
          'id,a1,reduced_a1,a2,reduced_a2\nD1,A*01:01:01,A*01:01,A*02:AB,A*02:01/A*02:02\nD2,A1,A1,A*24:02,A*24:02',
      },
    ),
    ...text(
      'Each setting on its own; the third column shows the result for a cell of `A_1`, or the columns of the output.',
    ),
    table(
      ['setting', 'option', 'for example', 'remarks'],
      [...SETTINGS.map(settingRow), ...DROPPED.map(([key, why]) => [code(key), '', '', why])],
    ),
    heading('Different on purpose'),
    ...text(...DIFFERENT),
  ]
}

function serviceBlocks(): Block[] {
  return [
    heading('Requests of the service'),
    ...text(
      'The compared py-ard is 2.3.1; what `/mac-hats`, text and `.pyardrc` are was read in 2.4.1. Members besides those of py-ard are additions.',
    ),
    table(
      ['request', 'here'],
      REQUESTS.map(({ request, note = 'the same' }) => [code(request), note]),
    ),
    heading('Compare another version'),
    ...text(
      '`docs/compare/compare_pyard.py` runs the py-ard that is installed beside it and `hla` over a table of yours, and names each difference by its row in docs/divergences.md.',
    ),
  ]
}

const CONFIG = `{
  "in_csv_filename": "in.csv",
  "out_csv_filename": "out.csv",
  "columns_from_csv": ["id", "a1", "a2"],
  "locus_column_mapping": { "donor": { "A": ["a1", "a2"] } },
  "redux_type": "lgx",
  "reduce_serology": false,
  "reduce_XX": false,
  "new_column_for_redux": true,
  "reduced_column_prefix": "reduced_"
}
`

function commandRow({ peer, ours, output = '', note = '' }: CommandRow): string[] {
  const shown = output.split('\t').map(code).join(' ')
  return [code(peer), code(ours), output === '' ? '' : shown, note]
}

function withoutOutput({ peer, ours, note = '' }: CommandRow): string[] {
  return [code(peer), code(ours), note]
}

function settingRow({ key, ours, cell, columns, note = '' }: SettingRow): string[] {
  const example = cell === undefined ? '' : `${code(cell[0])} gives ${code(cell[1])}`
  return [code(key), ours === '' ? 'none' : code(ours), columns === undefined ? example : code(columns), note]
}

function code(given: string): string {
  return `\`${given}\``
}
