/** The bytes of a table: a file or standard input, unpacked by what it holds, with its identity.  [disk] */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { HlaError, isHlaError, messageOf } from '../errors.ts'

export interface TableInput {
  /** As given; `stdin` for `-`. */
  readonly name: string
  /** The first 64 KiB of the table, or all of a shorter one. */
  readonly sample: Buffer
  readonly compression: 'gzip' | undefined
  /** All bytes, unpacked, the sample included. To be read once. */
  readonly chunks: () => AsyncGenerator<Buffer>
  /** Of the file as it is stored; complete when all chunks were read. */
  readonly identity: () => { readonly bytes: number; readonly sha256: string }
}

const SAMPLE = 64 * 1024
const READ = 256 * 1024

/** @throws {HlaError} not-found, and what `readTableInput` throws */
export function openInput(file: string): Promise<TableInput> {
  return readTableInput(file === '-' ? 'stdin' : file, storedBytes(file))
}

/** @throws {HlaError} io, lfs-pointer, unknown-format — zstd, which this Node cannot unpack; and whatever `bytes` throws */
export async function readTableInput(name: string, bytes: AsyncIterable<Buffer>): Promise<TableInput> {
  const hash = createHash('sha256')
  const seen = { bytes: 0 }
  const stored = counted(bytes, hash, seen)
  const head = await take(coded(stored, name), 4)
  const compression = isGzip(head.taken) ? 'gzip' : undefined
  if (isZstd(head.taken)) throw zstdError(name)
  const all = rejoined(head)
  const plain = compression === 'gzip' ? coded(await gunzipped(all), name) : all
  const { taken: sample, rest } = await take(plain, SAMPLE)
  refusePointer(sample, name)
  return {
    name,
    sample,
    compression,
    chunks: () => rejoined({ taken: sample, rest }),
    identity: () => ({ bytes: seen.bytes, sha256: hash.copy().digest('hex') }),
  }
}

function storedBytes(file: string): Readable {
  return file === '-' ? process.stdin : createReadStream(file, { highWaterMark: READ })
}

async function* counted(
  bytes: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
  seen: { bytes: number },
): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk)
    seen.bytes += chunk.length
    yield chunk
  }
}

/** System errors as ours. */
async function* coded(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } catch (error) {
    if (isHlaError(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new HlaError('not-found', `there is no file ${name}`, { offending: name })
    const cut = code === 'Z_BUF_ERROR' ? 'the gzip data is cut short' : messageOf(error)
    throw new HlaError('io', `cannot read ${name}: ${cut}`, { offending: name, cause: error })
  }
}

interface Head {
  readonly taken: Buffer
  readonly rest: AsyncGenerator<Buffer>
}

async function take(chunks: AsyncGenerator<Buffer>, atLeast: number): Promise<Head> {
  const taken: Buffer[] = []
  for (let size = 0; size < atLeast;) {
    const next = await chunks.next()
    if (next.done === true) break
    taken.push(next.value)
    size += next.value.length
  }
  return { taken: Buffer.concat(taken), rest: chunks }
}

async function* rejoined({ taken, rest }: Head): AsyncGenerator<Buffer> {
  if (taken.length > 0) yield taken
  yield* rest
}

async function gunzipped(bytes: AsyncIterable<Buffer>): Promise<AsyncIterable<Buffer>> {
  const [{ createGunzip }, { pipeline, Readable }] = await Promise.all([
    import('node:zlib'),
    import('node:stream'),
  ])
  const gunzip = createGunzip({ chunkSize: READ })
  // an error of either side ends the iteration over the unpacked side
  pipeline(Readable.from(bytes), gunzip, () => {})
  return gunzip as AsyncIterable<Buffer> // without an encoding a stream gives buffers
}

function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b
}

function isZstd(head: Buffer): boolean {
  return head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528
}

function zstdError(name: string): HlaError {
  const hint = `zstd -dc ${name} | hla redux -i - …`
  return new HlaError('unknown-format', `${name} is zstd-compressed, which is not read here`, { hint })
}

function refusePointer(sample: Buffer, name: string): void {
  if (!sample.subarray(0, 40).toString('latin1').startsWith('version https://git-lfs')) return
  const hint = 'run "git lfs pull" there, or download the file itself'
  throw new HlaError('lfs-pointer', `${name} is a git-lfs pointer, not the file`, { offending: name, hint })
}
