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
import { type Block, heading, table, text } from '../page.ts'

export function migrateTopic(): Block[] {
  return [
    ...text(
      'The answers are the same, and docs/divergences.md lists every case where they are not. Typings are arguments instead of the value of `-g`, and each question is a command.',
    ),
    heading('Questions'),
    table(['py-ard', 'hla', 'prints', 'remarks'], QUESTIONS.map(commandRow)),
    heading('Data and programs'),
    table(
      ['py-ard', 'hla', 'remarks'],
      [...PROGRAMS.map(withoutOutput), ...OTHERWISE.map(([peer, ours]) => [code(peer), ours, ''])],
    ),
    heading('Tables: reduce_conf.json'),
    ...text(
      '`pyard-reduce-csv -c conf.json` is `hla redux -i donors.csv -o reduced.csv` with these options. The third column says what becomes of a cell of `A_1`, or which columns there are.',
    ),
    table(
      ['setting', 'option', 'for example', 'remarks'],
      [...SETTINGS.map(settingRow), ...DROPPED.map(([key, why]) => [code(key), '', '', why])],
    ),
    heading('Different on purpose'),
    ...text(...DIFFERENT),
  ]
}

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
