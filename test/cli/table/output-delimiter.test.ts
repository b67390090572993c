/** The output's file name ending decides its delimiter, unless an option does. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const cwd = tempFolder()('')
const [TAB, COMMA, SEMICOLON, PIPE] = ['\t', ',', ';', '|']

test('its provenance is verified', async () => {
  writeFileSync(join(cwd, 'b.csv'), 'id,A_1,A_2\nP1,01:01,02:01\n')
  await callHla(['redux', '-q', '-r', 'starter', '-i', 'b.csv', '-o', 'b.tsv', '--provenance'], { cwd })
  const verified = await callHla(['provenance', 'verify', '--rerun', 'b.tsv.hla.json'], { cwd })
  expect(verified).toMatchObject({ status: 0, stdout: expect.not.stringContaining('differs') })
})

test.for([
  ['a.csv', 'out.tsv', [], TAB],
  ['a.csv', 'out.TAB', [], TAB],
  ['a.csv', 'out.psv', [], PIPE],
  ['a.csv', 'out.tsv.gz', [], TAB],
  ['a.csv', 'out.txt', [], COMMA],
  ['a.csv', '-', [], COMMA],
  ['a.csv', 'out.tsv', ['-D', ','], COMMA],
  ['a.csv', 'out.tsv', ['--shape', 'long'], TAB],
  ['a.tsv', 'out.csv', [], COMMA],
  ['a.tsv', 'out.csv', ['-D', 'tab'], TAB],
  ['a.tsv', 'out.out', [], TAB],
  // semicolons are a form of CSV, which spreadsheets in many countries write
  ['semicolons.csv', 'out.csv', [], SEMICOLON],
  ['semicolons.csv', 'out.tsv', [], TAB],
] as const)('%s to %s %j', async ([input, output, words, delimiter]) => {
  const own = input === 'a.tsv' ? TAB : input === 'a.csv' ? COMMA : SEMICOLON
  const rows = [
    ['id', 'note', 'A_1', 'A_2'],
    ['P1', '"a,b"', '01:01', '02:01'],
  ]
  writeFileSync(join(cwd, input), `${rows.map((row) => row.join(own)).join('\n')}\n`)
  const ran = await callHla(['redux', '-q', '-r', 'starter', '-i', input, '-o', output, ...words], { cwd })
  expect(ran).toMatchObject({ status: 0, stderr: '' })
  const bytes = output === '-' ? Buffer.from(ran.stdout) : readFileSync(join(cwd, output))
  const text = (output.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  const [head = ''] = text.split('\n')
  expect(head.split(delimiter).slice(0, 3)).toEqual([
    'id',
    'note',
    (words as readonly string[]).includes('long') ? 'locus' : 'A_1',
  ])
  expect(text).toContain('"a,b"')
})
