/**
 * A plain command line is answered without the full program, in the same words; the full program answers all others.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EXIT } from '../../src/io/exit-status.ts'
import { findAnswer } from '../../src/cli/quick/answer.ts'
import { readPlainWords } from '../../src/cli/quick/plain-words.ts'
import { METHOD_NAMES } from '../../src/engine/reduce/methods.ts'
import { openOperations } from '../../src/open.ts'
import { programWithout } from '../support/program-without.ts'
import { type Ran, runHla, runShell } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
/** Removes the HLA_ variables of the test run. */
beforeEach(() =>
  Object.keys(process.env)
    .filter((name) => name.startsWith('HLA_'))
    .forEach((name) => vi.stubEnv(name, undefined)),
)
afterEach(() => vi.unstubAllEnvs())

const STARTER = ['redux', '-q', '-r', 'starter']

const PLAIN = { method: undefined, release: undefined, format: 'plain', isQuiet: false, typings: ['A'] }

test.for([
  ['redux A', PLAIN],
  [
    'redux A -q B -m lgx -r 3580',
    { ...PLAIN, method: 'lgx', release: '3580', isQuiet: true, typings: ['A', 'B'] },
  ],
  ['redux -f json A', { ...PLAIN, format: 'json' }],
  ['validate -f jsonl A', { ...PLAIN, format: 'jsonl' }],
  ['lift -r 3.58.0 A', { ...PLAIN, release: '3.58.0' }],
  // other names of commands
  ['check A', PLAIN],
  ['reduce A', PLAIN],
  ['redux -f csv A', undefined],
  ['redux -f A', undefined],
  ['mac -m G A', undefined],
  // arguments before the typings, a file, no typings
  ['diff 3.57.0 3.58.0 A', undefined],
  ['convert A', undefined],
  ['version A', undefined],
  ['data A', undefined],
  ['redux', undefined],
  ['redux -q', undefined],
  ['redux -m G', undefined],
  ['redux A -m', undefined],
  ['redux -m -q A', undefined],
  ['redux -m G -m P A', undefined],
  ['redux -m ard A', undefined],
  ['redux -m all A', undefined],
  ['redux -qm G A', undefined],
  ['redux -mG A', undefined],
  ['redux --quiet A', undefined],
  ['redux -- A', undefined],
  ['redux - ', undefined],
  ['-q redux A', undefined],
] as const)('words of "%s"', ([line, expected]) => {
  const { operation, ...read } = readPlainWords(line.split(' ')) ?? {}
  expect(operation === undefined ? undefined : read).toEqual(expected)
})

test.for(METHOD_NAMES)('answers as the operation does by %s', (method) => {
  const { redux } = openOperations('starter')
  const said = new Set<string>()
  for (const gl_string of TYPINGS) {
    const text = findAnswer([...STARTER, '-m', method, gl_string])
    said.add(typeof text)
    if (text !== undefined) expect(text).toBe(`${redux({ gl_string, reduction_method: method }).ard}\n`)
    else expect(() => redux({ gl_string, reduction_method: method })).toThrow(/./)
  }
  expect(said).toContain(method === 'hats' ? 'undefined' : 'string')
})

test.for([
  ['redux A', { HLA_METHOD: 'P', HLA_RELEASE: '3580' }, ['P', '3580']],
  ['redux -m G A', { HLA_METHOD: 'P' }, ['G', undefined]],
  ['redux -r 3.58 A', { HLA_METHOD: 'P', HLA_RELEASE: 'starter' }, ['P', '3.58']],
  // a variable that is not read cannot be wrong
  ['redux -m G A', { HLA_METHOD: 'nothing' }, ['G', undefined]],
  ['redux A', { HLA_METHOD: 'nothing' }, undefined],
  ['redux A', { HLA_METHOD: 'all' }, undefined],
  ['redux A', { HLA_METHOD: '' }, undefined],
  ['redux A', { HLA_RELEASE: '' }, undefined],
  ['redux A', { HLA_RELEASE: '-q' }, undefined],
] as const)('words of "%s" with %j', ([line, env, expected]) => {
  const read = readPlainWords(line.split(' '), env)
  expect(read && [read.method, read.release]).toEqual(expected)
})

const TYPINGS = [
  'A*01:01:01:01',
  'A*01:01+A*02:01',
  'HLA-A*01:01/HLA-A*02:01',
  'A*01:01+A*02:01^B*07:02+B*08:01|B*07:02+B*15:01',
  'A*24:02:01G',
  'A*01:AB',
  'B*07:XX',
  'A2',
  'DRB4*01:03:01:02N',
  'A*99:99',
  'A*01:01+',
  'nothing',
]

function run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  return runHla(words, { cwd: temp('.'), env })
}

test.for([
  [...STARTER, '-m', 'G', 'A*01:01:01:01'],
  [...STARTER, 'A*01:01:01:01', 'A*02:01:01:01'],
  ['redux', '-r', 'starter', 'A*01:01:01:01'],
  [...STARTER, '-f', 'json', 'A*01:01:01:01'],
  [...STARTER, '-f', 'json', 'A*01:01:01:01', 'A*02:01'],
  [...STARTER, '-f', 'jsonl', 'A*01:01:01:01', 'A*02:01'],
  ['validate', '-q', '-r', 'starter', 'A*01:01+A*02:01'],
  ['validate', '-q', '-r', 'starter', '-f', 'json', 'A*01:01'],
  ['check', '-q', '-r', 'starter', 'A*01:01'],
  ['mac', '-q', '-r', 'starter', 'A*01:01/A*01:02'],
  ['mac', '-q', '-r', 'starter', 'A*01:AB'],
  ['splits', '-q', '-r', 'starter', 'A9'],
  ['similar', '-q', '-r', 'starter', 'A*01:01'],
  ['explain', '-q', '-r', 'starter', '-m', 'G', 'A*01:01'],
  ['ard', '-q', '-r', 'starter', 'A*01:01'],
  ['blend', '-q', '-r', 'starter', 'DRB1*03:01+DRB3*01:01'],
  ['cwd', '-q', '-r', 'starter', 'A*01:01'],
  // the answer is no, or there is no answer
  ['validate', '-q', '-r', 'starter', 'A*99:99'],
  ['validate', '-q', '-r', 'starter', '-f', 'json', 'A*99:99'],
  ['lift', '-q', '-r', 'starter', 'A*01:01'],
  // an error, a note, both
  [...STARTER, 'A*01:01:01:01', 'A*99:99'],
  [...STARTER, '-m', 'hats', 'A*01:01'],
  ['redux', 'A*01:01:01:01'],
  ['redux', 'A*99:99'],
  ['redux', '-r', '3.99.0', 'A*01:01'],
  ['redux', '-m', 'all', '-r', 'starter', 'A*01:01:01:01'],
  ['redux', '-m', 'nothing', 'A*01:01'],
])('%j says what the whole program says', async (words) => {
  expect(await run(words)).toEqual(await run([...words, '-o', '-']))
})

test.for([
  ['HLA_FORMAT', 'json', '"ard"'],
  ['HLA_METHOD', 'P', 'A*01:01P'],
  ['HLA_METHOD', 'nothing', ''],
  ['HLA_METHOD', '', ''],
  ['HLA_RELEASE', 'starter', 'A*01:01'],
  ['HLA_RELEASE', '3.99.0', ''],
  ['HLA_RELEASE', '', ''],
] as const)('%s=%s is obeyed', async ([name, value, expected]) => {
  const words = ['redux', '-q', 'A*01:01:01:01']
  const ran = await run(words, { [name]: value })
  expect(ran).toEqual(await run([...words, '-o', '-'], { [name]: value }))
  expect(ran.stdout).toContain(expected)
})

test('a file of settings in the folder is refused', async () => {
  const project = temp('project')
  mkdirSync(project)
  writeFileSync(join(project, '.hla.json'), JSON.stringify({ method: 'P' }))
  expect(await runHla([...STARTER, 'A*01:01:01:01'], { cwd: project })).toMatchObject({
    stdout: '',
    status: 2,
  })
})

test('is answered where there is no program; nothing else is', () => {
  const { folder, program } = programWithout(/^hla\.script$/)
  const answer = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    execFileSync(process.execPath, [program, ...words], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, ...env },
    })
  const answered = (...words: readonly string[]) => answer([...STARTER, ...words])
  expect(answered('-m', 'G', 'A*01:01:01:01', 'A*02:01:01:01')).toBe('A*01:01:01G\nA*02:01:01G\n')
  const variables = { HLA_METHOD: 'P', HLA_RELEASE: 'starter' }
  expect(answer(['redux', '-q', 'A*01:01:01:01'], variables)).toBe('A*01:01P\n')
  for (const words of [['A*99:99'], ['-o', '-', 'A*01:01:01:01'], ['-m', 'G']])
    expect(() => answered(...words)).toThrow('hla.script')
})

test('what cannot be written is said as by the whole program', async () => {
  const [quick, whole] = await Promise.all(
    ['', ' -o -'].map((more) =>
      runShell(`hla ${STARTER.join(' ')} 'A*01:01:01:01'${more} > /dev/full`, { cwd: temp('.') }),
    ),
  )
  expect(quick).toEqual(whole)
  expect(quick).toMatchObject({ status: EXIT.io, stderr: expect.stringContaining('cannot write the output') })
})

test('what can be written in part is written once, and the rest is said', async () => {
  const many = Array.from({ length: 1500 }, () => 'A*01:01:01:01').join(' ')
  const [quick, whole] = await Promise.all(
    ['', ' -o -'].map(async (more, at) => {
      const output = temp(`part-${at}`)
      // blocks of 1024 bytes
      const line = `(ulimit -f 8; set -f; hla ${STARTER.join(' ')} ${many}${more} > ${output})`
      const ran = await runShell(line, { cwd: temp('.') })
      return [ran, readFileSync(output, 'utf8').length]
    }),
  )
  expect(quick).toEqual(whole)
  expect(quick).toMatchObject([{ status: EXIT.io }, 8192])
})
