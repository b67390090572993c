/** Cost of sharing: a new file needs no extra statements, and a change of rights reads only the items it changes. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { digestAcl, findVisibleFile } from '../../../src/drive/domain/access/access.ts'
import { viewPermissions } from '../../../src/drive/domain/permissions/permissions.ts'
import { assured } from '../../../src/errors.ts'
import { insertFile } from '../../../src/drive/domain/files/insert-file.ts'
import { type Caller, GUEST, isStorageFailure } from '../../../src/drive/contract/failure.ts'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { listProperties } from '../../../src/drive/domain/properties/properties.ts'
import { type Transaction, makeMemory } from '../../../src/drive/persistence/database/database.ts'
import { stagedBytes } from '../../../src/drive/persistence/contents/staging.ts'
import { libraryOfFile } from '../../support/library.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const library = await libraryOfFile(temp('store'))
const [ada, bo] = library.callers

const insert = (caller: Caller, parent: string, mimeType = 'text/plain') =>
  library.run('insertFile', caller, { body: { title: 'a', mimeType, parents: [{ id: parent }] } }).row
const give = (id: string, value: string, role = 'writer') =>
  library.run('insertPermission', ada, { id, body: { type: 'user', role, value } })
const aclOf = (id: string) => library.db.get<{ acl: number }>('SELECT acl FROM files WHERE id = ?', id)?.acl

/** Number of statements of one command. */
function counted(run: (tx: Transaction) => unknown): number {
  const { db } = library
  let count = 0
  // the connection can also write, which type Database hides
  const connection = db as Transaction
  const tx: Transaction = {
    now: Date.parse('2026-02-01'),
    all: (sql, ...values) => ((count += 1), connection.all(sql, ...values)),
    get: (sql, ...values) => ((count += 1), connection.get(sql, ...values)),
    each: (sql, ...values) => ((count += 1), connection.each(sql, ...values)),
    run: (sql, ...values) => ((count += 1), connection.run(sql, ...values)),
    runDeferred: (sql, ...values) => ((count += 1), connection.run(sql, ...values)),
    trial: (work) => work(),
    memory: makeMemory(),
  }
  run(tx)
  return count
}

describe('a new file', () => {
  test('in a folder that is shared takes the set of the folder, without a question more', () => {
    const [alone, shared] = [insert(ada, 'root', FOLDER_MIME).id, insert(ada, 'root', FOLDER_MIME).id]
    for (const name of ['bo@example.org', 'cy@example.org', 'di@example.org']) give(shared, name)
    const into = (id: string) => counted((tx) => insertFile(tx, ada, { body: { parents: [{ id }] } }))
    // the first command of each kind fills the caches
    for (const id of [alone, shared]) into(id)
    expect(into(shared)).toBe(into(alone))
    expect(insert(ada, shared).acl).toBe(aclOf(shared))
  })

  test('in a shared drive too', () => {
    const { id } = library.run('insertDrive', ada, { request: 'r', body: { name: 'd' } })
    expect(insert(ada, id).acl).toBe(aclOf(id))
  })

  test('in two folders has the rights of both, whichever is named first', () => {
    const folders = [insert(ada, 'root', FOLDER_MIME).id, insert(ada, 'root', FOLDER_MIME).id]
    give(folders[1]!, 'bo@example.org')
    for (const ids of [folders, folders.toReversed()]) {
      const { id } = library.run('insertFile', ada, {
        body: { parents: ids.map((one) => ({ id: one })) },
      }).row
      expect(findVisibleFile(library.db, bo, id)?.role).toBe('writer')
    }
  })

  test('that is shared from a drive is taken back when the drive is for members only', () => {
    const { id } = library.run('insertDrive', ada, { request: 'r', body: { name: 'd' } })
    const file = insert(ada, id)
    give(file.id, 'bo@example.org')
    expect(findVisibleFile(library.db, bo, file.id)?.role).toBe('writer')
    library.run('changeDrive', ada, { id, body: { restrictions: { driveMembersOnly: true } } })
    expect(findVisibleFile(library.db, bo, file.id)).toBeUndefined()
  })

  test('in two folders gets the rights of one that is shared later', () => {
    const folders = [insert(ada, 'root', FOLDER_MIME).id, insert(ada, 'root', FOLDER_MIME).id]
    const { id } = library.run('insertFile', ada, {
      body: { parents: folders.map((one) => ({ id: one })) },
    }).row
    expect(findVisibleFile(library.db, bo, id)).toBeUndefined()
    give(folders[1]!, 'bo@example.org')
    expect(findVisibleFile(library.db, bo, id)?.role).toBe('writer')
  })

  test('of somebody else in the folder has a set that all of his have', () => {
    const shared = insert(ada, 'root', FOLDER_MIME).id
    give(shared, 'bo@example.org')
    const [one, other] = [insert(bo, shared), insert(bo, shared)]
    expect(one.acl).not.toBe(aclOf(shared))
    expect(other.acl).toBe(one.acl)
  })
})

test('somebody without an account sees what is open to anyone, and nothing else of the first user and program', () => {
  const properties = (['PUBLIC', 'PRIVATE'] as const).map((visibility) => ({
    key: 'k',
    value: 'v',
    visibility,
  }))
  const [open, closed] = [1, 2].map(() => library.run('insertFile', ada, { body: { properties } }).row.id)
  library.run('insertPermission', ada, { id: open ?? '', body: { type: 'anyone', role: 'reader' } })
  expect([open, closed].map((id) => findVisibleFile(library.db, GUEST, id ?? '')?.role)).toEqual([
    'reader',
    undefined,
  ])
  expect(listProperties(library.db, GUEST, open ?? '')).toEqual([{ key: 'k', value: 'v', isPublic: true }])
})

test('a short set is named by its members, a long one by their digest', () => {
  const entry = (principal: number, isListed = true) => ({ principal, role: 'reader' as const, isListed })
  const digest = (text: string) => createHash('sha256').update(text).digest('base64url')
  const six = [10, 11, 12, 13, 14].map((principal) => entry(principal))
  const text = '10:reader 11:reader 12:reader 13:reader 14:reader'
  for (const [last, expected] of [
    [entry(1_000_000), `1000000:reader ${text}`],
    [entry(1_000_000, false), digest(`1000000:reader? ${text}`)],
  ] as const)
    expect(digestAcl({ drive: null, entries: [...six, last] })).toBe(expected)
  expect(digestAcl({ drive: 7, entries: [entry(3, false), entry(2)] })).toBe('drive 7 2:reader 3:reader?')
})

test('permissions are listed with the newest first, those of one moment by person, the owner last', () => {
  const { id } = insert(ada, 'root')
  const given = ['p1', 'p2', 'p3'].map((name) => {
    if (name !== 'p1') library.wait(name === 'p2' ? -1000 : 1000)
    return give(id, `${name}@example.org`, 'reader').principal.id
  })
  const file = assured(findVisibleFile(library.db, ada, id), 'the file is gone')
  const listed = viewPermissions(library.db, ada, file).map(({ principal }) => principal.id)
  expect(listed.slice(0, 3)).toEqual(given.toReversed())
  expect(listed).toHaveLength(4)
})

test('a permission needs the link where no other that it comes from does without', () => {
  const anyone = (id: string, withLink: boolean) => {
    library.run('insertPermission', ada, { id, body: { type: 'anyone', role: 'reader', withLink } })
    const file = assured(findVisibleFile(library.db, ada, id), 'the file is gone')
    return viewPermissions(library.db, ada, file).find(({ principal }) => principal.kind === 'anyone')
      ?.withLink
  }
  const folder = insert(ada, 'root', FOLDER_MIME).id
  const file = insert(ada, folder).id
  expect([anyone(file, true), anyone(folder, false), anyone(file, true)]).toEqual([true, false, false])
})

test('a view is kept when a star is given, and a star when it is viewed', () => {
  const { id } = insert(ada, 'root')
  const update = (body: object) =>
    library.run('updateFile', ada, { id, body, behavior: 'now', isViewed: false }).mine
  update({ lastViewedByMeDate: 1000 })
  expect(update({ labels: { starred: true } })).toMatchObject({ viewedAt: 1000, isStarred: true })
  expect(update({ lastViewedByMeDate: 2000 })).toMatchObject({ viewedAt: 2000, isStarred: true })
})

describe('the role of a permission', () => {
  type Roles = Parameters<typeof library.run<'changePermission'>>[2]['body']
  const COMMENTER = { role: 'reader', additionalRoles: ['commenter'] }
  test.for<[before: Roles, change: Roles, after: string]>([
    [{ role: 'reader' }, {}, 'reader'],
    [{ role: 'reader' }, { role: 'writer' }, 'writer'],
    [{ role: 'reader' }, { additionalRoles: ['commenter'] }, 'commenter'],
    [{ role: 'writer' }, {}, 'writer'],
    [{ role: 'writer' }, { role: 'reader' }, 'reader'],
    [{ role: 'writer' }, COMMENTER, 'commenter'],
    [COMMENTER, {}, 'commenter'],
    [COMMENTER, { role: 'reader' }, 'commenter'],
    [COMMENTER, { additionalRoles: [] }, 'reader'],
    [COMMENTER, { role: 'writer', additionalRoles: [] }, 'writer'],
  ])('%j, and then %j: %s', ([before, change, after]) => {
    const { id } = insert(ada, 'root')
    const body = { type: 'user', value: 'bo@example.org', ...before }
    const permission = library.run('insertPermission', ada, { id, body }).id
    expect(library.run('changePermission', ada, { id, permission, body: change }).role).toBe(after)
    expect(findVisibleFile(library.db, bo, id)?.role).toBe(after)
  })

  test.for<[Roles, string]>([
    [{ role: 'boss' }, 'There is no role boss.'],
    [{ additionalRoles: [] }, 'There is no role .'],
    [{ role: 'reader', additionalRoles: ['editor'] }, 'There is no additional role editor.'],
  ])('%j: %s', ([given, message]) => {
    const { id } = insert(ada, 'root')
    const body = { type: 'user', value: 'bo@example.org', ...given }
    expect(() => library.run('insertPermission', ada, { id, body })).toThrow(
      expect.objectContaining({ status: 400, message }),
    )
    expect(findVisibleFile(library.db, bo, id)).toBeUndefined()
  })
})

describe('a change of rights', () => {
  test('is one set for thousands of items, and gives the old one back', () => {
    const top = insert(ada, 'root', FOLDER_MIME).id
    for (let n = 0; n < 300; n++) insert(ada, top)
    const sets = () => library.db.get<{ count: number }>('SELECT count(*) AS count FROM acls')?.count ?? 0
    const [before, acl] = [sets(), aclOf(top)]
    const { principal } = give(top, 'bo@example.org')
    expect(sets()).toBe(before + 1)
    const shared = library.db.all('SELECT 1 FROM files WHERE acl = ?', aclOf(top) ?? 0)
    expect(shared).toHaveLength(301)
    library.run('removePermission', ada, { id: top, permission: principal.id })
    expect([sets(), aclOf(top)]).toEqual([before + 1, acl])
  })

  test('is told once of each item', () => {
    const top = insert(ada, 'root', FOLDER_MIME).id
    for (let n = 0; n < 30; n++) insert(ada, top)
    const count = 'SELECT count(*) AS count FROM changes'
    const before = library.db.get<{ count: number }>(count)?.count ?? 0
    give(top, 'bo@example.org')
    // one entry per item, and one for the folder itself
    expect(library.db.get(count)).toEqual({ count: before + 32 })
    const told = 'SELECT count(*) AS count FROM change_index WHERE principal = ?'
    expect(library.db.get(told, bo.user)).toEqual({ count: 31 })
  })
})

test('a role that changes is told to whom it was given, and to nobody else', () => {
  const top = insert(ada, 'root', FOLDER_MIME).id
  const { pk } = insert(ada, top)
  const [told, other] = ['bo@example.org', 'cy@example.org'].map(
    (name) => give(top, name, 'reader').principal,
  )
  if (told === undefined || other === undefined) throw new Error('nothing was given')
  const lastChange = (principal: number) =>
    library.db.get<{ seq: number }>('SELECT seq FROM change_index WHERE principal = ? AND item = ?', principal, pk)?.seq ?? 0 // prettier-ignore
  const before = [told, other].map((one) => lastChange(one.pk))
  library.run('changePermission', ada, { id: top, permission: told.id, body: { role: 'writer' } })
  expect([told, other].map((one, at) => lastChange(one.pk) > (before[at] ?? 0))).toEqual([true, false])
})

describe('a restriction of contents', () => {
  /** Status of each change to a file with this restriction. */
  const changed = (caller: Caller, before: object | undefined, after: object) => {
    const { id } = insert(ada, 'root')
    give(id, 'bo@example.org')
    const update = (by: Caller, contentRestrictions: readonly object[]) =>
      library.run('updateFile', by, { id, body: { contentRestrictions }, behavior: 'now', isViewed: false })
    if (before !== undefined) update(ada, [before])
    return statusOf(() => update(caller, [after]))
  }
  const OF_OWNER = { readOnly: true, ownerRestricted: true }
  const OF_EDITORS = { readOnly: true }
  test.for([
    ['set by anybody who may edit', undefined, OF_EDITORS, 200],
    ['lifted by them', OF_EDITORS, { readOnly: false }, 200],
    ['set by the owner alone', undefined, OF_OWNER, 403],
    ['made the owner’s by the owner alone', OF_EDITORS, OF_OWNER, 403],
    ['lifted by the owner alone', OF_OWNER, { readOnly: false }, 403],
    ['opened to editors by the owner alone', OF_OWNER, OF_EDITORS, 403],
  ] as const)('is %s', ([, before, after, ofWriter]) => {
    expect([changed(ada, before, after), changed(bo, before, after)]).toEqual([200, ofWriter])
  })
})

/** HTTP status of the result. */
function statusOf(work: () => unknown): unknown {
  try {
    work()
    return 200
  } catch (error) {
    return isStorageFailure(error) ? error.status : error
  }
}

describe('a root', () => {
  const trash = (id: string) => library.run('trashFile', ada, { id })
  const remove = (id: string) => library.run('deleteFile', ada, { id })
  const update = (id: string, more: object) =>
    library.run('updateFile', ada, { id, body: {}, behavior: 'now', isViewed: false, ...more })
  test.for([
    ['renamed', (id: string) => update(id, { body: { title: 'other' } })],
    ['moved', (id: string) => update(id, { add: [insert(ada, 'root', FOLDER_MIME).id] })],
    ['trashed', trash],
    ['deleted', remove],
    ['given to others', (id: string) => give(id, 'bo@example.org')],
  ] as const)('of My Drive is not %s', ([, act]) => {
    expect(statusOf(() => act('root'))).toBe(403)
    expect(statusOf(() => act(insert(ada, 'root', FOLDER_MIME).id))).toBe(200)
  })

  test('of a shared drive is given to others, and not trashed', () => {
    const { id } = library.run('insertDrive', ada, { request: 'r', body: { name: 'd' } })
    expect([() => give(id, 'bo@example.org'), () => trash(id)].map(statusOf)).toEqual([200, 403])
  })
})

describe('an item is of one kind', () => {
  const SHORTCUT = 'application/vnd.google-apps.shortcut'
  const content = stagedBytes(Buffer.from('x'))
  test.for([
    ['a folder', { mimeType: FOLDER_MIME }, false, 200],
    ['a folder with content', { mimeType: FOLDER_MIME }, true, 400],
    ['a folder with a target', { mimeType: FOLDER_MIME, target: true }, false, 400],
    ['a shortcut with a target', { mimeType: SHORTCUT, target: true }, false, 200],
    ['a shortcut without one', { mimeType: SHORTCUT }, false, 400],
    ['a shortcut with content', { mimeType: SHORTCUT, target: true }, true, 400],
    ['a file with content', { mimeType: 'text/csv' }, true, 200],
    ['a file with a target', { mimeType: 'text/csv', target: true }, false, 400],
  ] as const)('%s', ([, { mimeType, ...more }, hasContent, status]) => {
    const target = library.run('insertFile', ada, { body: { title: 'target' } }).row.id
    const body = {
      title: 'a',
      mimeType,
      ...('target' in more ? { shortcutDetails: { targetId: target } } : {}),
    }
    const insert = () => library.run('insertFile', ada, { body, ...(hasContent ? { content } : {}) })
    if (status === 200) expect(insert().row.mime).toBe(mimeType)
    else expect(insert).toThrow(expect.objectContaining({ status }))
  })
})
