/** A place of contents that is claimed again after an outage, and the heads that commands read from a bucket. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { StorageFailure } from '../../../src/drive/contract/failure.ts'
import { blobHead, headFiles } from '../../../src/drive/persistence/contents/places/heads.ts'
import { LostObject } from '../../../src/drive/persistence/contents/places/place.ts'
import {
  chooseBucket,
  forgetBucket,
  keepClaiming,
  readBucket,
  withStorePlace,
} from '../../../src/drive/persistence/contents/places/store-place.ts'
import { openForWriting } from '../../../src/drive/persistence/database/open-database.ts'
import { makeFolder, storeFolder } from '../../../src/drive/persistence/folder.ts'
import { HlaError } from '../../../src/errors.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
afterEach(() => vi.unstubAllEnvs())

/** A store without rows. */
async function newStore(name: string) {
  const folder = storeFolder(temp(name))
  makeFolder(folder)
  vi.stubEnv('AWS_REGION', 'eu-west-1')
  return { folder, db: await openForWriting(folder.database) }
}

test('a place of contents that comes back, and is not whole yet, is claimed again; one of another store ends the server', async () => {
  vi.useFakeTimers()
  const away = new StorageFailure(503, 'backendError', 'away')
  const unusable = new HlaError('io', 'the bucket cannot be used: 404 NoSuchBucket')
  const foreign = new HlaError('data-differs', 'the bucket has the contents of another store')
  const answers: (Error | undefined)[] = [away, unusable, away, unusable, undefined]
  const said: string[] = []
  const broken: Error[] = []
  const answer = () => {
    const error = answers.shift()
    return error === undefined ? Promise.resolve() : Promise.reject(error)
  }
  const claim = () =>
    keepClaiming({
      name: 's3://bucket',
      claim: answer,
      onWarning: (text) => void said.push(text),
      onBroken: (error) => void broken.push(error),
    })
  await claim()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([answers, broken]).toEqual([[], []])
  const cannot = 'cannot reach the contents in s3://bucket: '
  const [was, cannotUse] = [`${cannot}away`, `${cannot}the bucket cannot be used: 404 NoSuchBucket`]
  expect(said).toEqual([was, cannotUse, was, cannotUse])
  // at startup the same error is fatal
  answers.push(unusable)
  await expect(claim()).rejects.toThrow('cannot be used')
  answers.push(away, foreign)
  await claim()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(broken).toEqual([foreign])
  // the store is closed meanwhile
  answers.push(away, foreign)
  const stop = await claim()
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(answers).toEqual([foreign])
  vi.useRealTimers()
})

test('a head that fails at once is an error of its request, and does not end the service', async () => {
  const heads = headFiles({ path: temp('.') })
  await expect(heads.keep(temp('gone'), 'a')).rejects.toMatchObject({ code: 'ENOENT' })
  const failing = new Readable({ read: () => undefined })
  failing.destroy(new Error('cut'))
  const contents = { open: () => Promise.resolve(failing) }
  await expect(heads.bring(contents, { sha256: 'b', size: 5 })).rejects.toThrow('cut')
})

const KEEP = `INSERT INTO blobs(pk, sha256, sha1, md5, size, kind, created) VALUES (1, 'a', 'a', 'a', 9, 'file', 1)`

test('the bucket of a store is chosen before it has contents, and stays', async () => {
  const { db } = await newStore('chosen')
  chooseBucket(db, 's3://first')
  chooseBucket(db, 's3://other/typings')
  const chosen = readBucket(db)
  expect(chosen).toEqual({ name: 's3://other/typings/', owner: expect.stringMatching(/^[\da-f-]{36}$/) })
  db.exec(KEEP)
  // the same again changes nothing, also not the owner
  chooseBucket(db, 's3://other/typings')
  expect(readBucket(db)).toEqual(chosen)
  const refusal = (from: string) => ({
    code: 'data-differs',
    message: `this store has its contents in ${from}, not in s3://first/`,
    offending: 's3://first',
    hint: 'to move them, hla drive backup, then hla drive restore with --contents into a new --data',
  })
  expect(() => chooseBucket(db, 's3://first')).toThrow(
    expect.objectContaining(refusal('s3://other/typings/')),
  )
  forgetBucket(db)
  expect(readBucket(db)).toBeUndefined()
  expect(() => chooseBucket(db, 's3://first')).toThrow(expect.objectContaining(refusal('its folder')))
  db.close()
})

test('work whose contents are out of reach ends with the cause, other errors as they are', async () => {
  const { folder, db } = await newStore('reached')
  const failing = (error: Error) => withStorePlace(folder, db, () => Promise.reject(error))
  const away = new StorageFailure(503, 'backendError', 'away')
  away.cause = new Error('no route')
  await expect(failing(away)).rejects.toMatchObject({
    code: 'io',
    message: `cannot reach the contents in ${folder.path}: no route`,
    offending: folder.path,
  })
  const other = new Error('other')
  await expect(failing(other)).rejects.toBe(other)
  expect(await withStorePlace(folder, db, (place) => Promise.resolve(place.name))).toBe(folder.path)
  db.close()
})

test('commands read the heads of a bucket from files, and ask for one that is not there', async () => {
  const { folder, db } = await newStore('heads')
  chooseBucket(db, 's3://first')
  const heads = headFiles(folder)
  const blob = (sha256: string, size: number) => ({ pk: 1, sha256, size, kind: 'file' as const })
  const head = (sha256: string, size: number, most: number) =>
    String(Buffer.from(blobHead(db, blob(sha256, size), most)))
  expect(() => head('a', 9, 4)).toThrow(
    expect.objectContaining({ status: 503, details: { retryAfter: 1, head: { sha256: 'a', size: 9 } } }),
  )
  writeFileSync(temp('content'), 'head and rest')
  await heads.keep(temp('content'), 'a')
  expect([head('a', 13, 4), head('a', 13, 13), head('a', 13, 100)]).toEqual([
    'head',
    'head and rest',
    'head and rest',
  ])
  const contents = (bytes: string | undefined) => ({
    open: vi.fn<(content: object, range?: object) => Promise<Readable>>(() =>
      bytes === undefined ? Promise.reject(new LostObject('gone')) : Promise.resolve(Readable.from([bytes])),
    ),
  })
  const large = contents('large')
  await heads.bring(large, { sha256: 'b', size: (1 << 20) + 5 })
  expect(large.open.mock.calls).toEqual([
    [
      { sha256: 'b', size: (1 << 20) + 5 },
      { start: 0, end: (1 << 20) - 1 },
    ],
  ])
  expect(head('b', 5, 5)).toBe('large')
  // fewer bytes than its size or 1 MiB
  expect(() => head('b', 6, 6)).toThrow('the content b is lost')
  const lost = contents(undefined)
  await heads.bring(lost, { sha256: 'c', size: 7 })
  expect(lost.open.mock.calls).toEqual([
    [
      { sha256: 'c', size: 7 },
      { start: 0, end: 6 },
    ],
  ])
  expect(() => head('c', 7, 3)).toThrow('the content c is lost')
  forgetBucket(db)
  expect(() => head('a', 13, 4)).toThrow(expect.objectContaining({ code: 'ENOENT' }))
  db.close()
})

test('of more than 128 heads the older half is removed', async () => {
  const folder = storeFolder(temp('many'))
  const heads = headFiles(folder)
  writeFileSync(temp('one'), 'x')
  const names = Array.from({ length: 129 }, (_, at) => `head ${at}`)
  for (const name of names.slice(0, 128)) await heads.keep(temp('one'), name)
  const kept = () => new Set(readdirSync(`${folder.path}/heads`))
  expect(kept()).toEqual(new Set(names.slice(0, 128)))
  // it is a new one again
  await heads.keep(temp('one'), 'head 0')
  await heads.keep(temp('one'), 'head 128')
  expect(kept()).toEqual(new Set(['head 0', ...names.slice(65)]))
  const more = Array.from({ length: 64 }, (_, at) => `head ${129 + at}`)
  for (const name of more) await heads.keep(temp('one'), name)
  expect(kept()).toEqual(new Set(['head 128', ...more]))
  headFiles(folder)
  expect(kept()).toEqual(new Set())
  expect(existsSync(temp('one'))).toBe(true)
})
