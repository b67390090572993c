/** A bucket as the place of a store's contents: `blobs/ab/abcd…`, as in a folder, and `pieces/…` of uploads.  [network] */
import { createHash, hash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { HlaError } from '../../../../errors.ts'
import { digestBytes } from '../digest.ts'
import { type DigestThreads, digesting } from '../digest-threads.ts'
import {
  type ContentPlace,
  LostObject,
  type PlacedContent,
  type PlacedContents,
  type PlacedPieces,
  type SizedContent,
} from '../places/place.ts'
import { type Environment, bucketKeys, readBucketAddress } from './bucket-address.ts'
import {
  type FileRange,
  findObject,
  listObjects,
  openObject,
  putBytes,
  putObject,
  readText,
  readXml,
  removeObject,
  timeOf,
} from './bucket-objects.ts'
import { contentsOutOfReach } from '../../writer/not-writing.ts'
import { type Bucket, openBucket } from './bucket-requests.ts'
import { open } from 'node:fs/promises'
import { digestFile } from '../staging.ts'

const CONTENTS = 'blobs/'
const PIECES = 'pieces/'
/** Whose it is. */
const OWNER = 'store'
/** Whose it is about to be. */
const CLAIMS = 'claims/'

/** `contents`: `s3://bucket/prefix`. Nothing is asked of the bucket yet. @throws {HlaError} usage, io */
export async function bucketPlace(
  contents: string,
  env: Environment,
  threads?: DigestThreads,
): Promise<ContentPlace> {
  const address = readBucketAddress(contents, env)
  const bucket = await openBucket(address, bucketKeys(env))
  let owner: string | undefined
  let isInDoubt = false
  const mustBeOurs = () => {
    if (isInDoubt) throw notKnown(address.name)
  }
  return {
    name: address.name,
    contents: bucketContents(bucket, threads, mustBeOurs),
    pieces: bucketPieces(bucket, threads, mustBeOurs),
    async claim(store) {
      isInDoubt = true
      await claim(bucket, store)
      isInDoubt = false
      owner = store
    },
    async confirm() {
      if (owner === undefined) throw notKnown(address.name)
      await claim(bucket, owner)
    },
    giveUpOlder: (age) => giveUpOlder(bucket, CONTENTS, age),
    close: () => bucket.close(),
  }
}

const notKnown = (name: string) => contentsOutOfReach(new Error(`nobody knows yet whose ${name} is`))

/** `mustBeOurs` throws while the place is claimed: what was put there would be lost to this store. */
function bucketContents(
  bucket: Bucket,
  threads: DigestThreads | undefined,
  mustBeOurs: () => void,
): PlacedContents {
  const find = async (sha256: string) => {
    const found = await findObject(bucket, nameOf(sha256))
    return found && { sha256, size: found.size, age: found.age }
  }
  const list = () => listContents(bucket)
  return {
    pathOf: undefined,
    arriving: undefined,
    async publish(path, { size, ...digests }) {
      mustBeOurs()
      const range = { path, start: 0, length: size }
      const name = nameOf(digests.sha256)
      if (size <= MOST_IN_ONE) await putObject(bucket, name, range, digests)
      else await putInParts(bucket, name, range, threads)
    },
    async open({ sha256, size }, range = { start: 0, end: size - 1 }) {
      const bytes = await openObject(bucket, nameOf(sha256), { size, range })
      // of a part nobody knows a digest
      if (range.start !== 0 || range.end !== size - 1) return bytes
      const checked = Readable.from(withDigest(bytes, sha256), { objectMode: false })
      // also by who leaves before the first byte
      return checked.once('close', () => bytes.destroy())
    },
    find,
    finder: () => findInList(list(), find),
    list,
    remove: (sha256) => removeObject(bucket, nameOf(sha256)),
  }
}

async function* listContents(bucket: Bucket): AsyncGenerator<PlacedContent> {
  for await (const { name, size, age } of listObjects(bucket, CONTENTS)) {
    const sha256 = CONTENT.exec(name)?.[1]
    if (sha256 !== undefined) yield { sha256, size, age }
  }
}

/** A request for a thousand contents, and one for each that the list does not have as it is wanted. */
function findInList(
  listed: AsyncGenerator<PlacedContent>,
  find: PlacedContents['find'],
): (content: SizedContent) => Promise<PlacedContent | undefined> {
  let at: PlacedContent | undefined
  let isOver = false
  return async ({ sha256, size }) => {
    while (!isOver && (at === undefined || at.sha256 < sha256)) {
      const next = await listed.next()
      isOver = next.done === true
      if (!next.done) at = next.value
    }
    // a list may not have what was put a moment ago
    return at?.sha256 === sha256 && at.size === size ? at : find(sha256)
  }
}

/** The last bytes come when the digest is known to be right: else it ends with an error before them. */
async function* withDigest(bytes: Readable, sha256: string): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256')
  let last: Uint8Array | undefined
  // nothing sets an encoding
  for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
    digest.update(chunk)
    if (last !== undefined) yield last
    last = chunk
  }
  const found = digest.digest('hex')
  if (found !== sha256) throw new LostObject(`the content ${sha256} has other bytes: ${found}`)
  if (last !== undefined) yield last
}

const CONTENT = /^blobs\/[0-9a-f]{2}\/([0-9a-f]{64})$/

function nameOf(sha256: string): string {
  return `${CONTENTS}${sha256.slice(0, 2)}/${sha256}`
}

function bucketPieces(
  bucket: Bucket,
  threads: DigestThreads | undefined,
  mustBeOurs: () => void,
): PlacedPieces {
  return {
    async put(path, { start, end }) {
      mustBeOurs()
      const name = randomBytes(16).toString('hex')
      const range = { path, start, length: end - start + 1 }
      await putObject(bucket, `${PIECES}${name}`, range, await digestRange(range, threads))
      return name
    },
    open: (name, size) =>
      openObject(bucket, `${PIECES}${name}`, { size, range: { start: 0, end: size - 1 } }),
    async *list() {
      for await (const { name, age } of listObjects(bucket, PIECES))
        yield { name: name.slice(PIECES.length), age }
    },
    remove: (name) => removeObject(bucket, `${PIECES}${name}`),
  }
}

/** A clean-up removes what this store does not know of: of another store that would be everything. */
async function claim(bucket: Bucket, store: string): Promise<void> {
  const { address } = bucket
  await mustBeUsable(bucket)
  const owner = (await readOwner(bucket)) ?? (await putOwner(bucket, store))
  if (owner === store) return
  throw new HlaError('data-differs', `${address.name} has the contents of another store`, {
    offending: address.name,
    hint: 'another prefix, s3://bucket/prefix, is free',
  })
}

/** Refusals that no waiting changes are the operator's to mend. */
async function mustBeUsable({ address, send }: Bucket): Promise<void> {
  const query = { 'list-type': '2', 'max-keys': '1', prefix: address.prefix }
  const answer = await send({ method: 'GET', query, told: [301, 307, 400, 401, 403, 404] })
  const text = await readText(answer)
  if (answer.status === 200) return
  const said = /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? ''
  throw new HlaError('io', `${address.name} cannot be used: ${answer.status} ${said}`.trim(), {
    offending: address.name,
    hint: 'see that the bucket is there, and AWS_ENDPOINT_URL_S3, AWS_REGION and the keys',
  })
}

async function readOwner(bucket: Bucket): Promise<string | undefined> {
  const answer = await bucket.send({ method: 'GET', object: OWNER, told: [404] })
  const text = await readText(answer)
  return answer.status === 404 ? undefined : text.trim()
}

/**
 * Says so under a name of its own before it looks who else does. So of two stores that come at once the later one sees the other, or
 * each does and neither goes on: conditional requests, which would decide it, are not everywhere.
 */
async function putOwner(bucket: Bucket, store: string): Promise<string> {
  for await (const { name: first } of listObjects(bucket, CONTENTS))
    throw new HlaError('data-differs', `${bucket.address.name} has contents of a store that is not known`, {
      offending: bucket.address.name,
      hint: `the first is ${first}`,
    })
  const bytes = Buffer.from(`${store}\n`)
  const digests = digestBytes(bytes)
  const own = `${CLAIMS}${store}-${randomBytes(8).toString('hex')}`
  await putBytes(bucket, own, bytes, digests)
  try {
    for await (const { name } of listObjects(bucket, CLAIMS))
      if (!name.startsWith(`${CLAIMS}${store}-`)) throw claimedAtOnce(bucket, name)
    // one that was there first has removed its claim after this was put
    const owner = await readOwner(bucket)
    if (owner !== undefined) return owner
    await putBytes(bucket, OWNER, bytes, digests)
    return store
  } finally {
    // what is left of it is in nobody's way when there is an owner
    await removeObject(bucket, own).catch(() => undefined)
  }
}

function claimedAtOnce({ address: { name, prefix } }: Bucket, other: string): HlaError {
  return new HlaError('data-differs', `another store is about to have its contents in ${name}`, {
    offending: name,
    hint: `another prefix, s3://bucket/prefix, is free; if that store was given up, remove ${prefix}${other}`,
  })
}

/** Bytes up to which an object goes in one request. */
const MOST_IN_ONE = 64 << 20

/** Bytes of a part; more where there would be too many. */
const PART = 32 << 20
const MOST_PARTS = 10_000
const AT_ONCE = 4

async function putInParts(
  bucket: Bucket,
  object: string,
  { path, start, length }: FileRange,
  threads: DigestThreads | undefined,
): Promise<void> {
  const upload = await begin(bucket, object)
  const size = Math.max(PART, Math.ceil(length / MOST_PARTS))
  const count = Math.ceil(length / size)
  const tags: string[] = []
  let next = 0
  const sendSome = async () => {
    for (let at = next++; at < count; at = next++) {
      const range = { path, start: start + at * size, length: Math.min(size, length - at * size) }
      const digests = await digestRange(range, threads)
      const query = { partNumber: String(at + 1), uploadId: upload }
      tags[at] = await putObject(bucket, object, range, { ...digests, query })
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, sendSome))
    await complete(bucket, object, upload, tags)
  } catch (error) {
    next = count
    await giveUp(bucket, object, upload).catch(() => undefined)
    throw error
  }
}

async function digestRange({ path, start, length }: FileRange, threads: DigestThreads | undefined) {
  const file = await open(path, 'r')
  try {
    return await digestFile(file, length, digesting(threads), start)
  } finally {
    await file.close()
  }
}

async function begin(bucket: Bucket, object: string): Promise<string> {
  const answer = await bucket.send({ method: 'POST', object, query: { uploads: '' } })
  const { rest } = await readXml(answer, 'Part')
  const upload = rest.get('UploadId')
  if (upload === undefined) throw contentsOutOfReach(new Error(`${object}: the bucket began no upload`))
  return upload
}

/** Some stores say success before they know, and an error behind it; and an answer may be lost: what counts is what is there then. */
async function complete(
  bucket: Bucket,
  object: string,
  upload: string,
  tags: readonly string[],
): Promise<void> {
  const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>"${tag}"</ETag></Part>`)
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
  const answer = await bucket.send({
    method: 'POST',
    object,
    query: { uploadId: upload },
    headers: { 'content-type': 'application/xml' },
    body: { sha256: hash('sha256', body), length: body.length, open: () => body },
    told: [404],
  })
  await readText(answer)
  const found = await findObject(bucket, object)
  const wanted = `${hash('md5', Buffer.from(tags.join(''), 'hex'))}-${tags.length}`
  if (found?.tag !== wanted)
    throw contentsOutOfReach(
      new Error(`${object}: its parts were not put together: ${found?.tag} instead of ${wanted}`),
    )
}

async function giveUp(bucket: Bucket, object: string, upload: string): Promise<void> {
  const answer = await bucket.send({ method: 'DELETE', object, query: { uploadId: upload }, told: [404] })
  await answer.body.dump()
}

/** Puttings in parts that were begun more than `age` ms ago, and not ended. @returns how many */
async function giveUpOlder(bucket: Bucket, folder: string, age: number): Promise<number> {
  const prefix = `${bucket.address.prefix}${folder}`
  const answer = await bucket.send({ method: 'GET', query: { uploads: '', prefix } })
  const now = timeOf(answer)
  const { records } = await readXml(answer, 'Upload')
  let count = 0
  for (const record of records) {
    const [key = '', upload = ''] = [record.get('Key'), record.get('UploadId')]
    const begun = Date.parse(record.get('Initiated') ?? '')
    // a time that cannot be read is none
    if (!key.startsWith(prefix) || !(now - begun > age)) continue
    await giveUp(bucket, key.slice(bucket.address.prefix.length), upload)
    count += 1
  }
  return count
}
