/** docs/storage-operations.md names every operation of the file store, and existing tests that mention it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ADMIN_REQUESTS, type AdminRequest } from '../../src/drive/contract/admin-requests.ts'
import { METHODS } from '../../src/drive/contract/methods.ts'

const DOCS = join(import.meta.dirname, '../../docs')
const page = readFileSync(join(DOCS, 'storage-operations.md'), 'utf8')
const rows = new Map(
  [...page.matchAll(/^\| `([a-zA-Z.]+)` \| ([^|]+) \|/gm)].map(([, id = '', tests = '']) => [
    id,
    [...tests.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path),
  ]),
)

test('it has every operation, and no other', () => {
  expect([...rows.keys()]).toEqual(METHODS.map(({ id }) => id))
})

describe('the tests of an operation are there and speak of it', () => {
  test.for(METHODS.map(({ id, path }) => [id, wordOf(path)] as const))('%s: %s', ([id, word]) => {
    const texts = (rows.get(id) ?? []).map((path) => readFileSync(join(DOCS, path), 'utf8'))
    expect(texts.length).toBeGreaterThan(0)
    expect(texts.join('\n')).toMatch(new RegExp(String.raw`\b${word}\b`))
  })
})

/** The last word of its path that is not an id: `files/{fileId}/comments/{commentId}` gives comments. */
function wordOf(path: string): string {
  const words = path.split('/').filter((part) => !part.startsWith('{'))
  return words.at(-1) ?? ''
}

test('docs/how-to/pages.md has every request of administrators, with all that it takes', () => {
  const text = readFileSync(join(DOCS, 'how-to/pages.md'), 'utf8')
  const missing = Object.values<AdminRequest>(ADMIN_REQUESTS).flatMap(({ verb, path, query, body }) => {
    const named = path
      .replaceAll(':member', ':email')
      .replaceAll(/:(\w+)/g, (_, word: string) => word.toUpperCase())
    return [`${verb} ${named}`, ...Object.keys({ ...query, ...body })].filter(
      (word) => !text.includes(`\`${word}\``) && !text.includes(`\`${word}=`),
    )
  })
  expect(missing).toEqual([])
})
