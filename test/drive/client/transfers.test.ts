/** Refusals of a store, requests over a real connection, and uploads of a stream. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConnection } from '../../../src/drive/client/connection.ts'
import { isRefusal, readReason, refusal } from '../../../src/drive/client/failure.ts'
import { DEFAULT_DRIVE } from '../../../src/drive/client/options.ts'
import { uploadStream } from '../../../src/drive/client/upload-stream.ts'
import { scriptedStore } from '../../support/scripted-store.ts'

const URL_OF_STORE = 'https://store.example'
const told = (error: object) => JSON.stringify({ error })

describe('a refusal', () => {
  test.for<[status: number, text: string, challenge: string | undefined, code: string, message: string]>([
    [404, told({ message: 'File not found: a.b.' }), undefined, 'not-found', 'the store says: File not found: a.b'],
    [403, told({ message: 'No' }), undefined, 'io', 'the store says: No'],
    [499, told({ message: 'No' }), undefined, 'io', 'the store says: No'],
    [500, told({ message: 'No' }), undefined, 'remote', 'the store says: No'],
    [502, '<html>', undefined, 'remote', 'https://store.example answers with status 502'],
    [400, '[]', undefined, 'io', 'https://store.example answers with status 400'],
    [400, told({ message: 1 }), undefined, 'io', 'https://store.example answers with status 400'],
    [401, told({ errors: [{ reason: 'required' }] }), 'x', 'remote', 'https://store.example requires an access token'],
    [401, '', undefined, 'remote', 'https://store.example does not accept the token: it is unknown there, or was revoked'],
    [401, '', 'Bearer error_description="expired at noon"', 'remote', 'https://store.example does not accept the token: expired at noon'],
    [401, '', 'Bearer error_description=""', 'remote', 'https://store.example does not accept the token: it is unknown there, or was revoked'],
  ])('%i %s %s', ([status, text, challenge, code, message]) => {
    const error = refusal(URL_OF_STORE, status, text, challenge)
    expect(error).toMatchObject({ code, message, facts: { status: String(status) } })
    expect(JSON.stringify(error.hint ?? '').includes('HLA_DRIVE_TOKEN_FILE')).toBe(status === 401)
    expect([isRefusal(error, status), isRefusal(error, status + 1)]).toEqual([true, false])
  }) // prettier-ignore

  test('has the reason, and the place if there is one', () => {
    const errors = [{ reason: 'invalid', location: 'q' }, { reason: 'other' }]
    expect(refusal(URL_OF_STORE, 400, told({ errors })).facts).toEqual({
      status: '400',
      reason: 'invalid',
      location: 'q',
    })
    expect(refusal(URL_OF_STORE, 400, told({ errors: ['x'] })).facts).toEqual({ status: '400', reason: '' })
  })

  test.for([
    [told({ message: 'Rate Limit. Exceeded.' }), 'Rate Limit. Exceeded'],
    [told({ message: '' }), undefined],
    ['<html>', undefined],
    ['', undefined],
  ] as const)('the reason in %j is %j', ([text, reason]) => expect(readReason(text)).toBe(reason))

  test('is none of another error', () => {
    expect(isRefusal(new Error('404'), 404)).toBe(false)
  })
})

interface Taken {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

describe('a connection', () => {
  const taken: Taken[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (bytes: Buffer) => (body += bytes.toString()))
    request.on('end', () => {
      taken.push({ method: request.method, url: request.url, headers: request.headers, body })
      const status = Number(/status=(\d+)/.exec(request.url ?? '')?.[1] ?? 200)
      response.writeHead(status, { 'x-one': 'a' }).end(/empty/.test(request.url ?? '') ? '' : '{"a":1}')
    })
  })
  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => void server.close())

  const connected = async (path: string, token?: string | (() => Promise<string>)) =>
    openConnection({ ...DEFAULT_DRIVE, url: `${base()}${path}`, token, retries: 0 })

  test.for([
    ['', '/drive/v2/about', {}, '/drive/v2/about'],
    ['/', '/drive/v2/about', {}, '/drive/v2/about'],
    ['/a/b/', '/x', { q: 'a b', n: 1, none: undefined }, '/a/b/x?q=a+b&n=1'],
    ['/a', '/x?y=1', { q: true }, '/a/x?y=1&q=true'],
    ['/a', '/x?y=1', { none: undefined }, '/a/x?y=1'],
  ] as const)('to %j asks for %s %j at %s', async ([path, asked, query, url]) => {
    const connection = await connected(path)
    const reply = await connection.send({ method: 'GET', path: asked, query })
    expect(reply).toMatchObject({ status: 200, body: { a: 1 } })
    expect([reply.header('x-one'), reply.header('x-two')]).toEqual(['a', undefined])
    expect(taken.at(-1)).toMatchObject({ method: 'GET', url, body: '' })
    expect(taken.at(-1)?.headers).not.toHaveProperty('authorization')
    expect(taken.at(-1)?.headers).not.toHaveProperty('content-type')
    await connection.close()
  })

  test('sends its token, of a text or a function, and a body', async () => {
    for (const token of ['t-1', () => Promise.resolve('t-1')]) {
      const connection = await connected('', token)
      const headers = { 'x-mine': 'h' }
      await connection.send({ method: 'POST', path: '/empty', json: { b: 2 }, headers })
      expect(taken.at(-1)).toMatchObject({ method: 'POST', body: '{"b":2}' })
      expect(taken.at(-1)?.headers).toMatchObject({
        authorization: 'Bearer t-1',
        'content-type': 'application/json',
        'x-mine': 'h',
      })
      const { body } = await connection.send({ method: 'PUT', path: '/empty', body: () => Buffer.from('x') })
      expect([body, taken.at(-1)?.body]).toEqual([undefined, 'x'])
      await connection.close()
    }
  })

  test.for([
    [299, [], true],
    [300, [], false],
    [308, [308], true],
    [404, [404, 410], true],
    [404, [], false],
    [404, [410], false],
    [500, [], false],
  ] as const)('takes status %i, where %j are answers too: %s', async ([status, answers, isTaken]) => {
    const connection = await connected('')
    const request = { method: 'GET', path: `/?status=${status}`, answers } as const
    const failure = { facts: { status: String(status) } }
    if (isTaken) {
      expect(await connection.send(request)).toMatchObject({ status })
      const { bytes } = await connection.open(request)
      let text = ''
      for await (const piece of bytes) text += piece.toString()
      expect(text).toBe('{"a":1}')
    } else if (status < 500) {
      await expect(connection.send(request)).rejects.toMatchObject(failure)
      await expect(connection.open(request)).rejects.toMatchObject(failure)
    } else await expect(connection.send(request)).rejects.toMatchObject({ code: 'remote' })
    await connection.close()
  })
})

const PIECE = 16 * 256 * 1024

test.for([0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE + 7])('a stream of %i bytes', async (size) => {
  const content = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 251))
  const whole = Buffer.alloc(size, content)
  const sent: Buffer[] = []
  const ranges: string[] = []
  const hashes: (string | undefined)[] = []
  const { connection } = scriptedStore(({ headers, body }) => {
    const given = body?.()
    if (given instanceof Buffer) sent.push(Buffer.from(given))
    ranges.push(headers?.['content-range'] ?? '')
    hashes.push(headers?.['x-goog-hash'])
    const held = sent.reduce((sum, piece) => sum + piece.length, 0)
    if (headers?.['x-goog-hash'] !== undefined) return { body: { id: 'made' } }
    return { status: 308, headers: held === 0 ? {} : { range: `bytes=0-${held - 1}` } }
  })
  let begun = 0
  const upload = uploadStream(() => {
    begun += 1
    return Promise.resolve({ connection, path: '/upload', retries: 0 })
  })
  await upload.begin()
  for (let at = 0; at < size; at += 1_000_003) {
    upload.write(whole.subarray(at, at + 1_000_003))
    await upload.ready()
  }
  await upload.complete()
  expect((await upload.finish()).id).toBe('made')
  expect(Buffer.concat(sent).equals(whole)).toBe(true)
  expect(sent.slice(0, -1).every(({ length }) => length === PIECE)).toBe(true)
  expect(ranges.at(-1)?.endsWith(`/${size}`)).toBe(true)
  expect(ranges.slice(0, -1).filter((range) => !range.endsWith('/*'))).toEqual([])
  const digest = (name: string) => createHash(name).update(whole)
  expect(hashes.at(-1)).toBe(`md5=${digest('md5').digest('base64')}`)
  expect(upload.identity()).toEqual({ bytes: size, sha256: digest('sha256').digest('hex') })
  expect(begun).toBe(1)
})

test('a cancelled upload ends when the store has refused or forgotten it, and one that has not begun asks nothing', async () => {
  const { connection, asked } = scriptedStore(({ method }) => ({ status: method === 'DELETE' ? 403 : 200 }))
  const open = () => uploadStream(() => Promise.resolve({ connection, path: '/upload', retries: 0 }))
  await open().cancel()
  expect(asked).toEqual([])
  const upload = open()
  await upload.begin()
  await expect(upload.cancel()).rejects.toMatchObject({ code: 'io' })
  expect(asked.map(({ method, path }) => [method, path])).toEqual([['DELETE', '/upload']])
})
