/** A user who shares every file separately has as many sets of rights as files: lists are the same as with few. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../../src/drive/contract/failure.ts'
import { listFiles, writePage } from '../../../../src/drive/domain/search/list-files.ts'
import { statementBuilder } from '../../../../src/drive/domain/search/sets.ts'
import { parseOrderBy } from '../../../../src/drive/protocol/q/q-fields.ts'
import { parseFileQuery } from '../../../../src/drive/protocol/q/q.ts'
import { type Library, openLibrary } from '../../../support/library.ts'
import { tempFolder } from '../../../support/temp.ts'

const temp = tempFolder()
let library: Library
let ada: Caller
const COUNT = 150
beforeAll(async () => {
  library = await openLibrary(temp('store'))
  ;[ada] = library.callers
  for (let n = 0; n < COUNT; n++) {
    const body = { title: `t ${(n * 37) % COUNT}`, mimeType: n % 3 === 0 ? 'text/csv' : 'text/plain' }
    const { id } = library.run('insertFile', ada, { body }).row
    if (n % 2 === 0) continue
    const to = { type: 'user', role: 'reader', value: `p${n}@example.org` }
    library.run('insertPermission', ada, { id, body: to })
  }
})
afterAll(() => library.close())

const search = (q: string, orderBy: string | undefined) => ({
  search: parseFileQuery(q),
  orders: parseOrderBy(orderBy),
  spaces: ['drive' as const],
  corpus: { kind: 'mine' as const },
  most: 7,
  after: undefined,
})

function walk(q: string, orderBy: string | undefined): string[] {
  const titles: string[] = []
  let after: ReturnType<typeof listFiles>['next']
  do {
    const page = listFiles(library.db, ada, { ...search(q, orderBy), after })
    titles.push(...page.files.map(({ row }) => row.title))
    after = page.next
  } while (after !== undefined)
  return titles
}

const made = [...Array(COUNT).keys()]
const titleOf = (n: number) => `t ${(n * 37) % COUNT}`

test.for([
  ['', undefined, made.toReversed().map(titleOf)],
  [
    "mimeType = 'text/csv'",
    undefined,
    made
      .filter((n) => n % 3 === 0)
      .toReversed()
      .map(titleOf),
  ],
  ['', 'title', made.map(titleOf).toSorted()],
  ['', 'title_natural', made.map((n) => `t ${n}`)],
  ['starred', undefined, []],
] as const)('%s by %s', ([q, orderBy, expected]) => {
  expect(walk(q, orderBy)).toEqual(expected)
})

test('only the first of each are sorted', () => {
  const statement = statementBuilder(library.db, ada)
  const sql = writePage(statement, search('', undefined))
  const plan = library.db
    .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...statement.values)
    .map(({ detail }) => detail)
  expect(plan).toContain('SEARCH f USING INDEX files_seen (acl=?)')
  expect(plan).toContain('SEARCH f USING INTEGER PRIMARY KEY (rowid=?)')
})
