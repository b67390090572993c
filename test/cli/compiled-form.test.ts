/** V8's compiled forms are stored for their user alone, and damaged ones are never used. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Ran, runHla } from '../support/run-hla.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { tempFolder } from '../support/temp.ts'

const ROUNDS = process.env['HLA_LONG'] ? 200 : 25
const temp = tempFolder()
const cwd = temp('.')

function reduced(cache: string): Promise<Ran> {
  const env = { XDG_CACHE_HOME: cache }
  return runHla(['redux', '-q', '-r', 'starter', '-m', 'G', 'A*01:01:01:01'], { cwd, env })
}

const RIGHT: Ran = { stdout: 'A*01:01:01G\n', stderr: '', status: 0 }

test('is written by the first command that ends well, for nobody else', async () => {
  const cache = temp('first')
  expect(await runHla(['redux', '-q', '-r', 'starter', 'A*99:99'], { cwd, env: { XDG_CACHE_HOME: cache } })).toMatchObject({ status: 1 }) // prettier-ignore
  expect(existsSync(cache)).toBe(false)
  expect(await reduced(cache)).toEqual(RIGHT)
  const folder = join(cache, 'hla')
  const [file = '', ...others] = readdirSync(folder)
  expect([file, others]).toEqual([expect.stringMatching(/^hla-[0-9a-f]{16}-v[\d.]+-\w+-redux\.v8cache$/), []])
  expect([folder, join(folder, file)].map((path) => statSync(path).mode & 0o077)).toEqual([0, 0])
  const before = readFileSync(join(folder, file))
  expect(await reduced(cache)).toEqual(RIGHT)
  expect(readFileSync(join(folder, file))).toEqual(before)
})

test('is used by the next table too, whose heap is kept small: no bundle is written twice', async () => {
  const cache = temp('table')
  const input = Array.from({ length: 3000 }, (_, at) => `${at},A*01:01,A*02:01\n`)
  const converted = () =>
    runHla(['redux', '-q', '-r', 'starter', '-d', ',', '-m', 'lgx'], {
      cwd,
      env: { XDG_CACHE_HOME: cache },
      stdin: `id,A_1,A_2\n${input.join('')}`,
    })
  const { stdout, status } = await converted()
  expect([stdout.split('\n').length, status]).toEqual([3002, 0])
  const folder = join(cache, 'hla')
  const written = () => readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ino])
  const before = written()
  expect(before.length).toBeGreaterThan(1)
  expect(await converted()).toMatchObject({ stdout, status: 0 })
  expect(written()).toEqual(before)
})

test('of the first bundle has what a table needs, too, if the first command was a typing', async () => {
  const cache = temp('typing-first')
  expect(await reduced(cache)).toEqual(RIGHT)
  const folder = join(cache, 'hla')
  const [name = ''] = readdirSync(folder)
  const size = () => statSync(join(folder, name)).size
  const ofTyping = size()
  const words = ['redux', '-q', '-r', 'starter', '-m', 'G', '-d', ',']
  const stdin = 'id,A_1,A_2\n1,A*01:01,A*02:01\n'
  expect(await runHla(words, { cwd, env: { XDG_CACHE_HOME: cache }, stdin })).toMatchObject({ status: 0 })
  expect(readdirSync(folder)).toHaveLength(2)
  expect(size()).toBeGreaterThan(ofTyping)
})

test('does not stand in the way of a first start that asks for nothing', async () => {
  const ran = await runHla([], { cwd, env: { XDG_CACHE_HOME: temp('nothing-asked') } })
  expect(ran).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(/^Usage: hla/) })
})

test('is not used with a wrong bit, cut short or zeroed: it is made again', async () => {
  const cache = temp('damaged')
  await reduced(cache)
  const folder = join(cache, 'hla')
  const path = join(folder, readdirSync(folder)[0] ?? '')
  const bytes = readFileSync(path)
  const random = randomNumbers(5)
  for (let round = 0; round < ROUNDS; round += 1) {
    const damaged = Buffer.from(bytes)
    const at = Math.floor(random() * bytes.length)
    damaged[at] = (damaged[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    writeFileSync(path, damaged)
    expect(await reduced(cache)).toEqual(RIGHT)
    expect(readFileSync(path).equals(damaged)).toBe(false)
  }
  for (const damaged of [Buffer.of(), bytes.subarray(0, 4096), Buffer.alloc(bytes.length)]) {
    writeFileSync(path, damaged)
    expect(await reduced(cache)).toEqual(RIGHT)
  }
})

test('is neither read nor written where others may write', async () => {
  const cache = temp('shared')
  const folder = join(cache, 'hla')
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o777)
  expect(await reduced(cache)).toEqual(RIGHT)
  expect(readdirSync(folder)).toEqual([])
})

test('is not in the package', () => {
  const dist = readdirSync(join(import.meta.dirname, '../../dist'))
  expect(dist.filter((name) => name.endsWith('.v8cache'))).toEqual([])
})

test('of earlier builds is removed, all but the newest three of a bundle', async () => {
  const folder = join(temp('builds'), 'hla')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const end = `-${process.version}-${process.arch}`
  const build = (at: number) => `${at}`.padStart(16, '0')
  const names = [1, 2, 3, 4, 5].flatMap((at) => ['hla', 'table'].map((name) => `${name}-${build(at)}${end}-redux.v8cache`)) // prettier-ignore
  for (const [at, name] of [...names, `hla-${build(1)}${end}-mac.v8cache`].entries()) {
    writeFileSync(join(folder, name), 'x', { mode: 0o600 })
    const time = Date.now() / 1000 - 1000 + at
    utimesSync(join(folder, name), time, time)
  }
  expect(await reduced(join(folder, '..'))).toEqual(RIGHT)
  const kept = readdirSync(folder)
  const own = kept.find((name) => name.startsWith('hla-') && name.endsWith('-redux.v8cache') && !names.includes(name)) // prettier-ignore
  const expected = [
    own ?? 'a form of this build',
    ...[4, 5].map((at) => `hla-${build(at)}${end}-redux.v8cache`),
    ...[3, 4, 5].map((at) => `table-${build(at)}${end}-redux.v8cache`),
    `hla-${build(1)}${end}-mac.v8cache`,
  ]
  expect(kept.toSorted()).toEqual(expected.toSorted())
})
