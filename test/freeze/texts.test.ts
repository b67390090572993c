/**
 * The quick part of the freeze: the library's types, the pages' requests, and the store's limits.
 */
import { expect, test } from 'vitest'
import { type Limit, LIMITS } from '../../src/drive/contract/limits.ts'
import { publicDeclarations } from './declarations.ts'
import { changesOf, frozenOf, frozenText } from './frozen.ts'
import { pageRequests } from './page-requests.ts'

test.for(['src/drive/page', 'src/service/page'] as const)('what a page asks: %s', (folder) => {
  const lines = pageRequests(folder).map((line) => ({ name: line, lines: [] }))
  expect(lines.length).toBeGreaterThan(30)
  expect(changesOf(`${folder.split('/')[1]}-page.txt`, frozenText(lines))).toEqual([])
})

test('the limits of a store', () => {
  const records = Object.entries<Limit>(LIMITS).map(([name, { standard, least = 1, most = 'any', of }]) => ({
    name,
    lines: [`${standard}, ${least} to ${most}: ${of}`],
  }))
  expect(changesOf('limits.txt', frozenText(records))).toEqual([])
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
