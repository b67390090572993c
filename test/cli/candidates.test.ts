/** Candidates that the shells are given, `hla __complete`: those of values, which may read files. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { loadPrograms } from '../../src/cli/commands/programs.ts'
import { answerShell } from '../../src/cli/run/completion/answer.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const cwd = temp('.')
const PROGRAMS = await loadPrograms()

const printed = { out: '' }

vi.mock('../../src/io/stdout.ts', async (original) => ({
  ...(await original<object>()),
  writeOut: (text: string) => void (printed.out += text),
}))

beforeAll(() => {
  process.env['HLA_DATA_DIR'] = join(cwd, 'data')
  process.env['HLA_SYSTEM_DATA_DIR'] = join(cwd, 'none')
  writeFileSync(join(cwd, 't.csv'), 'id,A_1,A_2\n1,01:01,02:01\n')
  writeFileSync(join(cwd, 'semi.txt'), 'x;A_1,y;A_2\n1;2;3\n')
  for (const folder of ['data', 'other']) {
    mkdirSync(join(cwd, folder, 'releases', folder === 'data' ? '3.58.0' : '3.57.0'), { recursive: true })
  }
  writeFileSync(join(cwd, 'data/releases/3.58.0/manifest.json'), '{}')
  writeFileSync(join(cwd, 'other/releases/3.57.0/manifest.json'), '{}')
})

test.for([
  [['redux', '-i', ''], 'files'],
  [['data', 'list', '--from', ''], 'files'],
  [['redux', '--data-dir', ''], 'folders'],
  [['redux', '--format', 'js'], 'words', 'json', 'jsonl'],
  [['redux', '--format=js'], 'words', '--format=json', '--format=jsonl'],
  [['redux', '-i', 't.csv', '--id-column', ''], 'words', 'id', 'A_1', 'A_2'],
  [['redux', '-i', 't.csv', '-c', 'A_1,'], 'parts', 'A_1,id', 'A_1,A_2'],
  [['redux', '--input=t.csv', '-c', 'A'], 'parts', 'A_1', 'A_2'],
  [['redux', '--input', 't.csv', '-c', 'A'], 'parts', 'A_1', 'A_2'],
  [['redux', '--input', 'none.csv', '--input=t.csv', '-c', 'A'], 'parts', 'A_1', 'A_2'],
  [['redux', '-i', 'semi.txt', '--delimiter=;', '-c', ''], 'parts', 'x', 'A_1,y', 'A_2'],
  [['redux', '-i', 'semi.txt', '-d', ';', '-H', '-c', ''], 'parts', '1', '2', '3'],
  [['redux', '-i', 'none.csv', '-c', ''], 'words'],
  [['redux', '-i', '-', '-c', ''], 'parts'],
  [['redux', '-c', ''], 'parts'],
  [['redux', '-i', 't.csv', '-l', 'DRB'], 'parts', 'DRB1=', 'DRB3=', 'DRB4=', 'DRB5='],
  [['redux', '-i', 't.csv', '-l', 'A=A_1,'], 'parts', 'A=A_1,id', 'A=A_1,A_2'],
  [['redux', '-i', 't.csv', '-l', 'A=A'], 'parts', 'A=A_1', 'A=A_2'],
  [['redux', '-r', ''], 'words', '3.58.0', 'active', 'starter'],
  [['redux', '--data-dir', 'other', '-r', ''], 'words', '3.57.0', 'active', 'starter'],
  [['redux', '--data-dir=other', '-r', ''], 'words', '3.57.0', 'active', 'starter'],
  [['redux', '--data-dir=other', '--data-dir', 'data', '-r', '3'], 'words', '3.58.0'],
  [['data', 'use', ''], 'words', '3.58.0', 'active'],
  [['diff', ''], 'words', '3.58.0', 'active'],
  [['diff', 't'], 'files'],
  [['diff', '3.58.0', 't'], 'words'],
  [['diff', 't.csv', '3'], 'files'],
  [['help', 'data', 'i'], 'words', 'install', 'info'],
  [['help', 'tables', ''], 'words'],
  [['help', 'data', 'install', ''], 'words'],
  [['config', 'get', 'redux.method'], 'words', 'redux.method'],
] as const)('%j', async ([words, kind, ...values]) => {
  printed.out = ''
  const before = process.cwd()
  process.chdir(cwd)
  await answerShell(['zsh', ...words], PROGRAMS).finally(() => process.chdir(before))
  const [said, ...lines] = printed.out.trimEnd().split('\n')
  expect([said, ...lines.map((line) => line.split('\t')[0])]).toEqual([kind, ...values])
})
