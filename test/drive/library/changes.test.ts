/** The list of changes: its pages, what each search leaves out, and whom a change of a file concerns; and the channels that tell of it. */
import { describe, expect, test, vi } from 'vitest'
import type { FileBody } from '../../../src/drive/contract/bodies.ts'
import { storeNow } from '../../../src/drive/domain/channels/notifications.ts'
import { OPERATOR } from '../../../src/drive/domain/commands.ts'
import { findView } from '../../../src/drive/domain/items/file-view.ts'
import type { Caller } from '../../../src/drive/contract/failure.ts'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { largestChange } from '../../../src/drive/domain/changes/change-log.ts'
import { type ChangeSearch, findChange, listChanges } from '../../../src/drive/domain/changes/list-changes.ts'
import type { UpdateFile } from '../../../src/drive/domain/files/update-file.ts'
import { stagedBytes } from '../../../src/drive/persistence/contents/staging.ts'
import { libraryOfFile } from '../../support/library.ts'
import { refusal } from '../../support/refusal.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const library = await libraryOfFile(temp('store'))
const [ada, bo] = library.callers

const insert = (who: Caller, parent = 'root', mimeType = 'text/plain') =>
  library.run('insertFile', who, { body: { title: 'a', mimeType, parents: [{ id: parent }] } }).row.id
const share = (id: string, role = 'writer') =>
  library.run('insertPermission', ada, { id, body: { type: 'user', role, value: 'bo@example.org' } })
const ALL: ChangeSearch = {
  from: 0,
  most: 1000,
  includesGone: true,
  includesOthers: true,
  spaces: ['drive'],
  drives: 'all',
}
const list = (who: Caller, search: Partial<ChangeSearch>) =>
  listChanges(library.db, who, { ...ALL, ...search })
const changed = (who: Caller, search: Partial<ChangeSearch>) =>
  list(who, search).changes.map(({ fileId }) => fileId)

test('a page goes on behind entries that it leaves out, however many they are', () => {
  const from = largestChange(library.db) + 1
  const folder = insert(ada, 'root', FOLDER_MIME)
  share(folder)
  for (let n = 0; n < 220; n++) insert(ada, folder)
  const own = [insert(bo), insert(bo)]
  expect(changed(bo, { from })).toHaveLength(223)
  const mine = { from, includesOthers: false }
  expect(changed(bo, mine)).toEqual(own)
  const first = list(bo, { ...mine, most: 1 })
  expect(first.changes.map(({ fileId }) => fileId)).toEqual(own.slice(0, 1))
  const second = list(bo, { ...mine, most: 1, from: first.next ?? 0 })
  expect([second.changes.map(({ fileId }) => fileId), second.next]).toEqual([own.slice(1), undefined])
})

test('a page ends before the first entry that does not fit', () => {
  const from = largestChange(library.db) + 1
  const ids = [insert(ada), insert(ada), insert(ada)]
  let fitting = 2
  const page = listChanges(library.db, ada, { ...ALL, from }, () => fitting-- > 0)
  expect(page.changes.map(({ fileId }) => fileId)).toEqual(ids.slice(0, 2))
  expect(changed(ada, { from: page.next ?? 0 })).toEqual(ids.slice(2))
})

test.for<[string, boolean, () => string]>([
  ['an item of My Drive', true, () => insert(ada)],
  ['an item in a folder there', true, () => insert(ada, insert(ada, 'root', FOLDER_MIME))],
  [
    'an item of somebody else',
    false,
    () => {
      const id = insert(bo)
      const body = { type: 'user', role: 'reader', value: 'ada@example.org' }
      library.run('insertPermission', bo, { id, body })
      return id
    },
  ],
  [
    'an item of a shared drive',
    false,
    () => insert(ada, library.run('insertDrive', ada, { request: 'r', body: { name: 'd' } }).id),
  ],
])('%s is in the list without items of others: %s', ([, isIn, make]) => {
  const id = make()
  expect(changed(ada, {})).toContain(id)
  expect(changed(ada, { includesOthers: false }).includes(id)).toBe(isIn)
})

/** Takes a permission of a file away. */
const take = (id: string, { principal }: ReturnType<typeof share>) =>
  library.run('removePermission', ada, { id, permission: principal.id })
/** Shares a file with a group that has Bo as its only member. */
const shareWithGroup = (id: string) => {
  const email = 'lab@example.org'
  library.run('addGroup', OPERATOR, { email })
  library.run('addMembers', OPERATOR, { group: email, members: ['bo@example.org'] })
  return library.run('insertPermission', ada, { id, body: { type: 'group', role: 'reader', value: email } })
}

describe('a file that was taken away', () => {
  const shown = (id: string) =>
    list(bo, {})
      .changes.filter(({ fileId }) => fileId === id)
      .map(({ file }) => file !== undefined)

  test('is gone, though a link still opens it', () => {
    const id = insert(ada)
    library.run('insertPermission', ada, { id, body: { type: 'anyone', role: 'reader', withLink: true } })
    const given = share(id)
    expect(shown(id)).toEqual([true])
    take(id, given)
    expect(findView(library.db, bo, id)?.row.id).toBe(id)
    expect(shown(id)).toEqual([false])
    share(id)
    expect(shown(id)).toEqual([true])
  })

  test('from one of two groups or users is not gone', () => {
    const id = insert(ada)
    const given = [share(id), shareWithGroup(id)]
    for (const one of given) {
      expect(shown(id)).toEqual([true])
      take(id, one)
    }
    expect(shown(id)).toEqual([false])
  })
})

test('entries of a user and of its groups come in the order written, none twice and none left out', () => {
  const top = insert(ada, 'root', FOLDER_MIME)
  shareWithGroup(top)
  const from = largestChange(library.db) + 1
  const ids = [insert(bo)]
  for (let n = 0; n < 120; n++) ids.push(insert(ada, top))
  ids.push(insert(bo))
  const both = insert(ada, top)
  share(both)
  const all = [...ids, both]
  expect(changed(bo, { from })).toEqual(all)
  const page = list(bo, { from, most: 110 })
  expect(page.changes.map(({ fileId }) => fileId)).toEqual(all.slice(0, 110))
  expect(changed(bo, { from: page.next ?? 0 })).toEqual(all.slice(110))
})

describe('shared drives and what is in them', () => {
  const drive = (request = 'r') => library.run('insertDrive', ada, { request, body: { name: request } }).id
  const keyOf = (id: string) =>
    library.db.get<{ pk: number }>('SELECT pk FROM files WHERE id = ?', id)?.pk ?? 0
  const shown = (who: Caller, search: Partial<ChangeSearch>) =>
    list(who, search).changes.map((one) => [
      one.fileId,
      one.file?.row.title,
      one.isDrive,
      one.driveId,
      one.drive?.name,
    ])
  const begin = () => largestChange(library.db) + 1
  const ofFile = (id: string, place?: string) => [id, 'a', false, place, undefined]
  const ofDrive = (id: string, name: string | undefined) => [id, undefined, true, id, name]

  test('are in the list that asks for all, for none or for one of them', () => {
    const from = begin()
    const [one, other] = [drive('one'), drive('other')]
    const [mine, inOne, inOther] = [insert(ada), insert(ada, one), insert(ada, other)]
    const entries = {
      one: [ofDrive(one, 'one'), ofFile(inOne, one)],
      other: [ofDrive(other, 'other'), ofFile(inOther, other)],
    }
    const [firstOne, secondOne] = entries.one
    const [firstOther, secondOther] = entries.other
    expect(shown(ada, { from })).toEqual([firstOne, firstOther, ofFile(mine), secondOne, secondOther])
    expect(shown(ada, { from, drives: 'none' })).toEqual([ofFile(mine)])
    expect(shown(ada, { from, drives: keyOf(one) })).toEqual(entries.one)
    expect(shown(ada, { from, drives: keyOf(other) })).toEqual(entries.other)
    expect(shown(bo, { from })).toEqual([])
  })

  test('are told to a program confined to its own files as far as it made them', () => {
    const from = begin()
    const id = insert(ada, drive())
    const confined = (client: number) => shown({ ...ada, client, scopes: ['drive.file'] }, { from })
    expect(confined(ada.client).map(([file]) => file)).toEqual([id])
    expect(confined(bo.client)).toEqual([])
  })

  test('are gone for a member that is one no longer, in lists of what is gone', () => {
    const from = begin()
    const place = drive()
    const id = insert(ada, place)
    const body = { type: 'user', role: 'reader', value: 'bo@example.org' }
    const { principal } = library.run('insertPermission', ada, { id: place, body })
    expect(new Set(shown(bo, { from }))).toEqual(new Set([ofFile(id, place), ofDrive(place, 'r')]))
    library.run('removePermission', ada, { id: place, permission: principal.id })
    const gone = [[id, undefined, false, place, undefined], ofDrive(place, undefined)]
    expect(new Set(shown(bo, { from }))).toEqual(new Set(gone))
    expect(shown(bo, { from, includesGone: false })).toEqual([])
    expect(shown(bo, { from, drives: 'none' })).toEqual([])
    expect(shown(ada, { from, includesGone: false })).toHaveLength(2)
  })

  test('take a file away from its owner, for a program that sees none of them', () => {
    const [place, id] = [drive(), insert(ada)]
    share(id)
    const from = begin()
    library.run('updateFile', ada, {
      id,
      body: {},
      behavior: 'noChange',
      isViewed: false,
      add: [place],
      remove: ['root'],
    })
    const hidden = (who: Caller, more: Partial<ChangeSearch> = {}) =>
      shown(who, { from, drives: 'none', ...more })
    expect(shown(ada, { from })).toEqual([ofFile(id, place)])
    expect(hidden(ada)).toEqual([[id, undefined, false, place, undefined]])
    expect(hidden(ada, { includesGone: false })).toEqual([])
    expect(shown(ada, { from, drives: keyOf(place) + 1 })).toEqual([])
  })
})

describe('one entry', () => {
  const found = (who: Caller, seq: number) => {
    const one = findChange(library.db, who, seq)
    return one && [one.fileId, one.file?.row.title, one.seq]
  }
  const last = () => largestChange(library.db)

  test('is found by its number, until the item has a later one', () => {
    const id = insert(ada)
    const seq = last()
    expect(found(ada, seq)).toEqual([id, 'a', seq])
    insert(ada)
    expect(found(ada, seq)).toEqual([id, 'a', seq])
    for (const none of [seq - 1, seq + 2]) expect(found(ada, none)).toBeUndefined()
    expect(found(bo, seq)).toBeUndefined()
    library.run('touchFile', ada, { id })
    expect(found(ada, seq)).toBeUndefined()
    expect(found(ada, last())).toEqual([id, 'a', last()])
  })

  test('is found of what is gone, of others and of data of the program', () => {
    const id = insert(ada)
    const given = share(id)
    expect(found(bo, last())).toEqual([id, 'a', last()])
    take(id, given)
    const [gone] = list(bo, {}).changes.slice(-1)
    expect(found(bo, gone?.seq ?? 0)).toEqual([id, undefined, gone?.seq])
    const own = { ...ada, scopes: ['drive.appdata' as const] }
    const data = insert(own, 'appDataFolder')
    expect(found(own, last())).toEqual([data, 'a', last()])
    expect(changed(own, { from: last(), spaces: ['appDataFolder'] })).toEqual([data])
    expect(changed(own, { from: last() })).toEqual([])
    expect(found({ ...own, client: bo.client }, last())).toBeUndefined()
  })

  test('of a shared drive is not found by a program that sees none', () => {
    const { id } = library.run('insertDrive', ada, { request: 'r', body: { name: 'd' } })
    const seq = last()
    expect(findChange(library.db, ada, seq)).toMatchObject({
      fileId: id,
      isDrive: true,
      drive: { name: 'd' },
    })
    expect(findChange(library.db, { ...ada, hidesDrives: false }, seq)).toMatchObject({ fileId: id })
    expect(findChange(library.db, { ...ada, hidesDrives: true }, seq)).toBeUndefined()
  })
})

test('a file whose folder is taken from a user or its group stays while the other has it', () => {
  const top = insert(ada, 'root', FOLDER_MIME)
  const given = [shareWithGroup(top), share(top)]
  const id = insert(ada, top)
  const shown = () =>
    list(bo, {})
      .changes.filter(({ fileId }) => fileId === id)
      .map(({ file }) => file !== undefined)
  for (const one of given.toReversed()) {
    expect(shown()).toEqual([true])
    take(top, one)
  }
  expect(shown()).toEqual([false])
})

describe('who leaves a group', () => {
  const leave = () =>
    library.run('removeMembers', OPERATOR, { group: 'lab@example.org', members: ['bo@example.org'] })
  const shown = (id: string) =>
    list(bo, {})
      .changes.filter(({ fileId }) => fileId === id)
      .map(({ file }) => file !== undefined)

  test('keeps the files that are his or shared with him, too', () => {
    const [both, lost] = [insert(ada), insert(ada)]
    shareWithGroup(both)
    library.run('insertPermission', ada, {
      id: lost,
      body: { type: 'group', role: 'reader', value: 'lab@example.org' },
    })
    share(both)
    expect([shown(both), shown(lost)]).toEqual([[true], [true]])
    leave()
    expect([shown(both), shown(lost)]).toEqual([[true], [false]])
  })

  test('is still told of what was deleted before', () => {
    const [deleted, kept] = [insert(ada), insert(ada)]
    shareWithGroup(deleted)
    const from = largestChange(library.db) + 1
    library.run('deleteFile', ada, { id: deleted })
    expect(changed(bo, { from })).toEqual([deleted])
    leave()
    expect(changed(bo, { from })).toEqual([deleted])
    expect(shown(deleted)).toEqual([false])
    expect(shown(kept)).toEqual([])
  })
})

test('rights that put a file into nobody’s list add only the entry of the file itself', () => {
  const id = insert(ada)
  const before = largestChange(library.db)
  const body = { type: 'anyone', role: 'reader', withLink: true }
  library.run('insertPermission', ada, { id, body })
  expect(largestChange(library.db)).toBe(before + 1)
})

test('a program confined to its own files learns no id of a file that its user has not used and no longer reaches', () => {
  const id = insert(ada)
  take(id, shareWithGroup(id))
  library.run('deleteFile', ada, { id })
  expect(changed(bo, {})).toContain(id)
  for (const { client } of [ada, bo])
    expect(changed({ ...bo, client, scopes: ['drive.file'] }, {})).not.toContain(id)
})

describe('a change of a shared file is told to', () => {
  type Change = Partial<Omit<UpdateFile, 'id' | 'body'>>
  test.for<[name: string, body: FileBody, change: Change, who: 'both' | 'its maker' | 'nobody']>([
    ['a title', { title: 'b' }, {}, 'both'],
    ['a star', { labels: { starred: true } }, {}, 'its maker'],
    ['a restriction of copies', { labels: { restricted: true } }, {}, 'both'],
    ['nothing', {}, {}, 'nobody'],
    ['what is ignored', { thumbnail: {} }, {}, 'nobody'],
    ['a view', {}, { isViewed: true }, 'its maker'],
    ['a date from the body', { modifiedDate: 1 }, { behavior: 'fromBody' }, 'both'],
    ['a date from the body or now', { modifiedDate: 1 }, { behavior: 'fromBodyOrNow' }, 'both'],
    ['a date from the body if needed', { modifiedDate: 1 }, { behavior: 'fromBodyIfNeeded' }, 'nobody'],
    ['a date that is not taken', { modifiedDate: 1 }, { behavior: 'now' }, 'nobody'],
    [
      'a content',
      {},
      { content: { staged: stagedBytes(Buffer.from('x')), isNewRevision: true, isPinned: false } },
      'both',
    ],
  ])('%s: %j %j: %s', ([, body, change, who]) => {
    const id = insert(ada)
    share(id)
    const from = largestChange(library.db) + 1
    library.run('updateFile', ada, { id, body, behavior: 'now', isViewed: false, ...change })
    const told = [ada, bo].map((one) => changed(one, { from }).length)
    expect(told).toEqual({ both: [1, 1], 'its maker': [1, 0], nobody: [0, 0] }[who])
  })

  test('both, where a folder is added or removed', () => {
    const [folder, id] = [insert(ada, 'root', FOLDER_MIME), insert(ada)]
    share(id)
    for (const move of [{ add: [folder] }, { remove: [folder] }]) {
      const from = largestChange(library.db) + 1
      library.run('updateFile', ada, { id, body: {}, behavior: 'noChange', isViewed: false, ...move })
      expect([ada, bo].map((one) => changed(one, { from }))).toEqual([[id], [id]])
    }
  })
})

describe('a channel that begins at a number', () => {
  const messages = (from: number | undefined) => {
    const body = { id: 'c', type: 'web_hook', address: 'https://hooks.example.org/' }
    const search = {
      includesGone: true,
      includesOthers: true,
      spaces: ['drive' as const],
      drives: 'all' as const,
    }
    library.run('watchChanges', ada, { body, search, from, uri: 'u' })
    return library.db
      .all<{ state: string }>('SELECT state FROM deliveries ORDER BY pk')
      .map(({ state }) => state)
  }
  test.for<[string, (last: number) => number | undefined, string[]]>([
    ['of a change is told of it', (last) => last, ['sync', 'change']],
    ['behind all changes is not', (last) => last + 1, ['sync']],
    ['that is not given is not', () => undefined, ['sync']],
  ])('%s', ([, from, expected]) => {
    insert(ada)
    expect(messages(from(largestChange(library.db)))).toEqual(expected)
  })
})

describe('a channel', () => {
  const DAY = 86_400_000
  const HOOK = { id: 'c', type: 'web_hook', address: 'https://hooks.example.org/' }
  const choice = {
    includesGone: true,
    includesOthers: true,
    spaces: ['drive' as const],
    drives: 'all' as const,
  }
  const onFile = (file: string, body: object = {}, who = ada) =>
    library.run('watchFile', who, { body: { ...HOOK, ...body }, file, link: 'https://lab.example/files/' })
  const onChanges = (body: object = {}, who = ada) =>
    library.run('watchChanges', who, {
      body: { ...HOOK, ...body },
      search: choice,
      from: undefined,
      uri: 'u',
    })
  /** Messages that a channel has still to send. */
  const waiting = (id = 'c') =>
    library.db
      .all<{ state: string; changed: string | null }>(
        `SELECT state, changed FROM deliveries
        WHERE channel = (SELECT pk FROM channels WHERE id = ?) ORDER BY pk`,
        id,
      )
      .map(({ state, changed: parts }) => (parts === null ? state : `${state} ${parts}`))

  test('says what it is on; a resource has one name for all channels on it', () => {
    const [file, other] = [insert(ada), insert(ada)]
    const view = onFile(file, { token: 't' })
    expect(view).toEqual({
      id: 'c',
      resource: expect.stringMatching(/^[\w-]{27}$/),
      uri: `https://lab.example/files/${file}?alt=json`,
      token: 't',
      expires: library.now() + 3_600_000,
    })
    const same = onFile(file, { id: 'd' }).resource
    const mine = onChanges({ id: 'e' })
    expect(mine).toMatchObject({ id: 'e', uri: 'u', token: undefined })
    expect(onFile(file, { id: 'h', token: '' }).token).toBeUndefined()
    const others = [onFile(other, { id: 'f' }), mine, onChanges({ id: 'c' }, bo)].map((one) => one.resource)
    expect(same).toBe(view.resource)
    expect(onChanges({ id: 'g' }).resource).toBe(mine.resource)
    expect(new Set([same, ...others]).size).toBe(4)
    expect(waiting()).toEqual(['sync'])
  })

  const notUnique = (id: string) => `400 channelIdNotUnique id: Channel id ${id} not unique`
  const TYPE = 'The type of a channel must be web_hook.'
  const TOKEN = 'The token of a channel has at most 256 characters, all of visible ASCII.'
  const ID = 'The id of a channel has 1 to 64 letters, digits and -_+/=.'
  const TTL = 'The ttl of a channel must be a number of seconds.'
  test.for<[object, string]>([
    [{ id: undefined }, '400 required id: Required parameter: id'],
    [{ id: '' }, '400 required id: Required parameter: id'],
    [{ id: 'a b' }, `400 invalid id: ${ID}`],
    [{ id: 'x'.repeat(65) }, `400 invalid id: ${ID}`],
    [{ id: `-_+/=${'x'.repeat(59)}` }, 'accepted'],
    [{ type: undefined }, '400 required type: Required parameter: type'],
    [{ type: '' }, '400 required type: Required parameter: type'],
    [{ type: 'email' }, `400 invalid type: ${TYPE}`],
    [{ type: 'webhook' }, 'accepted'],
    [{ token: '' }, 'accepted'],
    [{ token: 'x'.repeat(256) }, 'accepted'],
    [{ token: 'x'.repeat(257) }, `400 invalid token: ${TOKEN}`],
    [{ token: ' x' }, `400 invalid token: ${TOKEN}`],
    [{ token: 'x ' }, `400 invalid token: ${TOKEN}`],
    [{ expiration: Number.MAX_SAFE_INTEGER }, 'accepted'],
    [{ expiration: 0 }, '400 invalid expiration: The expiration of a channel must be in the future.'],
    [{ params: { ttl: '1' } }, 'accepted'],
    [{ params: { ttl: '9999999999' } }, 'accepted'],
    [{ params: { ttl: '12345678901' } }, `400 invalid params.ttl: ${TTL}`],
    [{ params: { ttl: '0' } }, `400 invalid params.ttl: ${TTL}`],
    [{ params: { ttl: ' 1' } }, `400 invalid params.ttl: ${TTL}`],
    [{ params: { ttl: '1s' } }, `400 invalid params.ttl: ${TTL}`],
    [{ params: { other: '1s' } }, 'accepted'],
  ])('that is asked for with %j: %s', ([body, expected]) => {
    const file = insert(ada)
    expect(refusal(() => onFile(file, body))).toBe(expected)
    expect(refusal(() => onChanges({ id: 'd', ...body }))).toBe(
      expected === 'accepted' && 'id' in body ? notUnique(String(body.id)) : expected,
    )
  })

  test.for<[object, number, number]>([
    [{}, 3_600_000, 3_600_000],
    [{ params: { ttl: '7' } }, 7000, 7000],
    [{ params: { ttl: '9999999' } }, DAY, 7 * DAY],
    [{ expiration: Number.MAX_SAFE_INTEGER, params: { ttl: '7' } }, DAY, 7 * DAY],
  ])('with %j lasts %i ms on a file, %i on changes', ([body, ofFile, ofChanges]) => {
    const file = insert(ada)
    expect(onFile(file, body).expires - library.now()).toBe(ofFile)
    expect(onChanges({ ...body, id: 'd' }).expires - library.now()).toBe(ofChanges)
  })

  test('ends at the time it asks for, which must be to come', () => {
    const file = insert(ada)
    const end = library.now() + 5000
    expect(onFile(file, { expiration: end }).expires).toBe(end)
    const now = library.now() + 1000
    expect(refusal(() => onFile(file, { id: 'd', expiration: now }))).toBe(
      '400 invalid expiration: The expiration of a channel must be in the future.',
    )
    expect(onFile(file, { id: 'e', expiration: library.now() + 1001 }).expires).toBe(library.now() + 1)
  })

  test('has an id that is free again at its end, and for another program', () => {
    const file = insert(ada)
    onFile(file, { params: { ttl: '5' } })
    expect(refusal(() => onFile(file))).toBe(notUnique('c'))
    onFile(file, {}, { ...ada, client: bo.client })
    library.wait(1000)
    expect(refusal(() => onFile(file))).toBe(notUnique('c'))
    expect(refusal(() => onFile(file))).toBe('accepted')
  })

  test('is not opened with a token that has ended meanwhile', () => {
    library.run('addToken', OPERATOR, {
      digest: 'live',
      user: ada.user,
      client: ada.client,
      scopes: ['drive'],
      kind: 'access',
    })
    const opened = () => refusal(() => onFile(insert(ada), {}, { ...ada, via: ['live'] }))
    expect(opened()).toBe('accepted')
    library.run('revokeToken', OPERATOR, { digest: 'live' })
    expect(opened()).toBe('401 authError Authorization: Invalid Credentials')
  })

  test('is one of a few of its user', () => {
    library.run('setLimit', OPERATOR, { name: 'user-channels', value: 2 })
    onChanges({ params: { ttl: '3' } })
    onChanges({ id: 'd' })
    expect(refusal(() => onChanges({ id: 'e' }))).toBe(
      '403 channelLimitExceeded: A user has at most 2 channels.',
    )
    expect(refusal(() => onChanges({}, bo))).toBe('accepted')
    expect(refusal(() => onChanges({ id: 'e' }))).toBe('accepted')
  })

  test('is stopped by its id and resource, by who opened it, before its end', () => {
    const file = insert(ada)
    const { resource } = onFile(file, { params: { ttl: '50' } })
    const stop = (name: object, who = ada) =>
      refusal(() => library.run('stopChannel', who, { id: 'c', resource, ...name }))
    const none = (id: string) => `404 notFound: Channel '${id}' not found`
    expect([stop({ id: 'x' }), stop({ resource: 'x' }), stop({}, bo)]).toEqual([
      none('x'),
      none('c'),
      none('c'),
    ])
    expect([stop({}), stop({})]).toEqual(['accepted', none('c')])
    onFile(file, { params: { ttl: '1' } })
    expect(stop({})).toBe(none('c'))
  })

  test('on a file has no use of what a program may not see', () => {
    const place = library.run('insertDrive', ada, { request: 'r', body: { name: 'd' } }).id
    onChanges({ id: 'hides' }, { ...ada, hidesDrives: true })
    onChanges({ id: 'sees' }, { ...ada, hidesDrives: false })
    onChanges({ id: 'does-not-say' })
    insert(ada, place)
    expect(['hides', 'sees', 'does-not-say'].map(waiting)).toEqual([
      ['sync'],
      ['sync', 'change'],
      ['sync', 'change'],
    ])
  })

  test('keeps the scopes of its program', () => {
    const scopes = ['drive.file', 'drive.appdata'] as const
    onChanges({}, { ...ada, client: bo.client, scopes })
    insert(ada)
    expect(waiting()).toEqual(['sync'])
    insert({ ...ada, client: bo.client })
    expect(waiting()).toEqual(['sync', 'change'])
  })

  test('with a thousand messages joins the next ones to the last', () => {
    const file = insert(ada)
    onFile(file)
    const touch = () => library.run('touchFile', ada, { id: file })
    for (let n = 1; n < 1000; n += 1) touch()
    const last = () => waiting().slice(998)
    expect(last()).toEqual(['update', 'update'])
    touch()
    expect(last()).toEqual(['update', 'update'])
    const change = (body: FileBody, more: Partial<UpdateFile> = {}) =>
      library.run('updateFile', ada, { id: file, body, behavior: 'noChange', isViewed: false, ...more })
    change({ title: 'b' })
    change({ title: 'c' })
    expect(last()).toEqual(['update', 'update properties'])
    change({}, { add: [insert(ada, 'root', FOLDER_MIME)] })
    touch()
    expect(last()).toEqual(['update', 'update properties,parents'])
    library.run('trashFile', ada, { id: file })
    change({ title: 'd' })
    expect(last()).toEqual(['update', 'trash'])
  })

  test('that has ended is forgotten with its messages', () => {
    const file = insert(ada)
    onFile(file, { id: 'a', params: { ttl: '5' } })
    onFile(file, { id: 'b', params: { ttl: '5' } })
    onFile(file)
    const left = () =>
      library.db.all('SELECT c.id FROM deliveries d LEFT JOIN channels c ON c.pk = d.channel')
    const forget = () => library.run('forgetChannels', OPERATOR, undefined)
    expect([forget(), left().length]).toEqual([0, 3])
    library.wait(5000)
    expect([forget(), left()]).toEqual([2, [{ id: 'c' }]])
    library.run('touchFile', ada, { id: file })
    expect(waiting()).toEqual(['sync', 'update'])
  })

  test('has its messages sent by a clock that is never behind the last change', () => {
    const clock = vi.spyOn(Date, 'now')
    const at = (now: number) => (clock.mockReturnValue(now), storeNow(library.db))
    expect(at(7)).toBe(7)
    insert(ada)
    expect([at(library.now() - 1), at(library.now() + 1)]).toEqual([library.now(), library.now() + 1])
    clock.mockRestore()
  })

  test('drops a message that was not taken for a day, and none that is gone', () => {
    onFile(insert(ada))
    const key = () => library.db.get<{ pk: number }>('SELECT pk FROM deliveries')?.pk ?? 0
    const settle = (delivery: number) =>
      library.run('settleDelivery', OPERATOR, { delivery, outcome: 'again', upTo: 0, delay: 5 })
    library.wait(DAY - 1001)
    settle(key())
    expect(waiting()).toEqual(['sync'])
    library.wait(-999)
    settle(key())
    expect(waiting()).toEqual([])
    expect(() => settle(1)).not.toThrow()
  })
})
