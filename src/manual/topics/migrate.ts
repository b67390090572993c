/** Help topic and docs/migration.md: migration from py-ard. Pure. */
import {
  type CommandRow,
  DIFFERENT,
  DROPPED,
  OTHERWISE,
  PROGRAMS,
  QUESTIONS,
  SETTINGS,
  type SettingRow,
} from '../migration.ts'
import { type Block, file, heading, session, table, text } from '../page.ts'

export function migrateTopic(): Block[] {
  return [
    ...text(
      'The answers are the same except in the cases that docs/divergences.md lists. Typings are arguments instead of values of `-g`, and each operation is a command.',
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
      '`pyard-reduce-csv -c conf.json` is `hla redux --pyard-config conf.json`: the configuration is read as it is, and `--plan` prints the equivalent command line.',
    ),
    file('conf.json', CONFIG),
    file('in.csv', 'id,a1,a2\nD1,A*01:01:01,A*02:AB\nD2,A1,A*24:02\n'),
    session(
      {
        command: 'hla redux -q --pyard-config conf.json --plan | tail -1',
        output:
          "command    hla redux -i in.csv -o out.csv -d , --header-row 1 --accept space -l A=a1,a2 --only-named -m lgx --keep serology,xx --into after --name 'reduced_{col}' -q",
      },
      {
        command: 'hla redux -q --pyard-config conf.json && cat out.csv',
        output:
          'id,a1,reduced_a1,a2,reduced_a2\nD1,A*01:01:01,A*01:01,A*02:AB,A*02:01/A*02:02\nD2,A1,A1,A*24:02,A*24:02',
      },
    ),
    ...text(
      '`-q` leaves out notes, such as that the starter set answers, and the summary of a table.',
      'Each row shows one setting alone; the third column shows the result for a cell of `A_1`, or the columns of the output.',
    ),
    table(
      ['setting', 'option', 'for example', 'remarks'],
      [...SETTINGS.map(settingRow), ...DROPPED.map(([key, why]) => [code(key), '', '', why])],
    ),
    heading('Intended differences'),
    ...text(...DIFFERENT),
  ]
}

function serviceBlocks(): Block[] {
  return [
    heading('Requests of the service'),
    ...text(
      'hla is compared with py-ard 2.3.1; `/mac-hats`, text answers and `.pyardrc` follow the source of 2.4.1. JSON members that py-ard lacks are additions.',
    ),
    table(
      ['request', 'here'],
      REQUESTS.map(({ request, note = 'the same' }) => [code(request), note]),
    ),
    heading('Compare another version'),
    ...text(
      '`docs/compare/compare_pyard.py` runs `hla` and an installed py-ard on your table, and names each difference by its row in docs/divergences.md.',
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

export interface RequestRow {
  readonly request: string
  /** Operation and method of the recorded answers; undefined without any. */
  readonly recorded?: { readonly op: string; readonly method?: string }
  /** Property of the body with the recorded answer. */
  readonly member?: string
  readonly note?: string
}

export const REQUESTS: readonly RequestRow[] = [
  {
    request: 'POST /redux',
    recorded: { op: 'redux' },
    member: 'ard',
    note: 'a missing property gives 400, not 404',
  },
  {
    request: 'GET /ard/{allele}',
    recorded: { op: 'redux', method: 'lgx' },
    member: 'ard',
    note: 'a missing parameter gives 400, not 404; a genotype or a list gives 400 (use `POST /redux`), where py-ard answers 200',
  },
  {
    request: 'POST /cwd-redux',
    recorded: { op: 'cwd' },
    member: 'cwd',
    note: '`cwd_mac` with the code of the result',
  },
  {
    request: 'GET /mac/{allele_code}',
    recorded: { op: 'mac-expand' },
    member: 'gl_string',
    note: 'input that is not a MAC gives 400, not 404',
  },
  {
    request: 'POST /mac',
    recorded: { op: 'mac-lookup' },
    member: 'mac',
    note: 'input that is not a list gives 400, not 500',
  },
  {
    request: 'GET /xx/{xx_code}',
    recorded: { op: 'xx-expand' },
    member: 'gl_string',
    note: 'input that is not an XX code gives 400, not 404',
  },
  {
    request: 'GET /mac-hats/{allele_code}',
    note: 'for releases from 3.64.0 on; earlier ones give 501, where py-ard answers 500',
  },
  {
    request: 'POST /validate',
    recorded: { op: 'validate' },
    member: 'valid',
    note: 'malformed text gives 400, an unknown name 404',
  },
  { request: 'GET /valid?gl_string=', recorded: { op: 'validate' }, member: 'valid' },
  { request: 'GET /splits/{allele}', recorded: { op: 'splits' }, note: 'no result gives 404 in both' },
  {
    request: 'GET /similar/{allele_prefix}',
    recorded: { op: 'similar' },
    note: 'a list; no match gives 404, not 400',
  },
  {
    request: 'POST /blend',
    recorded: { op: 'blend' },
    member: 'DRBX_blend',
    note: 'typings that do not fit give 404, not 200; omitted genes count as empty and do not give 500',
  },
  { request: 'GET /version', note: 'with the data, their checksums and their age' },
  {
    request: 'Accept: text/plain',
    note: 'text for `/version`, `/ard`, `/mac`, `/mac-hats`, `/xx`, `/validate` and `/valid`, for clients that prefer it to JSON; `*/*` gets JSON here, text from py-ard. Errors are JSON in both',
  },
  {
    request: '/ui',
    note: 'opens the web page; the API is documented at `/docs` and `/openapi.json`',
  },
]
