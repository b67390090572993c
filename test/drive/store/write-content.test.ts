/** The pace of an arriving content: how far it is read ahead of the disk, and when it is synced. */
import type { FileHandle } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Digesting, PIECE_BYTES } from '../../../src/drive/persistence/contents/digest.ts'
import { writeContent } from '../../../src/drive/persistence/contents/staging.ts'

const MIB = 1 << 20
const allow = () => undefined

/** A disk that takes what `take` says of each write, and notes each call. */
function disk(take: (length: number) => number | Promise<number> = (length) => length) {
  const log: (string | number)[] = []
  const file = {
    write: async (bytes: Uint8Array, at: number, length: number, position: number) => {
      const bytesWritten = await take(length)
      log.push(`${position}+${bytesWritten}: ${bytes[at]}`)
      return { bytesWritten, buffer: bytes }
    },
    datasync: async () => {
      await turn()
      log.push('synced')
    },
  } as unknown as FileHandle // what a content is written with
  return { file, log }
}

async function* chunks(count: number, size: number, read: number[] = []) {
  for (let at = 0; at < count; at += 1) {
    read.push(at)
    yield Buffer.alloc(size, at)
  }
}

test.for([
  [true, 1, 1],
  [true, 31, 1],
  [true, 32, 2],
  [true, 63, 2],
  [true, 64, 3],
  [false, 64, 0],
] as const)('a file that is kept (%s) of %i MiB is synced %i times', async ([isKept, size, times]) => {
  const { file, log } = disk()
  const passing = { admit: allow, digest: undefined, isKept }
  expect(await writeContent(file, 0, chunks(size, MIB), passing)).toBe(size * MIB)
  expect(log.filter((one) => one === 'synced')).toHaveLength(times)
  expect(log).toHaveLength(times + (size * MIB) / PIECE_BYTES)
  expect(log.at(-1)).toMatch(isKept ? /^synced$/ : /^\d+\+/)
})

test('what the disk takes in parts gets there whole, after what is there', async () => {
  const { file, log } = disk((length) => Math.min(length, 100_000))
  const lengths: number[] = []
  const passing = { admit: (length: number) => void lengths.push(length), digest: undefined, isKept: false }
  expect(await writeContent(file, 5, chunks(3, 150_000), passing)).toBe(450_005)
  expect(lengths).toEqual([150_005, 300_005, 450_005])
  expect(log).toEqual([
    '5+100000: 0',
    '100005+100000: 0',
    '200005+62144: 1',
    '262149+100000: 1',
    '362149+87856: 2',
  ])
})

test('no more than eight pieces are read ahead of a digest', async () => {
  const { file } = disk()
  const read: number[] = []
  const waiting: (() => void)[] = []
  const digest = {
    update: () => new Promise<void>((resolve) => waiting.push(resolve)),
  } as unknown as Digesting // what a content is passed to
  const passing = { admit: allow, digest, isKept: false }
  const written = writeContent(file, 0, chunks(20, PIECE_BYTES, read), passing)
  const settled = async () => {
    for (let turns = 0; turns < 20; turns += 1) await turn()
    return [read.length, waiting.length]
  }
  expect(await settled()).toEqual([8, 8])
  waiting[0]?.()
  expect(await settled()).toEqual([9, 9])
  waiting[1]?.()
  waiting[2]?.()
  expect(await settled()).toEqual([11, 11])
  for (let at = 3; at < 20; at += 1) {
    waiting[at]?.()
    await settled()
  }
  expect(await written).toBe(20 * PIECE_BYTES)
})

test.for(['the content', 'the limit'] as const)(
  'what is being written is written when %s fails',
  async (what) => {
    const error = new Error('too much')
    const { file, log } = disk(async (length) => {
      for (let turns = 0; turns < 10; turns += 1) await turn()
      return length
    })
    async function* failing() {
      yield* chunks(2, PIECE_BYTES)
      if (what === 'the content') throw error
      yield Buffer.alloc(1)
    }
    const admit = (length: number) => {
      if (length > 2 * PIECE_BYTES) throw error
    }
    await expect(writeContent(file, 0, failing(), { admit, digest: undefined, isKept: true })).rejects.toBe(
      error,
    )
    expect(log).toEqual([`0+${PIECE_BYTES}: 0`, `${PIECE_BYTES}+${PIECE_BYTES}: 1`])
  },
)

test.for([
  ['a write', 3 * PIECE_BYTES, 'no write'],
  ['a sync under way', 40 * MIB, 'no sync'],
  ['the last sync', PIECE_BYTES, 'no sync'],
] as const)('an error of %s is the error of the content', async ([, size, message]) => {
  let writes = 0
  const { file } = disk((length) => {
    writes += 1
    if (message === 'no write' && writes === 2) throw new Error(message)
    return length
  })
  const datasync = () => Promise.reject(new Error('no sync'))
  const passing = { admit: allow, digest: undefined, isKept: true }
  const broken = { write: file.write.bind(file), datasync } as unknown as FileHandle
  const written = writeContent(broken, 0, chunks(size / PIECE_BYTES, PIECE_BYTES), passing)
  await expect(written).rejects.toThrow(message)
})
