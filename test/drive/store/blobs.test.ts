import { existsSync, readdirSync, readFileSync, truncateSync, unlinkSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { StorageFailure } from '../../../src/drive/contract/failure.ts'
import { openBlobs } from '../../../src/drive/persistence/contents/blobs.ts'
import type { BlobRow } from '../../../src/drive/persistence/contents/blob-rows.ts'
import { folderPlace } from '../../../src/drive/persistence/contents/places/folder-place.ts'
import type { Store } from '../../../src/drive/persistence/store.ts'
import {
  addContent,
  addUpload,
  bytesOf,
  heldContent,
  madeBytes,
  openTestStore,
  pieces,
  refusedUpload,
  runSql,
} from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'
import { rounds } from '../../support/rounds.ts'

const temp = tempFolder()
let store: Store

beforeAll(async () => {
  store = await openTestStore(temp('blobs'))
})
afterAll(() => store.close())

function allow(): void {
  // any size is allowed
}

function refuseAbove(most: number): (size: number) => void {
  return (size) => {
    if (size > most) throw new StorageFailure(403, 'uploadTooLarge', 'too large')
  }
}

function blobOf(sha256: string): BlobRow {
  const row = store.read.get<BlobRow>('SELECT pk, sha256, size, kind FROM blobs WHERE sha256 = ?', sha256)
  if (row === undefined) throw new Error('no such content')
  return row
}

function stagedFiles(): string[] {
  return readdirSync(store.folder.staging)
}

function digest(bytes: Uint8Array, name = 'sha256'): string {
  return createHash(name).update(bytes).digest('hex')
}

async function* breaking(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* pieces(bytes)
  throw new Error('the connection broke')
}

const LIMIT = 16_384

describe('stage', () => {
  test.for([0, 1, LIMIT - 1, LIMIT, LIMIT + 1, 65_536, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3_333_333])(
    'keeps %d bytes, digests them and gives them back',
    async (size) => {
      const bytes = madeBytes(size, size + 1)
      const staged = await addContent(store, `size ${size}`, pieces(bytes))
      expect(staged).toMatchObject({
        size,
        sha256: digest(bytes),
        sha1: digest(bytes, 'sha1'),
        md5: digest(bytes, 'md5'),
      })
      expect(staged.bytes === undefined).toBe(size > LIMIT)
      const blob = blobOf(staged.sha256)
      expect(blob.kind).toBe(size > LIMIT ? 'file' : 'inline')
      expect(Buffer.compare(await bytesOf(await store.blobs.open(blob)), bytes)).toBe(0)
      expect(stagedFiles()).toEqual([])
    },
  )

  test.for([
    ['share a row and a file', 100_000, 1],
    ['share a row where there are no bytes', 0, 1],
    ['have a row each where they are small', 1000, 2],
  ] as const)('equal contents %s', async ([, size, rows]) => {
    const bytes = madeBytes(size, 7)
    const add = (title: string) => addContent(store, `${title} of ${size}`, pieces(bytes))
    await Promise.all([add('one'), add('other')])
    expect(store.read.all('SELECT 1 FROM blobs WHERE sha256 = ?', digest(bytes))).toHaveLength(rows)
  })

  test('nothing stays of what is too large, or breaks off', async () => {
    const bytes = madeBytes(200_000, 8)
    await expect(heldContent(store.blobs, pieces(bytes), refuseAbove(150_000))).rejects.toMatchObject({
      status: 403,
    })
    await expect(heldContent(store.blobs, pieces(bytes), refuseAbove(10))).rejects.toMatchObject({
      status: 403,
    })
    await expect(heldContent(store.blobs, breaking(bytes), allow)).rejects.toThrow('the connection broke')
    await expect(heldContent(store.blobs, breaking(madeBytes(10)), allow)).rejects.toThrow(
      'the connection broke',
    )
    expect(stagedFiles()).toEqual([])
  })

  test.for([
    ['ENOSPC', { status: 503, message: 'The disk of the service is full.' }, 0],
    ['EDQUOT', { status: 503, message: 'The disk of the service is full.' }, 0],
    ['ENOENT', { status: 503, message: 'The content was removed before it was stored; send it again.' }, 0],
    ['EIO', { status: 503, message: 'The service cannot save changes at the moment; try again.' }, 1],
    ['ECONNRESET', { code: 'ECONNRESET', message: 'refused' }, 0],
  ] as const)('where the system says %s: %j', async ([code, expected, times]) => {
    const error = Object.assign(new Error('refused'), { code, syscall: 'write' })
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield* pieces(madeBytes(100_000))
      throw error
    }
    const place = folderPlace(store.folder)
    const onBroken = vi.fn<(error: Error) => void>()
    const blobs = openBlobs(store.folder, store.read, {
      onBroken,
      place,
      removals: { arrive: allow, settle: () => Promise.resolve() },
    })
    await expect(heldContent(blobs, failing(), allow)).rejects.toMatchObject(expected)
    await blobs.close()
    expect(stagedFiles()).toEqual([])
    expect(onBroken.mock.calls).toEqual(Array.from({ length: times }, () => [error]))
  })

  test('who sends what is too large is told to stop', async () => {
    let isStopped = false
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(5000)
      } finally {
        isStopped = true
      }
    }
    await expect(heldContent(store.blobs, endless(), refuseAbove(10_000))).rejects.toThrow('too large')
    expect(isStopped).toBe(true)
    isStopped = false
    await expect(heldContent(store.blobs, endless(), refuseAbove(100_000))).rejects.toThrow('too large')
    expect(isStopped).toBe(true)
  })

  test('whoever sends may use his buffer again', async () => {
    const bytes = madeBytes(300_000, 9)
    async function* reusing(): AsyncGenerator<Uint8Array> {
      const buffer = Buffer.alloc(10_000)
      for (let at = 0; at < bytes.length; at += buffer.length) {
        bytes.copy(buffer, 0, at)
        yield Buffer.from(buffer)
      }
    }
    const staged = await addContent(store, 'reusing', reusing())
    expect(staged.sha256).toBe(digest(bytes))
    expect(digest(readFileSync(pathOf(staged.sha256)))).toBe(staged.sha256)
  })
})

function pathOf(sha256: string): string {
  return join(store.folder.blobs, sha256.slice(0, 2), sha256)
}

describe('open', () => {
  test.for([1000, 300_000])('gives any part of %d bytes', async (size) => {
    const bytes = madeBytes(size, 11)
    const staged = await addContent(store, `ranges ${size}`, pieces(bytes))
    const blob = blobOf(staged.sha256)
    const range = fc
      .tuple(fc.nat(size - 1), fc.nat(size - 1))
      .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const)
    await fc.assert(
      fc.asyncProperty(range, async ([start, end]) => {
        const found = await bytesOf(await store.blobs.open(blob, { start, end }))
        expect(Buffer.compare(found, bytes.subarray(start, end + 1))).toBe(0)
      }),
      { numRuns: rounds(30) },
    )
  })

  test('a content that is not as long as it was is refused, not sent', async () => {
    const staged = await addContent(store, 'damaged', pieces(madeBytes(100_000, 12)))
    const blob = blobOf(staged.sha256)
    truncateSync(pathOf(staged.sha256), 99_999)
    await expect(store.blobs.open(blob)).rejects.toThrow('99999 bytes instead of 100000')
    unlinkSync(pathOf(staged.sha256))
    await expect(store.blobs.open(blob)).rejects.toThrow('is not there')
  })
})

describe('uploads', () => {
  const { newName } = { newName: () => store.blobs.uploads.newName() }

  test('an upload in pieces is the content', async () => {
    const bytes = madeBytes(700_000, 20)
    const name = newName()
    let length = 0
    while (length < bytes.length) {
      const chunk = bytes.subarray(length, length + 262_144)
      ;({ length } = await store.blobs.uploads.append(name, length, pieces(chunk), allow))
      expect(await store.blobs.uploads.held(name, length)).toBe(length)
    }
    const staged = await refusedUpload(store.blobs, name, length)
    expect(staged).toMatchObject({ size: bytes.length, sha256: digest(bytes), md5: digest(bytes, 'md5') })
    expect(existsSync(pathOf(staged.sha256))).toBe(false)
    // the upload can be completed again until its row is written
    expect(await addUpload(store, 'uploaded', name, length)).toEqual(staged)
    await store.blobs.uploads.discard(name)
    expect(digest(await bytesOf(await store.blobs.open(blobOf(staged.sha256))))).toBe(digest(bytes))
    expect(stagedFiles()).toEqual([])
  })

  test('a broken connection leaves what it brought; what was not recorded is sent again', async () => {
    const bytes = madeBytes(500_000, 21)
    const name = newName()
    const { length, broken } = await store.blobs.uploads.append(
      name,
      0,
      breaking(bytes.subarray(0, 300_000)),
      allow,
    )
    expect(length).toBe(300_000)
    expect(broken).toMatchObject({ message: 'the connection broke' })
    const kept = 262_144
    await store.blobs.uploads.append(name, kept, pieces(bytes.subarray(kept)), allow)
    expect((await refusedUpload(store.blobs, name, bytes.length)).sha256).toBe(digest(bytes))
    await store.blobs.uploads.discard(name)
  })

  test('what was not recorded is no part of a shorter content', async () => {
    const name = newName()
    await store.blobs.uploads.append(name, 0, pieces(madeBytes(300_000, 24)), allow)
    const content = Buffer.concat([madeBytes(262_144, 24), Buffer.from('end')])
    await store.blobs.uploads.append(name, 262_144, pieces(Buffer.from('end')), allow)
    expect(await store.blobs.uploads.held(name, content.length)).toBe(content.length)
    const staged = await addUpload(store, 'shorter', name, content.length)
    expect(staged).toMatchObject({ size: content.length, sha256: digest(content) })
    expect(digest(await bytesOf(await store.blobs.open(blobOf(staged.sha256))))).toBe(digest(content))
    await store.blobs.uploads.discard(name)
  })

  test('it goes on after a restart, from what was recorded', async () => {
    const bytes = madeBytes(400_000, 22)
    const first = await openTestStore(temp('restart'))
    const name = first.blobs.uploads.newName()
    await runSql(
      first,
      `INSERT INTO uploads(digest, user, client, facts, staged, state, touched) VALUES ('d', 1, 1, '', '${name}', 'open', 0)`,
    )
    await first.blobs.uploads.append(name, 0, pieces(bytes.subarray(0, 300_000)), allow)
    await first.close()
    const second = await openTestStore(temp('restart'))
    expect(await second.blobs.uploads.held(name, 262_144)).toBe(262_144)
    await second.blobs.uploads.append(name, 262_144, pieces(bytes.subarray(262_144)), allow)
    expect((await refusedUpload(second.blobs, name, bytes.length)).sha256).toBe(digest(bytes))
    expect(await second.blobs.uploads.held('upload-00', 5)).toBe(0)
    await second.close()
  })

  test.for([0, 5, LIMIT])('%d bytes go into the database', async (size) => {
    const bytes = madeBytes(size, 23)
    const name = newName()
    if (size > 0) await store.blobs.uploads.append(name, 0, pieces(bytes), allow)
    const staged = await refusedUpload(store.blobs, name, size)
    expect(staged).toMatchObject({ size, sha256: digest(bytes) })
    expect(staged.bytes).toEqual(new Uint8Array(bytes))
    await store.blobs.uploads.discard(name)
  })

  test('two requests at a time are refused, as is what is too large', async () => {
    const name = newName()
    const both = [1, 2].map(() => store.blobs.uploads.append(name, 0, pieces(madeBytes(300_000)), allow))
    const [one, other] = await Promise.allSettled(both)
    expect(one?.status).toBe('fulfilled')
    expect(other).toMatchObject({ status: 'rejected', reason: { status: 503 } })
    const more = store.blobs.uploads.append(name, 300_000, pieces(madeBytes(10)), refuseAbove(300_005))
    await expect(more).rejects.toMatchObject({ status: 403 })
    await store.blobs.uploads.discard(name)
  })
})
