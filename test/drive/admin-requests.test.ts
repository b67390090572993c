/** docs/how-to/pages.md has every request of administrators. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
