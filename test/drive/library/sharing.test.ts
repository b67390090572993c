/** Permissions: what is refused, with the whole answer, and what is given instead. */
import { describe, expect, test } from 'vitest'
import type { DriveBody, PermissionBody } from '../../../src/drive/contract/bodies.ts'
import { OPERATOR } from '../../../src/drive/domain/commands.ts'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { permissionId } from '../../../src/drive/domain/access/principals.ts'
import { getPermission, listPermissions } from '../../../src/drive/domain/permissions/permissions.ts'
import { libraryOfFile } from '../../support/library.ts'
import { refusal } from '../../support/refusal.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const library = await libraryOfFile(temp('store'))
const [ada, bo] = library.callers

const BO = permissionId('bo@example.org')
const DAY_MS = 86_400_000
const insert = (mimeType = 'text/plain', parent = 'root', who = ada) =>
  library.run('insertFile', who, { body: { title: 'a', mimeType, parents: [{ id: parent }] } }).row.id
const drive = (restrictions?: DriveBody['restrictions']) => {
  const { id } = library.run('insertDrive', ada, { request: 'r', body: { name: 'd' } })
  if (restrictions !== undefined) library.run('changeDrive', ada, { id, body: { restrictions } })
  return id
}
const share = (body: PermissionBody, id = insert(), who = ada) =>
  library.run('insertPermission', who, { id, body })
const withBo = (role: string, id = insert()) => {
  share({ type: 'user', value: 'bo@example.org', role }, id)
  return id
}
const change = (id: string, permission: string, body: PermissionBody, more: object = {}) =>
  library.run('changePermission', ada, { id, permission, body, ...more })
const changeAsBo = (id: string, permission: string, body: PermissionBody, more: object = {}) =>
  library.run('changePermission', bo, { id, permission, body, ...more })
const remove = (id: string, permission: string, who = ada) =>
  library.run('removePermission', who, { id, permission })
const rolesOf = (id: string) =>
  listPermissions(library.db, ada, { id }).map(({ principal, role }) => [
    principal.email ?? principal.id,
    role,
  ])

const NO_RIGHT = '403 insufficientFilePermissions: The user does not have sufficient permissions for file ID.'
const user = { type: 'user', value: 'cy@example.org' }
const anyone = { type: 'anyone', role: 'reader' }
const DAYS = '400 invalid expirationDate: The expiration date has to be in the future, within a year.'

describe('a permission that is made', () => {
  test.for<[name: string, work: () => unknown, expected: string]>([
    ['without a role', () => share(user), '400 invalid role: There is no role .'],
    [
      'with a role that is none',
      () => share({ ...user, role: 'king' }),
      '400 invalid role: There is no role king.',
    ],
    [
      'with the additional role as its role',
      () => share({ ...user, role: 'commenter' }),
      '400 invalid role: There is no role commenter.',
    ],
    [
      'with another additional role',
      () => share({ ...user, role: 'reader', additionalRoles: ['commenter', 'writer'] }),
      '400 invalid additionalRoles: There is no additional role writer.',
    ],
    ['without a type', () => share({ value: 'x@y', role: 'reader' }), '400 invalid type: There is no type .'],
    [
      'with a wrong type',
      () => share({ ...user, type: 'x', role: 'reader' }),
      '400 invalid type: There is no type x.',
    ],
    [
      'without a grantee',
      () => share({ type: 'user', role: 'reader' }),
      '400 invalid value: One of id and value is needed.',
    ],
    [
      'with an empty grantee',
      () => share({ type: 'group', id: '', value: '', role: 'reader' }),
      '400 invalid value: One of id and value is needed.',
    ],
    [
      'with a grantee named twice',
      () => share({ ...user, id: BO, role: 'reader' }),
      '400 invalid value: One of id and value is needed.',
    ],
    ['with an address and an empty id', () => share({ ...user, id: '', role: 'reader' }), 'accepted'],
    [
      'with a wrong address',
      () => share({ type: 'user', value: 'cy', role: 'reader' }),
      '400 invalid value: Not an e-mail address: cy',
    ],
    [
      'for a domain that nobody has named',
      () => share({ type: 'domain', id: '1k', role: 'reader' }),
      '400 invalid id: There is no domain 1k.',
    ],
    [
      'for a user as a domain',
      () => share({ type: 'domain', id: BO, role: 'reader' }),
      `400 invalid id: There is no domain ${BO}.`,
    ],
    [
      'for a domain of 256 characters',
      () => share({ type: 'domain', value: 'd'.repeat(256), role: 'reader' }),
      `400 invalid value: Not a domain: ${'d'.repeat(256)}`,
    ],
    [
      'for a domain of 255',
      () => share({ type: 'domain', value: 'd'.repeat(255), role: 'reader' }),
      'accepted',
    ],
    [
      'for a group as the owner',
      () => share({ type: 'group', value: 'all@example.org', role: 'owner' }),
      '400 invalidSharingRequest: Only a user can own a file, and files of shared drives have no owner.',
    ],
    [
      'for the owner of an item of a shared drive',
      () => share({ ...user, role: 'owner' }, insert('text/plain', drive())),
      '400 invalidSharingRequest: Only a user can own a file, and files of shared drives have no owner.',
    ],
    [
      'for an organizer of a file',
      () => share({ ...user, role: 'organizer' }),
      '400 invalidSharingRequest: The role organizer is only for members of a shared drive.',
    ],
    [
      'for a file organizer of a file',
      () => share({ ...user, role: 'fileOrganizer' }),
      '400 invalidSharingRequest: The role fileOrganizer is only for members of a shared drive.',
    ],
    [
      'for a file organizer of a shared drive',
      () => share({ ...user, role: 'fileOrganizer' }, drive()),
      'accepted',
    ],
    [
      'for anyone in a shared drive',
      () => share(anyone, drive()),
      '400 invalidSharingRequest: Members of a shared drive are users and groups.',
    ],
    [
      'for a group in a shared drive',
      () => share({ type: 'group', value: 'g@y', role: 'reader' }, drive()),
      'accepted',
    ],
    ['for anyone on an item of it', () => share(anyone, insert('text/plain', drive())), 'accepted'],
    [
      'for an address without an account as the owner',
      () => share({ ...user, role: 'owner' }),
      '400 invalidSharingRequest: The owner of a file must be a user with an account.',
    ],
    ['by a reader', () => share({ ...user, role: 'reader' }, withBo('reader'), bo), NO_RIGHT],
    ['by a writer, for a writer', () => share({ ...user, role: 'writer' }, withBo('writer'), bo), 'accepted'],
    [
      'by a writer who makes himself the owner',
      () => share({ type: 'user', value: 'bo@example.org', role: 'owner' }, withBo('writer'), bo),
      NO_RIGHT,
    ],
    [
      'by one who does not see the item',
      () => share({ ...user, role: 'reader' }, insert(), bo),
      '404 notFound fileId: File not found: ID',
    ],
  ])('%s', ([, work, expected]) => {
    expect(refusal(work)).toBe(expected)
  })

  test.for<[name: string, body: PermissionBody, expected: string | number | undefined]>([
    ['of a user, in the past', { ...user, role: 'reader', expirationDate: 0 }, DAYS],
    [
      'of a domain',
      { type: 'domain', value: 'x', role: 'reader', expirationDate: 1 },
      '400 invalid expirationDate: Domain permissions cannot expire.',
    ],
    [
      'of an owner',
      { ...user, role: 'owner', expirationDate: 1 },
      '400 invalid expirationDate: The role owner does not expire.',
    ],
    ['of a user, without one', { ...user, role: 'reader' }, undefined],
    ['of a user, with none', { ...user, role: 'writer', expirationDate: null }, undefined],
  ])('has the end %s', ([, body, expected]) => {
    if (typeof expected === 'string') expect(refusal(() => share(body))).toBe(expected)
    else expect(share(body).expires).toBe(expected)
  })

  test('ends within 366 days', () => {
    const id = insert()
    // the command runs a second later
    const now = library.now() + 1000
    const ends = (expirationDate: number) => () => {
      library.wait(now - 1000 - library.now())
      return share({ ...user, role: 'reader', expirationDate }, id)
    }
    expect(refusal(ends(now))).toBe(DAYS)
    expect(refusal(ends(now + 366 * DAY_MS + 1))).toBe(DAYS)
    expect(ends(now + 1)().expires).toBe(now + 1)
    expect(ends(now + 366 * DAY_MS)().expires).toBe(now + 366 * DAY_MS)
  })

  test('for anyone ends after the days of the store, another does not', () => {
    library.run('setLimit', OPERATOR, { name: 'link-days', value: 3 })
    const id = insert()
    expect(share(anyone, id).expires).toBe(library.now() + 3 * DAY_MS)
    expect(share({ ...user, role: 'reader' }, id).expires).toBeUndefined()
    expect(share({ ...anyone, expirationDate: null }, id).expires).toBeUndefined()
  })

  test('needs an address only where nobody is named', () => {
    const id = insert()
    expect(share({ ...anyone, withLink: true }, id)).toMatchObject({ id: 'anyoneWithLink', withLink: true })
    expect(share(anyone, id)).toMatchObject({ id: 'anyone', withLink: false })
    expect(share({ ...user, role: 'reader', withLink: true }, id).withLink).toBeUndefined()
  })

  test('replaces the one of the same grantee, and does nothing to the owner', () => {
    const id = withBo('reader')
    const additionalRoles = ['commenter']
    expect(share({ type: 'user', id: BO, role: 'reader', additionalRoles }, id).role).toBe('commenter')
    expect(share({ type: 'user', value: 'ada@example.org', role: 'reader' }, id).role).toBe('owner')
    expect(rolesOf(id)).toEqual([
      ['bo@example.org', 'commenter'],
      ['ada@example.org', 'owner'],
    ])
  })

  test('is one of the most that an item has', () => {
    library.run('setLimit', OPERATOR, { name: 'item-permissions', value: 2 })
    const id = withBo('reader')
    share({ ...user, role: 'reader' }, id)
    expect(refusal(() => share(anyone, id))).toBe(
      '400 invalidSharingRequest: An item is shared with at most 2 others.',
    )
    withBo('writer', id)
  })
})

describe('an item of a shared drive', () => {
  test('for users of its domain is shared with no other', () => {
    const id = drive({ domainUsersOnly: true })
    const file = insert('text/plain', id)
    const others =
      '400 invalidSharingRequest: Items of this shared drive can be shared only with users of its domain.'
    for (const item of [id, file]) {
      expect(refusal(() => share({ type: 'user', value: 'x@y', role: 'reader' }, item))).toBe(others)
      expect(refusal(() => share({ type: 'user', value: 'x@example.org', role: 'reader' }, item))).toBe(
        'accepted',
      )
    }
    expect(refusal(() => share(anyone, file))).toBe(others)
  })

  test('for users of its domain is shared with no group of others', () => {
    for (const email of ['own@example.org', 'mixed@example.org']) library.run('addGroup', OPERATOR, { email })
    library.run('addMembers', OPERATOR, { group: 'own@example.org', members: ['bo@example.org'] })
    library.run('addUser', OPERATOR, { email: 'x@y' })
    library.run('addMembers', OPERATOR, { group: 'mixed@example.org', members: ['bo@example.org', 'x@y'] })
    const id = drive({ domainUsersOnly: true })
    expect(refusal(() => share({ type: 'group', value: 'own@example.org', role: 'reader' }, id))).toBe(
      'accepted',
    )
    expect(refusal(() => share({ type: 'group', value: 'mixed@example.org', role: 'reader' }, id))).toBe(
      '400 invalidSharingRequest: Items of this shared drive can be shared only with users of its domain; the group has other members.',
    )
  })

  test('for its members is shared with no other, who can become a member', () => {
    const id = drive({ driveMembersOnly: true })
    const file = insert('text/plain', id)
    expect(refusal(() => share({ ...user, role: 'writer' }, file))).toBe(
      '403 teamDriveMembershipRequired: Items of this shared drive can be shared only with its members.',
    )
    share({ ...user, role: 'reader' }, id)
    expect(share({ ...user, role: 'writer' }, file).role).toBe('writer')
  })

  test('has an organizer as long as there is the drive', () => {
    const id = drive()
    const own = getPermission(library.db, ada, { id, permission: 'me' }).id
    expect(refusal(() => remove(id, 'me'))).toBe(NO_RIGHT)
    expect(refusal(() => change(id, own, { role: 'writer' }))).toBe(NO_RIGHT)
    withBo('organizer', id)
    expect(change(id, own, { role: 'writer' }).role).toBe('writer')
    expect(refusal(() => remove(id, 'me', bo))).toBe(NO_RIGHT)
    remove(id, own, bo)
    expect(getPermission(library.db, bo, { id, permission: 'me' }).role).toBe('organizer')
  })
})

describe('a change', () => {
  test.for<[name: string, work: () => unknown, expected: string]>([
    ['of the role of the owner', () => change(insert(), 'me', { role: 'writer' }), NO_RIGHT],
    ['of the owner to the owner', () => change(insert(), 'me', { role: 'owner' }), 'accepted'],
    ['of nothing of the owner', () => change(insert(), 'me', {}), 'accepted'],
    [
      'of the owner, by a writer',
      () => changeAsBo(withBo('writer'), permissionId('ada@example.org'), {}, {}),
      NO_RIGHT,
    ],
    [
      'of a permission that is none',
      () => change(insert(), 'x', { role: 'reader' }),
      '404 notFound permissionId: Permission not found: x',
    ],
    [
      'to the owner, not said twice',
      () => change(withBo('writer'), BO, { role: 'owner' }),
      '403 forbidden transferOwnership: The transferOwnership parameter must be enabled when the permission role is owner.',
    ],
    [
      'to the owner, by a writer',
      () => changeAsBo(withBo('writer'), BO, { role: 'owner' }, { transfersOwnership: true }),
      NO_RIGHT,
    ],
    [
      'of a permission that comes from a folder',
      () => change(insert('text/plain', withBo('writer', insert(FOLDER_MIME))), BO, { role: 'reader' }),
      '403 cannotModifyInheritedTeamDrivePermission: A permission that comes from a folder is changed at that folder.',
    ],
    ['to no role', () => change(withBo('writer'), BO, { role: '' }), '400 invalid role: There is no role .'],
    [
      'of a tag of another state',
      () => change(withBo('writer'), BO, { role: 'reader' }, { ifMatch: ['"x"'] }),
      '412 conditionNotMet If-Match: Precondition Failed',
    ],
  ])('%s', ([, work, expected]) => {
    expect(refusal(work)).toBe(expected)
  })

  test('keeps what it does not name', () => {
    const id = insert()
    const expirationDate = library.now() + DAY_MS
    share({ type: 'user', id: BO, role: 'reader', additionalRoles: ['commenter'], expirationDate }, id)
    expect(change(id, BO, {})).toMatchObject({ role: 'commenter', expires: expirationDate })
    expect(change(id, BO, { role: 'writer' })).toMatchObject({ role: 'writer', expires: expirationDate })
    expect(change(id, BO, { role: 'reader' })).toMatchObject({ role: 'reader', expires: expirationDate })
    expect(change(id, BO, { additionalRoles: ['commenter'] }).role).toBe('commenter')
    expect(change(id, BO, { additionalRoles: [] }).role).toBe('reader')
    expect(change(id, BO, {}, { removesExpiration: true }).expires).toBeUndefined()
    share({ ...anyone, withLink: true }, id)
    expect(change(id, 'anyone', { role: 'writer' })).toMatchObject({ role: 'writer', withLink: true })
    expect(change(id, 'anyone', { withLink: false })).toMatchObject({ role: 'writer', withLink: false })
  })

  test('to the owner leaves the old one a writer', () => {
    const id = withBo('reader')
    expect(change(id, BO, { role: 'owner' }, { transfersOwnership: true }).role).toBe('owner')
    expect(rolesOf(id)).toEqual([
      ['ada@example.org', 'writer'],
      ['bo@example.org', 'owner'],
    ])
  })
})

test('a link of its own gives the role of reader, to those who have its address', () => {
  const id = insert()
  library.run('openLink', ada, { file: id, hash: null, downloads: null, expires: null })
  const link =
    listPermissions(library.db, ada, { id }).find(({ principal }) => principal.kind === 'link')?.id ?? ''
  expect(refusal(() => change(id, link, { role: 'writer' }))).toBe(
    '400 invalid role: A link of its own gives the role of reader only.',
  )
  expect(refusal(() => change(id, link, { withLink: false }))).toBe(
    '400 invalid withLink: A link of its own opens to those who have its address only.',
  )
  expect(change(id, link, { withLink: true })).toMatchObject({ role: 'reader', withLink: true })
})

describe('a permission is taken back', () => {
  test.for<[name: string, work: () => unknown, expected: string]>([
    ['from a writer, by the owner', () => remove(withBo('writer'), BO), 'accepted'],
    ['from himself, by a reader', () => remove(withBo('reader'), 'me', bo), 'accepted'],
    ['from himself by his id, by a reader', () => remove(withBo('reader'), BO, bo), 'accepted'],
    ['from the owner, by himself', () => remove(insert(), 'me'), NO_RIGHT],
    [
      'from the owner, by a writer',
      () => remove(withBo('writer'), permissionId('ada@example.org'), bo),
      NO_RIGHT,
    ],
    [
      'from another, by a reader',
      () => {
        const id = withBo('reader')
        share({ ...user, role: 'reader' }, id)
        remove(id, permissionId('cy@example.org'), bo)
      },
      NO_RIGHT,
    ],
    [
      'from another, by a writer',
      () => {
        const id = withBo('writer')
        share({ ...user, role: 'writer' }, id)
        remove(id, permissionId('cy@example.org'), bo)
      },
      'accepted',
    ],
    [
      'from one who has it by a folder',
      () => remove(insert('text/plain', withBo('writer', insert(FOLDER_MIME))), BO),
      '403 cannotModifyInheritedTeamDrivePermission: A permission that comes from a folder is changed at that folder.',
    ],
    ['from nobody', () => remove(insert(), 'x'), '404 notFound permissionId: Permission not found: x'],
  ])('%s', ([, work, expected]) => {
    expect(refusal(work)).toBe(expected)
  })

  test('and the item is seen no more', () => {
    const id = withBo('reader')
    remove(id, 'me', bo)
    expect(rolesOf(id)).toEqual([['ada@example.org', 'owner']])
    expect(refusal(() => getPermission(library.db, bo, { id, permission: 'me' }))).toBe(
      '404 notFound fileId: File not found: ID',
    )
  })
})

test('a new owner finds the item in his root only if it is moved there', () => {
  const parents = (id: string) =>
    library.db.all<{ owner: number; is_root: number }>(
      'SELECT p.owner, p.is_root FROM parents l JOIN files p ON p.pk = l.parent JOIN files f ON f.pk = l.child WHERE f.id = ?',
      id,
    )
  const [kept, moved] = [insert(), insert()]
  const body = { type: 'user', id: BO, role: 'owner' }
  library.run('insertPermission', ada, { id: kept, body })
  library.run('insertPermission', ada, { id: moved, body, movesToRoot: true })
  expect(parents(kept)).toEqual([{ owner: ada.user, is_root: 1 }])
  expect(parents(moved)).toEqual([{ owner: bo.user, is_root: 1 }])
})
