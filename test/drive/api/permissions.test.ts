/** Sharing over HTTP: visibility, permission to share, and response bodies (spec 11). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { type People, peopleOf, type Person } from '../../support/people.ts'

let drive: Drive
let people: People
let ada: Person
let bo: Person
let cy: Person
beforeAll(async () => {
  drive = await startDrive()
  people = await peopleOf(drive)
  ada = await people.add('ada@lab.example')
  bo = await people.add('bo@lab.example')
  cy = await people.add('cy@else.example')
})
afterAll(() => people.store.close())

const FOLDER = 'application/vnd.google-apps.folder'
type Who = Person | Drive

const file = async (who: Who, body: object = {}): Promise<string> =>
  (await who.ask('POST', '/drive/v2/files', { body: { title: 'a', ...body } })).json.id
const folder = (who: Who, ...parents: readonly string[]) =>
  file(who, { mimeType: FOLDER, parents: parents.map((id) => ({ id })) })
const path = (id: string, permission = '') =>
  `/drive/v2/files/${id}/permissions${permission === '' ? '' : `/${permission}`}`
const share = (who: Who, id: string, body: object, query = {}) => who.ask('POST', path(id), { body, query })
const give = (who: Who, id: string, to: Person, role = 'reader') =>
  share(who, id, { type: 'user', role, value: to.email })
const get = (who: Who, id: string, fields = 'id,shared,ownedByMe,userPermission/role,permissions') =>
  who.ask('GET', `/drive/v2/files/${id}`, { query: { fields } })
const list = async (who: Who, q = ''): Promise<string[]> =>
  (await who.ask('GET', '/drive/v2/files', { query: { q } })).json.items.map(({ id }: { id: string }) => id)
const reasonOf = ({ status, json }: { readonly status: number; readonly json: unknown }) => {
  // the shape of errors
  const { error } = json as { error?: { errors: { reason: string }[] } }
  return error === undefined ? status : `${status} ${error.errors[0]?.reason}`
}

describe('what was not given is not there', () => {
  test.for([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '?alt=media'],
    ['POST', '/copy'],
    ['POST', '/touch'],
    ['POST', '/trash'],
    ['GET', '/permissions'],
    ['POST', '/permissions'],
    ['GET', '/revisions'],
    ['GET', '/properties'],
    ['GET', '/parents'],
    ['GET', '/children'],
  ] as const)('%s …%s', async ([method, rest]) => {
    const id = await file(ada)
    const body = method === 'GET' || method === 'DELETE' ? undefined : { type: 'anyone', role: 'reader' }
    const reply = await bo.ask(method, `/drive/v2/files/${id}${rest}`, { body })
    expect(reasonOf(reply)).toBe('404 notFound')
  })
})

describe('what was given', () => {
  test('is seen, listed, found and told of by whom it was given to', async () => {
    const id = await file(ada, { title: 'given to bo' })
    const { startPageToken } = (await bo.ask('GET', '/drive/v2/changes/startPageToken')).json
    expect((await give(ada, id, bo)).json).toMatchObject({
      kind: 'drive#permission',
      id: bo.id,
      type: 'user',
      role: 'reader',
      emailAddress: bo.email,
      domain: 'lab.example',
      permissionDetails: [{ permissionType: 'file', role: 'reader', inherited: false }],
    })
    const { json } = await get(
      bo,
      id,
      'shared,ownedByMe,userPermission,sharedWithMeDate,sharingUser,capabilities',
    )
    expect(json).toMatchObject({
      shared: true,
      ownedByMe: false,
      userPermission: { id: 'me', role: 'reader' },
      sharingUser: { emailAddress: ada.email },
      capabilities: { canEdit: false, canDownload: true },
    })
    expect(Date.parse(json.sharedWithMeDate)).toBeGreaterThan(0)
    expect(await list(bo)).toContain(id)
    expect(await list(bo, 'sharedWithMe')).toEqual([id])
    expect(await list(ada, 'sharedWithMe')).toEqual([])
    expect(await list(bo, `'${ada.email}' in owners and 'me' in readers`)).toEqual([id])
    expect(await list(bo, `'me' in writers`)).toEqual([])
    const { items } = (await bo.ask('GET', '/drive/v2/changes', { query: { pageToken: startPageToken } }))
      .json
    expect(items).toMatchObject([{ fileId: id, deleted: false }])
  })

  test('is gone when it is taken back, and that is told', async () => {
    const id = await file(ada)
    await give(ada, id, bo)
    const { startPageToken } = (await bo.ask('GET', '/drive/v2/changes/startPageToken')).json
    expect((await ada.ask('DELETE', path(id, bo.id))).status).toBe(204)
    expect((await get(bo, id)).status).toBe(404)
    expect(await list(bo)).not.toContain(id)
    const { items } = (await bo.ask('GET', '/drive/v2/changes', { query: { pageToken: startPageToken } }))
      .json
    expect(items).toMatchObject([{ fileId: id, deleted: true }])
    expect(items[0].file).toBeUndefined()
    expect(reasonOf(await ada.ask('DELETE', path(id, bo.id)))).toBe('404 notFound')
  })

  test('may be given up', async () => {
    const id = await file(ada)
    await give(ada, id, bo)
    expect((await bo.ask('DELETE', path(id, 'me'))).status).toBe(204)
    expect((await get(bo, id)).status).toBe(404)
  })

  test('to an address without an account is there when it gets one', async () => {
    const id = await file(ada)
    const { id: known } = (await ada.ask('GET', '/drive/v2/permissionIds/later%40lab.example')).json
    expect((await share(ada, id, { type: 'user', role: 'writer', id: known })).json.id).toBe(known)
    const later = await people.add('later@lab.example')
    expect(later.id).toBe(known)
    expect((await get(later, id)).json.userPermission.role).toBe('writer')
  })

  test('to a group is there for who is in it, as long as he is', async () => {
    await people.group('group@lab.example', bo.email)
    const id = await file(ada)
    const body = { type: 'group', role: 'reader', value: 'group@lab.example' }
    expect((await share(ada, id, body)).json).toMatchObject({ type: 'group', emailAddress: body.value })
    expect(await list(bo)).toContain(id)
    expect(await list(bo, 'sharedWithMe')).toContain(id)
    const { startPageToken } = (await bo.ask('GET', '/drive/v2/changes/startPageToken')).json
    await people.leave('group@lab.example', bo.email)
    expect((await get(bo, id)).status).toBe(404)
    const { items } = (await bo.ask('GET', '/drive/v2/changes', { query: { pageToken: startPageToken } }))
      .json
    expect(items).toMatchObject([{ fileId: id, deleted: true }])
  })

  test('to everybody opens by its id and shows nowhere', async () => {
    const id = await file(ada)
    const { json } = await share(ada, id, { type: 'anyone', role: 'reader', withLink: true })
    expect(json).toMatchObject({ id: 'anyoneWithLink', type: 'anyone', withLink: true, role: 'reader' })
    expect((await get(cy, id)).json.userPermission.role).toBe('reader')
    expect(await list(cy)).not.toContain(id)
    expect(await list(ada, "visibility = 'anyoneWithLink'")).toContain(id)
    expect((await ada.ask('PATCH', path(id, 'anyoneWithLink'), { body: { withLink: false } })).json.id).toBe(
      'anyone',
    )
    expect(await list(cy)).not.toContain(id)
    expect(await list(ada, "visibility = 'anyoneCanFind'")).toContain(id)
    // also without an account
    expect((await drive.ask('GET', `/drive/v2/files/${id}`, { token: undefined })).status).toBe(200)
  })

  test('to a domain is for everybody of it, and in lists unless it is by link', async () => {
    const [open, linked] = [await file(ada), await file(ada)]
    const body = { type: 'domain', role: 'reader', value: 'Lab.Example' }
    expect((await share(ada, open, body)).json).toMatchObject({
      id: expect.stringMatching(/^\d+k$/),
      domain: 'lab.example',
    })
    await share(ada, linked, { ...body, withLink: true })
    expect((await get(bo, linked)).status).toBe(200)
    const listed = await list(bo)
    expect([listed.includes(open), listed.includes(linked)]).toEqual([true, false])
    expect([(await get(cy, open)).status, (await get(cy, linked)).status]).toEqual([404, 404])
    expect(await list(bo, "visibility = 'domainCanFind'")).toContain(open)
  })

  test('in an expired way is as if it were not', async () => {
    const id = await file(ada)
    await give(ada, id, bo)
    const expirationDate = new Date(Date.now() + 1500).toISOString()
    const { json } = await ada.ask('PATCH', path(id, bo.id), { body: { expirationDate } })
    expect(json.expirationDate).toBe(expirationDate)
    expect((await get(bo, id)).status).toBe(200)
    await expect.poll(async () => (await get(bo, id)).status, { timeout: 5000 }).toBe(404)
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expirationDate))
    expect((await ada.ask('GET', path(id))).json.items).toHaveLength(1)
  })
})

describe('what is in a folder', () => {
  test('says when its rights end: with the last of its folders', async () => {
    const [one, other] = [await folder(ada), await folder(ada)]
    const inner = await file(ada, { parents: [{ id: one }, { id: other }] })
    const dates = [2, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
    for (const [at, id] of [one, other].entries()) {
      await give(ada, id, bo)
      expect((await ada.ask('GET', path(inner, bo.id))).json).not.toHaveProperty('expirationDate')
      await ada.ask('PATCH', path(id, bo.id), { body: { expirationDate: dates[at] } })
    }
    expect((await ada.ask('GET', path(inner, bo.id))).json.expirationDate).toBe(dates[0])
    await ada.ask('PATCH', path(one, bo.id), { body: { expirationDate: null } })
    expect((await ada.ask('GET', path(inner, bo.id))).json).not.toHaveProperty('expirationDate')
  })

  test('has the rights of the folder, along every way', async () => {
    const [one, other] = [await folder(ada), await folder(ada)]
    const inner = await folder(ada, one)
    const id = await file(ada, { parents: [{ id: inner }, { id: other }] })
    await give(ada, one, bo)
    await give(ada, other, bo, 'writer')
    expect((await get(bo, id)).json.userPermission.role).toBe('writer')
    expect((await get(bo, inner)).json.userPermission.role).toBe('reader')
    const { items } = (await ada.ask('GET', path(id))).json
    expect(items.map(({ id: whose, role }: { id: string; role: string }) => [whose, role])).toEqual([
      [bo.id, 'writer'],
      [ada.id, 'owner'],
    ])
    expect(items[0].permissionDetails).toEqual(
      expect.arrayContaining([
        { permissionType: 'file', role: 'writer', inherited: true, inheritedFrom: other },
        { permissionType: 'file', role: 'reader', inherited: true, inheritedFrom: one },
      ]),
    )
    expect(reasonOf(await ada.ask('DELETE', path(id, bo.id)))).toBe(
      '403 cannotModifyInheritedTeamDrivePermission',
    )
    await ada.ask('DELETE', `/drive/v2/files/${id}/parents/${other}`)
    expect((await get(bo, id)).json.userPermission.role).toBe('reader')
    await ada.ask('DELETE', path(one, bo.id))
    expect((await get(bo, id)).status).toBe(404)
  })

  test('and others put there is written by its owner', async () => {
    const shared = await folder(ada)
    await give(ada, shared, bo, 'writer')
    const id = await file(bo, { parents: [{ id: shared }] })
    expect((await get(ada, id)).json).toMatchObject({ ownedByMe: false, userPermission: { role: 'writer' } })
    expect(reasonOf(await ada.ask('POST', `/drive/v2/files/${id}/trash`))).toBe(
      '403 insufficientFilePermissions',
    )
    // he loses access with the folder, and still sees his own change
    const moved = await ada.ask('PATCH', `/drive/v2/files/${id}`, {
      body: {},
      query: { removeParents: shared },
    })
    expect([moved.status, moved.json.parents]).toEqual([200, []])
    expect((await get(ada, id)).status).toBe(404)
    await ada.ask('DELETE', `/drive/v2/files/${shared}`)
    expect((await get(bo, id)).status).toBe(200)
  })

  test('is not spread by whoever may not share it', async () => {
    const id = await file(ada, { writersCanShare: false })
    await give(ada, id, bo, 'writer')
    const open = await folder(bo)
    await give(bo, open, cy)
    const body = { id: open }
    expect(reasonOf(await bo.ask('POST', `/drive/v2/files/${id}/parents`, { body }))).toBe(
      '403 insufficientFilePermissions',
    )
    const query = { requestId: 'spread', supportsAllDrives: true }
    const made = await bo.ask('POST', '/drive/v2/drives', { body: { name: 'd' }, query })
    await share(bo, made.json.id, { type: 'user', role: 'reader', value: ada.email }, query)
    const into = { body: { parents: [{ id: made.json.id }] }, query }
    expect(reasonOf(await bo.ask('PATCH', `/drive/v2/files/${id}`, into))).toBe(
      '403 insufficientFilePermissions',
    )
    expect((await bo.ask('POST', `/drive/v2/files/${id}/parents`, { body: { id: 'root' } })).status).toBe(200)
    await ada.ask('DELETE', path(id, bo.id))
    expect((await get(bo, id)).status).toBe(404)
  })
})

test.for([
  ["'ada@lab.example' in owners", true, true],
  ["'me' in readers", true, true],
  ["'cy@else.example' in readers", false, true],
  ["'cy@else.example' in writers", false, false],
  ["'typists@lab.example' in readers", true, true],
  ["not 'cy@else.example' in readers", true, false],
] as const)('%s finds what the searcher may know: as a reader %s, as a writer %s', async ([q, ...finds]) => {
  const id = await file(ada)
  await people.group('typists@lab.example', bo.email).catch(() => undefined)
  await give(ada, id, cy)
  await share(ada, id, { type: 'group', role: 'reader', value: 'typists@lab.example' })
  const found = []
  for (const role of ['reader', 'writer']) {
    await give(ada, id, bo, role)
    found.push((await list(bo, q)).includes(id))
  }
  expect(found).toEqual(finds)
})

test('me is what the caller has by a group, the strongest of all', async () => {
  const group = 'readers@lab.example'
  await people.group(group, bo.email)
  const id = await file(ada)
  await share(ada, id, { type: 'group', role: 'writer', value: group })
  const me = () => bo.ask('GET', path(id, 'me'))
  expect((await me()).json).toMatchObject({ type: 'group', role: 'writer', emailAddress: group })
  await give(ada, id, bo)
  expect((await me()).json).toMatchObject({ type: 'group', role: 'writer' })
  await give(ada, id, bo, 'writer')
  expect((await me()).json).toMatchObject({ type: 'user', role: 'writer', id: bo.id })
  // a member cannot remove a group's permission
  await ada.ask('DELETE', path(id, bo.id))
  expect(reasonOf(await bo.ask('DELETE', path(id, 'me')))).toBe('404 notFound')
  expect((await me()).json.type).toBe('group')
})

test('who leaves a group has another state of the file', async () => {
  const group = 'leavers@lab.example'
  await people.group(group, bo.email)
  const id = await file(ada)
  await share(ada, id, { type: 'group', role: 'writer', value: group })
  await give(ada, id, bo)
  const etagOf = async () => (await get(bo, id, 'etag')).json.etag
  const before = await etagOf()
  await people.leave(group, bo.email)
  await expect.poll(etagOf).not.toBe(before)
})

describe('who may give what', () => {
  test.for([
    ['reader', 'reader', '403 insufficientFilePermissions'],
    ['writer', 'reader', 200],
    ['writer', 'writer', 200],
    ['writer', 'owner', '403 insufficientFilePermissions'],
  ] as const)('a %s gives a %s: %s', async ([role, given, expected]) => {
    const id = await file(ada)
    await give(ada, id, bo, role)
    expect(reasonOf(await give(bo, id, cy, given))).toBe(expected)
  })

  test('a writer, only where the owner lets writers', async () => {
    const id = await file(ada, { writersCanShare: false })
    await give(ada, id, bo, 'writer')
    expect(reasonOf(await give(bo, id, cy))).toBe('403 insufficientFilePermissions')
    const body = { writersCanShare: true }
    expect(reasonOf(await bo.ask('PATCH', `/drive/v2/files/${id}`, { body }))).toBe(
      '403 insufficientFilePermissions',
    )
  })

  test.for([
    [{ type: 'user', role: 'reader' }, '400 invalid'],
    [{ type: 'user', role: 'reader', value: 'nobody' }, '400 invalid'],
    [{ type: 'user', role: 'king', value: 'bo@lab.example' }, '400 invalid'],
    [{ type: 'robot', role: 'reader', value: 'bo@lab.example' }, '400 invalid'],
    [{ type: 'user', value: 'bo@lab.example' }, '400 required'],
    [{ type: 'user', role: 'organizer', value: 'bo@lab.example' }, '400 invalidSharingRequest'],
    [{ type: 'anyone', role: 'owner' }, '400 invalidSharingRequest'],
    [{ type: 'user', role: 'owner', value: 'stranger@lab.example' }, '400 invalidSharingRequest'],
    [{ type: 'user', role: 'reader', value: 'bo@lab.example', expirationDate: '2001-01-01' }, '400 invalid'],
    [{ type: 'anyone', role: 'reader', additionalRoles: ['king'] }, '400 invalid'],
  ] as const)('%j is %s', async ([body, expected]) => {
    expect(reasonOf(await share(ada, await file(ada), body))).toBe(expected)
  })

  test('a root and application data are shared with nobody', async () => {
    const { rootFolderId } = (await ada.ask('GET', '/drive/v2/about')).json
    const data = await file(ada, { parents: [{ id: 'appDataFolder' }] })
    for (const id of [rootFolderId, data])
      expect(reasonOf(await give(ada, id, bo))).toBe('403 insufficientFilePermissions')
  })
})

describe('a permission', () => {
  test('is given again, changed and changed back', async () => {
    const id = await file(ada)
    await give(ada, id, bo)
    expect((await give(ada, id, bo, 'writer')).json.role).toBe('writer')
    const body = { role: 'reader', additionalRoles: ['commenter'] }
    expect((await ada.ask('PUT', path(id, bo.id), { body })).json).toMatchObject(body)
    expect((await get(bo, id)).json.userPermission).toEqual({ role: 'reader' })
    expect((await ada.ask('GET', path(id))).json.items).toHaveLength(2)
  })

  test('is changed only by who has seen it as it is', async () => {
    const id = await file(ada)
    const { etag } = (await give(ada, id, bo)).json
    const change = (tag: string) =>
      ada.ask('PATCH', path(id, bo.id), { body: { role: 'writer' }, headers: { 'if-match': tag } })
    expect(reasonOf(await change('"other"'))).toBe('412 conditionNotMet')
    expect((await change(etag)).status).toBe(200)
    expect(reasonOf(await ada.ask('DELETE', path(id, bo.id), { headers: { 'if-match': etag } }))).toBe(
      '412 conditionNotMet',
    )
  })

  test('is shown with the file to those who may change it', async () => {
    const id = await file(ada)
    await give(ada, id, bo)
    expect((await get(ada, id, 'permissionIds,permissions/role')).json).toEqual({
      permissionIds: [bo.id, ada.id],
      permissions: [{ role: 'reader' }, { role: 'owner' }],
    })
    expect((await get(bo, id, 'permissionIds,permissions')).json).toEqual({})
    expect(reasonOf(await bo.ask('GET', path(id)))).toBe('403 insufficientFilePermissions')
    expect((await bo.ask('GET', path(id, 'me'))).json).toMatchObject({ id: bo.id, role: 'reader' })
    // also for an id that has no permission
    for (const whose of [ada.id, cy.id, 'nobody'])
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect(reasonOf(await bo.ask(method, path(id, whose)))).toBe('403 insufficientFilePermissions')
  })

  test('the newest is first, the owner last, a page at a time', async () => {
    const id = await file(ada)
    await give(ada, id, bo)
    await give(ada, id, cy)
    await share(ada, id, { type: 'anyone', role: 'reader' })
    const seen: string[] = []
    let query: Record<string, string | number> = { maxResults: 1 }
    for (;;) {
      const { items, nextPageToken } = (await ada.ask('GET', path(id), { query })).json
      seen.push(...items.map((one: { id: string }) => one.id))
      if (nextPageToken === undefined) break
      query = { maxResults: 1, pageToken: nextPageToken }
    }
    expect(seen).toEqual(['anyone', cy.id, bo.id, ada.id])
  })
})

describe('ownership', () => {
  test('goes over, with the bytes that it counts for', async () => {
    const reply = await ada.ask('POST', '/upload/drive/v2/files?uploadType=media', { body: 'x'.repeat(1000) })
    const { id } = reply.json
    const used = async (who: Person) => Number((await who.ask('GET', '/drive/v2/about')).json.quotaBytesUsed)
    const before = [await used(ada), await used(bo)]
    await give(ada, id, bo, 'writer')
    const change = (query = {}) => ada.ask('PATCH', path(id, bo.id), { body: { role: 'owner' }, query })
    const refused = await change()
    expect([reasonOf(refused), refused.json.error.errors[0].location]).toEqual([
      '403 forbidden',
      'transferOwnership',
    ])
    expect((await change({ transferOwnership: true })).json).toMatchObject({ id: bo.id, role: 'owner' })
    expect((await get(ada, id)).json).toMatchObject({ ownedByMe: false, userPermission: { role: 'writer' } })
    expect((await get(bo, id)).json).toMatchObject({ ownedByMe: true, userPermission: { role: 'owner' } })
    expect([await used(ada), await used(bo)]).toEqual([(before[0] ?? 0) - 1000, (before[1] ?? 0) + 1000])
    expect(reasonOf(await bo.ask('DELETE', path(id, bo.id)))).toBe('403 insufficientFilePermissions')
    expect((await bo.ask('DELETE', path(id, ada.id))).status).toBe(204)
    expect((await get(ada, id)).status).toBe(404)
  })

  test('may take the file into the root of its new owner', async () => {
    const inner = await folder(ada)
    const id = await file(ada, { parents: [{ id: inner }] })
    const body = { type: 'user', role: 'owner', value: bo.email }
    expect((await share(ada, id, body, { moveToNewOwnersRoot: true })).json.role).toBe('owner')
    const { rootFolderId } = (await bo.ask('GET', '/drive/v2/about')).json
    expect((await get(bo, id, 'parents/id')).json).toEqual({ parents: [{ id: rootFolderId }] })
  })
})

test('an id is there for any address, and for no other text', async () => {
  const idOf = (text: string) => ada.ask('GET', `/drive/v2/permissionIds/${encodeURIComponent(text)}`)
  expect((await idOf('Bo@lab.example')).json).toEqual({ kind: 'drive#permissionId', id: bo.id })
  expect((await idOf('never+seen@lab.example')).json.id).toMatch(/^\d{20}$/)
  expect(reasonOf(await idOf('nobody'))).toBe('400 invalid')
})
