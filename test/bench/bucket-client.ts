/** Puts a file into a bucket as the server does, and nothing else; prints JSON [network, clock]. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { readBucketAddress } from '../../src/drive/persistence/contents/bucket/bucket-address.ts'
import { putObject } from '../../src/drive/persistence/contents/bucket/bucket-objects.ts'
import { openBucket } from '../../src/drive/persistence/contents/bucket/bucket-requests.ts'

export interface BucketLoad {
  /** `s3://bucket` */
  readonly contents: string
  readonly file: string
}

/** ms */
export interface BucketRound {
  readonly put: number
  /** Includes the digests of a signed request: SHA-256, and the MD5 that the bucket checks. */
  readonly digestAndPut: number
}

// passed by drive-bucket.ts
const { contents, file } = JSON.parse(process.argv[2] ?? '{}') as BucketLoad
const bucket = openBucket(readBucketAddress(contents, process.env), process.env)
const range = { path: file, start: 0, length: (await stat(file)).size }

let began = performance.now()
const digests = await digest()
await putObject(bucket, 'digested', range, digests)
const digestAndPut = performance.now() - began
began = performance.now()
await putObject(bucket, 'told', range, digests)
const round: BucketRound = { put: performance.now() - began, digestAndPut }
await bucket.close()
process.stdout.write(`${JSON.stringify(round)}\n`)

async function digest(): Promise<{ readonly sha256: string; readonly md5: string }> {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')]
  // without an encoding, chunks are buffers
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>)
    for (const one of [sha256, md5]) one.update(chunk)
  return { sha256: sha256.digest('hex'), md5: md5.digest('hex') }
}
