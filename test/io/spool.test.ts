/** Text held by key, on the disk where it is much. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSpool } from '../../src/io/spool.ts'
import { errorOf } from '../support/errors.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()

async function textOf(texts: AsyncIterable<string>): Promise<string> {
  let all = ''
  for await (const text of texts) all += text
  return all
}

test('a key has its texts in order, however much they are', async () => {
  const spool = openSpool('groups')
  const long = 'x'.repeat(40_000)
  for (const [key, text] of [['a', '1'], ['b', '2'], ['a', long], ['a', '3']] as const) spool.add(key, text) // prettier-ignore
  expect(spool.keys()).toEqual([
    { key: 'a', count: 3 },
    { key: 'b', count: 1 },
  ])
  expect(await textOf(spool.texts('a'))).toBe(`1${long}3`)
  expect(await textOf(spool.texts('b'))).toBe('2')
  expect(await textOf(spool.texts('c'))).toBe('')
  spool.remove()
})

test('much text is on the disk, a character a byte', async () => {
  vi.stubEnv('TMPDIR', temp(''))
  onTestFinished(() => void vi.unstubAllEnvs())
  const spool = openSpool('groups')
  const long = 'é'.repeat(40_000)
  spool.add('a', 'ÿ')
  spool.add('b', long)
  const [folder = ''] = readdirSync(temp(''))
  expect(readdirSync(temp(folder)).map((file) => statSync(temp(join(folder, file))).size)).toEqual([40_000])
  expect([await textOf(spool.texts('a')), await textOf(spool.texts('b'))]).toEqual(['ÿ', long])
  spool.remove()
})

test('nothing of it stays on the disk', async () => {
  vi.stubEnv('TMPDIR', temp(''))
  onTestFinished(() => void vi.unstubAllEnvs())
  const spool = openSpool('groups')
  expect(readdirSync(temp(''))).toEqual([])
  spool.remove()
  spool.add('a', 'x')
  expect(await textOf(spool.texts('a'))).toBe('x')
  expect(readdirSync(temp(''))).toEqual([expect.stringMatching(/^hla-spool-/)])
  spool.remove()
  spool.remove()
  expect(readdirSync(temp(''))).toEqual([])
})

test('more than 1,000 keys are refused', () => {
  const spool = openSpool('groups')
  for (let at = 0; at < 1000; at += 1) spool.add(String(at), 'x')
  spool.add('999', 'x')
  expect(errorOf(() => spool.add('1000', 'x'))).toMatchObject({
    code: 'io',
    message: 'there are more than 1,000 groups',
    hint: 'is that the right column?',
  })
  spool.remove()
})
