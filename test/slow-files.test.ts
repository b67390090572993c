/** `npm test` skips the slow files of test/slow-files.json, and still runs a part of everything. */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { describeCosts } from './support/costs.ts'
import { describeLeftOut, describeUnlisted, leftOutFiles, readSlowFiles } from './support/cut.ts'
import { readWing, wingOf, WINGS } from './support/wings.ts'

const ROOT = join(import.meta.dirname, '..')
const facts = readSlowFiles()
const leftOut = new Set(leftOutFiles(facts).map(([file]) => file))

test('every file that is listed exists', () => {
  const listed = [...Object.keys(facts.seconds), ...Object.values(facts.always)]
  expect(listed.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

test('what is listed as slow is slow, and is listed with its seconds', () => {
  expect(Object.entries(facts.seconds).filter(([, took]) => !(took >= facts.leftOutFrom))).toEqual([])
})

test('something of every folder of tests is always run', () => {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  const tests = files.filter((file) => file.endsWith('.test.ts')).map((file) => `test/${file}`)
  const folderOf = (file: string) =>
    dirname(file)
      .split('/')
      .slice(0, file.startsWith('test/drive/') ? 3 : 2)
      .join('/')
  const run = new Set(tests.filter((file) => !leftOut.has(file)).map(folderOf))
  expect([...new Set(tests.map(folderOf))].filter((folder) => !run.has(folder))).toEqual([])
})

test('it has real parts of everything', () => {
  expect(Object.keys(facts.always).toSorted()).toEqual([
    'a browser',
    'a conversion by the store',
    'a conversion of tables by the whole program',
    'a killed process',
    'a real service',
    'a real store',
    'a workflow',
    'every text of the program',
    'recorded answers',
    'whole programs as a terminal shows them',
  ])
  expect(Object.values(facts.always).filter((file) => leftOut.has(file))).toEqual([])
})

test('what is left out is said in a line for each class of duration', () => {
  const files = [['test/a/one.test.ts', 71.6], ['test/b/two.test.ts', 59.9], ['test/three.test.ts', 12]] as const // prettier-ignore
  expect(describeLeftOut(files, 10)).toEqual([
    'Left out, since they take long: 3 files, 2 minutes of one processor.',
    '  60 s and more: a/one 72 s',
    '  30 s and more: b/two 60 s',
    '  10 s and more: three 12 s',
    '`npm run test:all` runs everything; `npx vitest run --config test/vitest.config.ts FILE` runs one.',
  ])
})

test('a slow file that the list lacks is named with the command that lists it', () => {
  const facts = { measured: '', leftOutFrom: 1.5, always: { a: 'test/always.test.ts' }, seconds: { 'test/known.test.ts': 9 } } // prettier-ignore
  const took = ['known', 'always', 'new'].map((name) => [`test/${name}.test.ts`, 9] as const)
  expect(describeUnlisted([...took, ['test/quick.test.ts', 7]], facts)).toEqual([
    'Slow and not in test/slow-files.json: npm run test:times -- test/new.test.ts',
  ])
  expect(describeUnlisted([['test/quick.test.ts', 7]], facts)).toEqual([])
})

test('what files cost is added up', () => {
  const one = {
    tests: 90,
    programs: 30,
    hla: 2,
    services: 1,
    otherPrograms: 0,
    pages: 3,
    installs: 1,
    waits: 60,
  }
  expect(describeCosts([one, one])).toBe(
    'Processor time: 4.0 min, of it 1.0 min in programs that tests started.\n' +
      'Starts: hla 4, services 2, other programs 0; pages 6; releases installed 2; waited 2.0 min.',
  )
})

const filesBelow = (folder: string, ending: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => `${folder}/${file}`)

test('every wing has tests and a part of the program, and the package alone has what no wing names', () => {
  for (const wing of WINGS) {
    expect([wing, filesBelow('test', '.test.ts').some((file) => wingOf(file) === wing)]).toEqual([wing, true])
    expect([wing, filesBelow('src', '.ts').some((file) => wingOf(file) === wing)]).toEqual([wing, true])
  }
  const folders = ['cli', 'drive', 'engine', 'operations', 'reference', 'service', 'table']
  const odd = folders.flatMap((folder) => filesBelow(`test/${folder}`, '.test.ts'))
  expect(odd.filter((file) => wingOf(file) === 'package')).toEqual([])
})

test('a wing that does not exist is refused with those that do', () => {
  expect(readWing('store')).toBe('store')
  expect(() => readWing('shop')).toThrow('no wing shop: use engine, reference, operations, ')
})
