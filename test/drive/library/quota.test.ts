/** Quota accounting: after every step the sums equal those of the store's checks. */
import { describe, expect, test } from 'vitest'
import type { FileBody } from '../../../src/drive/contract/bodies.ts'
import type { Caller } from '../../../src/drive/contract/failure.ts'
import { countArrivals } from '../../../src/drive/api/upload/arrivals.ts'
import { openAdmission } from '../../../src/drive/api/upload/target.ts'
import type { DriveContext } from '../../../src/drive/api/requests/call.ts'
import { readAbout } from '../../../src/drive/api/operations/about.ts'
import { roomsFor, type UploadTarget } from '../../../src/drive/domain/uploads/upload-sessions.ts'
import { stagedBytes } from '../../../src/drive/persistence/contents/staging.ts'
import { ROW_CHECKS } from '../../../src/drive/persistence/upkeep/row-checks.ts'
import { libraryOfFile } from '../../support/library.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const library = await libraryOfFile(temp('store'))
const [ada, bo] = library.callers

const FULL = expect.objectContaining({ status: 403, reason: 'storageQuotaExceeded' }) as Error
const bytes = (count: number) => stagedBytes(new Uint8Array(count))

const limit = ({ user }: Caller, quota: number) => library.run('changeUser', ada, { pk: user, quota })

/** Bytes used by Ada and Bo, as about.get reports them. */
function used(): number[] {
  for (const { find } of ROW_CHECKS)
    expect(typeof find === 'string' ? library.db.all(find) : find(library.db)).toEqual([])
  return [ada, bo].map((caller) => readAbout(library.db, caller).used)
}

/** Bytes free, for the principal with the least. */
function roomFor(caller: Caller, target: UploadTarget, received?: number): number {
  const rooms = roomsFor(library.db, caller, target, received)
  return Math.min(...rooms.map((room) => room.bytes ?? Infinity))
}

function refused(work: () => unknown): void {
  let error: unknown
  try {
    work()
  } catch (caught) {
    error = caught
  }
  expect(error).toEqual(FULL)
}

const insert = (caller: Caller, count: number, parent = 'root', body: FileBody = {}) =>
  library.run('insertFile', caller, {
    body: { title: 'f', mimeType: 'a/b', parents: [{ id: parent }], ...body },
    content: bytes(count),
  }).row.id

describe('what is in a shared drive', () => {
  const drive = (caller = ada) =>
    library.run('insertDrive', caller, { request: `${library.now()}`, body: { name: 'd' } }).id
  const member = (id: string, role: 'writer' | 'organizer') =>
    library.run('insertPermission', ada, { id, body: { type: 'user', role, value: 'bo@example.org' } })
  const change = { behavior: 'now', isViewed: false } as const
  const move = (caller: Caller, id: string, to: string, from: string) =>
    library.run('updateFile', caller, { id, body: {}, ...change, add: [to], remove: [from] })

  test('counts against the quota of who made the drive, whoever puts it there', () => {
    limit(ada, 100)
    const id = drive()
    member(id, 'writer')
    const file = insert(bo, 60, id)
    expect(used()).toEqual([60, 0])
    const body = { title: 'f', mimeType: 'a/b', parents: [{ id }] }
    expect(roomFor(bo, { kind: 'insert', file: { body } })).toBe(40)
    refused(() => insert(bo, 41, id))
    refused(() => insert(ada, 41))
    const content = { staged: bytes(70), isNewRevision: true, isPinned: false }
    refused(() => library.run('updateFile', bo, { id: file, body: {}, ...change, content }))
    const lesser = { ...content, isNewRevision: false }
    library.run('updateFile', bo, { id: file, body: {}, ...change, content: lesser })
    expect(used()).toEqual([70, 0])
    library.run('updateFile', bo, {
      id: file,
      body: {},
      ...change,
      content: { ...content, staged: bytes(30) },
    })
    expect(used()).toEqual([100, 0])
    library.run('removeRevision', ada, { id: file, revision: 'head' })
    expect(used()).toEqual([70, 0])
    library.run('deleteFile', ada, { id: file })
    expect(used()).toEqual([0, 0])
  })

  test('and what is moved in or out goes along', () => {
    limit(ada, 100)
    const id = drive()
    member(id, 'organizer')
    const file = insert(bo, 60)
    const large = insert(bo, 101)
    expect(used()).toEqual([0, 161])
    move(bo, file, id, 'root')
    refused(() => move(bo, large, id, 'root'))
    expect(used()).toEqual([60, 101])
    move(bo, file, 'root', id)
    expect(used()).toEqual([0, 161])
  })

  test('whoever takes the role of organizer from who pays, pays', () => {
    const id = drive()
    member(id, 'organizer')
    insert(bo, 60, id)
    limit(bo, 59)
    const { id: permission } = readAbout(library.db, ada).user
    const lower = { id, permission, body: { role: 'reader' } } as const
    refused(() => library.run('removePermission', bo, { id, permission }))
    refused(() => library.run('changePermission', bo, lower))
    limit(bo, 60)
    library.run('changePermission', bo, lower)
    expect(used()).toEqual([0, 60])
    refused(() => insert(bo, 1, id))
  })

  test('is paid for when its maker is removed', () => {
    const id = drive(bo)
    insert(bo, 60, id)
    library.run('removeUser', ada, { email: 'bo@example.org', heir: 'ada@example.org' })
    expect(used()).toEqual([60, 0])
  })
})

describe('an upload under way', () => {
  const open = (caller: Caller, digest: string, body: FileBody = {}) => {
    const target = { kind: 'insert', file: { body: { title: 'u', mimeType: 'a/b', ...body } } } as const
    library.run('openUpload', caller, { digest, target, total: undefined, staged: digest, md5: undefined })
    return target
  }
  const note = (digest: string, received: number) =>
    library.run('noteUpload', ada, { digest, from: 0, received, total: undefined })

  test('counts against the quota of who began it, until it ends', () => {
    limit(ada, 100)
    const target = open(ada, 'a')
    open(ada, 'b')
    note('a', 60)
    expect(used()).toEqual([60, 0])
    note('b', 30)
    expect(used()).toEqual([90, 0])
    expect(roomFor(ada, target, 60)).toBe(70)
    expect(roomFor(ada, target)).toBe(10)
    refused(() => insert(ada, 11))
    library.run('cancelUpload', ada, { digest: 'b' })
    library.run('finishUpload', ada, { digest: 'a', target, staged: bytes(100) })
    expect(used()).toEqual([100, 0])
  })

  test('also where another will pay for the file', () => {
    const id = library.run('insertDrive', ada, { request: 'r', body: { name: 'd' } }).id
    library.run('insertPermission', ada, {
      id,
      body: { type: 'user', role: 'writer', value: 'bo@example.org' },
    })
    limit(bo, 100)
    const target = open(bo, 'a', { parents: [{ id }] })
    note('a', 60)
    expect(used()).toEqual([0, 60])
    expect(roomFor(bo, target, 60)).toBe(100)
    limit(ada, 50)
    expect(roomFor(bo, target, 60)).toBe(50)
    limit(ada, 90)
    library.run('finishUpload', bo, { digest: 'a', target, staged: bytes(90) })
    expect(used()).toEqual([90, 0])
  })
})

describe('a comment or reply', () => {
  test('counts against the quota of its author: its words until it is deleted, its row until the file is', () => {
    const id = insert(ada, 10)
    library.run('insertPermission', ada, {
      id,
      body: { type: 'user', role: 'writer', value: 'bo@example.org' },
    })
    limit(bo, 600)
    const say = (content: string) => library.run('addComment', bo, { id, body: { content, anchor: 'a' } })
    const comment = say('é'.repeat(10)).id
    expect(used()).toEqual([10, 277])
    refused(() => say('x'.repeat(67)))
    library.run('changeComment', bo, { id, comment, body: { content: 'x'.repeat(30) } })
    expect(used()).toEqual([10, 287])
    refused(() => library.run('changeComment', bo, { id, comment, body: { content: 'x'.repeat(344) } }))
    const reply = library.run('addReply', bo, { id, comment, body: { content: 'y'.repeat(50) } }).id
    expect(used()).toEqual([10, 593])
    refused(() => library.run('addReply', bo, { id, comment, body: { verb: 'resolve' } }))
    refused(() => library.run('changeReply', bo, { id, comment, reply, body: { content: 'y'.repeat(58) } }))
    library.run('removeReply', bo, { id, comment, reply })
    library.run('removeComment', ada, { id, comment })
    expect(used()).toEqual([10, 513])
    library.run('deleteFile', ada, { id })
    expect(used()).toEqual([0, 0])
  })
})

describe('metadata', () => {
  const free = (value: number) => library.run('setLimit', ada, { name: 'free-metadata-bytes', value })
  const title = 'x'.repeat(1000)
  const text = { text: 'words '.repeat(100) }
  const property = { key: 'k', value: 'v'.repeat(100), visibility: 'PUBLIC' }
  const change = (id: string, body: FileBody) =>
    library.run('updateFile', ada, { id, body, behavior: 'now', isViewed: false })

  test('count over a free share, whatever they are, and no longer when they are less', () => {
    free(10_000)
    limit(ada, 10_000)
    const [before = 0] = used()
    expect(before).toBe(0)
    const items = [0, 1].map(() => insert(ada, 0, 'root', { title }))
    const [one = ''] = items
    const [with2 = 0] = used()
    // a title is stored five times, once as the original name; the row counts, too
    expect(with2).toBeGreaterThan(2 * 7000 - 10_000)
    insert(ada, 0, 'root', { description: 'd'.repeat(500), indexableText: text, properties: [property] })
    const [with3 = 0] = used()
    expect(with3).toBeGreaterThan(with2 + 1000 + 1200 + 200)
    refused(() => insert(ada, 0, 'root', { title }))
    refused(() => insert(ada, 0, 'root', { indexableText: { text: 'w'.repeat(5000) } }))
    refused(() => change(one, { description: 'd'.repeat(5000) }))
    refused(() => change(one, { indexableText: { text: 'w'.repeat(5000) } }))
    const put = (value: string) =>
      library.run('putProperty', ada, { id: one, key: 'p', value, visibility: 'PUBLIC' })
    put('v')
    expect(used()[0]).toBeGreaterThan(with3)
    library.run('removeProperty', ada, { id: one, key: 'p', visibility: 'PUBLIC' })
    expect(used()[0]).toBe(with3)
    limit(ada, 1)
    refused(() => put('v'))
    // a change that frees bytes is always allowed
    change(one, { title: 'x' })
    expect(used()[0]).toBeLessThan(with3)
    for (const id of items) library.run('deleteFile', ada, { id })
    free(1000)
    const [left = 0] = used()
    expect(left).toBeGreaterThan(0)
  })

  test('are free without end for nobody: many small items count, too', () => {
    free(20_000)
    limit(ada, 5000)
    const made: string[] = []
    expect(() => {
      for (;;) made.push(insert(ada, 0))
    }).toThrow(FULL)
    expect(made.length).toBeGreaterThan(15)
    expect(made.length).toBeLessThan(25)
    expect(used()[0]).toBeLessThanOrEqual(5000)
  })

  test('go along with who pays', () => {
    free(1)
    const id = library.run('insertDrive', ada, { request: 'r', body: { name: 'd' } }).id
    library.run('insertPermission', ada, {
      id,
      body: { type: 'user', role: 'organizer', value: 'bo@example.org' },
    })
    const [ofAda = 0, ofBo = 0] = used()
    const file = insert(bo, 0, 'root', { title, properties: [property] })
    const [, more = 0] = used()
    expect(more - ofBo).toBeGreaterThan(7000)
    const move = (to: string, from: string) =>
      library.run('updateFile', bo, {
        id: file,
        body: {},
        behavior: 'now',
        isViewed: false,
        add: [to],
        remove: [from],
      })
    limit(ada, 1)
    refused(() => move(id, 'root'))
    limit(ada, 100_000)
    move(id, 'root')
    expect(used()[1]).toBe(ofBo)
    expect(used()[0]).toBeGreaterThan(ofAda + 7000)
    library.run('removeUser', ada, { email: 'bo@example.org', withFiles: true })
    expect(used()[0]).toBeGreaterThan(ofAda + 7000)
    library.run('deleteFile', ada, { id: file })
    library.run('deleteDrive', ada, { id, withItems: false })
    expect(used()[0]).toBeLessThan(ofAda)
  })

  test('of an upload under way count, too', () => {
    const target = {
      kind: 'insert',
      file: { body: { title: 'u', indexableText: { text: 'w'.repeat(10_000) } } },
    } as const
    library.run('openUpload', ada, { digest: 'm', target, total: 1, staged: 'm', md5: undefined })
    expect(used()[0]).toBeGreaterThan(5000)
    library.run('cancelUpload', ada, { digest: 'm' })
    expect(used()[0]).toBe(0)
  })
})

describe('bytes that arrive', () => {
  const insertion: UploadTarget = { kind: 'insert', file: { body: { title: 'f', mimeType: 'a/b' } } }
  /** Admissions to one service. */
  const service = () => {
    const parts = { store: { read: library.db }, options: { maxUpload: 1000 }, arrivals: countArrivals() }
    const drive = parts as unknown as DriveContext // what admissions read
    return (caller: Caller, target: UploadTarget = insertion, received?: number) =>
      openAdmission(drive, caller, { target, ...(received === undefined ? {} : { received }) })
  }

  test('have the room that an upload left which ended meanwhile', () => {
    limit(ada, 100)
    const begin = service()
    const [stored, given] = [begin(ada), begin(ada)]
    stored.admit(30)
    given.admit(20)
    const late = begin(ada)
    late.admit(50)
    refused(() => begin(ada).admit(1))
    stored.end()
    insert(ada, 30)
    given.end()
    // as it goes on: what was stored is counted, what was given up is not
    expect(() => late.admit(70)).not.toThrow()
    refused(() => late.admit(71))
  })

  test('need room of everybody who must have some', () => {
    const file = insert(ada, 10)
    library.run('insertPermission', ada, {
      id: file,
      body: { type: 'user', role: 'writer', value: 'bo@example.org' },
    })
    const update: UploadTarget = {
      kind: 'update',
      file: { id: file, body: {}, behavior: 'now', isViewed: false },
      content: { isNewRevision: true, isPinned: false },
    }
    const begin = service()
    const admit = (size: number) => {
      const { admit: admits, end } = begin(bo, update, 0)
      admits(size)
      end()
    }
    admit(1000)
    limit(ada, 100)
    refused(() => admit(91))
    limit(bo, 50)
    refused(() => admit(51))
    expect(() => admit(50)).not.toThrow()
  })
})
