/** Search plans: the index each search starts from; no search sorts rows that an index has in order. */
import { describe, expect, test } from 'vitest'
import { writePage } from '../../../../src/drive/domain/search/list-files.ts'
import { statementBuilder } from '../../../../src/drive/domain/search/sets.ts'
import { parseOrderBy } from '../../../../src/drive/protocol/q/q-fields.ts'
import { parseFileQuery } from '../../../../src/drive/protocol/q/q.ts'
import type { Value } from '../../../../src/drive/persistence/database/database.ts'
import { databaseOf, type Item, ME } from '../../../support/searched-items.ts'

const ITEMS: readonly Item[] = [...Array(50).keys()].map((n) => ({
  id: `f${n}`,
  title: n === 0 ? 'folder' : `item ${n}`,
  mime: n === 0 ? 'application/vnd.google-apps.folder' : 'text/plain',
  rights: 'mine',
  created: n,
  modified: n,
  isTrashed: false,
  isStarred: n % 9 === 0,
  viewed: undefined,
  description: '',
  content: '',
  parents: n === 0 ? [] : ['f0'],
  properties: [{ app: 0, key: 'k', value: `v${n}` }],
}))

const db = await databaseOf(ITEMS)
const groupOf = { ...ME, user: 2 }

interface Asked {
  readonly orderBy?: string
  readonly after?: readonly Value[]
  readonly caller?: typeof ME
}

function planOf(q: string, { orderBy, after, caller = ME }: Asked = {}): string[] {
  const statement = statementBuilder(db, caller)
  const search = {
    search: parseFileQuery(q),
    orders: parseOrderBy(orderBy),
    spaces: ['drive'] as const,
    corpus: { kind: 'mine' } as const,
    most: 100,
    after,
  }
  const sql = writePage(statement, search)
  return db
    .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...statement.values)
    .map(({ detail }) => detail)
}

const NEWEST = 'SEARCH f USING INDEX files_seen (acl=?)'
const BY_KEY = 'SEARCH f USING INTEGER PRIMARY KEY (rowid=?)'
const SORTED = 'USE TEMP B-TREE FOR ORDER BY'

describe('a search without a small set walks over an index in order', () => {
  test.for([
    ['', {}, NEWEST],
    ['trashed = false', {}, NEWEST],
    ["mimeType != 'a/b'", {}, NEWEST],
    ["not 'f0' in parents", {}, NEWEST],
    ["not fullText contains 'item'", {}, NEWEST],
    ['', { orderBy: 'modifiedDate' }, NEWEST],
    ['', { orderBy: 'modifiedDate desc,title' }, NEWEST],
    ['', { orderBy: 'title' }, 'SEARCH f USING INDEX files_titles (acl=?)'],
    ['', { orderBy: 'title desc' }, 'SEARCH f USING INDEX files_titles (acl=?)'],
    ['', { after: [5, 'f5'] }, 'SEARCH f USING INDEX files_seen (acl=? AND modified<?)'],
    [
      '',
      { orderBy: 'title', after: ['item 5', 'f5'] },
      'SEARCH f USING INDEX files_titles (acl=? AND <expr>>?)',
    ],
    ["modifiedDate > '2026-01-01'", {}, 'SEARCH f USING INDEX files_seen (acl=? AND modified>?)'],
    [
      "modifiedDate < '2026-01-01' and trashed=false",
      {},
      'SEARCH f USING INDEX files_seen (acl=? AND modified<?)',
    ],
  ] as const)('%s %j', ([q, asked, expected]) => {
    const plan = planOf(q, asked)
    expect(plan).toContain(expected)
    expect(plan).not.toContain(SORTED)
  })
})

describe('a search with a small set starts from it', () => {
  test.for([
    ["'f0' in parents", /SEARCH parents USING PRIMARY KEY \(parent=\?\)/],
    ["'f0' in parents and trashed = false", /SEARCH parents USING PRIMARY KEY/],
    ["title = 'item 7'", /files USING .*INDEX files_titles \(acl=\? AND <expr>=\?\)/],
    ["title = 'item 7' or title = 'item 8'", /files USING .*INDEX files_titles \(acl=\? AND <expr>=\?\)/],
    ["title = 'item 7' and 'f0' in parents", /files USING .*INDEX files_titles/],
    ["title contains 'item'", /SCAN words VIRTUAL TABLE/],
    ["title contains 'ite' and fullText contains 'item'", /SCAN words VIRTUAL TABLE/],
    ["properties has { key='k' and value='v1' }", /SEARCH properties USING COVERING INDEX properties_by_key/],
    ['starred', /SEARCH user_state USING (?:COVERING )?INDEX user_state_starred/],
    ['trashed = true', /SEARCH files USING .*INDEX files_trashed/],
    ["mimeType = 'application/vnd.google-apps.folder'", /SEARCH files USING .*INDEX files_folders/],
    ['sharedWithMe', /SEARCH grants USING .*INDEX grants_to/],
  ] as const)('%s', ([q, expected]) => {
    const plan = planOf(q)
    expect(plan.filter((line) => expected.test(line))).not.toEqual([])
    expect(plan).toContain(BY_KEY)
    expect(plan.filter((line) => /^SCAN (?!words|CONSTANT|d\b|\(subquery)/.test(line))).toEqual([])
  })

  test('the smallest of several', () => {
    expect(planOf("'f0' in parents and title = 'item 7'")[0]).toContain('files_titles')
    expect(planOf("starred and properties has { key='k' and value='v9' }").join()).toContain(
      'properties_by_key',
    )
  })
})

test('several sets of rights are walked over side by side', async () => {
  const shared = await databaseOf(
    ITEMS.map((item, at) => ({ ...item, rights: at % 2 === 0 ? 'mine' : 'given' })),
  )
  const statement = statementBuilder(shared, ME)
  const sql = writePage(statement, {
    search: undefined,
    orders: [],
    spaces: ['drive'],
    corpus: { kind: 'mine' },
    most: 10,
    after: undefined,
  })
  expect(sql.match(/INDEXED BY files_seen/g)).toHaveLength(2)
  shared.close()
})

test('who has no rights finds nothing', () => {
  expect(planOf('', { caller: { ...groupOf, user: 99 } })).toContain(
    'SEARCH f USING INDEX files_seen (acl=?)',
  )
})
