/** Searches of the database, compared with a plain implementation. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_COUNTED } from '../../../../src/drive/domain/search/sets.ts'
import { type ItemSearch, findPage } from '../../../../src/drive/domain/search/list-files.ts'
import type { Order, QNode, QTest } from '../../../../src/drive/protocol/q/q-fields.ts'
import { parseFileQuery } from '../../../../src/drive/protocol/q/q.ts'
import type { Connection } from '../../../../src/drive/persistence/database/connection.ts'
import { type Item, ME, RIGHTS, databaseOf, fitting, inOrder } from '../../../support/searched-items.ts'
import { rounds } from '../../../support/rounds.ts'

const FOLDER = 'application/vnd.google-apps.folder'
const TITLES = [
  'Report one.csv',
  'REPORT ONE.CSV',
  'report-2',
  'report 10.tar.gz',
  'Straße',
  'STRASSE',
  'Éclair',
  'eclair 7',
  'a.b.CSV',
  '数据 表.txt',
  '_x_',
  '',
  'ﬁnal',
]
const OPERANDS = [
  'rep',
  'REPORT o',
  'one report',
  'stra',
  'strasse',
  'ecl',
  'éclair',
  '1',
  '10',
  '数',
  'csv',
  'x',
  '',
  '-',
  'zzz',
  'final',
  "it's",
]
const TEXTS = ['', 'donor typing of plate one', 'plate two: typing', 'one', 'Zürich report']
const FULL = [
  'typing',
  'plate typing',
  '"donor typing"',
  '"typing donor"',
  'one "plate two" typing',
  'zurich',
  'zur',
  'REPORT',
  '"',
  '',
  'straße',
  '表',
]
const MIMES = ['text/csv', 'TEXT/plain', 'application/pdf', FOLDER]
const DATES = [0, 1_000, 2_000, 3_000]
const KEYS = ['k', 'l']
const VALUES = ['v', 'w', '']
const ID = 'f'

const item = (id: string): fc.Arbitrary<Item> =>
  fc.record({
    id: fc.constant(id),
    title: fc.constantFrom(...TITLES),
    mime: fc.constantFrom(...MIMES),
    rights: fc.constantFrom(...RIGHTS),
    created: fc.constantFrom(...DATES),
    modified: fc.constantFrom(...DATES),
    isTrashed: fc.boolean(),
    isStarred: fc.boolean(),
    viewed: fc.option(fc.constantFrom(...DATES), { nil: undefined }),
    description: fc.constantFrom(...TEXTS),
    content: fc.constantFrom(...TEXTS),
    parents: fc.uniqueArray(fc.constantFrom(`${ID}0`, `${ID}1`, `${ID}2`), { maxLength: 2 }),
    properties: fc.uniqueArray(
      fc.record({
        app: fc.constantFrom(0, 1, 2),
        key: fc.constantFrom(...KEYS),
        value: fc.constantFrom(...VALUES),
      }),
      { maxLength: 2, selector: ({ app, key }) => `${app} ${key}` },
    ),
  })

const items = fc
  .integer({ min: 1, max: 25 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => item(`${ID}${at}`))))

const at = fc.constant([0, 0] as const)
const text = (field: string, ops: readonly string[], values: readonly string[]): fc.Arbitrary<QTest> =>
  // a field with its operators and values
  fc.record({
    kind: fc.constant('text'),
    field: fc.constant(field),
    op: fc.constantFrom(...ops),
    value: fc.constantFrom(...values),
    at,
  }) as fc.Arbitrary<QTest>
const leaf: fc.Arbitrary<QTest> = fc.oneof(
  text('title', ['=', '!='], TITLES),
  text('title', ['contains'], OPERANDS),
  text('fullText', ['contains'], FULL),
  text('mimeType', ['=', '!=', 'contains'], [...MIMES, 'text/PLAIN', 'text', 'nope']),
  text('fileExtension', ['=', '!='], ['csv', 'CSV', 'gz', 'nope']),
  text('visibility', ['=', '!='], ['limited', 'anyoneWithLink', 'anyoneCanFind']),
  text('shortcutDetails.targetId', ['=', '!='], ['t']),
  fc.record({
    kind: fc.constant('date' as const),
    field: fc.constantFrom(
      'modifiedDate' as const,
      'createdDate' as const,
      'lastViewedByMeDate' as const,
      'sharedWithMeDate' as const,
    ),
    op: fc.constantFrom(
      '=' as const,
      '!=' as const,
      '<' as const,
      '<=' as const,
      '>' as const,
      '>=' as const,
    ),
    value: fc.constantFrom(...DATES),
    at,
  }),
  fc.record({
    kind: fc.constant('flag' as const),
    field: fc.constantFrom('trashed' as const, 'starred' as const, 'sharedWithMe' as const),
    value: fc.boolean(),
    at,
  }),
  fc.record({
    kind: fc.constant('member' as const),
    of: fc.constant('parents' as const),
    value: fc.constantFrom(`${ID}0`, `${ID}1`, 'nope'),
    at,
  }),
  fc.record({
    kind: fc.constant('member' as const),
    of: fc.constantFrom('owners' as const, 'writers' as const, 'readers' as const, 'labels' as const),
    value: fc.constantFrom('me', 'ME@lab.test', 'other@lab.test', 'group@lab.test', 'nobody@lab.test'),
    at,
  }),
  fc.record({
    kind: fc.constant('property' as const),
    key: fc.constantFrom(...KEYS),
    value: fc.constantFrom(undefined, ...VALUES),
    visibility: fc.constantFrom(undefined, 'PUBLIC' as const, 'PRIVATE' as const),
    at,
  }),
)

const node: fc.Arbitrary<QNode> = fc.letrec<{ node: QNode; join: QNode; not: QNode }>((tie) => ({
  node: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf, tie('join'), tie('not')),
  join: fc.record({
    kind: fc.constantFrom('and' as const, 'or' as const),
    parts: fc.array(tie('node'), { minLength: 2, maxLength: 4 }),
  }),
  not: fc.record({ kind: fc.constant('not' as const), inner: tie('node') }),
})).node

const orders: fc.Arbitrary<Order[]> = fc.array(
  fc.record({
    key: fc.constantFrom(
      'title' as const,
      'title_natural' as const,
      'folder' as const,
      'modifiedDate' as const,
      'createdDate' as const,
      'starred' as const,
      'lastViewedByMeDate' as const,
    ),
    isDescending: fc.boolean(),
  }),
  { maxLength: 3 },
)

function walk(db: Connection, search: Omit<ItemSearch, 'spaces' | 'corpus' | 'after'>): string[] {
  const ids: string[] = []
  let after: ItemSearch['after']
  do {
    const page = findPage(db, ME, { ...search, spaces: ['drive'], corpus: { kind: 'mine' }, after })
    if (ids.length > 0) expect(page.keys.length).toBeGreaterThan(0)
    ids.push(
      ...page.keys.map((key) => db.get<{ id: string }>('SELECT id FROM files WHERE pk = ?', key)?.id ?? ''),
    )
    after = page.next
  } while (after !== undefined)
  return ids
}

const asksWords = (search: QNode): boolean => JSON.stringify(search).includes('fullText')

describe('findPage', () => {
  test('finds what fits, in order, each once, on pages of any length', async () => {
    await fc.assert(
      fc.asyncProperty(
        items,
        fc.array(fc.tuple(node, orders), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 7 }),
        async (all, searches, most) => {
          const db = await databaseOf(all)
          for (const [search, given] of searches) {
            const order = asksWords(search) ? [] : given
            const found = walk(db, { search, orders: order, most })
            const wanted = inOrder(fitting(all, search), order)
            // a full-text search has its own order
            if (asksWords(search)) expect(found.toSorted()).toEqual(wanted.toSorted())
            else expect(found).toEqual(wanted)
          }
          db.close()
        },
      ),
      { numRuns: rounds(100) },
    )
  })

  test('finds the same where an index finds too many to start from', async () => {
    const many = manyItems()
    const db = await databaseOf(many)
    const hot = [
      "title contains 'hot'",
      "fullText contains 'hot'",
      "'f0' in parents",
      "properties has { key='k' and value='v' }",
      'starred',
      `mimeType = 'text/csv'`,
    ]
    const more = [
      "title contains 'item 1'",
      'trashed',
      "fullText contains 'rare'",
      "not 'f0' in parents",
      "title = 'hot item 7'",
      "'f0' in parents or title = 'f0'",
    ]
    for (const one of hot) {
      for (const other of [undefined, ...more]) {
        const search = parseFileQuery(other === undefined ? one : `${one} and ${other}`)
        const order = inOrder(fitting(many, search), [])
        const found = walk(db, { search, orders: [], most: 1000 })
        if (/fullText/.test(`${one}${other}`)) expect(found.toSorted()).toEqual(order.toSorted())
        else expect(found).toEqual(order)
      }
      const orders: readonly Order[] = [{ key: 'title', isDescending: true }]
      const search = parseFileQuery(one)
      if (!one.startsWith('fullText')) {
        expect(walk(db, { search, orders, most: 3000 })).toEqual(inOrder(fitting(many, search), orders))
      }
    }
    db.close()
  })

  test('answers 512 tests, however they are joined', async () => {
    const all = [...Array(40).keys()].map((n) => plainItem(n))
    const db = await databaseOf(all)
    const titles = [...Array(512).keys()].map((n) => `title='${n}'`)
    const flags = [...Array(512).keys()].map((n) => (n % 2 === 0 ? 'and starred' : 'or trashed'))
    const searches = [
      titles.join(' or '),
      titles.join(' and '),
      // each test is nested in the one before it
      `starred ${flags.slice(1).join(' ')}`,
      Array(400).fill("'f0' in parents").join(' or '),
      Array(270).fill("properties has {key='k'}").join(' or '),
      Array(512).fill('starred').join(' and '),
      `${'not '.repeat(50)}starred`,
    ]
    for (const text of searches) {
      const search = parseFileQuery(text)
      expect(walk(db, { search, orders: [], most: 100 })).toEqual(inOrder(fitting(all, search), []))
    }
    db.close()
  })
})

/** Items of which more match some tests than a search may start from, and few match others. */
function manyItems(): Item[] {
  return [...Array(MAX_COUNTED + 600).keys()].map((n) => ({
    ...plainItem(n),
    title: n === 0 ? 'f0' : `hot item ${n}`,
    mime: n === 0 ? FOLDER : 'text/csv',
    rights: n % 40 === 1 ? 'given' : 'mine',
    isTrashed: n % 100 === 3,
    isStarred: true,
    content: n % 500 === 4 ? 'rare' : '',
    parents: n > 0 && n % 60 !== 5 ? ['f0'] : [],
    properties: [{ app: n % 2, key: 'k', value: 'v' }],
  }))
}

function plainItem(n: number): Item {
  return {
    id: `${ID}${n}`,
    title: String(n),
    mime: 'text/plain',
    rights: 'mine',
    created: n,
    modified: (n * 7919) % 1000,
    isTrashed: false,
    isStarred: n % 2 === 0,
    viewed: undefined,
    description: '',
    content: '',
    parents: [],
    properties: [],
  }
}
