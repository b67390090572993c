/** Shared drives over HTTP: members, items, and moves in and out (spec 19). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { command, OPERATOR } from '../../../src/drive/domain/commands.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { type People, peopleOf, type Person } from '../../support/people.ts'

let service: Drive
let people: People
let ada: Person
let bo: Person
let cy: Person
let admin: Person
beforeAll(async () => {
  service = await startDrive()
  people = await peopleOf(service)
  ada = await people.add('ada@lab.example')
  bo = await people.add('bo@lab.example')
  cy = await people.add('cy@else.example')
  admin = await people.add('admin@lab.example', true)
})
afterAll(() => people.store.close())

const FOLDER = 'application/vnd.google-apps.folder'
const ALL = { supportsAllDrives: true }
let requests = 0

const drive = async (name = 'drive'): Promise<string> =>
  (await ada.ask('POST', '/drive/v2/drives', { body: { name }, query: { requestId: `r${(requests += 1)}` } }))
    .json.id
const file = async (who: Person, parent: string, body: object = {}): Promise<string> => {
  const whole = { title: 'a', parents: [{ id: parent }], ...body }
  return (await who.ask('POST', '/drive/v2/files', { body: whole, query: ALL })).json.id
}
const at = (id: string, rest = '') => `/drive/v2/files/${id}${rest}`
const join = (id: string, who: Person, role: string) =>
  ada.ask('POST', at(id, '/permissions'), { body: { type: 'user', role, value: who.email }, query: ALL })
const get = (who: Person, id: string, query = {}) => who.ask('GET', at(id), { query: { ...ALL, ...query } })
const reasonOf = ({ status, json }: { readonly status: number; readonly json: unknown }) => {
  // the shape of errors
  const { error } = (json ?? {}) as { error?: { errors: { reason: string }[] } }
  return error === undefined ? status : `${status} ${error.errors[0]?.reason}`
}
const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id)

describe('a shared drive', () => {
  test('is made once for a request, and organized by who makes it', async () => {
    const ask = (requestId: string, body: object = { name: 'lab' }) =>
      ada.ask('POST', '/drive/v2/drives', { body, query: requestId === '' ? {} : { requestId } })
    const { json } = await ask('once')
    expect(json).toMatchObject({
      kind: 'drive#drive',
      name: 'lab',
      hidden: false,
      restrictions: { driveMembersOnly: false },
      capabilities: { canManageMembers: true, canDeleteDrive: true },
    })
    expect(Object.keys(json.capabilities)).toHaveLength(20)
    expect(reasonOf(await ask('once'))).toBe('409 duplicate')
    expect(reasonOf(await ask(''))).toBe('400 required')
    expect(reasonOf(await ask('x'.repeat(129)))).toBe('400 invalid')
    expect(reasonOf(await ask('nameless', {}))).toBe('400 required')
    const { items } = (await ada.ask('GET', at(json.id, '/permissions'), { query: ALL })).json
    expect(items).toMatchObject([
      { id: ada.id, role: 'organizer', permissionDetails: [{ permissionType: 'member' }] },
    ])
  })

  test('is hidden and shown for one member, renamed for all', async () => {
    const id = await drive()
    await join(id, bo, 'reader')
    const path = `/drive/v2/drives/${id}`
    expect((await bo.ask('POST', `${path}/hide`)).json.hidden).toBe(true)
    expect((await bo.ask('GET', path)).json.hidden).toBe(true)
    expect((await ada.ask('GET', path)).json.hidden).toBe(false)
    expect((await bo.ask('POST', `${path}/unhide`)).json.hidden).toBe(false)
    expect(reasonOf(await bo.ask('PUT', path, { body: { name: 'b' } }))).toBe(
      '403 insufficientFilePermissions',
    )
    expect(
      (await ada.ask('PUT', path, { body: { name: 'renamed', colorRgb: '#ABCDEF' } })).json,
    ).toMatchObject({
      name: 'renamed',
      colorRgb: '#abcdef',
    })
    expect((await ada.ask('PATCH', path, { body: { themeId: 'fern' } })).json.themeId).toBe('fern')
    expect((await bo.ask('GET', path)).json.name).toBe('renamed')
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(reasonOf(await cy.ask(method, path))).toBe('404 notFound')
  })

  test('is listed by name, searched, a page at a time; all of them to an administrator', async () => {
    const names = ['Zeta one', 'alpha one', 'Beta one']
    for (const name of names) await drive(name)
    const list = async (who: Person, query: Record<string, string | number | boolean>) =>
      (await who.ask('GET', '/drive/v2/drives', { query })).json
    const q = "name contains 'one' and hidden = false"
    const first = await list(ada, { q, maxResults: 2 })
    expect(first.items.map(({ name }: { name: string }) => name)).toEqual(['alpha one', 'Beta one'])
    const second = await list(ada, { q, maxResults: 2, pageToken: first.nextPageToken })
    expect(second.items.map(({ name }: { name: string }) => name)).toEqual(['Zeta one'])
    expect(second.nextPageToken).toBeUndefined()
    expect((await list(bo, { q })).items).toEqual([])
    expect((await list(admin, { q, useDomainAdminAccess: true })).items).toHaveLength(3)
    const namesOf = async (test: string) =>
      (await list(ada, { q: `name contains 'one' and (${test})` })).items.map(
        ({ name }: { name: string }) => name,
      )
    expect(await namesOf("name contains 'al on'")).toEqual(['alpha one'])
    expect(await namesOf("name contains 'on al'")).toEqual(['alpha one'])
    expect(await namesOf("name contains 'alpha two'")).toEqual([])
    expect(await namesOf("name contains 'lpha'")).toEqual([])
    expect(await namesOf("name = 'ZETA ONE' or name = 'beta one'")).toEqual(['Beta one', 'Zeta one'])
    expect(await namesOf("not name = 'Zeta one' and name != 'alpha one'")).toEqual(['Beta one'])
    expect(await namesOf('hidden = true')).toEqual([])
    const counted = "memberCount = 1 and organizerCount >= 1 and name != 'x'"
    expect((await list(admin, { q: counted, useDomainAdminAccess: true })).items.length).toBeGreaterThan(2)
    expect(reasonOf(await ada.ask('GET', '/drive/v2/drives', { query: { q: counted } }))).toBe('400 invalid')
    const refused = await ada.ask('GET', '/drive/v2/drives', { query: { useDomainAdminAccess: true } })
    expect(reasonOf(refused)).toBe('403 insufficientPermissions')
  })

  test('is deleted by an organizer when nothing is in it but trash', async () => {
    const id = await drive()
    await join(id, bo, 'fileOrganizer')
    const path = `/drive/v2/drives/${id}`
    const inside = await file(ada, id)
    expect(reasonOf(await bo.ask('DELETE', path))).toBe('403 insufficientFilePermissions')
    expect(reasonOf(await ada.ask('DELETE', path))).toBe('403 cannotDeleteDriveWithItems')
    const all = { allowItemDeletion: true, useDomainAdminAccess: true }
    expect(reasonOf(await ada.ask('DELETE', path, { query: all }))).toBe('403 cannotDeleteDriveWithItems')
    await ada.ask('POST', at(inside, '/trash'), { query: ALL })
    expect((await ada.ask('DELETE', path)).status).toBe(204)
    expect(reasonOf(await get(ada, inside))).toBe('404 notFound')
    const full = await drive()
    await file(ada, full)
    expect((await admin.ask('DELETE', `/drive/v2/drives/${full}`, { query: all })).status).toBe(204)
  })

  test('keeps an organizer', async () => {
    const id = await drive()
    expect(reasonOf(await ada.ask('DELETE', at(id, `/permissions/${ada.id}`), { query: ALL }))).toBe(
      '403 insufficientFilePermissions',
    )
    const demoted = await ada.ask('PATCH', at(id, `/permissions/${ada.id}`), {
      body: { role: 'writer' },
      query: ALL,
    })
    expect(reasonOf(demoted)).toBe('403 insufficientFilePermissions')
    await join(id, bo, 'organizer')
    expect((await ada.ask('DELETE', at(id, `/permissions/${ada.id}`), { query: ALL })).status).toBe(204)
    expect(reasonOf(await ada.ask('GET', `/drive/v2/drives/${id}`))).toBe('404 notFound')
    // administrators can still manage it
    const body = { type: 'user', role: 'organizer', value: ada.email }
    const query = { ...ALL, useDomainAdminAccess: true }
    expect((await admin.ask('POST', at(id, '/permissions'), { body, query })).json.role).toBe('organizer')
  })

  test('has organizers whose rights do not end', async () => {
    const id = await drive()
    const expirationDate = new Date(Date.now() + 86_400_000).toISOString()
    await join(id, bo, 'fileOrganizer')
    const change = (body: object, query = {}) =>
      ada.ask('PATCH', at(id, `/permissions/${bo.id}`), { body, query: { ...ALL, ...query } })
    expect((await change({ expirationDate })).status).toBe(200)
    expect(reasonOf(await change({ role: 'organizer' }))).toBe('400 invalid')
    const { json } = await change({ role: 'organizer' }, { removeExpiration: true })
    expect([json.role, json.expirationDate]).toEqual(['organizer', undefined])
  })

  test('is not changed by whoever sends it back as it is', async () => {
    const id = await drive()
    await join(id, bo, 'reader')
    const { startPageToken: pageToken } = (await ada.ask('GET', '/drive/v2/changes/startPageToken')).json
    const path = `/drive/v2/drives/${id}`
    for (const body of [{}, (await bo.ask('GET', path)).json])
      expect((await bo.ask('PUT', path, { body })).status).toBe(200)
    const query = { ...ALL, includeItemsFromAllDrives: true, pageToken }
    expect((await ada.ask('GET', '/drive/v2/changes', { query })).json.items).toEqual([])
    for (const body of [{ themeId: 'nothing' }, { colorRgb: '#000001' }, { backgroundImageFile: { id } }])
      expect((await bo.ask('PUT', path, { body })).status).toBeGreaterThanOrEqual(400)
  })

  test.for([
    [{ type: 'anyone', role: 'reader' }, '400 invalidSharingRequest'],
    [{ type: 'user', role: 'owner', value: 'bo@lab.example' }, '400 invalidSharingRequest'],
    [{ type: 'user', role: 'fileOrganizer', value: 'bo@lab.example' }, 200],
  ] as const)('has members: %j is %s', async ([body, expected]) => {
    const id = await drive()
    expect(reasonOf(await ada.ask('POST', at(id, '/permissions'), { body, query: ALL }))).toBe(expected)
  })
})

describe('what is in a shared drive', () => {
  test('has no owner, and does not exist for programs that know of none', async () => {
    const id = await drive()
    const inside = await file(ada, id)
    const { json } = await get(ada, inside, { fields: '*' })
    expect(json).toMatchObject({ driveId: id, teamDriveId: id, userPermission: { role: 'organizer' } })
    expect([json.owners, json.ownedByMe, json.writersCanShare]).toEqual([undefined, undefined, undefined])
    expect(json.parents).toMatchObject([{ id }])
    expect(reasonOf(await ada.ask('GET', at(inside)))).toBe('404 notFound')
    expect(reasonOf(await ada.ask('PATCH', at(inside), { body: { title: 'b' } }))).toBe('404 notFound')
    const body = { parents: [{ id }] }
    expect(reasonOf(await ada.ask('POST', '/drive/v2/files', { body }))).toBe('404 notFound')
    expect((await ada.ask('GET', at(inside, '/revisions'))).status).toBe(200)
    expect(idsOf((await ada.ask('GET', at(id, '/children'))).json.items)).toEqual([inside])
    expect(reasonOf(await get(cy, inside))).toBe('404 notFound')
    expect((await ada.ask('GET', '/drive/v2/about')).json.quotaBytesUsed).toBe('0')
  })

  test.for([
    ['reader', { canEdit: false, canComment: false, canTrash: false, canDelete: false, canShare: false }],
    ['writer', { canEdit: true, canComment: true, canTrash: false, canDelete: false, canShare: false }],
    [
      'fileOrganizer',
      { canEdit: true, canTrash: true, canDelete: false, canShare: true, canMoveItemOutOfDrive: false },
    ],
    [
      'organizer',
      { canEdit: true, canTrash: true, canDelete: true, canShare: true, canMoveItemOutOfDrive: true },
    ],
  ] as const)('may be used by a %s as %j', async ([role, capabilities]) => {
    const id = await drive()
    await join(id, bo, role)
    const inside = await file(ada, id)
    expect((await get(bo, inside)).json.capabilities).toMatchObject(capabilities)
    const edited = await bo.ask('PATCH', at(inside), { body: { title: 'b' }, query: ALL })
    expect(edited.status).toBe(capabilities.canEdit ? 200 : 403)
    expect((await bo.ask('POST', at(inside, '/trash'), { query: ALL })).status).toBe(
      capabilities.canTrash ? 200 : 403,
    )
    expect((await bo.ask('DELETE', at(inside), { query: ALL })).status).toBe(
      capabilities.canDelete ? 204 : 403,
    )
  })

  test('is in the default lists of whoever made, changed or shared it', async () => {
    const id = await drive()
    await join(id, bo, 'fileOrganizer')
    const [made, changed, shared, other] = [
      await file(bo, id),
      await file(ada, id),
      await file(ada, id),
      await file(ada, id),
    ]
    // another user made the last change
    await ada.ask('PATCH', at(made), { body: { title: 'b' }, query: ALL })
    await bo.ask('POST', at(changed, '/touch'), { query: ALL })
    const body = { type: 'user', role: 'reader', value: cy.email }
    await bo.ask('POST', at(shared, '/permissions'), { body, query: ALL })
    const query = { ...ALL, includeItemsFromAllDrives: true, maxResults: 1000 }
    const listed = new Set(idsOf((await bo.ask('GET', '/drive/v2/files', { query })).json.items))
    expect([made, changed, shared, other].map((one) => listed.has(one))).toEqual([true, true, true, false])
  })

  test('is in lists that ask for it', async () => {
    const id = await drive()
    await join(id, bo, 'reader')
    const [inside, opened, given] = [await file(ada, id), await file(ada, id), await file(ada, id)]
    await ada.ask('POST', at(given, '/permissions'), {
      body: { type: 'user', role: 'writer', value: bo.email },
      query: ALL,
    })
    await bo.ask('GET', at(opened), { query: { ...ALL, updateViewedDate: true } })
    const mine = await file(bo, 'root')
    const both = { ...ALL, includeItemsFromAllDrives: true }
    const list = async (query: object) => {
      const reply = await bo.ask('GET', '/drive/v2/files', { query: { ...query, q: "title = 'a'" } })
      return idsOf(reply.json.items)
        .filter((one) => [inside, opened, given, mine].includes(one))
        .toSorted()
    }
    expect(await list({})).toEqual([mine])
    expect(await list(ALL)).toEqual([mine])
    expect(await list(both)).toEqual([mine, opened, given].toSorted())
    expect(await list({ ...both, corpora: 'allDrives' })).toEqual([mine, opened, given, inside].toSorted())
    expect(await list({ ...both, corpora: 'drive', driveId: id })).toEqual([opened, given, inside].toSorted())
    const old = {
      supportsTeamDrives: true,
      includeTeamDriveItems: true,
      corpora: 'teamDrive',
      teamDriveId: id,
    }
    expect(await list(old)).toEqual([opened, given, inside].toSorted())
    const elsewhere = { ...both, corpora: 'drive', driveId: id }
    expect(reasonOf(await cy.ask('GET', '/drive/v2/files', { query: elsewhere }))).toBe('404 notFound')
  })

  test('is in the log of changes of who asks for it', async () => {
    const { startPageToken: pageToken } = (await ada.ask('GET', '/drive/v2/changes/startPageToken')).json
    const id = await drive('told')
    const [inside, mine] = [await file(ada, id), await file(ada, 'root')]
    const both = { ...ALL, includeItemsFromAllDrives: true }
    const list = async (query: object) =>
      (await ada.ask('GET', '/drive/v2/changes', { query: { pageToken, ...query } })).json.items
    expect(await list({})).toMatchObject([{ fileId: mine }])
    expect(await list(both)).toMatchObject([
      { changeType: 'drive', driveId: id, drive: { name: 'told' }, deleted: false },
      { changeType: 'file', fileId: inside, driveId: id, file: { driveId: id } },
      { changeType: 'file', fileId: mine },
    ])
    expect(await list({ ...ALL, driveId: id })).toMatchObject([{ changeType: 'drive' }, { fileId: inside }])
    await ada.ask('DELETE', at(inside), { query: ALL })
    await ada.ask('DELETE', `/drive/v2/drives/${id}`)
    const gone = (await list(both)).map(
      ({ changeType, deleted }: { changeType: string; deleted: boolean }) => [changeType, deleted],
    )
    expect(gone).toEqual([
      ['file', false],
      ['file', true],
      ['drive', true],
    ])
  })

  test('is trashed and emptied by those who organize it', async () => {
    const id = await drive()
    await join(id, bo, 'fileOrganizer')
    const inside = await file(ada, id)
    const { json } = await bo.ask('POST', at(inside, '/trash'), { query: ALL })
    expect(json).toMatchObject({ labels: { trashed: true }, trashingUser: { emailAddress: bo.email } })
    expect(json.trashedDate).toBeDefined()
    const empty = (who: Person) => who.ask('DELETE', '/drive/v2/files/trash', { query: { driveId: id } })
    expect(reasonOf(await empty(bo))).toBe('403 insufficientFilePermissions')
    expect(reasonOf(await empty(cy))).toBe('404 notFound')
    expect((await empty(ada)).status).toBe(204)
    expect(reasonOf(await get(ada, inside))).toBe('404 notFound')
  })
})

describe('restrictions', () => {
  const restrict = async (id: string, restrictions: object) =>
    reasonOf(await ada.ask('PUT', `/drive/v2/drives/${id}`, { body: { restrictions } }))

  test('driveMembersOnly: others count for nothing while it is set', async () => {
    const id = await drive()
    const inside = await file(ada, id)
    const body = { type: 'user', role: 'reader', value: cy.email }
    const share = () => ada.ask('POST', at(inside, '/permissions'), { body, query: ALL })
    expect((await share()).status).toBe(200)
    expect(await restrict(id, { driveMembersOnly: true })).toBe(200)
    expect((await get(cy, inside)).status).toBe(404)
    expect(reasonOf(await share())).toBe('403 teamDriveMembershipRequired')
    expect(await restrict(id, { driveMembersOnly: false })).toBe(200)
    expect((await get(cy, inside)).status).toBe(200)
  })

  test('domainUsersOnly: members of other domains count for nothing', async () => {
    const id = await drive()
    await join(id, cy, 'writer')
    expect(await restrict(id, { domainUsersOnly: true })).toBe(200)
    expect(reasonOf(await cy.ask('GET', `/drive/v2/drives/${id}`))).toBe('404 notFound')
    expect(reasonOf(await join(id, cy, 'reader'))).toBe('400 invalidSharingRequest')
    expect(await restrict(id, { domainUsersOnly: false })).toBe(200)
    expect((await cy.ask('GET', `/drive/v2/drives/${id}`)).status).toBe(200)
  })

  test('domainUsersOnly: nobody of another domain comes in by a group', async () => {
    const id = await drive()
    const group = 'mixed@lab.example'
    const member = (what: 'addMembers' | 'removeMembers', who: Person) =>
      command(people.store, what, OPERATOR, { group, members: [who.email] })
    const sees = async (who: Person) => (await who.ask('GET', `/drive/v2/drives/${id}`)).status
    const share = (to: string) => {
      const body = { type: 'group', role: 'writer', value: group }
      return ada.ask('POST', at(to, '/permissions'), { body, query: ALL })
    }
    await command(people.store, 'addGroup', OPERATOR, { email: group })
    await member('addMembers', bo)
    await member('addMembers', cy)
    expect((await share(id)).status).toBe(200)
    expect([await sees(bo), await sees(cy)]).toEqual([200, 200])
    expect(await restrict(id, { domainUsersOnly: true })).toBe(200)
    expect([await sees(bo), await sees(cy)]).toEqual([200, 404])
    expect(reasonOf(await share(id))).toBe('400 invalidSharingRequest')
    expect(reasonOf(await share(await file(ada, id)))).toBe('400 invalidSharingRequest')
    await member('removeMembers', cy)
    expect((await share(id)).status).toBe(200)
    await member('addMembers', cy)
    expect([await sees(bo), await sees(cy)]).toEqual([200, 404])
    await member('removeMembers', bo)
    expect([await sees(bo), await sees(cy)]).toEqual([404, 404])
  })

  test('copyRequiresWriterPermission: readers take nothing with them', async () => {
    const id = await drive()
    await join(id, bo, 'reader')
    const inside = await file(ada, id)
    const { etag, downloadUrl } = (await get(bo, inside)).json
    expect(downloadUrl).toBeDefined()
    await restrict(id, { copyRequiresWriterPermission: true })
    const { json } = await get(bo, inside)
    expect(json.capabilities).toMatchObject({ canCopy: false, canDownload: false })
    expect(json.downloadUrl).toBeUndefined()
    expect(json.etag).not.toBe(etag)
    expect(reasonOf(await get(bo, inside, { alt: 'media' }))).toBe('403 cannotDownloadFile')
    expect(reasonOf(await bo.ask('POST', at(inside, '/copy'), { body: {}, query: ALL }))).toBe(
      '403 cannotCopyFile',
    )
  })

  test('sharingFoldersRequiresOrganizerPermission: files may be shared still', async () => {
    const id = await drive()
    await join(id, bo, 'fileOrganizer')
    const [inside, folder] = [await file(ada, id), await file(ada, id, { mimeType: FOLDER })]
    await restrict(id, { sharingFoldersRequiresOrganizerPermission: true })
    const body = { type: 'user', role: 'reader', value: cy.email }
    const share = async (to: string) =>
      reasonOf(await bo.ask('POST', at(to, '/permissions'), { body, query: ALL }))
    expect(await share(folder)).toBe('403 insufficientFilePermissions')
    expect(await share(inside)).toBe(200)
  })

  test('adminManagedRestrictions: are an administrator’s to change', async () => {
    const id = await drive()
    expect(await restrict(id, { adminManagedRestrictions: true })).toBe('403 insufficientFilePermissions')
    const body = { restrictions: { adminManagedRestrictions: true } }
    const query = { useDomainAdminAccess: true }
    expect((await admin.ask('PUT', `/drive/v2/drives/${id}`, { body, query })).status).toBe(200)
    expect(await restrict(id, { copyRequiresWriterPermission: true })).toBe('403 insufficientFilePermissions')
    expect(await restrict(id, { adminManagedRestrictions: true })).toBe(200)
  })
})

describe('moves', () => {
  const move = (who: Person, id: string, to: string, from = '') =>
    who.ask('PATCH', at(id), {
      query: { ...ALL, addParents: to, ...(from === '' ? {} : { removeParents: from }) },
      body: {},
    })

  test('into a shared drive: its owner owns it no more', async () => {
    const id = await drive()
    const reply = await ada.ask('POST', '/upload/drive/v2/files?uploadType=media', { body: 'x'.repeat(100) })
    const moved = await move(ada, reply.json.id, id, 'root')
    expect(moved.json).toMatchObject({ driveId: id, parents: [{ id }] })
    expect(moved.json.owners).toBeUndefined()
    // the creator of the drive is charged
    expect((await ada.ask('GET', '/drive/v2/about')).json.quotaBytesUsed).toBe('100')
    const { startPageToken } = (await ada.ask('GET', '/drive/v2/changes/startPageToken')).json
    await ada.ask('POST', at(reply.json.id, '/touch'), { query: ALL })
    const { items } = (await ada.ask('GET', '/drive/v2/changes', { query: { pageToken: startPageToken } }))
      .json
    expect(items).toMatchObject([{ fileId: reply.json.id, deleted: true }])
  })

  test('into a shared drive is for its owner, who stays a writer of it when the membership ends', async () => {
    const id = await drive()
    await join(id, bo, 'writer')
    const made = await file(bo, 'root')
    await bo.ask('POST', at(made, '/permissions'), {
      body: { type: 'user', role: 'writer', value: ada.email },
    })
    expect((await get(ada, made)).json.capabilities).toMatchObject({ canMoveItemIntoTeamDrive: false })
    const taken = await ada.ask('PATCH', at(made), { query: ALL, body: { parents: [{ id }] } })
    expect(reasonOf(taken)).toBe('403 insufficientFilePermissions')
    expect((await get(bo, made)).json).toMatchObject({
      ownedByMe: true,
      capabilities: { canMoveItemIntoTeamDrive: true },
    })
    expect((await move(bo, made, id, 'root')).status).toBe(200)
    await ada.ask('DELETE', at(id, `/permissions/${bo.id}`), { query: ALL })
    expect((await get(bo, made)).json.userPermission).toMatchObject({ role: 'writer' })
    expect((await bo.ask('PATCH', at(made), { body: { title: 'mine' }, query: ALL })).status).toBe(200)
  })

  test('out of a shared drive: the mover owns it, with all that is in it', async () => {
    const id = await drive()
    await join(id, bo, 'organizer')
    await join(id, cy, 'fileOrganizer')
    const folder = await file(ada, id, { mimeType: FOLDER })
    const inside = await file(ada, folder)
    expect(reasonOf(await move(cy, folder, 'root', id))).toBe('403 insufficientFilePermissions')
    expect((await move(bo, folder, 'root', id)).json).toMatchObject({ ownedByMe: true })
    const { json } = await bo.ask('GET', at(inside))
    expect([json.ownedByMe, json.driveId]).toEqual([true, undefined])
    expect(reasonOf(await get(ada, inside))).toBe('404 notFound')
  })

  test('within a shared drive: one folder for another', async () => {
    const id = await drive()
    await join(id, bo, 'writer')
    const [folder, inside] = [await file(ada, id, { mimeType: FOLDER }), await file(ada, id)]
    expect(reasonOf(await move(bo, inside, folder))).toBe('403 teamDrivesParentLimit')
    expect((await move(bo, inside, folder, id)).json.parents).toMatchObject([{ id: folder }])
    const add = (query: object) =>
      bo.ask('POST', at(inside, '/parents'), { body: { id }, query: { ...ALL, ...query } })
    expect(reasonOf(await add({}))).toBe('403 teamDrivesParentLimit')
    expect((await add({ enforceSingleParent: true })).status).toBe(200)
    expect(reasonOf(await bo.ask('DELETE', at(inside, `/parents/${id}`)))).toBe('403 teamDrivesParentLimit')
  })

  test.for([
    ['a folder', { mimeType: FOLDER }, 'ada', '403 teamDrivesFolderMoveInNotSupported'],
    ['a file of somebody else', {}, 'bo', '403 insufficientFilePermissions'],
  ] as const)('%s does not go into a shared drive', async ([, body, owner, expected]) => {
    const id = await drive()
    const whose = owner === 'ada' ? ada : bo
    const made = await file(whose, 'root', body)
    if (whose === bo)
      await bo.ask('POST', at(made, '/permissions'), {
        body: { type: 'user', role: 'writer', value: ada.email },
      })
    expect(reasonOf(await ada.ask('PATCH', at(made), { query: ALL, body: { parents: [{ id }] } }))).toBe(
      expected,
    )
  })

  test('a new file or a copy with a second folder, whichever is named first, is refused', async () => {
    const id = await drive()
    const source = await file(ada, 'root')
    const inside = await file(ada, id)
    for (const parents of [
      [{ id: 'root' }, { id }],
      [{ id }, { id: 'root' }],
      [{ id }, { id: await file(ada, id, { mimeType: FOLDER }) }],
    ]) {
      const made = (path: string) => ada.ask('POST', path, { body: { parents }, query: ALL }).then(reasonOf)
      expect(await made('/drive/v2/files')).toBe('403 teamDrivesParentLimit')
      for (const copied of [source, inside])
        expect(await made(at(copied, '/copy'))).toBe('403 teamDrivesParentLimit')
    }
    const twice = { parents: [{ id }, { id }] }
    expect((await ada.ask('POST', '/drive/v2/files', { body: twice, query: ALL })).json.driveId).toBe(id)
  })

  test('a copy is in the folder of its source where the copier may write, else in his root', async () => {
    const id = await drive()
    await join(id, bo, 'reader')
    const inside = await file(ada, id)
    const copy = (who: Person) => who.ask('POST', at(inside, '/copy'), { body: {}, query: ALL })
    expect((await copy(ada)).json.driveId).toBe(id)
    expect((await copy(bo)).json).toMatchObject({ ownedByMe: true, parents: [{ isRoot: true }] })
  })
})
