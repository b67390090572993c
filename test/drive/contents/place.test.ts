/** Places of contents: a folder and a bucket behave the same. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { openBucket } from '../../../src/drive/persistence/contents/bucket/bucket-requests.ts'
import { readBucketAddress } from '../../../src/drive/persistence/contents/bucket/bucket-address.ts'
import { putBytes } from '../../../src/drive/persistence/contents/bucket/bucket-objects.ts'
import { bucketPlace } from '../../../src/drive/persistence/contents/bucket/bucket-place.ts'
import { digestBytes } from '../../../src/drive/persistence/contents/digest.ts'
import { folderPlace } from '../../../src/drive/persistence/contents/places/folder-place.ts'
import { type ContentPlace, LostObject } from '../../../src/drive/persistence/contents/places/place.ts'
import { storeFolder } from '../../../src/drive/persistence/folder.ts'
import { ownedBy } from '../../support/bucket-owner.ts'
import { cuttingProxy } from '../../support/cutting-proxy.ts'
import { SWIFT, startSwift } from '../../support/swift.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let files = 0

function fileOf(bytes: Uint8Array) {
  const path = temp(`content-${(files += 1)}`)
  writeFileSync(path, bytes)
  return { path, ...digestBytes(bytes), size: bytes.length }
}

async function published(place: ContentPlace, bytes: Uint8Array) {
  const { path, ...content } = fileOf(bytes)
  await place.contents.publish(path, content)
  return content
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of list) found.push(one)
  return found
}

const whole = async (bytes: Promise<Readable>) => buffer(await bytes)

function samePlace(open: (name: string) => Promise<ContentPlace>) {
  test('gives whole contents and parts of them, and tells of each', async () => {
    const place = await open('contents')
    const bytes = randomBytes(3_000_000)
    const content = await published(place, bytes)
    expect((await whole(place.contents.open(content))).equals(bytes)).toBe(true)
    const part = await whole(place.contents.open(content, { start: 1_000_000, end: 1_999_999 }))
    expect(part.equals(bytes.subarray(1_000_000, 2_000_000))).toBe(true)
    const found = await place.contents.find(content.sha256)
    expect(found).toEqual({ sha256: content.sha256, size: bytes.length, age: expect.any(Number) })
    expect(Math.abs(found?.age ?? Infinity)).toBeLessThan(60_000)
    // the same bytes replace it
    await published(place, bytes)
    const other = await published(place, randomBytes(20_000))
    const listed = await all(place.contents.list())
    expect(listed.map(({ sha256 }) => sha256).toSorted()).toEqual([content.sha256, other.sha256].toSorted())
    await place.contents.remove(other.sha256)
    expect(await place.contents.find(other.sha256)).toBeUndefined()
    await place.close()
  })

  test('refuses what is not there, and what is not as long', async () => {
    const place = await open('lost')
    await expect(place.contents.open({ sha256: 'ab'.repeat(32), size: 5 })).rejects.toThrow('is not there')
    const content = await published(place, randomBytes(20_000))
    for (const size of [19_999, 20_001])
      await expect(place.contents.open({ ...content, size })).rejects.toThrow(/instead of|has not/)
    await place.close()
  })
}

describe('a folder', () => {
  samePlace((name) => {
    const folder = storeFolder(temp(`folder-${name}`))
    for (const one of [folder.blobs, folder.staging]) mkdirSync(one, { recursive: true })
    return Promise.resolve(folderPlace(folder))
  })
})

describe.skipIf(!SWIFT)('a bucket', async () => {
  const swift = SWIFT ? await startSwift() : undefined
  const env = swift?.env ?? {}
  const bucket = (await swift?.bucket('places')) ?? ''
  const placeOf = (name: string, store = 'one') => bucketPlace(`${bucket}/${name}`, ownedBy(store), env)
  const open = async (name: string) => {
    const place = placeOf(name)
    await place.claim()
    return place
  }
  samePlace(open)

  test('belongs to one store', async () => {
    const places = [placeOf('owned'), placeOf('owned', 'other')] as const
    await places[0].claim()
    await places[0].claim()
    await expect(places[1].claim()).rejects.toThrow('has the contents of another store')
    await Promise.all(places.map((place) => place.close()))
  })

  test('without an owner is not that of a store which has contents', async () => {
    const place = bucketPlace(`${bucket}/empty`, ownedBy('one', false), env)
    await expect(place.claim()).rejects.toThrow('does not have the contents of this store')
    await place.close()
  })

  test('claimed by many at once belongs to one of them, or to none until it is claimed again', async () => {
    for (let round = 0; round < 3; round += 1) {
      const stores = ['one', 'other', 'one', 'third']
      const places = stores.map((store) => placeOf(`raced-${round}`, store))
      const claimed = await Promise.allSettled(places.map((place) => place.claim()))
      const owners = new Set(stores.filter((_, at) => claimed[at]?.status === 'fulfilled'))
      expect(owners.size).toBeLessThanOrEqual(1)
      const [owner = 'one'] = owners
      for (const { reason } of claimed.filter((one) => one.status === 'rejected'))
        expect(reason).toMatchObject({ code: 'data-differs' })
      const settled = [placeOf(`raced-${round}`, owner), placeOf(`raced-${round}`, `not ${owner}`)] as const
      await settled[0].claim()
      await expect(settled[1].claim()).rejects.toThrow('has the contents of another store')
      await Promise.all([...places, ...settled].map((place) => place.close()))
    }
  })

  test('takes large contents in parts', async () => {
    const place = await open('parts')
    const bytes = randomBytes((64 << 20) + 5)
    const content = await published(place, bytes)
    const digest = createHash('sha256')
    for await (const chunk of await place.contents.open(content)) digest.update(chunk)
    expect(digest.digest('hex')).toBe(content.sha256)
    await place.close()
  })

  test('refuses bytes that are not those of the digests', async () => {
    const place = await open('digests')
    const { path, ...content } = fileOf(randomBytes(20_000))
    const wrong = { ...content, sha256: 'ab'.repeat(32) }
    await expect(place.contents.publish(path, wrong)).rejects.toMatchObject({ status: 503 })
    expect(await place.contents.find(wrong.sha256)).toBeUndefined()
    await place.close()
  })

  test('whose bytes have changed ends with an error, and before the last of them', async () => {
    const place = await open('changed')
    const content = await published(place, randomBytes(2_000_000))
    const raw = openBucket(readBucketAddress(`${bucket}/changed`, env), env)
    const other = randomBytes(2_000_000)
    await putBytes(raw, `blobs/${content.sha256.slice(0, 2)}/${content.sha256}`, other, digestBytes(other))
    let got = 0
    const read = async () => {
      for await (const chunk of await place.contents.open(content)) got += (chunk as Buffer).length
    }
    await expect(read()).rejects.toThrow('has other bytes')
    expect(got).toBeLessThan(2_000_000)
    await Promise.all([raw.close(), place.close()])
  })

  test('goes on where a connection was cut, and gives all or an error', async () => {
    const bytes = randomBytes(4_000_000)
    const direct = await open('cut')
    const content = await published(direct, bytes)
    await direct.close()
    const proxy = await cuttingProxy(swift?.url ?? '', [500_000, 1_500_000, 300_000, 700_000])
    const place = bucketPlace(`${bucket}/cut`, ownedBy('one'), { ...env, AWS_ENDPOINT_URL_S3: proxy.url })
    await place.claim()
    expect((await whole(place.contents.open(content))).equals(bytes)).toBe(true)
    expect(proxy.cuts()).toBe(4)
    const more = randomBytes(1_000_000)
    const again = await published(place, more)
    expect((await whole(place.contents.open(again))).equals(more)).toBe(true)
    await place.close()
    const ending = await cuttingProxy(swift?.url ?? '', [1_000_000], { isLast: true })
    const cut = bucketPlace(`${bucket}/cut`, ownedBy('one'), { ...env, AWS_ENDPOINT_URL_S3: ending.url })
    await expect(whole(cut.contents.open(content))).rejects.toMatchObject({ status: 503 })
    await cut.close()
  })

  test('that cannot be used is refused', async () => {
    const none = bucketPlace('s3://none-such/a', ownedBy('one'), env)
    await expect(none.claim()).rejects.toThrow(/cannot be used: 404/)
    const strange = bucketPlace(bucket, ownedBy('one'), { ...env, AWS_SECRET_ACCESS_KEY: 'wrong' })
    await expect(strange.claim()).rejects.toThrow(/cannot be used: 403 SignatureDoesNotMatch/)
    await Promise.all([none.close(), strange.close()])
  })
})

test('of a folder that is away nothing is lost; of one that is there, what is missing', async () => {
  const { blobs, staging } = storeFolder(temp('away'))
  const place = folderPlace({ blobs, staging })
  const open = () => place.contents.open({ sha256: '0'.repeat(64), size: 9 })
  await expect(open()).rejects.toMatchObject({ status: 503, details: { retryAfter: 5 } })
  mkdirSync(blobs, { recursive: true })
  await expect(open()).rejects.toThrow(LostObject)
})
