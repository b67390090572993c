/** Files over HTTP: create, read, change, find, delete. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'

let drive: Drive
beforeAll(async () => {
  drive = await startDrive()
})

const FOLDER = 'application/vnd.google-apps.folder'
const insert = async (body: object) => (await drive.ask('POST', '/drive/v2/files', { body })).json
const get = (id: string, query = {}) => drive.ask('GET', `/drive/v2/files/${id}`, { query })
const patch = (id: string, body: object, query = {}) =>
  drive.ask('PATCH', `/drive/v2/files/${id}`, { body, query })
const list = async (query = {}) => (await drive.ask('GET', '/drive/v2/files', { query })).json

describe('files.insert', () => {
  test('answers the whole resource of an empty file', async () => {
    const file = await insert({
      title: 'Registry.tar.gz',
      mimeType: 'application/gzip',
      description: 'of 2026',
    })
    expect(file).toMatchObject({
      kind: 'drive#file',
      title: 'Registry.tar.gz',
      mimeType: 'application/gzip',
      description: 'of 2026',
      fileSize: '0',
      md5Checksum: 'd41d8cd98f00b204e9800998ecf8427e',
      fileExtension: 'gz',
      fullFileExtension: 'tar.gz',
      version: '1',
      ownedByMe: true,
      labels: { starred: false, trashed: false, hidden: false, restricted: false },
      parents: [{ kind: 'drive#parentReference', isRoot: true }],
      userPermission: { id: 'me', role: 'owner', type: 'user' },
      capabilities: { canEdit: true, canListChildren: false },
    })
    expect(file.id).toMatch(/^[\w-]{28,44}$/)
    expect(file.etag).toMatch(/^".+"$/)
    expect(file).not.toHaveProperty('permissions')
  })

  test('of a folder has no bytes', async () => {
    const folder = await insert({ title: 'd', mimeType: FOLDER, folderColorRgb: '#ac725f' })
    expect(folder).toMatchObject({ mimeType: FOLDER, folderColorRgb: '#ac725e' })
    for (const name of ['fileSize', 'md5Checksum', 'downloadUrl', 'fileExtension'])
      expect(folder).not.toHaveProperty(name)
  })

  test.each(['root', 'ROOT', 'Root'])(
    'of a shortcut to %s points to the folder of its maker',
    async (alias) => {
      const mimeType = 'application/vnd.google-apps.shortcut'
      const root = (await drive.ask('GET', '/drive/v2/files/root')).json.id
      const shortcut = await insert({
        title: 's',
        mimeType,
        shortcutDetails: { targetId: alias },
        parents: [{ id: alias }],
      })
      expect(shortcut.shortcutDetails.targetId).toBe(root)
      expect(shortcut.parents.map(({ id }: { id: string }) => id)).toEqual([root])
      const q = `shortcutDetails.targetId = '${root}'`
      const { items } = (await drive.ask('GET', '/drive/v2/files', { query: { q } })).json
      expect(items.map(({ id }: { id: string }) => id)).toContain(shortcut.id)
    },
  )

  test('of a shortcut tells what it points to', async () => {
    const file = await insert({ title: 'a', mimeType: 'text/csv' })
    const mimeType = 'application/vnd.google-apps.shortcut'
    const shortcut = await insert({ title: 's', mimeType, shortcutDetails: { targetId: file.id } })
    expect(shortcut.shortcutDetails).toEqual({ targetId: file.id, targetMimeType: 'text/csv' })
  })

  test('ignores what cannot be written, and null', async () => {
    const body = { kind: 'x', etag: 'y', title: null, parents: [], nothing: { at: 'all' }, version: 'many' }
    expect(await insert(body)).toMatchObject({ kind: 'drive#file', title: 'Untitled', version: '1' })
  })

  test.for([
    [{ title: 5 }, 400, 'parseError', undefined],
    ['{', 400, 'parseError', undefined],
    [{ parents: [{ id: 'none' }] }, 404, 'notFound', 'parents'],
    [{ mimeType: 'text/plain; charset=€' }, 400, 'invalid', 'mimeType'],
    [{ mimeType: 'text/plain\n;x-injected: 1' }, 400, 'invalid', 'mimeType'],
    [{ mimeType: 'text/plain; a\u0001' }, 400, 'invalid', 'mimeType'],
    [{ mimeType: 'application/vnd.google-apps.document' }, 400, 'badRequest', 'mimeType'],
    [{ mimeType: 'application/vnd.google-apps.shortcut' }, 400, 'required', 'shortcutDetails.targetId'],
    [{ id: 'mine' }, 400, 'invalid', 'id'],
    [{ properties: [{ value: 'v' }] }, 400, 'required', 'key'],
  ] as const)('%j answers %i %s', async ([body, status, reason, location]) => {
    const { json, ...reply } = await drive.ask('POST', '/drive/v2/files', { body })
    expect(reply.status).toBe(status)
    expect(json.error.code).toBe(status)
    expect(json.error.errors[0].reason).toBe(reason)
    expect(json.error.errors[0].location).toBe(location)
  })
})

describe('files.insert of too much', () => {
  test.for([
    ['title', { title: 'x'.repeat(32_768) }],
    ['description', { description: 'x'.repeat(25_001) }],
    ['value', { properties: [{ key: 'k', value: 'v'.repeat(124) }] }],
  ] as const)('is refused by the limit of the %s', async ([location, body]) => {
    const { status, json } = await drive.ask('POST', '/drive/v2/files', { body })
    expect({ status, ...json.error.errors[0] }).toMatchObject({ status: 400, reason: 'invalid', location })
  })
})

describe('files.generateIds', () => {
  const generate = (query = {}) => drive.ask('GET', '/drive/v2/files/generateIds', { query })

  test('gives ids that make one file each, however often they are sent', async () => {
    const { json } = await generate({ maxResults: 3 })
    expect(json).toEqual({ kind: 'drive#generatedIds', space: 'drive', ids: json.ids })
    expect(new Set(json.ids).size).toBe(3)
    const [id] = json.ids
    expect(await insert({ id, title: 'once' })).toMatchObject({ id, title: 'once' })
    const twice = async () => (await insert({ id, title: 'twice' })).error.errors[0].reason
    expect(await twice()).toBe('fileIdInUse')
    await drive.ask('DELETE', `/drive/v2/files/${id}`)
    expect(await twice()).toBe('fileIdInUse')
  })

  test('gives them for one space', async () => {
    const { ids } = (await generate({ space: 'appDataFolder' })).json
    expect((await insert({ id: ids[0] })).error.errors[0]).toMatchObject({
      reason: 'invalid',
      location: 'id',
    })
    const own = await insert({ id: ids[0], parents: [{ id: 'appfolder' }] })
    expect(own).toMatchObject({ id: ids[0], spaces: ['appDataFolder'], appDataContents: true })
    expect((await list({ q: "'appdata' in parents", spaces: 'appDataFolder' })).items).toMatchObject([
      { id: ids[0] },
    ])
    expect((await list({ q: "'appdata' in parents" })).items).toEqual([])
  })

  test.for([{ space: 'photos' }, { type: 'folders' }, { maxResults: -1 }])('%j is refused', async (query) => {
    expect((await generate(query)).json.error.errors[0].reason).toBe('invalidParameter')
  })
})

describe('files.get', () => {
  test('gives the fields that are asked for', async () => {
    const { id } = await insert({ title: 'f' })
    const { json } = await get(id, { fields: 'id,title,labels/trashed,parents(id,isRoot)' })
    expect(json).toEqual({
      id,
      title: 'f',
      labels: { trashed: false },
      parents: [{ id: expect.any(String), isRoot: true }],
    })
    expect((await get(id, { fields: 'id,nonsense' })).json.error.errors[0]).toMatchObject({
      reason: 'invalidParameter',
      location: 'fields',
    })
  })

  test('answers 304 to who has it already', async () => {
    const { id, etag } = await insert({ title: 'f' })
    const known = await drive.ask('GET', `/drive/v2/files/${id}`, {
      headers: { 'if-none-match': `"x", ${etag}` },
    })
    expect(known).toMatchObject({ status: 304, text: '' })
    expect(known.headers.get('etag')).toBe(etag)
    await patch(id, { title: 'g' })
    const changed = await drive.ask('GET', `/drive/v2/files/${id}`, { headers: { 'if-none-match': etag } })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).toBe(changed.json.etag)
  })

  test('knows the root, in any case', async () => {
    const { json } = await get('ROOT')
    expect(json).toMatchObject({ title: 'My Drive', mimeType: FOLDER, parents: [] })
    expect((await drive.ask('GET', '/drive/v2/about')).json.rootFolderId).toBe(json.id)
  })

  test('does not know others', async () => {
    const { status, json } = await get('no-such-file')
    expect(status).toBe(404)
    expect(json).toEqual({
      error: {
        errors: [
          {
            domain: 'global',
            reason: 'notFound',
            message: 'File not found: no-such-file',
            locationType: 'parameter',
            location: 'fileId',
          },
        ],
        code: 404,
        message: 'File not found: no-such-file',
      },
    })
  })
})

describe('files.update and files.patch', () => {
  test.for(['PUT', 'PATCH'])('%s changes what is said and keeps the rest', async (method) => {
    const { id, createdDate } = await insert({
      title: 'a.csv',
      description: 'd',
      properties: [{ key: 'k', value: 'v' }],
    })
    const body = { title: 'b', labels: { starred: true } }
    const { json } = await drive.ask(method, `/drive/v2/files/${id}`, { body })
    expect(json).toMatchObject({
      title: 'b',
      description: 'd',
      fileExtension: 'csv',
      labels: { starred: true },
      properties: [{ key: 'k', value: 'v', visibility: 'PRIVATE' }],
      version: '2',
      createdDate,
    })
    expect((await patch(id, { description: null })).json).not.toHaveProperty('description')
  })

  test('happen only to what the caller has seen', async () => {
    const { id, etag } = await insert({ title: 'a' })
    const change = (ifMatch: string, title: string) =>
      drive.ask('PUT', `/drive/v2/files/${id}`, { body: { title }, headers: { 'if-match': ifMatch } })
    expect((await change('"stale"', 'b')).json.error.errors[0].reason).toBe('conditionNotMet')
    expect((await change(etag, 'c')).json.title).toBe('c')
    expect((await change(etag, 'd')).status).toBe(412)
    expect((await change('*', 'e')).json.title).toBe('e')
  })

  const SAID = '2001-02-03T04:05:06.789Z'
  test.for([
    [{}, { modifiedDate: SAID, description: 'x' }, 'now'],
    [{ setModifiedDate: true }, { modifiedDate: SAID }, SAID],
    [{ setModifiedDate: true }, { description: 'x' }, 'now'],
    [{ modifiedDateBehavior: 'noChange' }, { title: 'x', modifiedDate: SAID }, 'same'],
    [{ modifiedDateBehavior: 'nowIfNeeded' }, { folderColorRgb: '#000000' }, 'same'],
    [{ modifiedDateBehavior: 'nowIfNeeded' }, { title: 'x' }, 'now'],
    [{ modifiedDateBehavior: 'fromBody' }, { title: 'x', modifiedDate: SAID }, SAID],
    [{ modifiedDateBehavior: 'fromBodyIfNeeded' }, { writersCanShare: false, modifiedDate: SAID }, 'same'],
    [{}, { labels: { starred: true } }, 'same'],
  ] as const)('%j with %j leaves the date %s', async ([query, body, expected]) => {
    const { id, modifiedDate: before } = await insert({ title: 'a', modifiedDate: '2020-01-01T00:00:00Z' })
    const { modifiedDate } = (await patch(id, body, query)).json
    if (expected === 'now') expect(Date.parse(modifiedDate)).toBeGreaterThan(Date.now() - 60_000)
    else expect(modifiedDate).toBe(expected === 'same' ? before : expected)
  })

  test('leave folders folders, and roots as they are', async () => {
    const { id } = await insert({ title: 'd', mimeType: FOLDER })
    expect((await patch(id, { mimeType: 'text/plain' })).json.error.errors[0].reason).toBe('badRequest')
    expect((await patch('root', { title: 'mine' })).json.error.errors[0].reason).toBe(
      'insufficientFilePermissions',
    )
  })

  test('keep a title that is locked', async () => {
    const { id } = await insert({ title: 'a' })
    const locked = await patch(id, { contentRestrictions: [{ readOnly: true, reason: 'signed' }] })
    expect(locked.json.contentRestrictions).toMatchObject([
      {
        readOnly: true,
        reason: 'signed',
        restrictingUser: { isAuthenticatedUser: true },
        systemRestricted: false,
      },
    ])
    expect((await patch(id, { title: 'b' })).status).toBe(403)
    await patch(id, { contentRestrictions: [{ readOnly: false }] })
    expect((await patch(id, { title: 'b' })).json.title).toBe('b')
  })
})

describe('files.delete', () => {
  test('takes a folder with all that is in it', async () => {
    const outer = await insert({ title: 'o', mimeType: FOLDER })
    const inner = await insert({ title: 'i', mimeType: FOLDER, parents: [{ id: outer.id }] })
    const file = await insert({ title: 'f', parents: [{ id: inner.id }] })
    const gone = await drive.ask('DELETE', `/drive/v2/files/${outer.id}`, {
      headers: { 'if-match': outer.etag },
    })
    expect(gone).toMatchObject({ status: 204, text: '' })
    for (const { id } of [outer, inner, file]) expect((await get(id)).status).toBe(404)
    expect((await list({ q: `'${inner.id}' in parents` })).items).toEqual([])
  })

  test('leaves roots alone', async () => {
    expect((await drive.ask('DELETE', '/drive/v2/files/root')).status).toBe(403)
  })
})

describe('files.list', () => {
  test('walks all pages, each item once, in order', async () => {
    const folder = await insert({ title: 'pages', mimeType: FOLDER })
    const titles = ['b10', 'b9', 'A1', 'c', 'a1', 'B9', 'ä']
    for (const title of titles) await insert({ title, parents: [{ id: folder.id }] })
    const found: string[] = []
    let pageToken: string | undefined
    const query = { q: `'${folder.id}' in parents`, orderBy: 'title_natural desc', maxResults: 3 }
    do {
      const page = await list({ ...query, ...(pageToken === undefined ? {} : { pageToken }) })
      expect(page).toMatchObject({ kind: 'drive#fileList', incompleteSearch: false })
      found.push(...page.items.map(({ title }: { title: string }) => title))
      pageToken = page.nextPageToken
      if (pageToken !== undefined) expect(page.nextLink).toContain(encodeURIComponent(pageToken))
    } while (pageToken !== undefined)
    expect(found.map((title) => title.toLowerCase())).toEqual(['ä', 'c', 'b10', 'b9', 'b9', 'a1', 'a1'])
  })

  test('refuses the token of another list', async () => {
    await insert({ title: 'one' })
    await insert({ title: 'two' })
    const { nextPageToken: pageToken } = await list({ maxResults: 1 })
    expect((await list({ maxResults: 5, pageToken })).items.length).toBeGreaterThan(0)
    const { error } = await list({ maxResults: 1, pageToken, q: 'trashed=false' })
    expect(error.errors[0]).toMatchObject({ reason: 'invalid', location: 'pageToken' })
  })

  test('refuses an order for a search by relevance', async () => {
    const { error } = await list({ q: "fullText contains 'x'", orderBy: 'title' })
    expect(error.errors[0]).toMatchObject({ reason: 'badRequest', location: 'orderBy' })
  })
})

test('a thumbnail is refused, not dropped', async () => {
  const body = { title: 't', thumbnail: { image: 'AAAA', mimeType: 'image/png' } }
  const { status, json } = await drive.ask('POST', '/drive/v2/files', { body })
  expect([status, json.error.errors[0].location]).toEqual([400, 'thumbnail'])
  expect((await drive.ask('POST', '/drive/v2/files', { body: { ...body, thumbnail: {} } })).status).toBe(200)
})

test.each([
  ['x', 32_760, 32_767],
  ['ü', 32_766, 32_766],
  ['𝛼', 32_764, 32_764],
])(
  'a copy of a title of many %s is cut at a whole character, to what a title may have',
  async (sign, bytes, copied) => {
    const title = sign.repeat(bytes / Buffer.byteLength(sign))
    const { id } = await insert({ title })
    const copy = await drive.ask('POST', `/drive/v2/files/${id}/copy`, { body: {} })
    expect(copy.status).toBe(200)
    expect(Buffer.byteLength(copy.json.title)).toBe(copied)
    expect(`Copy of ${title}`.startsWith(copy.json.title)).toBe(true)
  },
)
