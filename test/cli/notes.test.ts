/** Messages of whole runs about their files, settings and variables. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { callHla } from '../support/call-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const cwd = temp('.')
const STARTER = 'hla: note: built-in starter set (1,058 common alleles of 3.58.0): lists are incomplete; hla data install installs the full release [starter]\n' // prettier-ignore
const FILES = {
  't.csv': 'id,A_1\n1,A*01:01\n',
  'l.csv': 'ID,A_1,A_2,B_1\n1,01:01,01:01,07:02\n',
  'm.csv': 'ID,A_1,A_2,C_1\n1,01:01,,07:01\n',
  'gl.tsv': 'sample\tgl\n1\tA*01:01\n',
  'S1.genotype.json': '{"A":["A*01:01:01","A*02:01"]}',
  'T9.genotype.json': '{"A":["A*01:01:01","A*02:01"]}',
  'p.csv': 'id,A_1,A_2\n1,01:01,02:01\n2,01:01,03:01\n3,01:01,03:01\n',
  'q.csv': 'id,A_1,A_2\n1,01:01,02:01\n4,01:01,02:01\n',
  'z.csv': 'id,A_1,A_2\n7,01:01,02:01\n',
  'settings.json': '{"method":"G","redux":{"limit":9},"mac":{"lift":true}}',
  'none.json': '{}',
  'text.json': '{\n"method": x}',
  'long.json': `{"release": "3.58.0", "limit": 10, "method": x, "lift": true, "data-dir": "/data/releases"}`,
  'comma.json': '{"method": "G",\n}',
  'cut.json': '{"method": ["G"',
  'list.json': '[1]',
}

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text)
})

const match = (patients: string, donors: string) =>
  ['match', '--patients', patients, '--donors', donors, '--by-id', '-r', 'starter'] as const
const guessed = (word: string) => `hla: note: read as hla redux ${word} [read-as]
${STARTER}hla: error: ${word} is not fully covered by the built-in starter set [starter]
  ${word}
  ${'^'.repeat(word.length)}
  hla data install 3.58.0 installs the full release
`
const summary = 'hla: lgx: 1 of 1 agree at every locus that both files have\n'

describe('the messages of a run', () => {
  test.for([
    [
      ['diff', 'l.csv', 'm.csv', '-r', 'starter'],
      `hla: note: persons are matched by ID of l.csv and ID of m.csv [persons]
hla: note: only l.csv has B [loci]
hla: note: only m.csv has C [loci]
hla: 1 person is in both files, 0 in l.csv alone, 0 in m.csv alone
${summary}`,
    ],
    [
      ['diff', 'l.csv', 'gl.tsv', '-r', 'starter', '--loci', 'A'],
      `hla: note: persons are matched by ID of l.csv and sample of gl.tsv [persons]
hla: 1 person is in both files, 0 in l.csv alone, 0 in gl.tsv alone
${summary}`,
    ],
    [
      ['diff', 'S1.genotype.json', 'T9.genotype.json', '-r', 'starter'],
      `hla: note: S1.genotype.json: read as arcasHLA (the alleles of each gene) [records]
hla: note: T9.genotype.json: read as arcasHLA (the alleles of each gene) [records]
hla: note: persons are matched by sample of S1.genotype.json and sample of T9.genotype.json [persons]
hla: note: each file is about one person and named by it: S1.genotype and T9.genotype are compared as one [persons]
hla: 1 person is in both files, 0 in S1.genotype.json alone, 0 in T9.genotype.json alone
${summary}`,
    ],
    [
      match('p.csv', 'q.csv'),
      'hla: note: 2 ids are in p.csv alone [persons]\nhla: note: 1 id is in q.csv alone [persons]\nhla: 3 patients: 1 pair written\n',
    ],
    [
      match('z.csv', 'q.csv'),
      'hla: warning: 1 id is in z.csv alone [persons]\nhla: warning: 2 ids are in q.csv alone [persons]\nhla: 1 patient: 0 pairs written\n',
    ],
    [
      ['redux', '-r', 'starter', '-v', '--config', 'settings.json', 'A*01:01'],
      'hla: note: method limit (settings.json) [settings]\n',
    ],
    [['redux', '-r', 'starter', '-v', '--config', 'none.json', 'A*01:01'], ''],
    [['redux', '-r', 'starter', '--config', 'settings.json', 'A*01:01'], ''],
    [
      ['redux', '-r', 'starter', '--expect-data', '3.58.0', 'A*01:01'],
      'hla: error: answers come from the built-in starter set of 3.58.0, not from 3.58.0 [pin]\n',
    ],
    ...[
      ['text.json', "text.json: this is not JSON: Unexpected token 'x'"],
      ['long.json', "long.json: this is not JSON: Unexpected token 'x'"],
      ['comma.json', 'comma.json:2: this is not JSON: Expected double-quoted property name'],
      ['cut.json', "cut.json:1: this is not JSON: Expected ',' or ']' after array element"],
    ].map(
      ([file = '', message]) => [['redux', '--config', file, 'A*01:01'], `hla: error: ${message}\n`] as const,
    ),
    [
      ['redux', '--config', 'list.json', 'A*01:01'],
      'hla: error: list.json must be an object: {"release": "3.58.0"}\n',
    ],
    [
      ['redux', '-i', 't.csv', '-f', 'tsv'],
      `hla: note: --format tsv of a table is read as -D tab [read-as]\n${STARTER}hla: 1 row, 1 typing: 1 ok\n`,
    ],
    [
      ['redux', '-i', 't.csv', '-f', 'csv'],
      `hla: note: --format csv of a table is read as -D , [read-as]\n${STARTER}hla: 1 row, 1 typing: 1 ok\n`,
    ],
    [['A9999'], guessed('A9999')],
    [['A2'], guessed('A2')],
    [['DR99'], guessed('DR99')],
    [['B7'], guessed('B7')],
    ...['C7', 'E7', 'DPB4', 'A07', 'A12345', 'X2'].map(
      (word) =>
        [[word], `hla: error: unknown command "${word}"\n  Run hla --help for all commands.\n`] as const,
    ),
    [['Cw7'], guessed('Cw7')],
  ] as const)('of hla %j', async ([args, stderr]) => {
    expect((await callHla(args, { cwd })).stderr).toBe(stderr)
  })
})

test.for([
  ['0', STARTER],
  ['false', STARTER],
  ['NO', STARTER],
  ['off', STARTER],
  ['', STARTER],
  ['1', ''],
  ['00', ''],
  ['true', ''],
  ['noo', ''],
] as const)('HLA_QUIET=%s', async ([value, stderr]) => {
  const ran = await callHla(['redux', 'A*01:01'], { cwd, env: { HLA_QUIET: value } })
  expect(ran).toEqual({ status: 0, stdout: 'A*01:01\n', stderr })
})
