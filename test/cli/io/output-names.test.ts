/** An output is refused under a name of another kind of file than is written: readers of that kind would fail on it. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const cwd = tempFolder()('')
writeFileSync(join(cwd, 'donors.csv'), 'id,A_1,A_2\n1,A*01:01,A*02:01\n')
writeFileSync(
  join(cwd, 'hml.csv'),
  'id,typing_method,test_id,test_id_source,A_1,A_2\n1,sbt-ngs,T,S,A*01:01,A*02:01\n',
)
writeFileSync(
  join(cwd, 'donor.csv'),
  'id,changeType,donorType,donPool,A_1,A_2,B_1,B_2,DRB1_1,DRB1_2\n1,N,D,AN,A*01:01,A*02:01,B*07:02,B*08:01,DRB1*15:01,DRB1*03:01\n',
)
const HML = ['--set', 'date=2026-01-02,project-name=LAB,reporting-center=1']

test.for([
  ['x.json', 'JSON'],
  ['x.jsonl', 'JSON lines'],
  ['x.json.gz', 'JSON'],
  ['x.parquet', 'Parquet'],
  ['x.xml', 'XML'],
  ['x.html', 'HTML'],
] as const)('a table as %s', async ([name, kind]) => {
  const { status, stderr } = await callHla(['redux', '-q', '-i', 'donors.csv', '-o', name], { cwd })
  expect(stderr).toBe(
    `hla: error: ${name}: hla writes text here, not ${kind}\n  name it .csv or .tsv, with .gz to compress it\n`,
  )
  expect({ status, exists: existsSync(join(cwd, name)) }).toEqual({ status: 2, exists: false })
})

test.for([
  [['-i', 'donors.csv', '-o', 'y.csv']],
  [['-i', 'donors.csv', '-o', 'y.tsv.gz']],
  [['-i', 'donors.csv', '-o', 'y.out']],
  [['-i', 'donors.csv', '--output-format', 'fhir', '-o', 'y.jsonl']],
  [['-i', 'hml.csv', '--output-format', 'hml', ...HML, '-o', 'y.hml']],
  [['-i', 'hml.csv', '--output-format', 'hml', ...HML, '-o', 'y.xml.gz']],
  [['-i', 'hml.csv', '--output-format', 'hml', ...HML, '-o', 'y.out']],
  [['-i', 'donor.csv', '--output-format', 'donors', '--set', 'updateMode=diff,ethn=UK', '-o', 'y.json']],
  [['--format', 'json', '-o', 'y.json', 'A*01:01']],
  [['--format', 'jsonl', '-o', 'y.ndjson', 'A*01:01']],
] as const)('%o is written', async ([args]) => {
  expect(await callHla(['redux', '-q', ...args], { cwd })).toMatchObject({ status: 0, stderr: '' })
})

test.for([
  ['hml', 'x.json', 'JSON'],
  ['donors', 'x.xml', 'XML'],
  ['donors', 'x.jsonl', 'JSON lines'],
] as const)('%s as %s is refused', async ([format, name, kind]) => {
  const asked = ['redux', '-q', '-i', 'donors.csv', '--output-format', format, '-o', name]
  const { status, stderr } = await callHla(asked, { cwd })
  expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining(`not ${kind}`) as string }) // prettier-ignore
})

test('answers about typings name the format that writes JSON, and it does', async () => {
  const { status, stderr } = await callHla(['redux', '-q', 'A*01:01', '-o', 'z.json'], { cwd })
  expect({ status, stderr }).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--format json') as string,
  })
  expect(
    (await callHla(['redux', '-q', 'A*01:01', '-o', 'z.json', '--format', 'json'], { cwd })).status,
  ).toBe(0)
})
