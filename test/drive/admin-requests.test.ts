/** Requests of administrators: docs/how-to/pages.md has every one, and commands ask for whole lists. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Ask, listAll } from '../../src/drive/commands/administration/as-operator.ts'
import { ADMIN_REQUESTS, type AdminRequest } from '../../src/drive/contract/admin-requests.ts'

const DOCS = join(import.meta.dirname, '../../docs')

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

test('a command asks for all pages of a list', async () => {
  const pages = [{ items: [1, 2], nextPageToken: 'b' }, { items: [], nextPageToken: 'c' }, { items: [3] }]
  const asked: unknown[] = []
  const ask = ((_id, { query } = {}) => {
    asked.push(query?.['pageToken'])
    return Promise.resolve(pages[asked.length - 1])
  }) as Ask
  expect(await listAll(ask, 'users.list')).toEqual([1, 2, 3])
  expect(asked).toEqual([undefined, 'b', 'c'])
})
