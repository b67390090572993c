/** A settings file in a project folder has no effect: it is refused, with the line to type. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { runHla } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const cwd = temp('project/below/deeper')
const file = temp('project/.hla.json')
beforeAll(() => {
  mkdirSync(cwd, { recursive: true })
})
afterEach(() => {
  rmSync(file, { force: true, recursive: true })
})

const hla = (words: readonly string[]) => runHla(words, { cwd })

test('a .hla.json above is refused, and applies where it is named', async () => {
  writeFileSync(file, JSON.stringify({ release: 'starter', redux: { method: 'G' } }))
  const refused = await hla(['redux', 'A*01:01:01:01'])
  expect(refused).toEqual({
    stdout: '',
    stderr: `hla: error: ${file} is no longer read automatically
  --config ${file} reads it, --config none ignores it
`,
    status: 2,
  })
  expect(await hla(['redux', '--config', file, 'A*01:01:01:01'])).toMatchObject({
    stdout: 'A*01:01:01G\n',
    status: 0,
  })
  expect(await hla(['redux', '--no-config', '-q', '-r', 'starter', 'A*01:01:01:01'])).toMatchObject({
    stdout: 'A*01:01\n',
    status: 0,
  })
})

test('whoever looks after data or settings stands in a folder by chance', async () => {
  writeFileSync(file, JSON.stringify({ release: '3.99.0' }))
  expect((await hla(['data', 'path'])).status).toBe(0)
  expect((await hla(['config', 'list'])).status).toBe(0)
})

test.for([
  ['a pipe in a folder', file],
  ['a pipe in place of the user’s file', temp('home/hla/config.json')],
] as const)('%s is looked at, and never opened', async ([, path]) => {
  mkdirSync(join(path, '..'), { recursive: true })
  rmSync(path, { force: true })
  execFileSync('mkfifo', [path])
  const env = { XDG_CONFIG_HOME: temp('home') }
  const ran = await runHla(['redux', '-q', '-r', 'starter', 'A*01:01:01:01'], { cwd, env })
  expect(ran).toMatchObject({ stdout: 'A*01:01\n', status: 0 })
  rmSync(path, { force: true })
})
