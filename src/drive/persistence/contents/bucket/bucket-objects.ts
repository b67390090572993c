/** Operations on objects of a bucket: put with digests, read in whole or in part, find, list and remove.  [network] */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { ByteRange } from '../blob-rows.ts'
import type { Digests } from '../digest.ts'
import { LostObject } from '../places/place.ts'
import type { Bucket, BucketAnswer } from './bucket-requests.ts'
import { contentsOutOfReach } from '../../writer/not-writing.ts'

export interface FileRange {
  readonly path: string
  readonly start: number
  readonly length: number
}

type ObjectDigests = Pick<Digests, 'sha256' | 'md5'>

/** Puts bytes of a file. @returns the object's ETag */
export function putObject(
  bucket: Bucket,
  object: string,
  { path, start, length }: FileRange,
  { query, ...digests }: ObjectDigests & Pick<Putting, 'query'>,
): Promise<string> {
  const range = { start, end: start + length - 1, highWaterMark: READ_BYTES }
  const open = () => (length === 0 ? Buffer.alloc(0) : createReadStream(path, range))
  return put(bucket, object, { open, length, digests, query })
}

export function putBytes(
  bucket: Bucket,
  object: string,
  bytes: Buffer,
  digests: ObjectDigests,
): Promise<string> {
  return put(bucket, object, { open: () => bytes, length: bytes.length, digests })
}

interface Putting {
  readonly open: () => Readable | Buffer
  readonly length: number
  readonly digests: ObjectDigests
  readonly query?: Readonly<Record<string, string>> | undefined
}

/** The store checks the bytes against the digests; this function also checks the ETag it returns. */
async function put(
  bucket: Bucket,
  object: string,
  { open, length, digests, query = {} }: Putting,
): Promise<string> {
  const answer = await bucket.send({
    method: 'PUT',
    object,
    query,
    headers: { 'content-md5': Buffer.from(digests.md5, 'hex').toString('base64') },
    body: { sha256: digests.sha256, length, open },
  })
  await answer.body.dump()
  return checkedTag(answer, object, digests.md5)
}

const READ_BYTES = 512 << 10

/** The ETag of an object is its MD5, unless the store encrypts it with a KMS key. @throws {StorageFailure} 503 */
function checkedTag(answer: BucketAnswer, object: string, md5: string): string {
  const tag = tagOf(answer)
  // `aws:kms` or `aws:kms:dsse`
  const hasKey = answer.header('x-amz-server-side-encryption')?.startsWith('aws:kms') === true
  const isDigest = /^[0-9a-f]{32}$/.test(tag) && !hasKey
  if (isDigest && tag !== md5)
    throw contentsOutOfReach(new Error(`the bucket has other bytes of ${object} than were sent: MD5 ${tag}`))
  return tag
}

function tagOf(answer: BucketAnswer): string {
  return (answer.header('etag') ?? '').replaceAll('"', '')
}

export interface FoundObject {
  readonly name: string
  readonly size: number
  readonly age: number
  /** ETag: the MD5, if the object was put in one request. */
  readonly tag: string
}

export async function findObject(bucket: Bucket, object: string): Promise<FoundObject | undefined> {
  const answer = await bucket.send({ method: 'HEAD', object, told: [404] })
  await answer.body.dump()
  if (answer.status === 404) return undefined
  const changed = Date.parse(answer.header('last-modified') ?? '')
  const size = Number(answer.header('content-length'))
  return { name: object, size, age: timeOf(answer) - changed, tag: tagOf(answer) }
}

/** Time by the clock of the store, which may differ from ours. */
export function timeOf(answer: BucketAnswer): number {
  const told = Date.parse(answer.header('date') ?? '')
  return Number.isNaN(told) ? Date.now() : told
}

/** Succeeds if the object does not exist. Sent once: a retry could remove an object that is put later. */
export async function removeObject(bucket: Bucket, object: string): Promise<void> {
  const answer = await bucket.send({ method: 'DELETE', object, told: [404], isOnce: true })
  await answer.body.dump()
}

/** Objects whose names begin with `folder`, in the order of their names. */
export async function* listObjects(bucket: Bucket, folder: string): AsyncIterable<FoundObject> {
  const { prefix } = bucket.address
  let more: Record<string, string> | undefined = {}
  while (more !== undefined) {
    const query = { 'list-type': '2', 'max-keys': '1000', prefix: `${prefix}${folder}`, ...more }
    const answer = await bucket.send({ method: 'GET', query })
    const now = timeOf(answer)
    const { records, rest } = await readXml(answer, 'Contents')
    for (const record of records) {
      const name = (record.get('Key') ?? '').slice(prefix.length)
      const changed = Date.parse(record.get('LastModified') ?? '')
      yield { name, size: Number(record.get('Size')), age: now - changed, tag: record.get('ETag') ?? '' }
    }
    const next = rest.get('NextContinuationToken')
    more = next === undefined ? undefined : { 'continuation-token': next }
  }
}

/** @throws {StorageFailure} 503 — the XML cannot be read */
export async function readXml(answer: BucketAnswer, record: string): ReturnType<typeof readRecords> {
  const text = await readText(answer)
  try {
    return await readRecords(text, record)
  } catch (error) {
    throw contentsOutOfReach(error)
  }
}

export async function readText({ body }: BucketAnswer): Promise<string> {
  try {
    return await body.text()
  } catch (error) {
    throw contentsOutOfReach(error)
  }
}

/**
 * Streams exactly the bytes of `range` of an object of `size` bytes. Resumes when the connection ends early. If it
 * cannot, the stream ends with an error.
 * @throws {LostObject}
 */
export async function openObject(
  bucket: Bucket,
  object: string,
  { size, range }: { readonly size: number; readonly range: ByteRange },
): Promise<Readable> {
  if (range.end < range.start) return Readable.from([])
  // the first request precedes the response header, so its failure can still be reported
  const first = await partFrom(bucket, object, size, range)
  const bytes = Readable.from(following(bucket, object, { size, range, first }), {
    objectMode: false,
    highWaterMark: READ_BYTES,
  })
  // a reader that leaves before the first byte would otherwise keep the connection
  return bytes.once('close', () => first.body.on('error', () => undefined).destroy())
}

interface Following {
  readonly size: number
  readonly range: ByteRange
  readonly first: BucketAnswer
}

async function* following(
  bucket: Bucket,
  object: string,
  { size, range, first }: Following,
): AsyncGenerator<Uint8Array> {
  let [part, at, failures] = [first, range.start, 0]
  while (at <= range.end) {
    try {
      for await (const chunk of upTo(part, range.end + 1 - at)) {
        at += chunk.length
        failures = 0
        yield chunk
      }
    } catch (error) {
      failures += 1
      if (error instanceof LostObject || failures > MAX_FAILURES) throw error
    }
    if (at <= range.end) part = await partFrom(bucket, object, size, { start: at, end: range.end })
  }
}

/** @throws {LostObject} the bucket sends more bytes than requested. Also throws errors of the connection. */
async function* upTo({ body }: BucketAnswer, most: number): AsyncGenerator<Uint8Array> {
  let left = most
  // the body has no encoding set, so its chunks are bytes
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    left -= chunk.length
    if (left < 0) throw new LostObject('the bucket sends more bytes than were asked for')
    yield chunk
  }
  if (left > 0) throw new Error(`the bucket sent ${left} bytes fewer than were asked for`)
}

/** Consecutive failures without a byte in between. */
const MAX_FAILURES = 3

async function partFrom(
  bucket: Bucket,
  object: string,
  size: number,
  range: ByteRange,
): Promise<BucketAnswer> {
  const { start, end } = range
  const headers = { range: `bytes=${start}-${end}` }
  const answer = await bucket.send({ method: 'GET', object, headers, told: [404, 416] })
  const told = answer.header('content-range')
  const isWhole = answer.status === 200 && start === 0 && Number(answer.header('content-length')) === size
  if (isWhole && end === size - 1) return answer
  if (answer.status === 206 && told === `bytes ${start}-${end}/${size}`) return answer
  await answer.body.dump().catch(() => undefined)
  if (answer.status === 404) throw new LostObject(`${bucket.address.name}${object} is not there`)
  throw new LostObject(
    `${bucket.address.name}${object} has not ${size} bytes: asked for ${start} to ${end}, got status ${answer.status} ${told ?? ''}`,
  )
}

/** Reads elements named `record` as maps from child element to text. `rest` has the elements outside of them. */
async function readRecords(
  xml: string,
  record: string,
): Promise<{
  readonly records: readonly ReadonlyMap<string, string>[]
  readonly rest: ReadonlyMap<string, string>
}> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser()
  const records: Map<string, string>[] = []
  const rest = new Map<string, string>()
  let [into, text] = [rest, '']
  parser.on('doctype', () => {
    throw new Error('the response of the bucket contains a DOCTYPE')
  })
  parser.on('opentag', ({ name }) => {
    text = ''
    if (name === record) records.push((into = new Map<string, string>()))
  })
  parser.on('text', (piece) => (text += piece))
  parser.on('closetag', ({ name }) => {
    if (name === record) into = rest
    else into.set(name, text)
    text = ''
  })
  parser.write(xml).close()
  return { records, rest }
}
