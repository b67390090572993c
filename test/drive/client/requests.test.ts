/** Requests of each store operation, and its results, against a scripted store. */
import { describe, expect, test } from 'vitest'
import { fetchChanges, fetchFeedEnd } from '../../../src/drive/client/changes.ts'
import { comment, commentsOn } from '../../../src/drive/client/comments.ts'
import type { DriveConnection } from '../../../src/drive/client/connection.ts'
import {
  copyFile,
  deleteFile,
  emptyTrash,
  findFiles,
  getFile,
  getRevision,
  listRevisions,
  makeFolder,
  moveFile,
  newFileId,
  patchFile,
  quoted,
  removeFromFolder,
  removeProperty,
  trashFile,
  untrashFile,
} from '../../../src/drive/client/files.ts'
import { findPath, folderAt, listChildren, parseDrivePath } from '../../../src/drive/client/paths.ts'
import { grant, listPermissions, revoke } from '../../../src/drive/client/permissions.ts'
import { FILE_FIELDS, FOLDER_TYPE, readFile, readRevision } from '../../../src/drive/client/resource.ts'
import { listRules, makeRule, removeRule } from '../../../src/drive/client/rules.ts'
import { scriptedStore, type ScriptedReply } from '../../support/scripted-store.ts'

const FIELDS = { fields: FILE_FIELDS, supportsAllDrives: true }
const ID = { fields: 'id', supportsAllDrives: true }
const ALL = { supportsAllDrives: true }
const file = readFile({ id: 'f', etag: '"e"', parents: [{ id: 'p' }, { id: 'q' }] })
const BODY = { id: 'f' }
const GENERATED = { method: 'GET', path: '/drive/v2/files/generateIds', query: { maxResults: 1 } }

type Act = (connection: DriveConnection) => Promise<unknown>

const RULE = { folder: 'f', target: 't', method: 'lgx', includesExisting: true, withSubfolders: false }

/** Name, operation, replies, and expected requests. */
const ACTS: readonly (readonly [string, Act, readonly ScriptedReply[], readonly object[]])[] = [
  ['getFile', (to) => getFile(to, 'f'), [{ body: BODY }], [{ method: 'GET', path: '/drive/v2/files/f', query: FIELDS }]],
  ['newFileId', newFileId, [{ body: { ids: ['n'] } }], [GENERATED]],
  [
    'makeFolder',
    (to) => makeFolder(to, 't', 'p'),
    [{ body: { ids: ['n'] } }, { body: BODY }],
    [GENERATED, { method: 'POST', path: '/drive/v2/files', query: FIELDS, json: { id: 'n', title: 't', mimeType: FOLDER_TYPE, parents: [{ id: 'p' }] }, headers: { 'x-hla-if': 'title-free' }, answers: [409] }],
  ],
  [
    'patchFile',
    (to) => patchFile(to, file, { title: 't', properties: { k: 'v' } }),
    [{ body: BODY }],
    [{ method: 'PATCH', path: '/drive/v2/files/f', query: { ...FIELDS, modifiedDateBehavior: 'noChange' }, json: { title: 't', properties: [{ key: 'k', value: 'v', visibility: 'PUBLIC' }] }, headers: { 'if-match': '"e"' } }],
  ],
  ['removeProperty', (to) => removeProperty(to, 'f', 'a/b'), [{ status: 404 }], [{ method: 'DELETE', path: '/drive/v2/files/f/properties/a%2Fb', query: { visibility: 'PUBLIC' }, answers: [404] }]],
  ['trashFile', (to) => trashFile(to, 'f'), [{}], [{ method: 'POST', path: '/drive/v2/files/f/trash', query: ID, headers: {} }]],
  ['untrashFile', (to) => untrashFile(to, 'f'), [{}], [{ method: 'POST', path: '/drive/v2/files/f/untrash', query: ID }]],
  ['emptyTrash', emptyTrash, [{}], [{ method: 'DELETE', path: '/drive/v2/files/trash' }]],
  [
    'moveFile',
    (to) => moveFile(to, file, { title: 't', parent: 'r', from: 'p' }),
    [{ body: BODY }],
    [{ method: 'PATCH', path: '/drive/v2/files/f', query: { ...FIELDS, modifiedDateBehavior: 'noChange', addParents: 'r', removeParents: 'p' }, json: { title: 't' }, headers: { 'if-match': '"e"', 'x-hla-if': 'title-free' } }],
  ],
  [
    'moveFile, where it is',
    (to) => moveFile(to, file, { title: undefined, parent: 'p', from: 'p' }),
    [{ body: BODY }],
    [{ method: 'PATCH', path: '/drive/v2/files/f', query: { ...FIELDS, modifiedDateBehavior: 'noChange' }, json: {}, headers: { 'if-match': '"e"', 'x-hla-if': 'title-free' } }],
  ],
  [
    'removeFromFolder, of one of two',
    (to) => removeFromFolder(to, { file, folder: 'p', path: { base: 'b', names: ['a, b', 'é/'] } }),
    [{}],
    [{ method: 'PATCH', path: '/drive/v2/files/f', query: { ...ID, modifiedDateBehavior: 'noChange', removeParents: 'p' }, json: {}, headers: { 'if-match': '"e"', 'x-hla-if': 'path=b/a%2C%20b/%C3%A9%2F' } }],
  ],
  ...[{ folder: 'p', parents: ['p'] }, { folder: undefined, parents: ['p', 'q'] }].map(({ folder, parents }) => [
    `removeFromFolder, of ${parents.join()} by ${folder ?? 'its id'}`,
    (to: DriveConnection) => removeFromFolder(to, { file: { ...file, parents }, folder, path: { base: 'f', names: [] } }),
    [{}],
    [{ method: 'POST', path: '/drive/v2/files/f/trash', query: ID, headers: { 'if-match': '"e"' } }],
  ] as const),
  [
    'copyFile',
    (to) => copyFile(to, 'f', { title: 't', parent: 'p' }),
    [{ body: { ids: ['n'] } }, { status: 409 }],
    [GENERATED, { method: 'POST', path: '/drive/v2/files/f/copy', json: { id: 'n', title: 't', parents: [{ id: 'p' }] }, headers: { 'x-hla-if': 'title-free' }, answers: [409], query: ID }],
  ],
  [
    'copyFile, converted',
    (to) => copyFile(to, 'f', { title: 't', parent: 'p', isConverted: true }),
    [{ body: { ids: ['n'] } }, {}],
    [GENERATED, { method: 'POST', path: '/drive/v2/files/f/copy', json: { id: 'n', title: 't', parents: [{ id: 'p' }] }, headers: { 'x-hla-if': 'title-free' }, answers: [409], query: { ...ID, convert: true }, patience: 120_000 }],
  ],
  ['deleteFile, by its id', (to) => deleteFile(to, { file, path: { base: 'f', names: [] } }), [{}], [{ method: 'DELETE', path: '/drive/v2/files/f', query: ALL, headers: {} }]],
  ['deleteFile, by its path', (to) => deleteFile(to, { file, path: { base: 'root', names: ['t'] } }), [{}], [{ method: 'DELETE', path: '/drive/v2/files/f', query: ALL, headers: { 'x-hla-if': 'path=root/t' } }]],
  ['getRevision', (to) => getRevision(to, 'f', 'r'), [{ body: {} }], [{ method: 'GET', path: '/drive/v2/files/f/revisions/r' }]],
  ['feedEnd', fetchFeedEnd, [{ body: { startPageToken: '7' } }], [{ method: 'GET', path: '/drive/v2/changes/startPageToken', query: ALL }]],
  ['comment', (to) => comment(to, 'f', 'c'), [{}], [{ method: 'POST', path: '/drive/v2/files/f/comments', json: { content: 'c' }, retries: 0 }]],
  [
    'grant to a commenter',
    (to) => grant(to, 'f', { type: 'user', value: 'a@b.c' }, { role: 'commenter' }),
    [{ body: {} }],
    [{ method: 'POST', path: '/drive/v2/files/f/permissions', query: { sendNotificationEmails: false, ...ALL }, json: { type: 'user', value: 'a@b.c', role: 'reader', additionalRoles: ['commenter'] } }],
  ],
  [
    'grant to anyone',
    (to) => grant(to, 'f', { type: 'anyone', value: '' }, { role: 'reader', expires: '2027-01-01T00:00:00Z' }),
    [{ body: {} }],
    [{ method: 'POST', path: '/drive/v2/files/f/permissions', query: { sendNotificationEmails: false, ...ALL }, json: { type: 'anyone', role: 'reader', withLink: true, expirationDate: '2027-01-01T00:00:00Z' } }],
  ],
  ['revoke', (to) => revoke(to, 'f', 'p'), [{}], [{ method: 'DELETE', path: '/drive/v2/files/f/permissions/p', query: ALL }]],
  ['makeRule', (to) => makeRule(to, RULE), [{ body: {} }], [{ method: 'POST', path: '/rules', json: RULE, retries: 0 }]],
  ['listRules', (to) => listRules(to, 'f'), [{ body: {} }], [{ method: 'GET', path: '/rules', query: { folder: 'f' } }]],
  ['removeRule', (to) => removeRule(to, 'a/b'), [{}], [{ method: 'DELETE', path: '/rules/a%2Fb' }]],
] // prettier-ignore

test.for(ACTS)('%s', async ([, act, replies, expected]) => {
  const { connection, asked } = scriptedStore((_, at) => replies[at] ?? { status: 500 })
  await act(connection)
  expect(asked).toEqual(expected)
})

test.for(ACTS)('%s fails when the store refuses any of its requests', async ([, act, replies, expected]) => {
  for (const refused of expected.keys()) {
    const { connection } = scriptedStore((_, at) => (at < refused ? (replies[at] ?? {}) : { status: 403 }))
    await expect(act(connection)).rejects.toMatchObject({ code: 'io' })
  }
})

test.for([
  [{ id: 'r', folder: { title: 'in' }, maker: { emailAddress: 'a@b.c', displayName: 'Ada' }, method: 'lgx', release: '3.58.0', match: '*.csv', withSubfolders: true, converted: 3, failed: 1, reason: 'why', trouble: 'what' }, { id: 'r', folder: 'in', maker: 'a@b.c', method: 'lgx', release: '3.58.0', match: '*.csv', withSubfolders: true, converted: 3, failed: 1, trouble: 'why' }],
  [{ id: 'r', maker: { displayName: 'Ada' }, trouble: 'what' }, { id: 'r', folder: '', maker: 'Ada', method: '', release: '', match: '', withSubfolders: false, converted: 0, failed: 0, trouble: 'what' }],
] as const)('the rule %j is %j', async ([said, expected]) => {
  const { connection } = scriptedStore(() => ({ body: { items: [said] } }))
  expect(await listRules(connection)).toEqual([expected])
}) // prettier-ignore

test('a folder that was made by the first attempt is the one that is there', async () => {
  const { connection, asked } = scriptedStore(({ method, path }) => {
    if (method === 'POST') return { status: 409 }
    return { body: path.endsWith('generateIds') ? { ids: ['n'] } : { id: 'n', title: 'there' } }
  })
  expect(await makeFolder(connection, 't', 'p')).toMatchObject({ id: 'n', title: 'there' })
  expect(asked.at(-1)).toMatchObject({ method: 'GET', path: '/drive/v2/files/n' })
})

test('ids of new files come once each, four times as many at a time as before, up to 256', async () => {
  let made = 0
  const { connection, asked } = scriptedStore(({ query }) => {
    const ids = Array.from({ length: Number(query?.['maxResults']) }, () => `i${(made += 1)}`)
    return { body: { ids } }
  })
  const ids = new Set<string>()
  for (let at = 0; at < 1 + 4 + 16 + 64 + 256 + 1; at += 1) ids.add(await newFileId(connection))
  expect(ids.size).toBe(1 + 4 + 16 + 64 + 256 + 1)
  expect(asked.map(({ query }) => query?.['maxResults'])).toEqual([1, 4, 16, 64, 256, 256])
})

describe('lists are read to their end, page by page', () => {
  type Listing = (connection: DriveConnection) => Promise<readonly unknown[]>
  const listing = async (list: AsyncIterable<unknown>) => {
    const found: unknown[] = []
    for await (const one of list) found.push(one)
    return found
  }
  test.for<[string, Listing, readonly object[], number]>([
    ['files', (to) => listing(findFiles(to, { q: 'x' })), [{ id: '1' }, { id: '2' }, { id: '3' }], 1000],
    ['children', (to) => listing(listChildren(to, 'f')), [{ id: '1' }, { id: '2' }, { id: '3' }], 1000],
    ['revisions', (to) => listRevisions(to, 'f'), [{ id: '1' }, { id: '2' }, { id: '3' }], 1000],
    ['comments', (to) => listing(commentsOn(to, 'f')), [{ content: '1' }, { content: '2' }, { content: '3' }], 100], // prettier-ignore
    ['permissions', (to) => listPermissions(to, 'f'), [{ id: '1' }, { id: '2' }, { id: '3' }], 100],
  ])('%s', async ([, list, items, most]) => {
    const pages = [{ items: items.slice(0, 2), nextPageToken: 'second' }, { items: [], nextPageToken: 'third' }, { items: items.slice(2) }] // prettier-ignore
    const { connection, asked } = scriptedStore((_, at) => ({ body: pages[at] }))
    expect(await list(connection)).toHaveLength(3)
    expect(asked.map(({ query }) => query?.['pageToken'])).toEqual([undefined, 'second', 'third'])
    expect(asked.map(({ query }) => query?.['maxResults'])).toEqual([most, most, most])
  })
})

describe('a page of changes', () => {
  test.for([
    [{ newStartPageToken: '9' }, { next: '9', isLast: true }],
    [
      { nextPageToken: '8', newStartPageToken: '9' },
      { next: '8', isLast: false },
    ],
    [{}, { next: '7', isLast: true }],
  ] as const)('%j goes on as %j', async ([page, expected]) => {
    const items = [{ deleted: true, file: { id: 'gone' } }, { deleted: false }, { file: { id: 'f' } }]
    const { connection } = scriptedStore(() => ({ body: { items, ...page } }))
    const { files, ...rest } = await fetchChanges(connection, '7')
    expect([files.map(({ id }) => id), rest]).toEqual([['f'], expected])
  })
})

describe('a file', () => {
  test('is read as the store says it', () => {
    const said = {
      id: 'f',
      title: 't',
      mimeType: 'text/csv',
      fileSize: '12',
      md5Checksum: 'm',
      modifiedDate: 'M',
      createdDate: 'C',
      etag: '"e"',
      headRevisionId: 'r',
      labels: { trashed: true },
      explicitlyTrashed: true,
      parents: [{ id: 'p' }],
      owners: [{ emailAddress: 'a@b.c' }],
      lastModifyingUser: { emailAddress: 'a@b.c', displayName: 'Ada' },
      properties: [
        { key: 'k', value: 'ours', visibility: 'PUBLIC' },
        { key: 'k', value: 'a program’s own', visibility: 'PRIVATE' },
      ],
    }
    expect(readFile(said)).toEqual({
      id: 'f',
      title: 't',
      mimeType: 'text/csv',
      isFolder: false,
      isDocument: false,
      size: 12,
      md5: 'm',
      modified: 'M',
      created: 'C',
      etag: '"e"',
      revision: 'r',
      isTrashed: true,
      isExplicitlyTrashed: true,
      parents: ['p'],
      owners: ['a@b.c'],
      modifiedBy: 'a@b.c',
      properties: { k: 'ours' },
    })
    expect(() => readFile({})).toThrow('the answer of the store is not a file')
  })

  test.for([
    [FOLDER_TYPE, true, false],
    ['application/vnd.google-apps.document', false, true],
    ['application/vnd.google-apps.shortcut', false, false],
    ['text/csv', false, false],
  ] as const)('of type %s is a folder: %s, a document: %s', ([mimeType, isFolder, isDocument]) => {
    const explicit = { labels: { trashed: false }, explicitlyTrashed: false }
    expect(readFile({ id: 'f', mimeType, ...explicit })).toMatchObject({
      isFolder,
      isDocument,
      size: undefined,
      isTrashed: false,
      isExplicitlyTrashed: false,
    })
  })

  test('has revisions', () => {
    expect(readRevision({ id: 'r', modifiedDate: 'M', fileSize: '7', md5Checksum: 'm', pinned: true })).toEqual({ id: 'r', modified: 'M', modifiedBy: '', size: 7, md5: 'm', isPinned: true }) // prettier-ignore
    expect(readRevision({ id: 'r' })).toMatchObject({ size: 0, isPinned: false })
  })
})

test.for([
  [{ type: 'user', emailAddress: 'a@b.c', role: 'writer' }, { type: 'user', value: 'a@b.c', role: 'writer', isInherited: false, isByLink: false, expires: undefined }],
  [{ type: 'domain', domain: 'b.c', role: 'reader', withLink: true }, { type: 'domain', value: 'b.c', role: 'reader', isByLink: true }],
  [{ type: 'anyone', role: 'reader', additionalRoles: ['commenter'] }, { type: 'anyone', value: '', role: 'commenter' }],
  [{ role: 'writer', additionalRoles: ['commenter'] }, { role: 'writer' }],
  [{ role: 'a role of tomorrow' }, { role: 'reader', type: 'anyone' }],
  [{ expirationDate: 'E', permissionDetails: [{ inherited: true }, { inherited: true }] }, { expires: 'E', isInherited: true }],
  [{ permissionDetails: [{ inherited: true }, { inherited: false }] }, { isInherited: false }],
] as const)('the permission %j is %j', async ([said, expected]) => {
  const { connection } = scriptedStore(() => ({ body: { items: [{ id: 'p', ...said }] } }))
  expect((await listPermissions(connection, 'f'))[0]).toMatchObject({ id: 'p', ...expected })
}) // prettier-ignore

describe('a path', () => {
  const FOLDERS: Readonly<Record<string, object>> = {
    registry: { id: 'r', title: 'registry', mimeType: FOLDER_TYPE },
  }
  const FILES: Readonly<Record<string, object>> = {
    'a.csv': { id: 'a', title: 'a.csv', mimeType: 'text/csv' },
  }
  /** A root with the folder `registry`, and with a file and a folder both named `both`. */
  const store = () =>
    scriptedStore(({ method, path, query, json }) => {
      if (method === 'POST') return { body: { ...(json as object) } }
      if (path.endsWith('generateIds')) return { body: { ids: ['made'] } }
      if (path !== '/drive/v2/files') return { body: { id: path.split('/').at(-1), title: 'top', mimeType: FOLDER_TYPE } } // prettier-ignore
      const [, parent = '', title = ''] = /^'(.*)' in parents and title = '(.*)' and trashed = false$/.exec(String(query?.['q'])) ?? [] // prettier-ignore
      if (title === 'both') return { body: { items: [{ id: 'bf', title, mimeType: 'text/csv' }, { id: 'bd', title, mimeType: FOLDER_TYPE }] } } // prettier-ignore
      const found = parent === 'root' ? FOLDERS[title] : parent === 'r' ? FILES[title] : undefined
      return { body: { items: found === undefined ? [] : [found] } }
    })
  const idOf = async (text: string) => (await findPath(store().connection, parseDrivePath(text)))?.id
  test.for([
    ['/', 'root'],
    ['/registry', 'r'],
    ['/registry/a.csv', 'a'],
    ['/registry/A.csv', undefined],
    ['/registry/b.csv', undefined],
    ['/both/', 'bd'],
  ] as const)('%s is %s', async ([text, id]) => {
    expect(await idOf(text)).toBe(id)
  })
  test.for([
    ['/none/a.csv', 'there is no /none in the store'],
    ['/registry/a.csv/b', '/registry/a.csv is a file, not a folder'],
    ['/both', '2 '],
  ] as const)('%s: %s', async ([text, message]) => {
    await expect(idOf(text)).rejects.toThrow(message)
  })
  test.for([
    ['/none', 'there is no /none in the store'],
    ['/registry/a.csv', '/registry/a.csv is a file, not a folder'],
    ['/registry/2026/1', 'there is no /registry/2026 in the store'],
  ] as const)('%s, as a folder: %s', async ([text, message]) => {
    await expect(folderAt(store().connection, parseDrivePath(text))).rejects.toThrow(message)
  })
  test('to a folder is made where that is asked for', async () => {
    const { connection, asked } = store()
    const made = await folderAt(connection, parseDrivePath('/registry/2026'), true)
    expect(made).toMatchObject({ id: 'made', title: '2026' })
    expect(asked.filter(({ method }) => method === 'POST')).toMatchObject([
      { json: { parents: [{ id: 'r' }] } },
    ])
  })
})

test('a text in quotes', () => {
  expect(quoted(`O'Neill \\ Sons`)).toBe(`'O\\'Neill \\\\ Sons'`)
})
