/** A clean-up of a bucket removes contents without a row, unless a row is about to be written. */
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { isStorageFailure } from '../../../src/drive/contract/failure.ts'
import type { BlobRow } from '../../../src/drive/persistence/contents/blob-rows.ts'
import { bucketPlace } from '../../../src/drive/persistence/contents/bucket/bucket-place.ts'
import { contentsOutOfReach } from '../../../src/drive/persistence/writer/not-writing.ts'
import type { ContentPlace } from '../../../src/drive/persistence/contents/places/place.ts'
import { sweepPlace } from '../../../src/drive/persistence/upkeep/collect-garbage.ts'
import type { Store } from '../../../src/drive/persistence/store.ts'
import { addFile, openTestStore, pieces, runSql } from '../../support/store.ts'
import { SWIFT, startSwift } from '../../support/swift.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
/** ms. Bucket times are whole seconds; a negative grace also sweeps contents of the last seconds. */
const NO_GRACE = -10_000

describe.skipIf(!SWIFT)('in a bucket', async () => {
  const swift = SWIFT ? await startSwift() : undefined
  const bucket = (await swift?.bucket('swept')) ?? ''

  async function open(name: string, change: (place: ContentPlace) => ContentPlace = (place) => place) {
    const place = change(bucketPlace(`${bucket}/${name}`, swift?.env ?? {}))
    await place.claim(name)
    const store = await openTestStore(temp(name), { place })
    const close = async () => {
      await store.close()
      await place.close()
    }
    return { store, place, close }
  }

  const stage = (store: Store, bytes: Uint8Array) => store.blobs.stage(pieces(bytes), () => undefined)
  const rowOf = (store: Store, sha256: string) =>
    store.read.get<BlobRow>('SELECT pk, sha256, size, place FROM blobs WHERE sha256 = ?', sha256)
  const kept = async (store: Store, sha256: string) => {
    const row = rowOf(store, sha256)
    if (row === undefined) throw new Error('no row')
    return buffer((await store.blobs.open(row)) as Readable)
  }
  const isRefused = (error: unknown) => isStorageFailure(error) && error.status === 503

  test('what nothing names goes, once it is old enough', async () => {
    const { store, place, close } = await open('old')
    const [named, free] = [randomBytes(20_000), randomBytes(20_000)]
    const staged = await stage(store, named)
    await addFile(store, 'a', staged)
    const { sha256 } = await stage(store, free)
    expect(await sweepPlace(store, 60_000)).toBe(0)
    expect(await place.contents.find(sha256)).toBeDefined()
    expect(await sweepPlace(store, NO_GRACE)).toBe(1)
    expect(await place.contents.find(sha256)).toBeUndefined()
    expect((await kept(store, staged.sha256)).equals(named)).toBe(true)
    await close()
  })

  test('who is about to write the row of one that goes is told, and sends it again', async () => {
    const { store, close } = await open('late')
    const bytes = randomBytes(20_000)
    const staged = await stage(store, bytes)
    expect(await sweepPlace(store, NO_GRACE)).toBe(1)
    await expect(addFile(store, 'a', staged)).rejects.toSatisfy(isRefused)
    const again = await stage(store, bytes)
    await addFile(store, 'a', again)
    expect((await kept(store, again.sha256)).equals(bytes)).toBe(true)
    await close()
  })

  test('of uploads of the same contents beside clean-ups, all that were acknowledged are there', async () => {
    const { store, close } = await open('beside')
    const contents = Array.from({ length: 4 }, () => randomBytes(20_000))
    const added = new Set<string>()
    const state = { isOver: false, rounds: 0 }
    const sweeping = async () => {
      for (; !state.isOver; state.rounds += 1) await sweepPlace(store, NO_GRACE)
    }
    const uploading = async (bytes: Uint8Array, which: number) => {
      for (let at = 0; at < 12 || (state.rounds < 3 && at < 200); at += 1) {
        try {
          const staged = await stage(store, bytes)
          await addFile(store, `${which}.${at}`, staged)
          expect((await kept(store, staged.sha256)).equals(bytes)).toBe(true)
          added.add(staged.sha256)
          // no row refers to the content for a moment
          if (at % 3 === 1)
            await runSql(
              store,
              `DELETE FROM revisions WHERE file = (SELECT pk FROM files WHERE id = '${which}.${at}')`,
            )
          if (at % 3 === 1)
            await runSql(store, 'DELETE FROM blobs WHERE pk NOT IN (SELECT blob FROM revisions)')
        } catch (error) {
          if (!isRefused(error)) throw error
        }
      }
    }
    const sweeps = sweeping()
    await Promise.all(contents.map(uploading))
    state.isOver = true
    await sweeps
    expect(state.rounds).toBeGreaterThan(1)
    for (const sha256 of added) {
      if (rowOf(store, sha256) !== undefined) expect(await kept(store, sha256)).toHaveLength(20_000)
    }
    expect(added.size).toBeGreaterThan(0)
    await close()
  })

  test('one whose removal was not confirmed is taken by nobody until it is', async () => {
    let isAway = true
    const { store, place, close } = await open('doubtful', (real) => ({
      ...real,
      contents: {
        ...real.contents,
        remove: (sha256) =>
          isAway ? Promise.reject(contentsOutOfReach(new Error('cut'))) : real.contents.remove(sha256),
      },
    }))
    const bytes = randomBytes(20_000)
    const { sha256 } = await stage(store, bytes)
    await expect(sweepPlace(store, NO_GRACE)).rejects.toSatisfy(isRefused)
    isAway = false
    await expect(stage(store, bytes)).rejects.toSatisfy(isRefused)
    // the removal may still be in flight
    expect(await sweepPlace(store, NO_GRACE)).toBe(0)
    await runSql(store, 'UPDATE withdrawals SET at = at - 3600001')
    expect(await sweepPlace(store, NO_GRACE)).toBe(1)
    expect(await place.contents.find(sha256)).toBeUndefined()
    await addFile(store, 'a', await stage(store, bytes))
    expect((await kept(store, sha256)).equals(bytes)).toBe(true)
    await close()
  })

  test('pieces that no upload has go', async () => {
    const { store, place, close } = await open('pieces')
    const { uploads } = store.blobs
    const name = uploads.newName()
    await uploads.append(name, 0, pieces(randomBytes(600_000)), () => undefined)
    const known = await uploads.keep(name, 0, 262_144)
    const lost = await uploads.keep(name, 262_144, 524_288)
    expect(lost?.size).toBe(262_144)
    await runSql(store, `INSERT INTO upload_pieces VALUES ('${name}', 0, 262144, '${known?.object}')`)
    expect(await sweepPlace(store, NO_GRACE)).toBe(1)
    const names: string[] = []
    for await (const piece of place.pieces.list()) names.push(piece.name)
    expect(names).toEqual([known?.object])
    expect(await uploads.held(name, 524_288)).toBe(262_144)
    await close()
  })

  test('nothing goes from a bucket that is not known to be of this store', async () => {
    const place = bucketPlace(`${bucket}/unknown`, swift?.env ?? {})
    const store = await openTestStore(temp('unknown'), { place })
    await expect(sweepPlace(store, NO_GRACE)).rejects.toSatisfy(isRefused)
    await store.close()
    await place.close()
  })
})
