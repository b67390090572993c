/** A clean-up of a bucket removes contents without a row, unless a row is about to be written. */
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { isStorageFailure } from '../../../src/drive/contract/failure.ts'
import type { BlobRow } from '../../../src/drive/persistence/contents/blob-rows.ts'
import { contentsOutOfReach } from '../../../src/drive/persistence/writer/not-writing.ts'
import { sweepPlace } from '../../../src/drive/persistence/upkeep/collect-garbage.ts'
import type { Store } from '../../../src/drive/persistence/store.ts'
import { addFile, heldContent, openTestStore, pieces, runSql } from '../../support/store.ts'
import { SWIFT, startSwift } from '../../support/swift.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
/** ms. Bucket times are whole seconds; a negative grace also sweeps contents of the last seconds. */
const NO_GRACE = -10_000

describe.skipIf(!SWIFT)('in a bucket', async () => {
  const swift = SWIFT ? await startSwift() : undefined
  const bucket = (await swift?.bucket('swept')) ?? ''

  for (const [name, value] of Object.entries(swift?.env ?? {})) vi.stubEnv(name, value)
  afterAll(() => void vi.unstubAllEnvs())

  const open = (name: string) => openTestStore(temp(name), { isService: true, contents: `${bucket}/${name}` })

  const stage = (store: Store, bytes: Uint8Array) => heldContent(store.blobs, pieces(bytes))
  const rowOf = (store: Store, sha256: string) =>
    store.read.get<BlobRow>('SELECT pk, sha256, size, kind FROM blobs WHERE sha256 = ?', sha256)
  const kept = async (store: Store, sha256: string) => {
    const row = rowOf(store, sha256)
    if (row === undefined) throw new Error('no row')
    return buffer((await store.blobs.open(row)) as Readable)
  }
  const isRefused = (error: unknown) => isStorageFailure(error) && error.status === 503

  test('what nothing names goes, once it is old enough', async () => {
    const store = await open('old')
    const { place } = store
    const [named, free] = [randomBytes(20_000), randomBytes(20_000)]
    const staged = await stage(store, named)
    await addFile(store, 'a', staged)
    const { sha256 } = await stage(store, free)
    expect(await sweepPlace(store, 60_000)).toBe(0)
    expect(await place.contents.find(sha256)).toBeDefined()
    expect(await sweepPlace(store, NO_GRACE)).toBe(1)
    expect(await place.contents.find(sha256)).toBeUndefined()
    expect((await kept(store, staged.sha256)).equals(named)).toBe(true)
    await store.close()
  })

  test('who is about to write the row of one that goes is told, and sends it again', async () => {
    const store = await open('late')
    const bytes = randomBytes(20_000)
    const staged = await stage(store, bytes)
    expect(await sweepPlace(store, NO_GRACE)).toBe(1)
    await expect(addFile(store, 'a', staged)).rejects.toSatisfy(isRefused)
    const again = await stage(store, bytes)
    await addFile(store, 'a', again)
    expect((await kept(store, again.sha256)).equals(bytes)).toBe(true)
    await store.close()
  })

  test('of uploads of the same contents beside clean-ups, all that were acknowledged are there', async () => {
    const store = await open('beside')
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
    await store.close()
  })

  test('one whose removal was not confirmed is taken by nobody until it is', async () => {
    const store = await open('doubtful')
    const { contents } = store.place
    const remove = () => Promise.reject(contentsOutOfReach(new Error('cut')))
    const cut = { ...store, place: { ...store.place, contents: { ...contents, remove } } }
    const bytes = randomBytes(20_000)
    const { sha256 } = await stage(store, bytes)
    await expect(sweepPlace(cut, NO_GRACE)).rejects.toSatisfy(isRefused)
    await expect(stage(store, bytes)).rejects.toSatisfy(isRefused)
    // the removal may still be in flight
    expect(await sweepPlace(store, NO_GRACE)).toBe(0)
    await runSql(store, 'UPDATE withdrawals SET at = at - 3600001')
    expect(await sweepPlace(store, NO_GRACE)).toBe(1)
    expect(await contents.find(sha256)).toBeUndefined()
    await addFile(store, 'a', await stage(store, bytes))
    expect((await kept(store, sha256)).equals(bytes)).toBe(true)
    await store.close()
  })

  test('nothing goes from a bucket of another store', async () => {
    const owner = await open('foreign')
    const { sha256 } = await stage(owner, randomBytes(20_000))
    const contents = `${bucket}/foreign`
    const store = await openTestStore(temp('stranger'), { isService: false, contents })
    await expect(sweepPlace(store, NO_GRACE)).rejects.toThrow('has the contents of another store')
    expect(await owner.place.contents.find(sha256)).toBeDefined()
    await Promise.all([owner.close(), store.close()])
  })
})
