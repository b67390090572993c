/** What each single test of a search finds, with each of its operators. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FileBody } from '../../../../src/drive/contract/bodies.ts'
import type { Caller } from '../../../../src/drive/contract/failure.ts'
import { FOLDER_MIME } from '../../../../src/drive/contract/kinds.ts'
import { OPERATOR } from '../../../../src/drive/domain/commands.ts'
import { listFiles } from '../../../../src/drive/domain/search/list-files.ts'
import { parseOrderBy, type QNode, type QTest } from '../../../../src/drive/protocol/q/q-fields.ts'
import { parseFileQuery } from '../../../../src/drive/protocol/q/q.ts'
import { type Library, openLibrary } from '../../../support/library.ts'
import { tempFolder } from '../../../support/temp.ts'

const temp = tempFolder()
let library: Library
let ada: Caller
/** Title -> id. */
const ids: Record<string, string> = {}
const day = (text: string) => Date.parse(`${text}T00:00:00Z`)

beforeAll(async () => {
  library = await openLibrary(temp('store'))
  const [caller, bo] = library.callers
  ada = caller
  for (const email of ['cy@example.org', 'dee@example.org']) library.run('addUser', OPERATOR, { email })
  for (const [group, member] of [
    ['lab@example.org', 'ada@example.org'],
    ['far@example.org', 'cy@example.org'],
  ] as const) {
    library.run('addGroup', OPERATOR, { email: group })
    library.run('addMembers', OPERATOR, { group, members: [member] })
  }
  const insert = (who: Caller, title: string, body: FileBody = {}) => {
    ids[title] = library.run('insertFile', who, { body: { title, ...body } }).row.id
  }
  const share = (title: string, role: string, value: string, type = 'user') =>
    library.run('insertPermission', bo, { id: ids[title] ?? '', body: { type, role, value } })
  insert(ada, 'Desk', { mimeType: FOLDER_MIME })
  insert(ada, 'a.CSV', {
    mimeType: 'text/CSV',
    createdDate: day('2020-01-01'),
    modifiedDate: day('2021-01-01'),
    lastViewedByMeDate: day('2022-01-01'),
    parents: [{ id: ids['Desk'] ?? '' }],
  })
  insert(ada, 'b.txt', { mimeType: 'text/plain', description: 'donor typing', labels: { starred: true } })
  insert(ada, 'bin', { mimeType: 'a/b' })
  library.run('trashFile', ada, { id: ids['bin'] ?? '' })
  insert(ada, 'link', {
    mimeType: 'application/vnd.google-apps.shortcut',
    shortcutDetails: { targetId: ids['a.CSV'] ?? '' },
  })
  for (const [title, value, visibility] of [
    ['a.CSV', 'v', 'PUBLIC'],
    ['b.txt', 'w', 'PUBLIC'],
    ['link', 'v', 'PRIVATE'],
  ] as const)
    library.run('putProperty', ada, { id: ids[title] ?? '', key: 'k', value, visibility })
  for (const title of ['read', 'written', 'grouped']) insert(bo, title, { mimeType: 'c/d' })
  share('grouped', 'reader', 'lab@example.org', 'group')
  for (const [title, role] of [
    ['read', 'reader'],
    ['written', 'writer'],
  ] as const) {
    share(title, role, 'ada@example.org')
    share(title, 'writer', 'cy@example.org')
    share(title, 'reader', 'dee@example.org')
    share(title, 'reader', 'far@example.org', 'group')
  }
  library.run('insertPermission', bo, { id: ids['written'] ?? '', body: { type: 'anyone', role: 'reader' } })
})
afterAll(() => library.close())

function find(search: QNode | undefined, isSorted = true): string {
  const { files } = listFiles(library.db, ada, {
    search,
    orders: parseOrderBy(isSorted ? 'title' : undefined),
    spaces: ['drive'],
    corpus: { kind: 'mine' },
    most: 100,
    after: undefined,
  })
  return files.map(({ row }) => row.title).join(' ')
}

const MINE = 'a.CSV b.txt bin Desk link'
const ALL = 'a.CSV b.txt bin Desk grouped link read written'
test.for([
  ["title = 'b.TXT'", 'b.txt'],
  ["title != 'b.TXT'", 'a.CSV bin Desk grouped link read written'],
  ["title contains 'des'", 'Desk'],
  ["title contains '-'", ALL],
  ["fullText contains 'donor'", 'b.txt'],
  ["fullText contains '-'", 'grouped written read link bin b.txt Desk a.CSV'],
  ["mimeType = 'TEXT/csv'", 'a.CSV'],
  ["mimeType != 'TEXT/csv'", 'b.txt bin Desk grouped link read written'],
  ["mimeType contains 'TEXT/'", 'a.CSV b.txt'],
  ["fileExtension = 'CSV'", 'a.CSV'],
  ["fileExtension = 'csv'", 'a.CSV'],
  ["fileExtension != 'csv'", 'b.txt bin Desk grouped link read written'],
  ["shortcutDetails.targetId = 'a.CSV'", 'link'],
  ["shortcutDetails.targetId != 'a.CSV'", 'a.CSV b.txt bin Desk grouped read written'],
  ["visibility = 'limited'", 'a.CSV b.txt bin Desk grouped link read'],
  ["visibility != 'limited'", 'written'],
  ["visibility = 'anyoneCanFind'", 'written'],
  ["createdDate < '2021-01-01'", 'a.CSV'],
  ["createdDate = '2020-01-01T00:00:00'", 'a.CSV'],
  ["createdDate != '2020-01-01T00:00:00'", 'b.txt bin Desk grouped link read written'],
  ["modifiedDate <= '2021-01-01T00:00:00'", 'a.CSV'],
  ["modifiedDate < '2021-01-01T00:00:00'", ''],
  ["modifiedDate > '2021-01-01T00:00:00'", 'b.txt bin Desk grouped link read written'],
  ["modifiedDate >= '2021-01-01T00:00:00'", ALL],
  ["lastViewedByMeDate = '2022-01-01T00:00:00'", 'a.CSV'],
  ["lastViewedByMeDate != '2022-01-01T00:00:00'", 'b.txt bin Desk grouped link read written'],
  ["lastViewedByMeDate < '2023-01-01T00:00:00'", 'a.CSV'],
  ["sharedWithMeDate > '2025-01-01T00:00:00'", 'read written'],
  ["sharedWithMeDate != '2025-01-01T00:00:00'", ALL],
  ['trashed', 'bin'],
  ['trashed = false', 'a.CSV b.txt Desk grouped link read written'],
  ['starred', 'b.txt'],
  ['not starred', 'a.CSV bin Desk grouped link read written'],
  ['starred = false', 'a.CSV bin Desk grouped link read written'],
  ['sharedWithMe', 'grouped read written'],
  ['sharedWithMe = false', MINE],
  ["'me' in owners", MINE],
  ["'ME' in owners", MINE],
  ["'bo@example.org' in owners", 'grouped read written'],
  ["'ada@example.org' in writers", 'a.CSV b.txt bin Desk link written'],
  ["'ada@example.org' in readers", 'a.CSV b.txt bin Desk link read written'],
  ["'cy@example.org' in owners", ''],
  ["'cy@example.org' in writers", 'written'],
  ["'dee@example.org' in writers", ''],
  ["'dee@example.org' in readers", 'written'],
  ["'bo@example.org' in readers", 'grouped read written'],
  ["'lab@example.org' in readers", 'grouped'],
  ["'lab@example.org' in writers", ''],
  ["'far@example.org' in readers", 'written'],
  ["'none@example.org' in readers", ''],
  ["'Desk' in parents", 'a.CSV'],
  ["'none' in parents", ''],
  ["'none' in labels", ''],
  ["not 'me' in owners", 'grouped read written'],
  ['not trashed', 'a.CSV b.txt Desk grouped link read written'],
  ["not title contains '-'", ''],
  ["not lastViewedByMeDate < '2023-01-01T00:00:00'", 'b.txt bin Desk grouped link read written'],
  ["properties has { key='k' and value='v' }", 'a.CSV link'],
  ["properties has { key='k' and value='v' and visibility='PUBLIC' }", 'a.CSV'],
  ["properties has { key='k' and value='v' and visibility='PRIVATE' }", 'link'],
  ["properties has { key='k' and visibility='PUBLIC' }", 'a.CSV b.txt'],
  ["properties has { key='l' and value='v' }", ''],
  ["trashed or properties has { key='k' and value='v' }", 'a.CSV bin link'],
  ["trashed or properties has { key='k' }", 'a.CSV b.txt bin link'],
  ["trashed or properties has { key='k' and value='w' and visibility='PRIVATE' }", 'bin'],
  ["not title = 'a.csv' and not title = 'BIN'", 'b.txt Desk grouped link read written'],
  ["not title contains 'des' and not fullText contains 'donor'", 'grouped written read link bin a.CSV'],
  ["not title contains 'des' and not title contains 'gro'", 'a.CSV b.txt bin link read written'],
  ["not title contains '-' and not title contains 'des'", ''],
  ["trashed or title contains 'des' or fullText contains 'donor'", 'bin b.txt Desk'],
  [
    "not properties has { key='k' and visibility='PUBLIC' } and not properties has { key='l' and visibility='PUBLIC' }",
    'bin Desk grouped link read written',
  ],
  [
    "not properties has { key='l' and visibility='PUBLIC' } and not properties has { key='k' and visibility='PRIVATE' }",
    'a.CSV b.txt bin Desk grouped read written',
  ],
  ["trashed or 'none' in parents", 'bin'],
  ["trashed or 'none' in labels", 'bin'],
  ["not 'none' in parents and not 'Desk' in parents", 'b.txt bin Desk grouped link read written'],
  ["trashed or 'none@example.org' in writers", 'bin'],
  ['trashed and starred', ''],
  ['trashed or starred', 'b.txt bin'],
] as const)('%s finds %s', ([q, titles]) => {
  const named = q.replaceAll(/'(Desk|a\.CSV)'(?= in|$)/g, (_, name: string) => `'${ids[name] ?? name}'`)
  // a full-text search has its own order
  expect(find(parseFileQuery(named), !q.includes('fullText'))).toBe(titles)
})

test.for<[QTest, string]>([
  [{ kind: 'text', field: 'name', op: '=', value: 'x', at: [0, 0] }, 'name'],
  [{ kind: 'flag', field: 'hidden', value: true, at: [0, 0] }, 'hidden'],
  [{ kind: 'count', field: 'memberCount', op: '=', value: 1, at: [0, 0] }, 'memberCount'],
])('%j is a test of shared drives', ([search, name]) => {
  expect(() => find(search)).toThrow(new Error(`${name} is not a field of files`))
})
