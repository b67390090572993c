/** Requests of each store operation, and its results, against a scripted store. */
import { describe, expect, test } from 'vitest'
import { listAccesses } from '../../../src/drive/client/accesses.ts'
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
  isTitleTaken,
  listRevisions,
  makeFolder,
  moveFile,
  newFileId,
  patchFile,
  quoted,
  removeFromFolder,
  removeProperty,
  trashEmptyFolder,
  trashFile,
  untrashFile,
} from '../../../src/drive/client/files.ts'
import { refusal } from '../../../src/drive/client/failure.ts'
import { listLinks, makeLink } from '../../../src/drive/client/links.ts'
import {
  filePath,
  findPath,
  folderAt,
  listChildren,
  makeOrFind,
  parseDrivePath,
} from '../../../src/drive/client/paths.ts'
import { grant, listPermissions, revoke } from '../../../src/drive/client/permissions.ts'
import { fetchPoint } from '../../../src/drive/client/points.ts'
import { FOLDER_TYPE, TEXT_TYPE, readFile, readRevision } from '../../../src/drive/client/resource.ts'
import { listRules, makeRule, removeRule } from '../../../src/drive/client/rules.ts'
import { errorOf } from '../../support/errors.ts'
import { scriptedStore, type ScriptedReply } from '../../support/scripted-store.ts'

const NAMES =
  'id,title,mimeType,fileSize,md5Checksum,modifiedDate,createdDate,etag,headRevisionId,labels/trashed,explicitlyTrashed,parents/id,owners/emailAddress,lastModifyingUser(emailAddress,displayName),properties(key,value,visibility)'
const FIELDS = { fields: NAMES, supportsAllDrives: true }
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
  ...[{ folder: 'p', parents: ['p'] }, { folder: 'left', parents: ['p', 'q'] }, { folder: undefined, parents: ['p', 'q'] }].map(({ folder, parents }) => [
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
  [
    'grant to a domain',
    (to) => grant(to, 'f', { type: 'domain', value: 'b.c' }, { role: 'writer' }),
    [{ body: {} }],
    [{ method: 'POST', path: '/drive/v2/files/f/permissions', query: { sendNotificationEmails: false, ...ALL }, json: { type: 'domain', value: 'b.c', role: 'writer', withLink: true } }],
  ],
  ['makeLink', (to) => makeLink(to, { file: 'f', password: 'w' }), [{ body: {} }], [{ method: 'POST', path: '/links', json: { file: 'f', password: 'w' }, retries: 0 }]],
  ['listLinks, of the caller', (to) => listLinks(to, false), [{ body: {} }], [{ method: 'GET', path: '/links', query: {} }]],
  ['listLinks, of all', (to) => listLinks(to, true), [{ body: {} }], [{ method: 'GET', path: '/links', query: { all: true } }]],
  ['fetchPoint', (to) => fetchPoint(to, 's'), [{ body: {} }], [{ method: 'GET', path: '/point', query: { since: 's' } }]],
  ['fetchChanges', (to) => fetchChanges(to, '7'), [{ body: {} }], [{ method: 'GET', path: '/drive/v2/changes', query: { pageToken: '7', maxResults: 200, includeItemsFromAllDrives: true, fields: `nextPageToken,newStartPageToken,items(deleted,file(${NAMES}))`, ...ALL } }]],
  ['trashEmptyFolder, by its id', (to) => trashEmptyFolder(to, 'f', { base: 'f', names: [] }), [{}], [{ method: 'POST', path: '/drive/v2/files/f/trash', query: ID, headers: { 'x-hla-if': 'empty' } }]],
  ['trashEmptyFolder, by its path', (to) => trashEmptyFolder(to, 'f', { base: 'root', names: ['t'] }), [{}], [{ method: 'POST', path: '/drive/v2/files/f/trash', query: ID, headers: { 'x-hla-if': 'empty, path=root/t' } }]],
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

test.for([
  [{ id: 'l', file: 'f', title: 't', address: 'https://s/l', created: 'C', expires: 'E', maker: 'a@b.c', hasPassword: true, downloads: 2, mostDownloads: 3 }, { id: 'l', file: 'f', title: 't', address: 'https://s/l', created: 'C', expires: 'E', maker: 'a@b.c', hasPassword: true, downloads: 2, mostDownloads: 3 }],
  [{ id: 'l', downloads: '2' }, { id: 'l', file: '', title: '', address: '', created: '', expires: '', maker: '', hasPassword: false, downloads: undefined, mostDownloads: undefined }],
] as const)('the link %j is %j', async ([said, expected]) => {
  expect(await listLinks(scriptedStore(() => ({ body: { items: [said] } })).connection, false)).toEqual([expected])
  expect(await makeLink(scriptedStore(() => ({ body: said })).connection, { file: 'f' })).toEqual(expected)
}) // prettier-ignore

test('accesses to a file are those of all pages, with what is not known summed', async () => {
  const first = { date: 'D', action: 'open', method: 'files.get', user: 'a@b.c', client: 'hla', token: 'k', link: 'l', times: 2 }
  const none = { date: '', action: '', method: '', user: '', client: '', token: '', link: '' }
  const pages = [{ items: [first], damaged: 1, lost: 2, nextPageToken: 'second' }, { items: [{ times: 1 }], damaged: 3, lost: 5 }]
  const { connection, asked } = scriptedStore((_, at) => ({ body: pages[at] }))
  expect(await listAccesses(connection, 'f')).toEqual({ accesses: [first, { ...none, times: 1 }], damaged: 4, lost: 7 })
  const asking = { method: 'GET', path: '/drive/admin/v1/accesses' }
  const query = { file: 'f', maxResults: 1000 }
  expect(asked).toEqual([{ ...asking, query }, { ...asking, query: { ...query, pageToken: 'second' } }])
}) // prettier-ignore

test.for([
  [
    { point: 'p', isInHistory: true },
    { point: 'p', isInHistory: true },
  ],
  [
    { point: 'p', isInHistory: false },
    { point: 'p', isInHistory: false },
  ],
  [{}, { point: '', isInHistory: true }],
] as const)('the point %j is %j', async ([said, expected]) => {
  expect(await fetchPoint(scriptedStore(() => ({ body: said })).connection, undefined)).toEqual(expected)
})

test('the end of the feed is the token that the store says', async () => {
  expect(await fetchFeedEnd(scriptedStore(() => ({ body: { startPageToken: '7' } })).connection)).toBe('7')
})

/** The refusal of a request whose condition does not hold. */
const unmet = (location: string, status = 412) =>
  refusal('https://store.example', status, JSON.stringify({ error: { errors: [{ location }] } }))

describe('a condition of the store’s own', () => {
  const CONDITIONS = [
    [unmet('X-Hla-If'), true],
    [unmet('If-Match'), false],
    [unmet('X-Hla-If', 409), false],
    [new Error('X-Hla-If'), false],
  ] as const
  test.for(CONDITIONS)('%s: the title is taken: %s', ([error, isTaken]) => {
    expect(isTitleTaken(error)).toBe(isTaken)
  })
  test.for(CONDITIONS)('%s: the folder is not empty: %s', async ([error, isLeft]) => {
    const { connection } = scriptedStore(() => Promise.reject(error))
    const trashed = trashEmptyFolder(connection, 'f', { base: 'f', names: [] })
    if (isLeft) expect(await trashed).toBe(false)
    else await expect(trashed).rejects.toBe(error)
  })
  test('holds: the folder was trashed', async () => {
    expect(await trashEmptyFolder(scriptedStore(() => ({})).connection, 'f', { base: 'f', names: [] })).toBe(
      true,
    )
  })
})

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
  const ITEMS = [{ id: '1', content: 'a' }, { id: '2', content: 'b' }, { id: '3', content: 'c' }] // prettier-ignore
  const FOUND = { maxResults: 1000, fields: `nextPageToken,items(${NAMES})`, corpora: 'allDrives', includeItemsFromAllDrives: true, ...ALL } // prettier-ignore
  const REVISION = 'nextPageToken,items(id,modifiedDate,lastModifyingUser(emailAddress,displayName),fileSize,md5Checksum,pinned)' // prettier-ignore
  test.for<[string, Listing, string, object]>([
    ['files', (to) => listing(findFiles(to, { q: 'x' })), '', { q: 'x', ...FOUND }],
    ['children', (to) => listing(listChildren(to, 'f')), '', { q: "'f' in parents and trashed = false", orderBy: 'folder,title_natural', ...FOUND }],
    ['revisions', (to) => listRevisions(to, 'f'), '/f/revisions', { fields: REVISION, maxResults: 1000 }],
    ['comments', (to) => listing(commentsOn(to, 'f')), '/f/comments', { fields: 'nextPageToken,items(content)', maxResults: 100 }],
    ['permissions', (to) => listPermissions(to, 'f'), '/f/permissions', { maxResults: 100, ...ALL }],
  ])('%s', async ([name, list, below, query]) => {
    const pages = [{ items: ITEMS.slice(0, 2), nextPageToken: 'second' }, { items: [], nextPageToken: 'third' }, { items: ITEMS.slice(2) }]
    const { connection, asked } = scriptedStore((_, at) => ({ body: pages[at] }))
    const found = ITEMS.map(({ id, content }) => (name === 'comments' ? content : expect.objectContaining({ id }) as unknown))
    expect(await list(connection)).toEqual(found)
    const asking = { method: 'GET', path: `/drive/v2/files${below}` }
    expect(asked).toEqual([{ ...asking, query }, ...['second', 'third'].map((pageToken) => ({ ...asking, query: { ...query, pageToken } }))])
  }) // prettier-ignore
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
    expect(errorOf(() => readFile({}))).toMatchObject({
      code: 'remote',
      message: 'the answer of the store is not a file',
    })
  })

  test.for([
    ['application/vnd.google-apps.folder', true, false],
    [TEXT_TYPE, false, true],
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
    const users = [{ emailAddress: 'a@b.c', displayName: 'Ada' }, { displayName: 'Ada' }]
    expect(users.map((lastModifyingUser) => readRevision({ lastModifyingUser }).modifiedBy)).toEqual(['a@b.c', 'Ada']) // prettier-ignore
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
  [{ permissionDetails: [{ inherited: true }] }, { isInherited: true }],
  [{ permissionDetails: [] }, { isInherited: false }],
  [{ type: 'user', role: 'fileOrganizer' }, { role: 'fileOrganizer' }],
  [{ type: 'user', role: 'organizer' }, { role: 'organizer' }],
  [{ type: 'user', role: 'owner' }, { role: 'owner' }],
  [{ type: 'user', role: 'commenter' }, { role: 'commenter' }],
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
      if (path.endsWith('/fileFileFile')) return { body: { id: 'fileFileFile', title: 'a.txt', mimeType: 'text/plain' } } // prettier-ignore
      if (path !== '/drive/v2/files') return { body: { id: path.split('/').at(-1), title: 'top', mimeType: FOLDER_TYPE } } // prettier-ignore
      const [, parent = '', title = ''] = /^'(.*)' in parents and title = '(.*)' and trashed = false$/.exec(String(query?.['q'])) ?? [] // prettier-ignore
      if (title === 'both') return { body: { items: [{ id: 'bf', title, mimeType: 'text/csv', modifiedDate: '2026-01-01' }, { id: 'bd', title, mimeType: FOLDER_TYPE, modifiedDate: '2026-02-02' }] } } // prettier-ignore
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
    ['fileFileFile/b', 'fileFileFile is a file, not a folder'],
  ] as const)('%s: %s', async ([text, message]) => {
    await expect(idOf(text)).rejects.toMatchObject({ code: 'not-found', message })
  })
  test('of several files is refused, with the id, date and kind of each', async () => {
    await expect(idOf('/both')).rejects.toMatchObject({
      code: 'usage',
      message: '2 files are called /both: give the id of one',
      offending: '/both',
      hint: 'bf  2026-01-01\nbd  2026-02-02  folder',
    })
  })
  test.for([
    ['/none', 'there is no /none in the store'],
    ['/registry/a.csv', '/registry/a.csv is a file, not a folder'],
    ['/registry/2026/1', 'there is no /registry/2026 in the store'],
    ['fileFileFile', 'fileFileFile is a file, not a folder'],
    ['fileFileFile/b', 'fileFileFile is a file, not a folder', 'fileFileFile'],
  ] as const)('%s, as a folder: %s', async ([text, message, offending = text]) => {
    await expect(folderAt(store().connection, parseDrivePath(text))).rejects.toMatchObject({
      code: 'not-found',
      message,
      offending,
    })
  })
  test('to a file has to lead to one', async () => {
    expect(await filePath(store().connection, parseDrivePath('/registry/a.csv'))).toMatchObject({ id: 'a' })
    await expect(filePath(store().connection, parseDrivePath('/registry/b.csv'))).rejects.toMatchObject({
      code: 'not-found',
      message: 'there is no /registry/b.csv in the store',
      offending: '/registry/b.csv',
    })
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

describe('a folder that another program makes meanwhile', () => {
  const making = (error: Error, items: readonly object[]) =>
    makeOrFind(
      scriptedStore(({ method, path }) => {
        if (method === 'POST') throw error
        return { body: path.endsWith('generateIds') ? { ids: ['made'] } : { items } }
      }).connection,
      'p',
      { name: 'n', where: '/n' },
    )
  const taken = unmet('X-Hla-If')
  test('is the one that is there', async () => {
    expect(await making(taken, [{ id: 'there', title: 'n', mimeType: FOLDER_TYPE }])).toMatchObject({
      id: 'there',
    })
  })
  test('and removes again is refused', async () => {
    await expect(making(taken, [])).rejects.toBe(taken)
  })
  test('is not looked for after another refusal', async () => {
    const full = new Error('no room')
    await expect(making(full, [{ id: 'there', title: 'n', mimeType: FOLDER_TYPE }])).rejects.toBe(full)
  })
})

test('a text in quotes', () => {
  expect(quoted(`O'Neill \\ Sons`)).toBe(`'O\\'Neill \\\\ Sons'`)
})

test.for([{}, { ids: [] }, { ids: 'n' }])('no file is made with the ids %j', async (body) => {
  const { connection, asked } = scriptedStore(() => ({ body }))
  await expect(makeFolder(connection, 't', 'p')).rejects.toMatchObject({
    code: 'remote',
    message: 'the store gave no id for a new file',
  })
  expect(asked).toEqual([GENERATED])
})
