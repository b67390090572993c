/**
 * The quick part of the freeze: the library's types and the pages' requests; test/freeze/store-limits.test.ts is the store's.
 */
import { expect, test } from 'vitest'
import { publicDeclarations } from './declarations.ts'
import { changesOf, frozenOf, frozenText } from './frozen.ts'
import { pageRequests } from './page-requests.ts'

test.for(['src/drive/page', 'src/service/page'] as const)('what a page asks: %s', (folder) => {
  const lines = pageRequests(folder).map((line) => ({ name: line, lines: [] }))
  expect(lines.length).toBeGreaterThan(30)
  expect(changesOf(`${folder.split('/')[1]}-page.txt`, frozenText(lines))).toEqual([])
})

test('the types of the library', () => {
  const now = frozenText([{ name: 'library', lines: publicDeclarations().split('\n') }])
  expect(changesOf('library.txt', now)).toEqual([])
})

test.for(['tables.txt', 'commands.txt', 'requests.txt', 'typings.txt', 'store.txt'])(
  'no fault of the program is frozen: %s',
  (file) => {
    expect(frozenOf(file)).not.toMatch(/internal error|internalError|→ 70$/m)
    expect(frozenOf(file).length).toBeGreaterThan(10_000)
  },
)
