/** The process exits only after its last answer is read, however slow the reader. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { setImmediate as turn } from 'node:timers/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runHla } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const PROGRAM = join(import.meta.dirname, '../../bin/hla.cjs')
/** Lines of several times a pipe's capacity. */
const COUNT = 30_000

test.for([
  ['typings', 'A*01:01:01:01', ['redux', '-m', 'G'], 'A*01:01:01G', 0],
  ['typings, one of them wrong', 'A*01:01:01:01', ['redux', '-m', 'G'], 'A*01:01:01G', 1],
  ['a table', '1,01:01:01:01', ['redux', '-m', 'lgx', '-d', ',', '--into', 'replace'], '1,A*01:01', 0],
] as const)('%s', async ([name, line, words, answer, status]) => {
  const file = temp(`${name}.txt`)
  const head = line.includes(',') ? ['id,A'] : []
  const wrong = status === 0 ? [] : ['A*99:99']
  writeFileSync(file, [...head, ...Array.from({ length: COUNT }, () => line), ...wrong, ''].join('\n'))
  const child = spawn(process.execPath, [PROGRAM, ...words, '-q', '-r', 'starter', '-i', file])
  const ended = once(child, 'close')
  child.stderr.resume()
  let text = ''
  // the pipe is full most of the time
  for await (const piece of child.stdout.setEncoding('latin1')) {
    text += piece
    await turn()
  }
  const expected = [...head, ...Array.from({ length: COUNT }, () => answer), ...wrong.map(() => ''), '']
  expect(text === expected.join('\n')).toBe(true)
  expect((await ended)[0]).toBe(status)
})

test('a compressed file is complete', async () => {
  const [from, to] = [temp('from.txt'), temp('to.gz')]
  writeFileSync(from, 'A*01:01:01:01\n'.repeat(COUNT))
  const { status } = await runHla(['redux', '-q', '-r', 'starter', '-m', 'G', '-i', from, '-o', to], {
    cwd: temp('.'),
  })
  expect(status).toBe(0)
  expect(gunzipSync(readFileSync(to)).toString('latin1') === 'A*01:01:01G\n'.repeat(COUNT)).toBe(true)
})
