/** A check of contents in a bucket finds lost and changed ones. */
import { randomBytes } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { readBucketAddress } from '../../../src/drive/persistence/contents/bucket/bucket-address.ts'
import { putBytes } from '../../../src/drive/persistence/contents/bucket/bucket-objects.ts'
import { openBucket } from '../../../src/drive/persistence/contents/bucket/bucket-requests.ts'
import { digestBytes } from '../../../src/drive/persistence/contents/digest.ts'
import {
  checkContents,
  countLeftovers,
} from '../../../src/drive/persistence/upkeep/contents/content-check.ts'
import { addFile, heldContent, openTestStore, pieces } from '../../support/store.ts'
import { SWIFT, startSwift } from '../../support/swift.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

describe.skipIf(!SWIFT)('in a bucket', async () => {
  const swift = SWIFT ? await startSwift() : undefined
  const bucket = (await swift?.bucket('checked')) ?? ''
  const env = swift?.env ?? {}

  test('what is lost, of another length, or with other bytes is found', async () => {
    const raw = openBucket(readBucketAddress(`${bucket}/lab`, env), env)
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    const store = await openTestStore(temp('lab'), { isService: true, contents: `${bucket}/lab` })
    const { place } = store
    const digests: string[] = []
    for (let at = 0; at < 5; at += 1) {
      const staged = await heldContent(store.blobs, pieces(randomBytes(20_000 + at)))
      await addFile(store, `${at}`, staged)
      digests.push(staged.sha256)
    }
    const [lost = '', short = '', other = ''] = digests
    const put = (sha256: string, bytes: Buffer) =>
      putBytes(raw, `blobs/${sha256.slice(0, 2)}/${sha256}`, bytes, digestBytes(bytes))
    const check = async (isDeep: boolean) => {
      const { bad, contents } = await checkContents(place, store.read, isDeep)
      expect(contents).toBe(5)
      return new Map(bad.map(({ sha256, found }) => [sha256, found.problem]))
    }
    expect(await check(true)).toEqual(new Map())
    await place.contents.remove(lost)
    await put(short, randomBytes(5))
    await put(other, randomBytes(20_002))
    const wrong = new Map([
      [lost, 'lost-content'],
      [short, 'damaged-content'],
    ])
    expect(await check(false)).toEqual(wrong)
    expect(await check(true)).toEqual(wrong.set(other, 'damaged-content'))
    await heldContent(store.blobs, pieces(randomBytes(20_000)))
    const leftovers = (grace: number) => countLeftovers(place.contents, store.read, grace)
    expect([await leftovers(60_000), await leftovers(-10_000)]).toEqual([0, 1])
    await store.close()
    await raw.close()
    vi.unstubAllEnvs()
  })
})
