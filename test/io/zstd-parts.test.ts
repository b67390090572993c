/** What is done with zstd data on a Node that has it, and on one that has not; its functions are replaced. */
import { Transform } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { choosePacker, unpackBeginning, unpackStream } from '../../src/io/packing/packing.ts'

/** The functions of the replaced `node:zlib`; undefined as in Node 20. */
const parts = vi.hoisted(() => ({
  createZstdDecompress: undefined as unknown,
  zstdDecompressSync: undefined as unknown,
  zstdCompressSync: undefined as unknown,
}))

vi.mock('node:zlib', async (original) => ({
  ...(await original<object>()),
  get createZstdDecompress() {
    return parts.createZstdDecompress
  },
  get zstdDecompressSync() {
    return parts.zstdDecompressSync
  },
  get zstdCompressSync() {
    return parts.zstdCompressSync
  },
}))

/** Unpacks a frame as its bytes between brackets. */
class FrameShown extends Transform {
  readonly #bytes: Buffer[] = []

  override _transform(chunk: Buffer, _: unknown, done: () => void): void {
    this.#bytes.push(chunk)
    done()
  }

  override _flush(done: () => void): void {
    this.push(`[${Buffer.concat(this.#bytes).toString('base64')}]`)
    done()
  }
}

/** As in zstd-frames.test.ts: a frame, an empty one, and one with a checksum. */
const FRAMES = [
  'KLUv/QBYOQAAaWQsQV8xCg==',
  'WipNGAMAAABhYmM=',
  'KLUv/QRYVAAAEAAAAQD7/znAAgIAEAADnwQALSjeJg==',
]
const ALL = Buffer.concat(FRAMES.map((text) => Buffer.from(text, 'base64')))

function chunksOf(bytes: Buffer, length: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
    bytes.subarray(at * length, (at + 1) * length),
  )
}

async function* each<T>(items: readonly T[], ended: () => void = () => undefined): AsyncGenerator<T> {
  try {
    for (const item of items) yield await Promise.resolve(item)
  } finally {
    ended()
  }
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of bytes) text += Buffer.from(chunk).toString()
  return text
}

beforeEach(() => {
  parts.createZstdDecompress = () => new FrameShown()
  parts.zstdDecompressSync = undefined
  parts.zstdCompressSync = undefined
})

describe('unpackStream', () => {
  test.for([1, 3, 10, 16, 17, ALL.length])(
    'unpacks each frame by itself from chunks of %i bytes',
    async (length) => {
      const unpacked = await unpackStream(each(chunksOf(ALL, length)), 'zstd', 'x.zst')
      expect(await textOf(unpacked)).toBe(FRAMES.map((frame) => `[${frame}]`).join(''))
    },
  )

  test('unpacks a chunk that is a part of other memory', async () => {
    const memory = Buffer.concat([Buffer.from('before'), ALL, Buffer.from('behind')])
    const chunk = new Uint8Array(memory.buffer, memory.byteOffset + 6, ALL.length)
    const unpacked = await unpackStream(each([chunk]), 'zstd', 'x.zst')
    expect(await textOf(unpacked)).toBe(FRAMES.map((frame) => `[${frame}]`).join(''))
  })

  test.for([ALL.length - 1, 28, 26, 15])('says that data end after %i bytes', async (length) => {
    const unpacked = await unpackStream(each(chunksOf(ALL.subarray(0, length), 5)), 'zstd', 'x.zst')
    const error = await textOf(unpacked).catch((one: unknown) => one)
    expect(error).toMatchObject({ code: 'Z_BUF_ERROR', message: 'unexpected end of the compressed data' })
  })

  test('closes the source of one who reads no further', async () => {
    const ended = vi.fn<() => void>()
    for await (const frame of await unpackStream(each(chunksOf(ALL, 8), ended), 'zstd', 'x.zst')) {
      expect(String(frame)).toBe(`[${FRAMES[0]}]`)
      break
    }
    expect(ended).toHaveBeenCalledTimes(1)
  })

  test('names the program that unpacks where Node cannot', async () => {
    parts.createZstdDecompress = undefined
    const error = await unpackStream(each([ALL]), 'zstd', 'x.zst').catch((one: unknown) => one)
    expect(error).toMatchObject({
      code: 'unknown-format',
      message: `x.zst is zstd-compressed, which Node ${process.versions.node} cannot read`,
      offending: 'x.zst',
    })
  })
})

describe('unpackBeginning', () => {
  const head = Buffer.concat([ALL, Buffer.alloc(200 * 1024)])

  test.for([
    [16, [16]],
    [17, [16, 129]],
  ] as const)('of data whose first block has %i KiB', async ([block, tried]) => {
    const unpack = vi.fn<(bytes: Uint8Array, options: object) => Buffer>((bytes) =>
      Buffer.from(bytes.length >= block * 1024 ? `${bytes.length}` : ''),
    )
    parts.zstdDecompressSync = unpack
    expect(String(await unpackBeginning(head))).toBe(String((tried.at(-1) ?? 0) * 1024))
    const options = { maxOutputLength: 16 * 1024 * 1100, finishFlush: 0 }
    expect(unpack.mock.calls.map(([bytes, given]) => [bytes.length, given])).toEqual(
      tried.map((size) => [size * 1024, options]),
    )
  })

  test.for([
    ['text', Buffer.from('id,A_1\n'), 'id,A_1\n'],
    ['text that is much', Buffer.alloc(20_000, 'a'), 'a'.repeat(20_000)],
    ['gzip', gzipSync('id,A_1\n'), 'id,A_1\n'],
    // its end is missing
    ['cut gzip', gzipSync('id,A_1\n').subarray(0, -6), 'id,A_1\n'],
    ['damaged gzip', Buffer.from([0x1f, 0x8b, 1, 2, 3, 4]), ''],
  ] as const)('of %s', async ([, given, text]) => expect(String(await unpackBeginning(given))).toBe(text))

  test('is empty where nothing can be unpacked', async () => {
    expect(await unpackBeginning(head)).toEqual(Buffer.alloc(0))
    parts.zstdDecompressSync = () => {
      throw new Error('damaged')
    }
    expect(await unpackBeginning(head)).toEqual(Buffer.alloc(0))
  })
})

describe('choosePacker', () => {
  test('packs .zst with Node', async () => {
    parts.zstdCompressSync = () => Buffer.from('packed')
    expect(await choosePacker('x.zst')).toBe(parts.zstdCompressSync)
  })

  test('says what to do where Node cannot', async () => {
    expect(await choosePacker('x.zst').catch((one: unknown) => one)).toMatchObject({
      code: 'usage',
      message: `Node ${process.versions.node} cannot write zstd, as the name x.zst requires`,
      hint: 'name it .gz, compress it with zstd afterwards, or use Node 22.15 or newer',
    })
  })
})
