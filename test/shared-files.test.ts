/** `npm run test:shared` runs existing files, with some of every kind of store test. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
// our own file
const { files, long } = JSON.parse(readFileSync(join(ROOT, 'test/shared-files.json'), 'utf8')) as {
  readonly files: readonly string[]
  readonly long: readonly string[]
}

test('every file that is listed exists, once, and starts a store', () => {
  const listed = [...files, ...long]
  expect(new Set(listed).size).toBe(listed.length)
  expect(listed.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  const starts = /support\/(?:drive|library|people)\.ts/
  expect(listed.filter((file) => !starts.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([])
})

test.each(['authorisation', 'histories', 'clients', 'notifications', 'rule-engine', 'search', 'fuzz'])(
  'tests of %s are among them',
  (kind) => {
    expect([...files, ...long].some((file) => file.includes(kind))).toBe(true)
  },
)
