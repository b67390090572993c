/** Requests to an S3-compatible store: over TLS, with refusals, errors and missing answers. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { digestBytes } from '../../../src/drive/persistence/contents/digest.ts'
import { bucketPlace } from '../../../src/drive/persistence/contents/bucket/bucket-place.ts'
import { downloadSlots } from '../../../src/drive/persistence/contents/bucket/bucket-requests.ts'
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

async function placeOf(answer: RequestListener, store = 'one') {
  const port = await listening(createServer(answer))
  return bucketPlace('s3://lab', ownedBy(store), { ...KEYS, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}` })
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
function memoryBucket(before: (method: string, name: string, body: string) => Promise<void>) {
  const objects = new Map<string, string>()
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
    else response.writeHead(200, tag(found)).end(found)
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
      const slots = [await placeOf(answer), await placeOf(answer, 'other')] as const
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
  ['AES256', false],
  ['aws:kms', true],
  ['aws:kms:dsse', true],
])('a tag of other bytes, of a bucket with the encryption %s', async (encryption, isTaken) => {
  const headers = { etag: `"${'0'.repeat(32)}"`, 'x-amz-server-side-encryption': encryption }
  const answer = memoryBucket(() => Promise.resolve())
  const place = await placeOf((request, response) => {
    if (request.url?.includes('/blobs/') !== true) void answer(request, response)
    else request.resume().on('end', () => response.writeHead(200, headers).end())
  })
  await place.claim()
  const path = temp(`encrypted-${encryption.replaceAll(':', '-')}`)
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
