/** State of upload sessions, and how long it is kept. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type UploadTarget, findUpload } from '../../../src/drive/domain/uploads/upload-sessions.ts'
import { stagedBytes } from '../../../src/drive/persistence/contents/staging.ts'
import { type Library, openLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let library: Library
beforeAll(async () => {
  library = await openLibrary(temp('store'))
})
beforeEach(() => library.reset())
afterAll(() => library.close())

const DAY = 86_400_000
const TARGET: UploadTarget = { kind: 'insert', file: { body: { title: 'u' } } }
const staged = stagedBytes(Buffer.from('bytes'))

const open = (digest: string, target = TARGET) =>
  library.run('openUpload', library.callers[0], {
    digest,
    target,
    total: 5,
    staged: 'upload-1',
    md5: undefined,
  })
const finish = (digest: string) =>
  library.run('finishUpload', library.callers[0], { digest, target: TARGET, staged })
const countOf = (table: string) =>
  library.db.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)?.count

test('a beginning leaves nothing but itself', () => {
  const before = [countOf('files'), countOf('revisions'), countOf('changes'), countOf('blobs')]
  open('a')
  expect([countOf('files'), countOf('revisions'), countOf('changes'), countOf('blobs')]).toEqual(before)
  expect(findUpload(library.db, 'a', 0)).toMatchObject({
    state: 'open',
    total: 5,
    received: 0,
    target: TARGET,
  })
})

describe('an upload ends', () => {
  test('once', () => {
    open('a')
    const { row } = finish('a')
    expect(findUpload(library.db, 'a', 0)).toMatchObject({ state: 'done', received: 5, result: row.id })
    expect(() => finish('a')).toThrow('The upload has ended')
  })

  test('by itself, as many days later as the operator says', () => {
    library.run('setLimit', library.callers[0], { name: 'upload-days', value: 2 })
    open('a')
    const begun = Date.parse('2026-01-01T00:00:00Z')
    expect(findUpload(library.db, 'a', begun + DAY)?.state).toBe('open')
    expect(findUpload(library.db, 'a', begun + 3 * DAY)?.state).toBe('cancelled')
  })

  test('by itself, a week after its last byte', () => {
    open('a')
    library.wait(5 * DAY)
    const received = { digest: 'a', from: 0, received: 3, total: undefined }
    library.run('noteUpload', library.callers[0], received)
    const touched = Date.parse('2026-01-06T00:00:00Z')
    expect(findUpload(library.db, 'a', touched + 6 * DAY)?.state).toBe('open')
    expect(findUpload(library.db, 'a', touched + 8 * DAY)?.state).toBe('cancelled')
  })

  test('for ever, when it was cancelled', () => {
    open('a')
    library.run('cancelUpload', library.callers[0], { digest: 'a' })
    const note = { digest: 'a', from: 0, received: 1, total: undefined }
    expect(() => library.run('noteUpload', library.callers[0], note)).toThrow('The upload has ended')
    expect(() => finish('a')).toThrow('The upload has ended')
  })
})

test('a user has at most 1000 open', () => {
  for (let at = 0; at < 1000; at++) open(`a${at}`)
  expect(() => open('more')).toThrow('at most 1000')
  finish('a0')
  open('more')
})
