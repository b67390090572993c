/** Whole answers of the service: every member of a file, of what belongs to it, and of lists. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { digestToken, newToken } from '../../../src/drive/domain/accounts/tokens.ts'
import { OPERATOR, command } from '../../../src/drive/domain/commands.ts'
import { permissionId } from '../../../src/drive/domain/access/principals.ts'
import type { Asking } from '../../support/drive.ts'
import { serveHere, type ServiceHere } from '../../support/service-here.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let drive: ServiceHere
let his = ''
let root = ''
beforeAll(async () => {
  drive = await serveHere(temp('store'))
  const { store } = drive
  const { pk: user } = await command(store, 'addUser', OPERATOR, { email: 'bo@example.org', name: 'Bo' })
  const { pk: client } = await command(store, 'addClient', OPERATOR, { id: 'typing', name: 'Typing' })
  his = newToken()
  await command(store, 'addToken', OPERATOR, {
    digest: digestToken(his),
    user,
    client,
    scopes: ['drive', 'drive.apps.readonly'],
    kind: 'access',
  })
  root = (await drive.ask('GET', '/drive/v2/files/root')).json.id
})
afterAll(() => drive.stop())

const FOLDER = 'application/vnd.google-apps.folder'
const ME = permissionId('owner@localhost')
const BO = permissionId('bo@example.org')
const ask = (method: string, path: string, asking: Asking = {}) =>
  drive.ask(method, `/drive/v2/${path}`, asking)
const asBo = (method: string, path: string, asking: Asking = {}) =>
  ask(method, path, { ...asking, token: his })
const insert = async (body: object = {}) =>
  (await ask('POST', 'files', { body: { title: 'a', ...body } })).json.id as string
const share = (id: string, body: object, query = {}) =>
  ask('POST', `files/${id}/permissions`, { body, query })
const withBo = async (role: string, body: object = {}) => {
  const id = await insert(body)
  await share(id, { type: 'user', value: 'bo@example.org', role })
  return id
}
/** The answer as JSON, with names for what is different each time. */
async function shown(
  asked: ReturnType<typeof ask>,
  names: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const { status, text } = await asked
  if (status >= 300) throw new Error(`${status} ${text}`)
  const parts = Object.entries({ URL: drive.url, ROOT: root, ME, BO, ...names })
  const named = parts.reduce((all, [name, value]) => all.replaceAll(value, name), text)
  return JSON.parse(
    named
      .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"DATE"')
      .replaceAll(/"etag":"(?:[^"\\]|\\.)+"/g, '"etag":"ETAG"'),
  )
}

const PUBLIC = 'PUBLIC'
const person = (
  displayName: string,
  isAuthenticatedUser: boolean,
  permissionId: string,
  emailAddress: string,
) => ({
  kind: 'drive#user',
  displayName,
  isAuthenticatedUser,
  permissionId,
  emailAddress,
})
const owner = (isMe: boolean) => person('owner', isMe, 'ME', 'owner@localhost')
const PARENT = {
  kind: 'drive#parentReference',
  id: 'ROOT',
  isRoot: true,
  selfLink: 'URL/drive/v2/files/ID/parents/ROOT',
  parentLink: 'URL/drive/v2/files/ROOT',
}
const PROPERTY = {
  kind: 'drive#property',
  etag: 'ETAG',
  selfLink: 'URL/drive/v2/files/ID/properties/k%201?visibility=PUBLIC',
  key: 'k 1',
  value: 'v',
  visibility: 'PUBLIC',
}
const BO_PERMISSION = {
  kind: 'drive#permission',
  etag: 'ETAG',
  id: 'BO',
  selfLink: 'URL/drive/v2/files/ID/permissions/BO',
  name: 'Bo',
  emailAddress: 'bo@example.org',
  domain: 'example.org',
  role: 'reader',
  additionalRoles: ['commenter'],
  type: 'user',
  deleted: false,
  pendingOwner: false,
  permissionDetails: [
    { permissionType: 'file', role: 'reader', additionalRoles: ['commenter'], inherited: false },
  ],
}
const OWN_PERMISSION = {
  kind: 'drive#permission',
  etag: 'ETAG',
  id: 'ME',
  selfLink: 'URL/drive/v2/files/ID/permissions/ME',
  name: 'owner',
  emailAddress: 'owner@localhost',
  domain: 'localhost',
  role: 'owner',
  type: 'user',
  deleted: false,
  pendingOwner: false,
  permissionDetails: [],
}

describe('a file', () => {
  let id = ''
  let names: Record<string, string> = {}
  beforeAll(async () => {
    id = await insert({
      title: 'a.tar.gz',
      description: 'd',
      properties: [{ key: 'k 1', value: 'v', visibility: PUBLIC }],
      labels: { starred: true },
      contentRestrictions: [{ readOnly: true, reason: 'done' }],
    })
    await share(id, { type: 'user', value: 'bo@example.org', role: 'reader', additionalRoles: ['commenter'] })
    names = { ID: id, HEAD: (await ask('GET', `files/${id}`)).json.headRevisionId }
  })
  const all = { query: { fields: '*' } }
  /** Members that are the same for all users. */
  const COMMON = {
    kind: 'drive#file',
    id: 'ID',
    etag: 'ETAG',
    selfLink: 'URL/drive/v2/files/ID',
    alternateLink: 'URL/#file/ID',
    iconLink: 'URL/icons/file.svg',
    title: 'a.tar.gz',
    mimeType: 'application/octet-stream',
    description: 'd',
    createdDate: 'DATE',
    modifiedDate: 'DATE',
    markedViewedByMeDate: 'DATE',
    version: '2',
    properties: [PROPERTY],
    explicitlyTrashed: false,
    spaces: ['drive'],
    appDataContents: false,
    downloadUrl: 'URL/drive/v2/files/ID?alt=media&source=downloadUrl',
    webContentLink: 'URL/drive/v2/files/ID?alt=media&source=webContentLink',
    fileSize: '0',
    quotaBytesUsed: '0',
    md5Checksum: 'd41d8cd98f00b204e9800998ecf8427e',
    sha1Checksum: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    sha256Checksum: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    headRevisionId: 'HEAD',
    originalFilename: 'a.tar.gz',
    fileExtension: 'gz',
    fullFileExtension: 'tar.gz',
    hasThumbnail: false,
    thumbnailVersion: '0',
    ownerNames: ['owner'],
    lastModifyingUserName: 'owner',
    hasAugmentedPermissions: false,
    shared: true,
    copyable: true,
    canComment: false,
    writersCanShare: true,
    copyRequiresWriterPermission: false,
    capabilities: expect.objectContaining({ canCopy: true, canRename: false }) as unknown,
  }
  const restriction = (isMe: boolean) => ({
    readOnly: true,
    reason: 'done',
    type: 'globalContentRestriction',
    restrictionDate: 'DATE',
    restrictingUser: owner(isMe),
    ownerRestricted: false,
    systemRestricted: false,
  })
  const ownPermission = (rights: object) => ({
    kind: 'drive#permission',
    etag: 'ETAG',
    id: 'me',
    selfLink: 'URL/drive/v2/files/ID/permissions/me',
    ...rights,
    type: 'user',
  })

  test('as its owner sees it', async () => {
    expect(await shown(ask('GET', `files/${id}`, all), names)).toEqual({
      ...COMMON,
      labels: {
        starred: true,
        hidden: false,
        trashed: false,
        restricted: false,
        viewed: false,
        modified: true,
      },
      modifiedByMeDate: 'DATE',
      parents: [PARENT],
      isAppAuthorized: true,
      owners: [owner(true)],
      ownedByMe: true,
      lastModifyingUser: owner(true),
      userPermission: ownPermission({ role: 'owner' }),
      permissions: [BO_PERMISSION, OWN_PERMISSION],
      permissionIds: ['BO', 'ME'],
      editable: true,
      shareable: true,
      canReadRevisions: true,
      contentRestrictions: [restriction(true)],
    })
  })

  test('as a commenter sees it', async () => {
    expect(await shown(asBo('GET', `files/${id}`, all), names)).toEqual({
      ...COMMON,
      labels: {
        starred: false,
        hidden: false,
        trashed: false,
        restricted: false,
        viewed: false,
        modified: false,
      },
      parents: [],
      isAppAuthorized: false,
      owners: [owner(false)],
      ownedByMe: false,
      lastModifyingUser: owner(false),
      sharedWithMeDate: 'DATE',
      sharingUser: owner(false),
      userPermission: ownPermission({ role: 'reader', additionalRoles: ['commenter'] }),
      editable: false,
      shareable: false,
      canReadRevisions: false,
      contentRestrictions: [restriction(false)],
    })
  })

  test.for<[list: string, kind: string, items: object[]]>([
    ['permissions', 'permissionList', [BO_PERMISSION, OWN_PERMISSION]],
    ['parents', 'parentList', [PARENT]],
    ['properties', 'propertyList', [PROPERTY]],
    [
      'revisions',
      'revisionList',
      [
        {
          kind: 'drive#revision',
          etag: 'ETAG',
          id: 'HEAD',
          selfLink: 'URL/drive/v2/files/ID/revisions/HEAD',
          mimeType: 'application/octet-stream',
          modifiedDate: 'DATE',
          pinned: false,
          published: false,
          downloadUrl: 'URL/drive/v2/files/ID/revisions/HEAD?alt=media&source=downloadUrl',
          lastModifyingUserName: 'owner',
          lastModifyingUser: owner(true),
          originalFilename: 'a.tar.gz',
          md5Checksum: 'd41d8cd98f00b204e9800998ecf8427e',
          fileSize: '0',
        },
      ],
    ],
  ])('has a list of its %s', async ([list, kind, items]) => {
    const selfLink = `URL/drive/v2/files/ID/${list}`
    expect(await shown(ask('GET', `files/${id}/${list}`), names)).toEqual({
      etag: 'ETAG',
      kind: `drive#${kind}`,
      selfLink,
      items,
    })
    const [name, item] =
      {
        permissions: ['BO', BO],
        parents: ['ROOT', root],
        properties: ['k', 'k 1?visibility=PUBLIC'],
        revisions: ['HEAD', names['HEAD']],
      }[list] ?? []
    expect([name, await shown(ask('GET', `files/${id}/${list}/${item}`), names)]).toEqual([name, items[0]])
  })

  test('is a child of its folder', async () => {
    const child = {
      kind: 'drive#childReference',
      id: 'ID',
      selfLink: 'URL/drive/v2/files/ROOT/children/ID',
      childLink: 'URL/drive/v2/files/ID',
    }
    const query = { q: "title = 'a.tar.gz'" }
    expect(await shown(ask('GET', `files/${root}/children`, { query }), names)).toEqual({
      etag: 'ETAG',
      kind: 'drive#childList',
      selfLink: 'URL/drive/v2/files/ROOT/children?q=title+%3D+%27a.tar.gz%27',
      items: [child],
    })
    expect(await shown(ask('GET', `files/${root}/children/${id}`), names)).toEqual(child)
    expect(await shown(ask('POST', 'files/root/children', { body: { id } }), names)).toEqual(child)
    expect(await shown(ask('POST', `files/${id}/parents`, { body: { id: root } }), names)).toEqual(PARENT)
  })
})

test('a folder has what folders have, and a shared drive and its items what they have', async () => {
  const query = { supportsAllDrives: true, fields: '*' }
  const folder = await insert({ mimeType: FOLDER, folderColorRgb: '#ac725e' })
  const seen = (await shown(ask('GET', `files/${folder}`, { query }), { ID: folder })) as Record<
    string,
    unknown
  >
  expect(seen).toMatchObject({
    alternateLink: 'URL/#folder/ID',
    iconLink: 'URL/icons/folder.svg',
    folderColorRgb: '#ac725e',
    quotaBytesUsed: '0',
    copyable: false,
    inheritedPermissionsDisabled: false,
    shared: false,
  })
  const ofFiles = ['fileSize', 'downloadUrl', 'webContentLink', 'md5Checksum', 'sha1Checksum', 'sha256Checksum', 'headRevisionId', 'originalFilename', 'fileExtension', 'fullFileExtension'] // prettier-ignore
  expect(Object.keys(seen).filter((name) => ofFiles.includes(name))).toEqual([])

  const body = { name: 'd', themeId: 'fern' }
  const made = await ask('POST', 'drives', { body, query: { requestId: 'r' } })
  const D = made.json.id as string
  expect(await shown(ask('GET', `drives/${D}`), { D })).toEqual({
    kind: 'drive#drive',
    id: 'D',
    name: 'd',
    createdDate: 'DATE',
    hidden: false,
    themeId: 'fern',
    colorRgb: '#0f9d58',
    restrictions: {
      adminManagedRestrictions: false,
      copyRequiresWriterPermission: false,
      domainUsersOnly: false,
      driveMembersOnly: false,
      sharingFoldersRequiresOrganizerPermission: false,
    },
    capabilities: expect.objectContaining({ canAddChildren: true, canDeleteDrive: true }) as unknown,
  })
  const id = (await ask('POST', 'files', { body: { parents: [{ id: D }] }, query })).json.id as string
  await ask('POST', `files/${id}/trash`, { query })
  const item = (await shown(ask('GET', `files/${id}`, { query }), { ID: id, D })) as Record<string, unknown>
  expect(item).toMatchObject({
    driveId: 'D',
    teamDriveId: 'D',
    trashedDate: 'DATE',
    trashingUser: owner(true),
    explicitlyTrashed: true,
    labels: { trashed: true },
    userPermission: { role: 'organizer' },
    shared: false,
  })
  const ofOwners = ['owners', 'ownerNames', 'ownedByMe', 'writersCanShare', 'folderColorRgb', 'shortcutDetails', 'contentRestrictions', 'inheritedPermissionsDisabled'] // prettier-ignore
  expect(Object.keys(item).filter((name) => ofOwners.includes(name))).toEqual([])
  const detail = { role: 'organizer', inherited: true, inheritedFrom: 'D' }
  expect(await shown(ask('GET', `files/${id}/permissions`, { query }), { ID: id, D })).toMatchObject({
    items: [
      {
        id: 'ME',
        role: 'organizer',
        permissionDetails: [{ permissionType: 'member', ...detail }],
        teamDrivePermissionDetails: [{ teamDrivePermissionType: 'member', ...detail }],
      },
    ],
  })
})

test('a comment and its answers', async () => {
  const id = await withBo('writer')
  const file = `files/${id}`
  const body = { content: 'a < b', anchor: 'x', context: { type: 't', value: 'v' } }
  const C = (await ask('POST', `${file}/comments`, { body })).json.commentId as string
  const R = (await asBo('POST', `${file}/comments/${C}/replies`, { body: { content: 'r', verb: 'resolve' } }))
    .json.replyId as string
  const names = { ID: id, CC: C, RR: R }
  const reply = {
    kind: 'drive#commentReply',
    replyId: 'RR',
    createdDate: 'DATE',
    modifiedDate: 'DATE',
    author: person('Bo', false, 'BO', 'bo@example.org'),
    content: 'r',
    htmlContent: 'r',
    deleted: false,
    verb: 'resolve',
  }
  const comment = {
    kind: 'drive#comment',
    selfLink: 'URL/drive/v2/files/ID/comments/CC',
    commentId: 'CC',
    fileId: 'ID',
    fileTitle: 'a',
    createdDate: 'DATE',
    modifiedDate: 'DATE',
    author: owner(true),
    content: 'a < b',
    htmlContent: 'a &lt; b',
    deleted: false,
    anchor: 'x',
    context: { type: 't', value: 'v' },
    status: 'resolved',
    replies: [reply],
  }
  expect(await shown(ask('GET', `${file}/comments/${C}`), names)).toEqual(comment)
  expect(await shown(ask('GET', `${file}/comments/${C}/replies/${R}`), names)).toEqual(reply)
  expect(await shown(ask('GET', `${file}/comments`), names)).toEqual({
    kind: 'drive#commentList',
    selfLink: 'URL/drive/v2/files/ID/comments',
    items: [comment],
  })
  expect(await shown(ask('GET', `${file}/comments/${C}/replies`), names)).toEqual({
    kind: 'drive#commentReplyList',
    selfLink: 'URL/drive/v2/files/ID/comments/CC/replies',
    items: [reply],
  })
  await asBo('DELETE', `${file}/comments/${C}/replies/${R}`)
  await ask('DELETE', `${file}/comments/${C}`)
  const { content: _1, htmlContent: _2, context: _3, ...left } = comment
  const { content: _4, htmlContent: _5, ...leftReply } = reply
  const query = { includeDeleted: true }
  expect(await shown(ask('GET', `${file}/comments/${C}`, { query }), names)).toEqual({
    ...left,
    deleted: true,
    replies: [{ ...leftReply, deleted: true }],
  })
  expect((await ask('GET', `${file}/comments/${C}/replies/${R}`, { query })).json).toMatchObject({
    deleted: true,
  })
})

test('a page of changes names the next one', async () => {
  const { startPageToken } = (await ask('GET', 'changes/startPageToken')).json
  const [id] = [await insert(), await insert()]
  await ask('DELETE', `files/${id}`)
  const at = Number(startPageToken)
  const fields =
    'kind,largestChangeId,nextPageToken,newStartPageToken,items(kind,id,fileId,deleted,modificationDate,type,changeType,driveId,selfLink)'
  const page = (pageToken: number) =>
    shown(ask('GET', 'changes', { query: { pageToken, maxResults: 1, fields } }), { GONE: id })
  const change = (n: number) => ({
    kind: 'drive#change',
    id: String(n),
    modificationDate: 'DATE',
    type: 'file',
    changeType: 'file',
    selfLink: `URL/drive/v2/changes/${n}`,
  })
  const first = (await page(at)) as { items: object[] }
  expect(first).toMatchObject({
    kind: 'drive#changeList',
    largestChangeId: String(at + 2),
    nextPageToken: expect.any(String) as unknown,
    items: [{ ...change(at + 1), deleted: false }],
  })
  expect(await page(at + 2)).toEqual({
    kind: 'drive#changeList',
    largestChangeId: String(at + 2),
    newStartPageToken: String(at + 3),
    items: [{ ...change(at + 2), fileId: 'GONE', deleted: true }],
  })
})

describe('about', () => {
  test('tells the user and what he has', async () => {
    const about = (await shown(ask('GET', 'about'))) as Record<string, unknown>
    expect(about).toMatchObject({
      kind: 'drive#about',
      selfLink: 'URL/drive/v2/about',
      name: 'owner',
      user: owner(true),
      permissionId: 'ME',
      rootFolderId: 'ROOT',
      quotaType: 'UNLIMITED',
      quotaBytesUsedInTrash: '0',
      remainingChangeIds: '1',
      additionalRoleInfo: [
        { type: '*', roleSets: [{ primaryRole: 'reader', additionalRoles: ['commenter'] }] },
      ],
      features: [],
      canCreateDrives: true,
      canCreateTeamDrives: true,
      domainSharingPolicy: 'allowed',
      isCurrentAppInstalled: true,
      languageCode: 'en-US',
      maxUploadSizes: [{ type: '*' }],
    })
    expect(about['teamDriveThemes']).toEqual(about['driveThemes'])
  })

  test('counts the changes from a number, up to the most that is asked', async () => {
    const { largestChangeId } = (await ask('GET', 'about')).json
    const left = async (query: Record<string, number>) =>
      (await ask('GET', 'about', { query })).json.remainingChangeIds
    const last = Number(largestChangeId)
    expect([
      await left({ startChangeId: last - 1, maxChangeIdCount: 9 }),
      await left({ startChangeId: last - 1 }),
      await left({ startChangeId: last + 9, maxChangeIdCount: 9 }),
      await left({ maxChangeIdCount: 9999 }),
    ]).toEqual(['2', '1', '0', '2500'])
  })

  test('tells what a user has, of how much', async () => {
    const email = 'cy@example.org'
    const { store } = drive
    const { pk: user } = await command(store, 'addUser', OPERATOR, { email, quota: 100 })
    const token = newToken()
    const grant = {
      digest: digestToken(token),
      user,
      client: 1,
      scopes: ['drive' as const],
      kind: 'access' as const,
    }
    await command(store, 'addToken', OPERATOR, grant)
    const upload = async (text: string) => {
      const asking = { body: text, headers: { 'content-type': 'text/plain' }, token }
      return (await drive.ask('POST', '/upload/drive/v2/files?uploadType=media', asking)).json.id as string
    }
    await upload('four')
    await ask('POST', `files/${await upload('three')}/trash`, { token })
    expect((await ask('GET', 'about', { token })).json).toMatchObject({
      quotaType: 'LIMITED',
      quotaBytesTotal: '100',
      quotaBytesUsed: '9',
      quotaBytesUsedAggregate: '9',
      quotaBytesByService: [{ serviceName: 'DRIVE', bytesUsed: '9' }],
      quotaBytesUsedInTrash: '5',
    })
  })
})

test('a program is shown with what it may do', async () => {
  const scoped = { kind: 'drive#app', objectType: 'file', supportsCreate: false, supportsImport: false, supportsMultiOpen: false, supportsOfflineCreate: false, useByDefault: false } // prettier-ignore
  const own = {
    ...scoped,
    id: 'hla',
    name: 'hla',
    authorized: true,
    installed: true,
    hasDriveWideScope: true,
  }
  expect(await shown(ask('GET', 'apps'))).toEqual({
    etag: 'ETAG',
    kind: 'drive#appList',
    selfLink: 'URL/drive/v2/apps',
    defaultAppIds: [],
    items: [own],
  })
  expect(await shown(ask('GET', 'apps/typing'))).toEqual({
    ...scoped,
    id: 'typing',
    name: 'Typing',
    authorized: false,
    installed: false,
    hasDriveWideScope: false,
  })
})

test.for<[path: string, query: Record<string, string | number | boolean>, expected: string]>([
  ['files', { corpora: 'user,all' }, '400 invalidParameter corpora: Invalid value: all'],
  ['files', { corpora: 'drive' }, '400 badRequest driveId: corpora=drive needs driveId.'],
  ['files', { driveId: 'x' }, '400 badRequest driveId: driveId needs corpora=drive.'],
  [
    'files',
    { corpora: 'drive', driveId: 'x', supportsAllDrives: true, includeItemsFromAllDrives: true },
    '404 notFound driveId: Shared drive not found: x',
  ],
  [
    'files',
    { includeItemsFromAllDrives: true },
    '400 badRequest includeItemsFromAllDrives: includeItemsFromAllDrives needs supportsAllDrives=true.',
  ],
  ['files', { spaces: 'drive,moon' }, '400 invalidParameter spaces: Invalid value: moon'],
  ['files/generateIds', { space: 'moon' }, '400 invalidParameter space: Invalid value: moon'],
  ['files/x', {}, '404 notFound fileId: File not found: x'],
  [
    'files/x/comments',
    { updatedMin: 'today' },
    '400 invalidParameter updatedMin: updatedMin must be a date-time of RFC 3339',
  ],
  ['changes/x', {}, '404 notFound changeId: Change not found: x'],
  ['apps/x', {}, '404 notFound appId: App not found: x'],
  ['drives/x', {}, '404 notFound driveId: Shared drive not found: x'],
  ['permissionIds/x', {}, '400 invalid email: Not an e-mail address: x'],
])('%s %j: %s', async ([path, query, expected]) => {
  const { status, json } = await ask('GET', path, { query })
  const [{ reason, location, message }] = json.error.errors
  expect(`${status} ${reason} ${location}: ${message}`).toBe(expected)
  expect(json.error).toMatchObject({ code: status, message })
})
