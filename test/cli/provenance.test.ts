/** What `hla provenance verify` says of a record, of which one fact is changed. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { packageVersion } from '../../src/package-root.ts'
import { callHla } from '../support/call-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const cwd = temp('.')
const ARGV = [
  'redux',
  '-m',
  'lgx',
  '-q',
  '-i',
  't.csv',
  '-o',
  'out.csv',
  '--provenance',
  '--errors',
  'bad.csv',
]
const SAME = {
  input: 'ok\tt.csv',
  output: 'ok\tout.csv',
  report: 'ok\tbad.csv',
  record: 'differs\tp.json has changed since it was written',
  data: 'ok\tstarter set of 3.58.0',
  hla: `ok\t${packageVersion()}`,
  options: `ok\thla ${ARGV.join(' ')}`,
}

type Facts = Readonly<Record<string, unknown>>
const recorded = (): Facts => JSON.parse(readFileSync(join(cwd, 'out.csv.hla.json'), 'utf8'))
const write = (change: Facts) =>
  writeFileSync(join(cwd, 'p.json'), JSON.stringify({ ...recorded(), ...change }))

const file = (name: string) => ({ name, bytes: 1, sha256: '0'.repeat(64) })

beforeAll(async () => {
  writeFileSync(join(cwd, 't.csv'), 'id,A_1,A_2\n1,A*01:01,A*99:99\n')
  await callHla(ARGV, { cwd })
})

test('nothing has changed', async () => {
  const lines = { ...SAME, record: 'ok\tout.csv.hla.json' }
  const stdout = Object.entries(lines)
    .map((line) => `${line.join('\t')}\n`)
    .join('')
  const verify = (...more: string[]) =>
    callHla(['provenance', 'verify', 'out.csv.hla.json', ...more], { cwd })
  expect(await verify()).toEqual({ status: 0, stdout, stderr: '' })
  const checks = Object.entries(lines).map(([what, text]) => {
    const [verdict, details] = text.split('\t')
    return { what, verdict, details }
  })
  const json = `${JSON.stringify({ file: 'out.csv.hla.json', differs: false, checks }, null, 2)}\n`
  expect(await verify('--json')).toEqual({ status: 0, stdout: json, stderr: '' })
})

describe('one fact of the record is changed', () => {
  test.for<[lines: Partial<typeof SAME>, change: (record: Facts) => Facts]>([
    [{ record: 'unknown\tp.json contains no checksum of itself' }, () => ({ record_sha256: undefined })],
    [{ input: 'unknown\tstandard input cannot be read again' }, () => ({ input: file('stdin') })],
    [
      { input: 'unknown\t2 files (a.csv …): several files read as one are not checked' },
      () => ({ input: file('2 files (a.csv …)') }),
    ],
    [
      { input: 'unknown\tdrive:a.csv is in a file store, where it is not checked' },
      () => ({ input: file('drive:a.csv') }),
    ],
    [{ input: 'differs\tthere is no file none.csv' }, () => ({ input: file('none.csv') })],
    [
      { input: 'differs\tt.csv: sha256:ea26f3bcf91e of 29 bytes, was sha256:000000000000 of 1 bytes' },
      () => ({ input: file('t.csv') }),
    ],
    [{ hla: `differs\t${packageVersion()}, was 0.0.1` }, () => ({ hla: '0.0.1' })],
    [
      { data: 'differs\tstarter set of 3.58.0, was starter set of 3.50.0' },
      () => ({ data: { release: '3.50.0' } }),
    ],
    [
      { data: 'differs\tIPD-IMGT/HLA 3.50.0-r2 is not installed, was 3.50.0-r2+mac.1 sha256:1' },
      () => ({ data: { release: '3.50.0', data_id: '3.50.0-r2+mac.1 sha256:1' } }),
    ],
    [
      {
        options:
          'differs\toption engine.operation was lift, is redux; option engine.to was 3.0.0, is not given',
      },
      ({ options }) => ({ options: { ...(options as Facts), engine: { operation: 'lift', to: '3.0.0' } } }),
    ],
    [
      {
        options:
          'differs\toption reading was not given, is {"dialect":{},"choice":{},"digits":"auto","cellSeparator":"auto","tokens":{},"accept":[],"ragged":"error"}',
      },
      ({ options }) => ({ options: { ...(options as Facts), reading: undefined } }),
    ],
    [{ options: `ok\thla ${ARGV.join(' ')} --` }, () => ({ argv: [...ARGV, '--'] })],
    [{ options: 'differs\tdata does not convert tables' }, () => ({ argv: ['data', 'list'] })],
    [
      { options: 'differs\tunknown method "x". Methods: G P lg lgx W exon U2 S 1F hats all.' },
      () => ({ argv: ['redux', '-m', 'x'] }),
    ],
    [{ options: "differs\terror: unknown option '--zzz'" }, () => ({ argv: ['redux', '--zzz'] })],
  ])('%j', async ([lines, change]) => {
    write(change(recorded()))
    const all = Object.entries({ ...SAME, ...lines })
    const status = all.some(([, text]) => text.startsWith('differs')) ? 1 : 0
    const stdout = all.map((line) => `${line.join('\t')}\n`).join('')
    expect(await callHla(['provenance', 'verify', 'p.json'], { cwd })).toEqual({ status, stdout, stderr: '' })
  })
})

describe('--rerun', () => {
  test.for<[change: Facts, line: string]>([
    [{ input: file('stdin') }, 'unknown\tstandard input cannot be read again'],
    [
      { inputs: [file('t.csv'), file('drive:a.csv')] },
      'unknown\tdrive:a.csv is in a file store: download it to check it',
    ],
    [{ inputs: [file('t.csv'), file('none.csv')] }, 'differs\tthere is no file none.csv here'],
    [{ argv: ['redux', '--zzz'] }, 'differs\tit ended with exit status 2'],
    [
      { output: file('out.csv') },
      'differs\tsha256:1bcf39b5cb46 of 54 bytes, was sha256:000000000000 of 1 bytes',
    ],
    [{}, 'ok\tsha256:1bcf39b5cb46 of 54 bytes'],
  ])('%j', async ([change, line]) => {
    write(change)
    const { stdout } = await callHla(['provenance', 'verify', '--rerun', 'p.json'], { cwd })
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(`rerun\t${line}`)
  })
})

test('two tables of a match are recorded with their bytes, one by one and joined', async () => {
  writeFileSync(join(cwd, 'u.csv'), 'id,A_1,A_2\n1,A*01:01,A*02:01\n2,A*01:01,A*03:01\n')
  await callHla(
    ['match', '--patients', 't.csv', '--donors', 'u.csv', '-o', 'both.csv', '--provenance', '-q'],
    { cwd },
  )
  const { input, inputs } = JSON.parse(readFileSync(join(cwd, 'both.csv.hla.json'), 'utf8')) as {
    readonly input: { readonly name: string; readonly bytes: number }
    readonly inputs: readonly { readonly name: string; readonly bytes: number }[]
  }
  expect([input, ...inputs].map(({ name, bytes }) => [name, bytes])).toEqual([
    ['2 files (t.csv …)', 76],
    ['t.csv', 29],
    ['u.csv', 47],
  ])
})
