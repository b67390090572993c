/** Requests to an S3-compatible store: over TLS, with refusals, errors and missing answers. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { type HlaError, assured } from '../../../src/errors.ts'
import type { BlobRow } from '../../../src/drive/persistence/contents/blob-rows.ts'
import { blobHead } from '../../../src/drive/persistence/contents/places/heads.ts'
import type { Commands } from '../../../src/drive/persistence/database/database.ts'
import { NOBODY, STORE_COMMANDS } from '../../support/store-commands.ts'
import { readBucket } from '../../../src/drive/persistence/contents/places/store-place.ts'
import { backup, restore } from '../../../src/drive/persistence/upkeep/backup.ts'
import { addContent, bytesOf, openTestStore, pieces } from '../../support/store.ts'
import { digestBytes } from '../../../src/drive/persistence/contents/digest.ts'
import { bucketPlace } from '../../../src/drive/persistence/contents/bucket/bucket-place.ts'
import { downloadSlots } from '../../../src/drive/persistence/contents/bucket/bucket-requests.ts'
import type { ContentPlace, PlacedContent } from '../../../src/drive/persistence/contents/places/place.ts'
import { ownedBy } from '../../support/bucket-owner.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const servers = new Set<Server>()
afterAll(() => {
  for (const server of servers) server.closeAllConnections()
  for (const server of servers) server.close()
})

const KEYS = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
const EMPTY = '<?xml version="1.0"?><ListBucketResult><Name>lab</Name></ListBucketResult>'

async function listening(server: Server): Promise<number> {
  servers.add(server)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  // a server on a port has an address
  return (server.address() as AddressInfo).port
}

async function placeOf(
  answer: RequestListener,
  { store = 'one', name = 's3://lab', isNew = true } = {},
): Promise<ContentPlace> {
  const port = await listening(createServer(answer))
  const env = { ...KEYS, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}` }
  return bucketPlace(name, ownedBy(store, isNew), env)
}

async function listed({ contents }: ContentPlace): Promise<PlacedContent[]> {
  const found: PlacedContent[] = []
  for await (const one of contents.list()) found.push(one)
  return found
}

test('over TLS a certificate is believed that the operator names, and no other', async () => {
  const [key, cert] = [temp('key.pem'), temp('cert.pem')]
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2']
  execFileSync('openssl', [...words, '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'], {
    stdio: 'ignore',
  })
  const secure = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => {
    response.end(EMPTY)
  })
  const AWS_ENDPOINT_URL_S3 = `https://localhost:${await listening(secure)}`
  const list = async (env: Readonly<Record<string, string>>) => {
    const place = bucketPlace('s3://lab', ownedBy('one'), { ...KEYS, AWS_ENDPOINT_URL_S3, ...env })
    try {
      for await (const one of place.contents.list()) throw new Error(one.sha256)
      return 'empty'
    } finally {
      await place.close()
    }
  }
  expect(await list({ AWS_CA_BUNDLE: cert })).toBe('empty')
  await expect(list({})).rejects.toMatchObject({ status: 503, cause: { message: /self.signed/ } })
})

/** A bucket in memory. It awaits `before` before each request. */
function memoryBucket(
  before: (method: string, name: string, body: string) => Promise<void>,
  objects = new Map<string, string>(),
) {
  return async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket')
    const name = pathname.replace('/lab/', '')
    const body = await text(request)
    await before(request.method ?? '', name, body)
    const found = objects.get(name)
    const tag = (content: string) => ({ etag: `"${createHash('md5').update(content).digest('hex')}"` })
    if (request.method === 'PUT') response.writeHead(200, tag(body)).end(void objects.set(name, body))
    else if (request.method === 'DELETE') response.writeHead(204).end(void objects.delete(name))
    else if (searchParams.has('list-type')) {
      const listed = [...objects.keys()].filter((one) => one.startsWith(searchParams.get('prefix') ?? ''))
      const records = listed.map((one) => `<Contents><Key>${one}</Key><Size>1</Size></Contents>`)
      response.end(`<?xml version="1.0"?><ListBucketResult>${records.join('')}</ListBucketResult>`)
    } else if (found === undefined) response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    else response.writeHead(200, { ...tag(found), 'content-length': found.length }).end(found)
  }
}

describe('a bucket that nobody has', () => {
  test.each(['store', 'claims/other'])(
    'is not had by two, also when %s of the other comes late',
    async (late) => {
      let goOn = () => undefined as void
      const first = new Promise<void>((resolve) => (goOn = resolve))
      const answer = memoryBucket(async (method, name, body) => {
        if (method === 'PUT' && name.startsWith(late) && body === 'other\n') await first
      })
      const slots = [await placeOf(answer), await placeOf(answer, { store: 'other' })] as const
      const other = slots[1].claim()
      const claims = await Promise.allSettled([slots[0].claim().finally(goOn), other])
      expect(claims.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
      await slots[0].claim()
      await expect(slots[1].claim()).rejects.toThrow('has the contents of another store')
      await Promise.all(slots.map((place) => place.close()))
    },
  )

  test('takes nothing until it is known whose it is', async () => {
    let isAway = true
    const answer = memoryBucket(() => Promise.resolve())
    const place = await placeOf((request, response) => {
      if (isAway) response.writeHead(403).end()
      else void answer(request, response)
    })
    const path = temp('content')
    const bytes = Buffer.from('a content')
    writeFileSync(path, bytes)
    const publish = () => place.contents.publish(path, { ...digestBytes(bytes), size: bytes.length })
    await expect(place.claim()).rejects.toMatchObject({ code: 'io' })
    isAway = false
    await expect(publish()).rejects.toMatchObject({ status: 503 })
    await place.claim()
    await publish()
    await place.close()
  })
})

test('a bucket that does not answer is told within 15 s, at once while it is known to be away, and is asked again', async () => {
  let isHanging = true
  const asked: string[] = []
  const answer = memoryBucket(() => Promise.resolve())
  const place = await placeOf((request, response) => {
    asked.push(request.method ?? '')
    if (!isHanging) void answer(request, response)
  })
  const find = () => place.contents.find('a'.repeat(64))
  const began = performance.now()
  await expect(find()).rejects.toMatchObject({ status: 503 })
  expect(performance.now() - began).toBeLessThan(15_000)
  const times = asked.length
  await expect(find()).rejects.toMatchObject({ status: 503 })
  expect(asked).toHaveLength(times)
  isHanging = false
  await expect.poll(find, { timeout: 10_000 }).toBeUndefined()
  await place.close()
})

test('who reads downloads slowly keeps nobody waiting who sends', async () => {
  const size = 1 << 20
  const answer = memoryBucket(() => Promise.resolve())
  const place = await placeOf((request, response) => {
    if (request.headers.range === undefined) void answer(request, response)
    else
      response
        .writeHead(206, { 'content-length': size, 'content-range': `bytes 0-${size - 1}/${size}` })
        .write('the rest comes when somebody asks for it')
  })
  await place.claim()
  const sha256 = '0'.repeat(64)
  const read = await Promise.all(Array.from({ length: 100 }, () => place.contents.open({ sha256, size })))
  const bytes = Buffer.from('a content')
  const path = temp('beside')
  writeFileSync(path, bytes)
  await place.contents.publish(path, { ...digestBytes(bytes), size: bytes.length })
  await expect(place.claim()).resolves.toBeUndefined()
  for (const one of read) one.destroy()
  // connections of downloads that ended early are free again, too
  for (let round = 0; round < 3; round += 1) {
    const more = await Promise.all(Array.from({ length: 100 }, () => place.contents.open({ sha256, size })))
    for (const one of more) one.destroy()
  }
  await place.close()
})

test('so many downloads are made at once; who comes then waits for one to end, and not for long', async () => {
  const slots = downloadSlots(2, 100)
  const [first] = [await slots.enter(), await slots.enter()]
  await expect(slots.enter()).rejects.toMatchObject({ status: 503, details: { retryAfter: 5 } })
  const waiting = [slots.enter(), slots.enter()]
  first()
  first()
  const [second] = await Promise.all([waiting[0], expect(waiting[1]).rejects.toMatchObject({ status: 503 })])
  second?.()
  await slots.enter()
})

test.each([
  ['AES256', '0'.repeat(32), false],
  ['AES256', `${'0'.repeat(32)}-1`, true],
  ['AES256', `x${'0'.repeat(32)}`, true],
  ['aws:kms', '0'.repeat(32), true],
  ['aws:kms:dsse', '0'.repeat(32), true],
])('a tag of other bytes, of a bucket with the encryption %s: %s', async (encryption, tag, isTaken) => {
  const headers = { etag: `"${tag}"`, 'x-amz-server-side-encryption': encryption }
  const answer = memoryBucket(() => Promise.resolve())
  const place = await placeOf((request, response) => {
    if (request.url?.includes('/blobs/') !== true) void answer(request, response)
    else request.resume().on('end', () => response.writeHead(200, headers).end())
  })
  await place.claim()
  const path = temp(`encrypted-${encryption.replaceAll(':', '-')}-${tag}`)
  const bytes = Buffer.from('a content')
  writeFileSync(path, bytes)
  const published = place.contents.publish(path, { ...digestBytes(bytes), size: bytes.length })
  if (isTaken) await published
  else await expect(published).rejects.toMatchObject({ status: 503 })
  await place.close()
})

describe('answers', () => {
  test('that pass are asked for again, and their requests are signed each time', async () => {
    const seen: string[] = []
    const place = await placeOf((request, response) => {
      seen.push(request.headers.authorization ?? '')
      if (seen.length < 3) response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
      else response.end(EMPTY)
    })
    for await (const one of place.contents.list()) throw new Error(one.sha256)
    expect(seen).toHaveLength(3)
    expect(seen.filter((one) => !one.startsWith('AWS4-HMAC-SHA256 Credential=a/'))).toEqual([])
    await place.close()
  })

  test.each([408, 425, 429, 500, 502, 503, 504])('of status %i pass', async (status) => {
    let count = 0
    const place = await placeOf((_, response) => {
      count += 1
      if (count === 1) response.writeHead(status).end()
      else response.end(EMPTY)
    })
    expect(await listed(place)).toEqual([])
    expect(count).toBe(2)
    await place.close()
  })

  test.each([
    [403, '<Error><Code>No</Code><Message>Not so</Message></Error>', '403: No Not so'],
    [400, '<Error><Code>No</Code></Error>', '400: No'],
    [401, '<Error><Code></Code><Message>Not so</Message></Error>', '401: Not so'],
    [501, 'nonsense', '501: nonsense'],
    [404, 'x'.repeat(300), `404: ${'x'.repeat(200)}`],
  ])('of status %i do not pass, and the operator reads why: %s', async (status, body, why) => {
    let count = 0
    const place = await placeOf((_, response) => {
      count += 1
      response.writeHead(status).end(body)
    })
    await expect(listed(place)).rejects.toMatchObject({
      status: 503,
      cause: { message: `s3://lab/ answered ${why}` },
    })
    expect(count).toBe(1)
    await place.close()
  })

  test('to a removal are not: it may have been done', async () => {
    let count = 0
    const place = await placeOf((_, response) => {
      count += 1
      response.writeHead(503).end()
    })
    await expect(place.contents.remove('ab'.repeat(32))).rejects.toMatchObject({ status: 503 })
    expect(count).toBe(1)
    await place.close()
  })

  test.each([
    ['a shorter whole', 200, { 'content-length': '5' }, 'short'],
    ['another part', 206, { 'content-range': 'bytes 0-4/99' }, 'short'],
    ['a whole in place of a part', 200, {}, 'x'.repeat(99)],
    ['one that says it is longer', 206, { 'content-range': 'bytes 5-9/100' }, 'short'],
  ] as const)('that are %s are no content', async (_, status, headers, body) => {
    const place = await placeOf((_request, response) => void response.writeHead(status, headers).end(body))
    const content = { sha256: 'ab'.repeat(32), size: 99 }
    await expect(place.contents.open(content, { start: 5, end: 9 })).rejects.toThrow('has not 99 bytes')
    await place.close()
  })

  test('with a document type, or that are no XML, are none', async () => {
    for (const text of [`<!DOCTYPE a [<!ENTITY b "c">]>${EMPTY}`, 'nonsense', '<a><b></a>']) {
      const place = await placeOf((_, response) => void response.end(text))
      const list = async () => {
        for await (const one of place.contents.list()) throw new Error(one.sha256)
      }
      await expect(list()).rejects.toMatchObject({ status: 503 })
      await place.close()
    }
  })
})

const SHA = 'ab'.repeat(32)
const NOW = Date.parse('2026-11-27T12:00:00Z')
const ago = (time: number) => new Date(NOW - time)

test('a list is asked for page by page, of the contents below the prefix, with their ages by the clock of the bucket', async () => {
  const asked: string[] = []
  const record = (key: string, age: number) =>
    `<Contents><Key>${key}</Key><LastModified>${ago(age).toISOString()}</LastModified><Size>7</Size></Contents>`
  const pages = [
    `${record(`a/blobs/ab/${SHA}`, 10_000)}${record('a/blobs/note', 1)}${record(`a/blobs/ab/${SHA}x`, 1)}${record(`a/x/blobs/ab/${SHA}`, 1)}${record(`a/blobs/abc/${SHA}`, 1)}<NextContinuationToken>b+ c</NextContinuationToken>`,
    record(`a/blobs/cd/${'cd'.repeat(32)}`, 0),
  ]
  const place = await placeOf(
    (request, response) => {
      asked.push(request.url ?? '')
      response.setHeader('date', ago(0).toUTCString())
      response.end(`<ListBucketResult>${pages[asked.length - 1]}</ListBucketResult>`)
    },
    { name: 's3://lab/a' },
  )
  expect(await listed(place)).toEqual([
    { sha256: SHA, size: 7, age: 10_000 },
    { sha256: 'cd'.repeat(32), size: 7, age: 0 },
  ])
  expect(asked).toEqual([
    '/lab?list-type=2&max-keys=1000&prefix=a%2Fblobs%2F',
    '/lab?list-type=2&max-keys=1000&prefix=a%2Fblobs%2F&continuation-token=b%2B%20c',
  ])
  await place.close()
})

test('a content is found by its digest, with its size and its age', async () => {
  const asked: string[] = []
  const place = await placeOf(
    (request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.setHeader('date', ago(0).toUTCString())
      if (asked.length > 1) response.writeHead(404).end()
      else response.writeHead(200, { 'content-length': 7, 'last-modified': ago(5000).toUTCString() }).end()
    },
    { name: 's3://lab/a/' },
  )
  expect(await place.contents.find(SHA)).toEqual({ sha256: SHA, size: 7, age: 5000 })
  expect(await place.contents.find(SHA)).toBeUndefined()
  expect(asked).toEqual([`HEAD /lab/a/blobs/ab/${SHA}`, `HEAD /lab/a/blobs/ab/${SHA}`])
  await place.close()
})

test('uploads in parts that began long ago are given up, and no others', async () => {
  const asked: string[] = []
  const upload = (key: string, id: string, begun: string) =>
    `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun}</Initiated></Upload>`
  const uploads = [
    upload('a/blobs/ab/old', 'old', ago(1001).toISOString()),
    upload('a/blobs/ab/young', 'young', ago(1000).toISOString()),
    upload('a/blobs/ab/odd', 'odd', 'yesterday'),
    upload('a/other/old', 'other', ago(5000).toISOString()),
    upload('b/a/blobs/old', 'below', ago(5000).toISOString()),
    upload('a/blobs/ab/older', 'c d', ago(5000).toISOString()),
  ]
  const place = await placeOf(
    (request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.setHeader('date', ago(0).toUTCString())
      if (request.method === 'GET') response.end(`<R>${uploads.join('')}</R>`)
      else response.writeHead(request.url?.includes('older') === true ? 404 : 204).end()
    },
    { name: 's3://lab/a' },
  )
  expect(await place.giveUpOlder(1000)).toBe(2)
  expect(asked).toEqual([
    'GET /lab?uploads=&prefix=a%2Fblobs%2F',
    'DELETE /lab/a/blobs/ab/old?uploadId=old',
    'DELETE /lab/a/blobs/ab/older?uploadId=c%20d',
  ])
  await place.close()
})

test('a store with its contents in a bucket is backed up into a folder, and restored into a bucket or a folder', async () => {
  const objects = new Map<string, string>()
  const bucket = memoryBucket(() => Promise.resolve(), objects)
  const port = await listening(createServer((request, response) => void bucket(request, response)))
  for (const [name, value] of Object.entries({ ...KEYS, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}` }))
    vi.stubEnv(name, value)
  const bytes = Buffer.from('typing '.repeat(5000))
  const { sha256 } = digestBytes(bytes)
  const object = `blobs/${sha256.slice(0, 2)}/${sha256}`
  const head: Commands[string] = (tx, _caller, row: BlobRow) => Buffer.from(blobHead(tx, row, 6)).toString()
  const stored = async (folder: string) => {
    const store = await openTestStore(folder, { writer: { ...STORE_COMMANDS, head } })
    const row = assured(
      store.read.get<BlobRow>(`SELECT pk, sha256, size, kind FROM blobs`),
      'nothing is there',
    )
    const found = await bytesOf(await store.blobs.open(row))
    // of a bucket it is fetched first
    expect(await store.write('head', NOBODY, row)).toBe('typing')
    const place = readBucket(store.read)
    await store.close()
    return [Buffer.compare(found, bytes), place?.name]
  }
  const store = await openTestStore(temp('in bucket'), { contents: 's3://lab/one' })
  await addContent(store, 'a', pieces(bytes))
  await store.close()
  expect([...objects.keys()].toSorted()).toEqual([`one/${object}`, 'one/store'])
  const report = { count: 1, bytes: bytes.length }
  expect(await backup(temp('in bucket'), temp('backup'))).toMatchObject(report)
  expect(readFileSync(join(temp('backup'), object)).equals(bytes)).toBe(true)
  expect(await restore(temp('backup'), temp('in folder'))).toMatchObject(report)
  expect(await restore(temp('backup'), temp('in another'), 's3://lab/two')).toMatchObject(report)
  expect([...objects.keys()].toSorted()).toEqual(
    ['one', 'two'].flatMap((name) => [`${name}/${object}`, `${name}/store`]),
  )
  expect(objects.get('two/store')).not.toBe(objects.get('one/store'))
  expect(await stored(temp('in bucket'))).toEqual([0, 's3://lab/one/'])
  expect(await stored(temp('in folder'))).toEqual([0, undefined])
  expect(await stored(temp('in another'))).toEqual([0, 's3://lab/two/'])
  // the bucket of another store is not taken
  await expect(restore(temp('backup'), temp('refused'), 's3://lab/two')).rejects.toMatchObject({
    code: 'data-differs',
    message: 's3://lab/two/ has the contents of another store',
  })
  vi.unstubAllEnvs()
})

describe('a content that is put in parts', () => {
  const MIB = 1 << 20
  const size = 64 * MIB + 5
  const path = temp('large')
  writeFileSync(path, '')
  truncateSync(path, size)
  const zeros = (length: number) => createHash('md5').update(Buffer.alloc(length)).digest('hex')
  const tags = [zeros(32 * MIB), zeros(32 * MIB), zeros(5)]
  const whole = createHash('md5')
    .update(Buffer.from(tags.join(''), 'hex'))
    .digest('hex')
  const content = { sha256: SHA, sha1: 'c', md5: 'd', size }

  /** The failure, and the requests, of a bucket that answers in this way. */
  async function putting(answers: {
    readonly start?: string
    readonly part?: number
    readonly tag?: string
  }) {
    const asked: string[] = []
    const place = await placeOf((request, response) => {
      void buffer(request).then((body) => {
        const { method, url = '' } = request
        if (method === 'GET') return void response.end(url.endsWith('/store') ? 'one' : EMPTY)
        const said = method === 'POST' && body.length > 0 ? ` ${body.toString()}` : ''
        asked.push(`${method} ${url.replace(/^.*\?/, '?').replace(/^\/.*$/, '')} ${body.length}${said}`)
        if (method === 'PUT') {
          const at = Number(/partNumber=(\d)/.exec(url)?.[1]) - 1
          const md5 = Buffer.from(request.headers['content-md5'] as string, 'base64').toString('hex')
          response.writeHead(at + 1 === answers.part ? 403 : 200, { etag: `"${md5}"` })
        } else if (method === 'HEAD') response.setHeader('etag', `"${answers.tag ?? `${whole}-3`}"`)
        response.end(url.includes('uploads=') ? (answers.start ?? '<R><UploadId>u</UploadId></R>') : '')
      })
    })
    await place.claim()
    asked.splice(0)
    const failure = await place.contents.publish(path, content).then(
      () => undefined,
      ({ status, cause }: { status: number; cause: Error }) => [status, cause.message],
    )
    await place.close()
    return { failure, asked: asked.toSorted() }
  }

  const START = 'POST ?uploads= 0'
  const GIVEN_UP = 'DELETE ?uploadId=u 0'
  const parts = [1, 2, 3].map((at) => `PUT ?partNumber=${at}&uploadId=u ${at === 3 ? 5 : 32 * MIB}`)
  const list = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>"${tag}"</ETag></Part>`)
  const xml = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`
  const END = `POST ?uploadId=u ${xml.length} ${xml}`
  const name = `blobs/ab/${SHA}`

  test('is assembled, and then there', async () => {
    expect(await putting({})).toEqual({
      failure: undefined,
      asked: ['HEAD  0', END, START, ...parts].toSorted(),
    })
  })

  test('is given up where it is assembled otherwise, or a part is refused', async () => {
    expect(await putting({ tag: 'other-3' })).toEqual({
      failure: [
        503,
        `${name}: the bucket did not assemble its parts correctly: other-3 instead of ${whole}-3`,
      ],
      asked: ['HEAD  0', END, START, GIVEN_UP, ...parts].toSorted(),
    })
    const { failure, asked } = await putting({ part: 3 })
    expect(failure).toEqual([503, 's3://lab/ answered 403: '])
    expect(asked).toContain(GIVEN_UP)
    expect(asked).not.toContain(END)
  })

  test('is not begun where the bucket names no upload', async () => {
    expect(await putting({ start: '<R></R>' })).toEqual({
      failure: [503, `${name}: the bucket did not start the upload`],
      asked: [START],
    })
  })
})

describe('a bucket', () => {
  const USABLE = 'check that the bucket exists, and check AWS_ENDPOINT_URL_S3, AWS_REGION and the access keys'

  test.each([
    [301, '<Error><Code>Moved</Code></Error>', '301 Moved'],
    [307, '<Error><Code></Code></Error>', '307'],
    [400, '<Error><Code>No</Code><Message>Not so</Message></Error>', '400 No'],
    [401, '', '401'],
    [403, '<Error><Code>No</Code></Error>', '403 No'],
    [404, 'nonsense', '404'],
  ])('that answers %i %j is not used', async (status, body, told) => {
    const place = await placeOf((_, response) => void response.writeHead(status).end(body))
    await expect(place.claim()).rejects.toMatchObject({
      code: 'io',
      message: `s3://lab/ cannot be used: ${told}`,
      offending: 's3://lab/',
      hint: USABLE,
    })
    await place.close()
  })

  /** What claims a bucket with these objects, and what is left in it. */
  async function claimed(objects: Readonly<Record<string, string>>, isNew = true) {
    const left = new Map(Object.entries(objects))
    const bucket = memoryBucket(() => Promise.resolve(), left)
    const place = await placeOf((request, response) => void bucket(request, response), { isNew })
    const outcome = await place.claim().then(
      () => 'ours',
      ({ message, hint }: HlaError) => [message, hint],
    )
    await place.close()
    return { outcome, left: Object.fromEntries(left) }
  }

  test.for<[string, Readonly<Record<string, string>>, boolean, unknown, Readonly<Record<string, string>>]>([
    ['that is empty', {}, true, 'ours', { store: 'one\n' }],
    ['of the store', { store: 'one' }, false, 'ours', { store: 'one' }],
    ['of the store, with what it was claimed by', { store: 'one', 'claims/one-1': '' }, true, 'ours', { store: 'one', 'claims/one-1': '' }],
    ['claimed by the store before', { 'claims/one-1': '' }, true, 'ours', { store: 'one\n', 'claims/one-1': '' }],
    ['of another store', { store: 'two\n' }, true, ['s3://lab/ has the contents of another store', 'choose another prefix: s3://bucket/prefix'], { store: 'two\n' }],
    ['that another store claims', { 'claims/two-1': '' }, true, ['another store is being set up with its contents in s3://lab/', 'choose another prefix: s3://bucket/prefix; if that store was abandoned, remove claims/two-1'], { 'claims/two-1': '' }],
    ['that a store whose name begins alike claims', { 'claims/one2-1': '' }, true, ['another store is being set up with its contents in s3://lab/', 'choose another prefix: s3://bucket/prefix; if that store was abandoned, remove claims/one2-1'], { 'claims/one2-1': '' }],
    ['of nobody, with contents', { 'blobs/x': '' }, true, ['s3://lab/ has contents that belong to no known store', 'the first is blobs/x'], { 'blobs/x': '' }],
    ['that lacks the contents of the store', {}, false, ['s3://lab/ does not have the contents of this store', 'check AWS_ENDPOINT_URL_S3; if the contents are there, put an object store with the text one'], {}],
  ])('%s', async ([, objects, isNew, outcome, left]) => {
    expect(await claimed(objects, isNew)).toEqual({ outcome, left })
  }) // prettier-ignore
})

describe('a content that is read', () => {
  const bytes = Buffer.from('0123456789')
  const content = { ...digestBytes(bytes), size: 10 }

  /** The bytes, or the message of the failure, and the ranges that the store asked for. */
  async function reading(
    answer: (response: ServerResponse, start: number, asked: number) => void,
    range?: { readonly start: number; readonly end: number },
  ) {
    const ranges: string[] = []
    const place = await placeOf((request, response) => {
      ranges.push(request.headers.range ?? '')
      answer(response, Number(/\d+/.exec(request.headers.range ?? '')?.[0]), ranges.length)
    })
    const read = await place.contents
      .open(content, range)
      .then(text)
      .catch((error: Error) => error.message)
    await place.close()
    return [read, ranges] as const
  }
  const part = (response: ServerResponse, start: number, end: number) =>
    response.writeHead(206, {
      'content-range': `bytes ${start}-${end}/10`,
      'content-length': end + 1 - start,
    })

  test('comes in one answer, also of a store that knows no ranges', async () => {
    const whole = (response: ServerResponse) =>
      response.writeHead(200, { 'content-length': 10 }).end('0123456789')
    expect(await reading(whole)).toEqual(['0123456789', ['bytes=0-9']])
    expect(await reading((response) => part(response, 0, 9).end(bytes))).toEqual([
      '0123456789',
      ['bytes=0-9'],
    ])
    const some = (response: ServerResponse) => part(response, 3, 5).end('345')
    expect(await reading(some, { start: 3, end: 5 })).toEqual(['345', ['bytes=3-5']])
    expect(await reading(whole, { start: 3, end: 2 })).toEqual(['', []])
  })

  test('goes on where the connection broke', async () => {
    const broken = (response: ServerResponse, start: number, asked: number) => {
      part(response, start, 9).write(bytes.subarray(start, start + 4))
      if (asked > 2) response.end(bytes.subarray(start + 4))
      else setImmediate(() => setImmediate(() => response.destroy()))
    }
    const [read, ranges] = await reading(broken)
    expect(read).toBe('0123456789')
    expect([ranges[0], ranges.length]).toEqual(['bytes=0-9', 3])
  })

  test('goes on where an answer ended early, and ends after four without a byte', async () => {
    const some = (count: number) => (response: ServerResponse, start: number) =>
      response
        .writeHead(206, { 'content-range': `bytes ${start}-9/10` })
        .end(bytes.subarray(start, start + count))
    expect(await reading(some(4))).toEqual(['0123456789', ['bytes=0-9', 'bytes=4-9', 'bytes=8-9']])
    expect(await reading(some(0))).toEqual([
      'the bucket sent 10 bytes fewer than were asked for',
      Array.from({ length: 4 }, () => 'bytes=0-9'),
    ])
  })

  test('is none of a bucket that lost it, or has other bytes', async () => {
    expect((await reading((response) => void response.writeHead(404).end()))[0]).toBe(
      `s3://lab/blobs/${content.sha256.slice(0, 2)}/${content.sha256} is not there`,
    )
    expect((await reading((response) => part(response, 0, 9).end('0123456780')))[0]).toMatch(
      /^the content \w{64} has other bytes: \w{64}$/,
    )
    const more = (response: ServerResponse) =>
      response.writeHead(206, { 'content-range': 'bytes 3-5/10' }).end('3456')
    expect((await reading(more, { start: 3, end: 5 }))[0]).toBe(
      'the bucket sends more bytes than were asked for',
    )
  })
})
