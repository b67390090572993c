/** A bucket as the place of a store's contents: `blobs/ab/abcd…`, as in a folder.  [network] */
import { createHash, hash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { HlaError } from '../../../../errors.ts'
import { digestBytes } from '../digest.ts'
import {
  type ContentPlace,
  LostObject,
  type PlacedContent,
  type PlacedContents,
  type SizedContent,
} from '../places/place.ts'
import { type Environment, readBucketAddress } from './bucket-address.ts'
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
import { digestFile } from '../staging.ts'

const CONTENTS = 'blobs/'
/** Object that names the owning store. */
const OWNER = 'store'
/** Prefix of the claims that stores make before one becomes the owner. */
const CLAIMS = 'claims/'

export interface BucketOwner {
  /** Identifier of the store. */
  readonly store: string
  /** True if the store has no contents yet, so that an empty bucket can be its own. */
  readonly isNew: () => boolean
}

/** `contents` is `s3://bucket/prefix`. Sends no request yet. @throws {HlaError} usage */
export function bucketPlace(contents: string, owner: BucketOwner, env: Environment): ContentPlace {
  const address = readBucketAddress(contents, env)
  const bucket = openBucket(address, env)
  let isOurs = false
  const mustBeOurs = () => {
    if (!isOurs) throw contentsOutOfReach(new Error(`the owner of ${address.name} is not known yet`))
  }
  return {
    name: address.name,
    contents: bucketContents(bucket, mustBeOurs),
    async claim() {
      await claim(bucket, owner)
      isOurs = true
    },
    giveUpOlder: (age) => giveUpOlder(bucket, CONTENTS, age),
    close: () => bucket.close(),
  }
}

/** `mustBeOurs` throws before the claim: the owner's clean-up would remove what this store puts. */
function bucketContents(bucket: Bucket, mustBeOurs: () => void): PlacedContents {
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
      if (size <= MAX_PUT_BYTES) await putObject(bucket, name, range, digests)
      else await putInParts(bucket, name, range)
    },
    async open({ sha256, size }, range = { start: 0, end: size - 1 }) {
      const bytes = await openObject(bucket, nameOf(sha256), { size, range })
      // no digest is known for a part
      if (range.start !== 0 || range.end !== size - 1) return bytes
      const checked = Readable.from(withDigest(bytes, sha256), { objectMode: false })
      // also when the reader leaves before the first byte
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

/** Takes one request per thousand contents, and one more for each content that the list lacks or lists with another size. */
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
    // a list may lack an object that was put a moment ago
    return at?.sha256 === sha256 && at.size === size ? at : find(sha256)
  }
}

/** Delays the last chunk until the digest is verified. If the digest differs, the stream ends with an error before that chunk. */
async function* withDigest(bytes: Readable, sha256: string): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256')
  let last: Uint8Array | undefined
  // the stream has no encoding set, so its chunks are bytes
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

/** A clean-up removes every content unknown to its store, so it would delete all contents of another store. */
async function claim(bucket: Bucket, { store, isNew }: BucketOwner): Promise<void> {
  const { address } = bucket
  await mustBeUsable(bucket)
  const found = await readOwner(bucket)
  // another service of that name, or an emptied bucket: every content would seem to be lost
  if (found === undefined && !isNew()) throw ownerMissing(bucket, store)
  const owner = found ?? (await putOwner(bucket, store))
  if (owner === store) return
  throw new HlaError('data-differs', `${address.name} has the contents of another store`, {
    offending: address.name,
    hint: 'choose another prefix: s3://bucket/prefix',
  })
}

function ownerMissing({ address: { name, prefix } }: Bucket, store: string): HlaError {
  return new HlaError('data-differs', `${name} does not have the contents of this store`, {
    offending: name,
    hint: `check AWS_ENDPOINT_URL_S3; if the contents are there, put an object ${prefix}${OWNER} with the text ${store}`,
  })
}

/** Reports permanent refusals, which only the operator can resolve. */
async function mustBeUsable({ address, send }: Bucket): Promise<void> {
  const query = { 'list-type': '2', 'max-keys': '1', prefix: address.prefix }
  const answer = await send({ method: 'GET', query, told: [301, 307, 400, 401, 403, 404] })
  const text = await readText(answer)
  if (answer.status === 200) return
  const said = /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? ''
  throw new HlaError('io', `${address.name} cannot be used: ${answer.status} ${said}`.trim(), {
    offending: address.name,
    hint: 'check that the bucket exists, and check AWS_ENDPOINT_URL_S3, AWS_REGION and the access keys',
  })
}

async function readOwner(bucket: Bucket): Promise<string | undefined> {
  const answer = await bucket.send({ method: 'GET', object: OWNER, told: [404] })
  const text = await readText(answer)
  return answer.status === 404 ? undefined : text.trim()
}

/**
 * Writes a claim under its own name, then looks for other claims. If two stores claim at the same time, at least one
 * sees the other and stops. Conditional requests would decide this, but not every store supports them.
 */
async function putOwner(bucket: Bucket, store: string): Promise<string> {
  for await (const { name: first } of listObjects(bucket, CONTENTS))
    throw new HlaError('data-differs', `${bucket.address.name} has contents that belong to no known store`, {
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
    // an earlier owner may have removed its claim before this one was written
    const owner = await readOwner(bucket)
    if (owner !== undefined) return owner
    await putBytes(bucket, OWNER, bytes, digests)
    return store
  } finally {
    // a leftover claim does no harm once there is an owner
    await removeObject(bucket, own).catch(() => undefined)
  }
}

function claimedAtOnce({ address: { name, prefix } }: Bucket, other: string): HlaError {
  return new HlaError('data-differs', `another store is being set up with its contents in ${name}`, {
    offending: name,
    hint: `choose another prefix: s3://bucket/prefix; if that store was abandoned, remove ${prefix}${other}`,
  })
}

/** Maximum bytes of an object put in one request. */
const MAX_PUT_BYTES = 64 << 20

/** Bytes of a part. Larger if the object would need more than `MAX_PARTS` parts. */
const PART_BYTES = 32 << 20
const MAX_PARTS = 10_000
const PARTS_AT_ONCE = 4

async function putInParts(bucket: Bucket, object: string, { path, length }: FileRange): Promise<void> {
  const upload = await begin(bucket, object)
  const size = Math.max(PART_BYTES, Math.ceil(length / MAX_PARTS))
  const count = Math.ceil(length / size)
  const tags: string[] = []
  let next = 0
  const sendSome = async () => {
    for (let at = next++; at < count; at = next++) {
      const range = { path, start: at * size, length: Math.min(size, length - at * size) }
      const digests = await digestFile(path, range.length, range.start)
      const query = { partNumber: String(at + 1), uploadId: upload }
      tags[at] = await putObject(bucket, object, range, { ...digests, query })
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(PARTS_AT_ONCE, count) }, sendSome))
    await complete(bucket, object, upload, tags)
  } catch (error) {
    next = count
    await giveUp(bucket, object, upload).catch(() => undefined)
    throw error
  }
}

async function begin(bucket: Bucket, object: string): Promise<string> {
  const answer = await bucket.send({ method: 'POST', object, query: { uploads: '' } })
  const { rest } = await readXml(answer, 'Part')
  const upload = rest.get('UploadId')
  if (upload === undefined)
    throw contentsOutOfReach(new Error(`${object}: the bucket did not start the upload`))
  return upload
}

/** Some stores answer 200 and append an error, and an answer can be lost. So the object itself is checked afterwards. */
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
      new Error(
        `${object}: the bucket did not assemble its parts correctly: ${found?.tag} instead of ${wanted}`,
      ),
    )
}

async function giveUp(bucket: Bucket, object: string, upload: string): Promise<void> {
  const answer = await bucket.send({ method: 'DELETE', object, query: { uploadId: upload }, told: [404] })
  await answer.body.dump()
}

/** Aborts multipart uploads that began more than `age` ms ago. @returns how many */
async function giveUpOlder(bucket: Bucket, folder: string, age: number): Promise<number> {
  const prefix = `${bucket.address.prefix}${folder}`
  const answer = await bucket.send({ method: 'GET', query: { uploads: '', prefix } })
  const now = timeOf(answer)
  const { records } = await readXml(answer, 'Upload')
  let count = 0
  for (const record of records) {
    const [key = '', upload = ''] = [record.get('Key'), record.get('UploadId')]
    const begun = Date.parse(record.get('Initiated') ?? '')
    // skips uploads with an unreadable time
    if (!key.startsWith(prefix) || !(now - begun > age)) continue
    await giveUp(bucket, key.slice(bucket.address.prefix.length), upload)
    count += 1
  }
  return count
}
