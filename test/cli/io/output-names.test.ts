/** An output is refused under a name of another kind of file than is written: readers of that kind would fail on it. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { refuseClashingFiles, refuseOtherKind } from '../../../src/cli/run/clashing-files.ts'
import type { CommandOptions } from '../../../src/cli/options/operation-options.ts'
import { callHla } from '../../support/call-hla.ts'
import { errorOf } from '../../support/errors.ts'
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

const withOptions = (given: object) => given as CommandOptions

test.for([
  ['json', 'JSON', ', or write JSON with --format json'],
  ['jsonl', 'JSON lines', ', or write JSON with --format jsonl'],
  ['ndjson', 'JSON lines', ', or write JSON with --format jsonl'],
  ['xml', 'XML', ''],
  ['hml', 'XML', ''],
  ['htm', 'HTML', ''],
  ['html', 'HTML', ''],
  ['parquet', 'Parquet', ''],
  ['arrow', 'Arrow', ''],
  ['feather', 'Arrow', ''],
  ['pdf', 'a PDF document', ''],
  ['sqlite', 'a database', ''],
  ['sqlite3', 'a database', ''],
  ['db', 'a database', ''],
] as const)('answers as .%s: no %s', ([ending, kind, alternative]) => {
  const output = `x.${ending}`
  const refusal = (more: object) => errorOf(() => refuseOtherKind(withOptions({ output, ...more })))
  const hint = 'name it .csv or .tsv, with .gz to compress it'
  const message = `${output}: hla writes text here, not ${kind}`
  expect(refusal({})).toMatchObject({ code: 'usage', message, hint: hint + alternative, offending: output })
  expect(refusal({ input: ['a.csv'] })).toMatchObject({ message, hint })
  // one file of a store may have any name on its way
  expect(refusal({ output: `drive:/${output}` })?.message).toBe(`drive:/${message}`)
})

describe('files of one command', () => {
  const [a, b] = [join(cwd, 'donors.csv'), join(cwd, 'hml.csv')]
  const none = join(cwd, 'none.csv')

  test.for([
    [{ input: [b, a], output: a }, `-o ${a} is the file that -i reads`],
    [{ patients: a, output: a }, `-o ${a} is the file that --patients reads`],
    [{ donors: a, rows: a }, `--rows ${a} is the file that --donors reads`],
    [{ planFrom: a, errors: a }, `--errors ${a} is the file that --plan-from reads`],
    [{ input: [a], provenance: a }, `--provenance ${a} is the file that -i reads`],
    [{ input: [a], summary: `json=${a}` }, `--summary ${a} is the file that -i reads`],
    [{ input: [b], output: none, errors: none }, `--errors ${none} is also the file that -o writes`],
    [{ rows: none, summary: `json=${none}` }, `--summary ${none} is also the file that --rows writes`],
    [{ output: 'drive:/a', errors: 'drive:/a' }, '--errors drive:/a is also the file that -o writes'],
    [{ input: [`${cwd}/./donors.csv`], output: a }, `-o ${a} is the file that -i reads`],
  ])('%j are refused', ([given, message]) => {
    const error = errorOf(() => refuseClashingFiles(withOptions(given as object)))
    const hint = 'give each its own name'
    expect(error).toMatchObject({ code: 'usage', message, hint, offending: /^--?\S+ (\S+)/.exec(message as string)?.[1] })
  }) // prettier-ignore

  test.for([
    [{}],
    [{ input: [a], output: b, errors: none }],
    [{ input: [a, a], patients: a, donors: a }],
    [{ input: ['-'], output: '-', errors: '-' }],
    [{ output: '/dev/null', errors: '/dev/null' }],
    [{ input: ['drive:/a'], output: 'drive:/a' }],
    [{ output: none, provenance: true, summary: 'json' }],
  ])('%j are not', ([given]) => {
    expect(errorOf(() => refuseClashingFiles(withOptions(given as object)))).toBeUndefined()
  })

  test('whose folder is not there is refused', () => {
    const file = join(cwd, 'gone/a.csv')
    expect(errorOf(() => refuseClashingFiles({ ...withOptions({}), errors: file }))?.code).toBe('io')
  })
})
