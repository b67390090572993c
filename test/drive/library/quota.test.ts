/** What counts against whose quota: the sums are those that a check of the store expects, after every step. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FileBody } from '../../../src/drive/contract/bodies.ts'
import type { Caller } from '../../../src/drive/contract/caller.ts'
import { about } from '../../../src/drive/domain/accounts/about.ts'
import { roomFor } from '../../../src/drive/domain/uploads/store-upload.ts'
import { stagedBytes } from '../../../src/drive/persistence/contents/staging.ts'
import { ROW_CHECKS } from '../../../src/drive/persistence/upkeep/row-checks.ts'
import { type Library, openLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let library: Library
let ada: Caller
let bo: Caller
beforeAll(async () => {
  library = await openLibrary(temp('store'))
  ;[ada, bo] = library.callers
})
beforeEach(() => library.reset())
afterAll(() => library.close())

const FULL = expect.objectContaining({ status: 403, reason: 'storageQuotaExceeded' }) as Error
const bytes = (count: number) => stagedBytes(new Uint8Array(count))

const limit = ({ user }: Caller, quota: number) => library.run('changeUser', ada, { pk: user, quota })

/** Of Ada and Bo, as about.get says it. */
function used(): number[] {
  for (const { find } of ROW_CHECKS)
    expect(typeof find === 'string' ? library.db.all(find) : find(library.db)).toEqual([])
  return [ada, bo].map((caller) => about(library.db, caller).used)
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
    expect(roomFor(library.db, bo, { kind: 'insert', file: { body } })).toBe(40)
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
    const { id: permission } = about(library.db, ada).user
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
    library.run('noteUpload', ada, { digest, received, total: undefined })

  test('counts against the quota of who began it, until it ends', () => {
    limit(ada, 100)
    const target = open(ada, 'a')
    open(ada, 'b')
    note('a', 60)
    expect(used()).toEqual([60, 0])
    note('b', 30)
    expect(used()).toEqual([90, 0])
    expect(roomFor(library.db, ada, target, 60)).toBe(70)
    expect(roomFor(library.db, ada, target)).toBe(10)
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
    expect(roomFor(library.db, bo, target, 60)).toBe(100)
    limit(ada, 50)
    expect(roomFor(library.db, bo, target, 60)).toBe(50)
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
