/** Large objects go in parts, several at once; what is begun and not ended is given up.  [network] */
import { open } from 'node:fs/promises'
import type { DigestThreads } from '../digest-threads.ts'
import { digesting } from '../digesting.ts'
import { digestFile } from '../staging.ts'
import { hash } from 'node:crypto'
import { type FileRange, findObject, putObject, readText, readXml, timeOf } from './bucket-objects.ts'
import { contentsOutOfReach } from '../../writer/not-writing.ts'
import type { Bucket } from './bucket-requests.ts'

/** Bytes up to which an object goes in one request. */
export const MOST_IN_ONE = 64 << 20

/** Bytes of a part; more where there would be too many. */
const PART = 32 << 20
const MOST_PARTS = 10_000
const AT_ONCE = 4

export async function putInParts(
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

export async function digestRange({ path, start, length }: FileRange, threads: DigestThreads | undefined) {
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
export async function giveUpOlder(bucket: Bucket, folder: string, age: number): Promise<number> {
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
