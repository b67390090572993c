import { rmSync, writeFileSync } from 'node:fs'
import type * as os from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { digestBytes, PIECE_BYTES } from '../../../src/drive/persistence/contents/digest.ts'
import { type DigestThreads, digestThreads } from '../../../src/drive/persistence/contents/digest-threads.ts'
import { digestFile } from '../../../src/drive/persistence/contents/staging.ts'
import { bundleScript } from '../../support/bundle.ts'
import { heldContent, refusedUpload, madeBytes, openTestStore, pieces } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'
import { rounds } from '../../support/rounds.ts'

vi.mock('node:os', async (original) => ({
  ...(await original<typeof os>()),
  availableParallelism: () => 4,
}))

const ROOT = join(import.meta.dirname, '../../..')
const temp = tempFolder()
const script = bundleScript(ROOT, 'test/support/store-digester.ts')
let threads: DigestThreads

beforeAll(() => {
  threads = digestThreads({ file: script.file })
})
afterAll(async () => {
  await threads.close()
  rmSync(script.folder, { recursive: true })
})

function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}

async function digested(parts: readonly Uint8Array[]) {
  const digest = threads.digesting()
  const passed = parts.map((part) => digest.update(shared(part)))
  await Promise.all(passed)
  return digest.digests()
}

test('threads find what this thread finds, however contents are cut and mixed', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 }), { maxLength: 6 }),
      async (contents) => {
        const found = await Promise.all(contents.map(digested))
        expect(found).toEqual(contents.map((parts) => digestBytes(Buffer.concat(parts))))
      },
    ),
    { numRuns: rounds(50) },
  ))

test('a file that ends early is forgotten, since its digest would count as under way for ever', async () => {
  const path = temp('short')
  writeFileSync(path, madeBytes(PIECE_BYTES + 1))
  const forget = vi.fn<() => void>()
  const digesting = () => ({ ...threads.digesting(), forget })
  const found = digestFile(path, PIECE_BYTES + 2, 0, { ...threads, digesting })
  await expect(found).rejects.toThrow(`a file ended at ${PIECE_BYTES + 1} of ${PIECE_BYTES + 2} bytes`)
  expect(forget).toHaveBeenCalledTimes(1)
})

test('a content that is forgotten takes nothing from the others', async () => {
  const [one, other] = [threads.digesting(), threads.digesting()]
  await one.update(shared(madeBytes(100)))
  one.forget()
  await other.update(shared(madeBytes(100)))
  expect(await other.digests()).toEqual(digestBytes(madeBytes(100)))
})

test('a content has two threads, contents after it the same, and a second at the same time two others', async () => {
  const workers: Worker[] = []
  const started = (worker: Worker) => workers.push(worker)
  process.on('worker', started)
  const own = digestThreads({ file: script.file })
  const begin = async () => {
    const digest = own.digesting()
    await digest.update(shared(madeBytes(100)))
    return digest
  }
  const end = async (digest: Awaited<ReturnType<typeof begin>>) =>
    expect(await digest.digests()).toEqual(digestBytes(madeBytes(100)))
  await end(await begin())
  const ended = await begin()
  await end(ended)
  // who breaks off does not know how far it was
  ended.forget()
  ;(await begin()).forget()
  await end(await begin())
  expect(workers).toHaveLength(2)
  const [first, second] = [await begin(), await begin()]
  expect(workers).toHaveLength(4)
  for (const digest of [first, second, await begin()]) await end(digest)
  expect(workers).toHaveLength(4)
  await own.close()
  process.off('worker', started)
})

test('when the threads end, who waits is told, and new ones are started', async () => {
  const lost = threads.digesting()
  await lost.update(shared(madeBytes(100)))
  await threads.close()
  await expect(lost.update(shared(madeBytes(100)))).rejects.toThrow('a digest thread ended')
  await expect(lost.digests()).rejects.toThrow('a digest thread ended')
  expect(await digested([madeBytes(100)])).toEqual(digestBytes(madeBytes(100)))
})

test('a thread that cannot start is an error of the content', async () => {
  const none = digestThreads({ file: join(ROOT, 'no-such-script.mjs') })
  await expect(none.digesting().update(shared(madeBytes(1)))).rejects.toThrow('no-such-script')
})

const PIECE = 256 << 10

test.for([PIECE - 1, PIECE, PIECE + 1, 9 * PIECE + 77])(
  'a store with threads keeps %d bytes',
  async (size) => {
    const workers: Worker[] = []
    const started = (worker: Worker) => workers.push(worker)
    process.on('worker', started)
    const store = await openTestStore(temp(`threads-${size}`), { digester: { file: script.file } })
    const bytes = madeBytes(size, size)
    const staged = await heldContent(store.blobs, pieces(bytes))
    expect(staged).toMatchObject({ ...digestBytes(bytes), size })
    const { uploads } = store.blobs
    const name = uploads.newName()
    const half = size >> 1
    await uploads.append(name, 0, pieces(bytes.subarray(0, half)), () => undefined)
    await uploads.append(name, half, pieces(bytes.subarray(half)), () => undefined)
    expect(await refusedUpload({ uploads }, name, size)).toEqual(staged)
    // as after a restart: only the bytes on disk are known
    expect(await refusedUpload({ uploads }, name, size)).toEqual(staged)
    await store.close()
    process.off('worker', started)
    expect(workers.length > 0).toBe(size >= PIECE)
    for (const { threadId } of workers) expect(threadId).toBe(-1)
  },
)

test('nothing stays of a long content that is refused or breaks off, and the next is digested right', async () => {
  const store = await openTestStore(temp('broken'), { digester: { file: script.file } })
  const bytes = madeBytes(5 * PIECE, 3)
  const refuse = (size: number) => {
    if (size > 3 * PIECE) throw new Error('too large')
  }
  async function* breaking() {
    yield* pieces(bytes.subarray(0, 4 * PIECE))
    throw new Error('the connection broke')
  }
  for (let time = 0; time < 3; time += 1) {
    await expect(heldContent(store.blobs, pieces(bytes), refuse)).rejects.toThrow('too large')
    await expect(heldContent(store.blobs, breaking())).rejects.toThrow('the connection broke')
    expect(await heldContent(store.blobs, pieces(bytes))).toMatchObject(digestBytes(bytes))
  }
  await store.close()
})

test('a piece of a file is not read over while it is digested', async () => {
  const bytes = madeBytes(5 * PIECE + 77, 5)
  writeFileSync(temp('slowly'), bytes)
  const slow: DigestThreads = {
    digesting() {
      const passed: Uint8Array[] = []
      return {
        async update(piece) {
          await new Promise((later) => setTimeout(later, 5))
          passed.push(Uint8Array.from(piece))
        },
        digests: () => Promise.resolve(digestBytes(Buffer.concat(passed))),
        forget: () => undefined,
      }
    },
    close: () => Promise.resolve(),
  }
  expect(await digestFile(temp('slowly'), bytes.length, 0, slow)).toEqual(digestBytes(bytes))
})
