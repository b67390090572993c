/** Refusals of a store, requests over a real connection, and uploads of a stream. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { download, type DownloadOptions, openExport } from '../../../src/drive/client/download.ts'
import { type DriveConnection, openConnection } from '../../../src/drive/client/connection.ts'
import { newFileId } from '../../../src/drive/client/files.ts'
import { isRefusal, readReason, refusal } from '../../../src/drive/client/failure.ts'
import { DEFAULT_DRIVE } from '../../../src/drive/client/options.ts'
import {
  fetchUploadState,
  sendPiece,
  startUpload,
  type UploadPiece,
  type UploadTarget,
  uploadSmall,
} from '../../../src/drive/client/upload.ts'
import { uploadStream } from '../../../src/drive/client/upload-stream.ts'
import { HlaError, isHlaError } from '../../../src/errors.ts'
import { type ScriptedReply, scriptedStore } from '../../support/scripted-store.ts'

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
      const answer = /answer=([^&]*)/.exec(request.url ?? '')?.[1]
      const said = /generateIds/.test(request.url ?? '') ? '{"ids":["n"]}' : answer === undefined ? '{"a":1}' : decodeURIComponent(answer) // prettier-ignore
      response.writeHead(status, { 'x-one': 'a', 'retry-after': '7', 'www-authenticate': 'Bearer error_description="at noon"' }) // prettier-ignore
      if (/large/.test(request.url ?? '')) return response.end('x'.repeat(300_000))
      return response.end(/empty/.test(request.url ?? '') ? '' : said)
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

  test('asks for a single id first', async () => {
    const connection = await connected('')
    expect(await newFileId(connection)).toBe('n')
    expect(taken.at(-1)).toMatchObject({ method: 'GET', url: '/drive/v2/files/generateIds?maxResults=1' })
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

  const answering = (status: number, body: string) => `/?status=${status}&answer=${encodeURIComponent(body)}`

  test('says when to ask again, and takes a text for no body', async () => {
    const connection = await connected('')
    expect(await connection.send({ method: 'GET', path: '/' })).toMatchObject({ retryAfter: '7' })
    const text = await connection.send({ method: 'GET', path: answering(200, 'a text') })
    expect(text).toMatchObject({ status: 200, body: undefined })
    await connection.close()
  })

  test.for([
    [400, 'io', 'the store says: No room'],
    [401, 'remote', 'does not accept the token: at noon'],
    [503, 'remote', 'answers with status 503: No room (1 attempt)'],
    [429, 'remote', 'answers with status 429: No room (1 attempt)'],
  ] as const)('passes on why the store refuses with status %i', async ([status, code, message]) => {
    const connection = await connected('')
    const path = answering(status, told({ message: 'No room.' }))
    const expected = { code, message: expect.stringContaining(message) as string }
    await expect(connection.send({ method: 'GET', path })).rejects.toMatchObject(expected)
    if (status < 402) await expect(connection.open({ method: 'GET', path })).rejects.toMatchObject(expected)
    await connection.close()
  })

  test.for([429, 500, 503])('is free again after answers %i that nobody reads', async (status) => {
    const connection = await connected('')
    const path = `/large?status=${status}`
    const opened = Array.from({ length: 30 }, () => connection.open({ method: 'GET', path, retries: 0 }))
    const results = await Promise.allSettled(opened)
    expect(results.map((result) => result.status)).toEqual(Array.from({ length: 30 }, () => 'rejected'))
    expect(await connection.send({ method: 'GET', path: '/' })).toMatchObject({ status: 200 })
    await connection.close()
  })

  test('does not repeat what cannot succeed', async () => {
    const connection = await connected('')
    let count = 0
    const body = () => {
      count += 1
      throw new Error('the file is gone')
    }
    const sending = connection.send({ method: 'PUT', path: '/', body, retries: 2 })
    await expect(sending).rejects.toMatchObject({ message: expect.stringContaining('the file is gone') as string }) // prettier-ignore
    expect(count).toBe(1)
    await connection.close()
  })

  test('knows which broken downloads may go on', async () => {
    const connection = openConnection({ ...DEFAULT_DRIVE, url: base(), token: undefined, timeout: 30_000 })
    const { passing, close } = await connection
    const failed = (code: string) => Object.assign(new Error('it broke'), { code })
    expect(passing(failed('ECONNRESET'))).toBe('connection lost')
    expect(passing(failed('UND_ERR_BODY_TIMEOUT'))).toBe('no answer within 30 s')
    expect(passing(failed('ENOSPC'))).toBeUndefined()
    await close()
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

describe('a cancelled upload', () => {
  const open = (answer: () => ScriptedReply) => {
    const { connection, asked } = scriptedStore(answer)
    return { asked, upload: uploadStream(() => Promise.resolve({ connection, path: '/upload', retries: 3 })) }
  }

  test('that has not begun asks nothing', async () => {
    const { upload, asked } = open(() => ({}))
    await upload.cancel()
    expect(asked).toEqual([])
  })

  test.for([
    [204, true],
    // the store has forgotten it, or had ended it
    [404, true],
    [410, true],
    [499, true],
    // the token ended
    [401, true],
    // no answer
    [0, true],
    [403, false],
    [500, false],
  ] as const)('ends with status %i of the store: %s', async ([status, isEnd]) => {
    const { upload, asked } = open(() => {
      if (status === 0) throw new HlaError('remote', 'the connection broke')
      return { status }
    })
    await upload.begin()
    if (isEnd) await upload.cancel()
    else await expect(upload.cancel()).rejects.toMatchObject({ facts: { status: String(status) } })
    expect(asked).toMatchObject([{ method: 'DELETE', path: '/upload', retries: 0 }])
  })
})

describe('a stream', () => {
  const begin = () => {
    const answers: ((reply: ScriptedReply) => void)[] = []
    const { connection, asked } = scriptedStore(() => new Promise((resolve) => answers.push(resolve)))
    const upload = uploadStream(() => Promise.resolve({ connection, path: '/upload', retries: 0 }))
    return { upload, asked, answers }
  }
  const isSettled = async (promise: Promise<unknown> | undefined) => {
    const later = new Promise((resolve) => setImmediate(resolve, 'later'))
    return (await Promise.race([Promise.resolve(promise).then(() => 'settled'), later])) === 'settled'
  }

  test('waits for the piece before the last one, and is complete with the last', async () => {
    const { upload, answers } = begin()
    upload.write(Buffer.alloc(PIECE))
    expect(upload.ready()).toBeUndefined()
    upload.write(Buffer.alloc(PIECE))
    const ready = upload.ready()
    const complete = upload.complete()
    expect(await isSettled(ready)).toBe(false)
    answers[0]?.(held(PIECE - 1))
    expect([await isSettled(ready), await isSettled(complete)]).toEqual([true, false])
    expect(upload.ready()).toBeUndefined()
    upload.write(Buffer.alloc(PIECE))
    expect(await isSettled(upload.ready())).toBe(false)
    answers[1]?.(held(2 * PIECE - 1))
    expect([await isSettled(complete), await isSettled(upload.complete())]).toEqual([true, false])
  })

  test('that is cancelled sends nothing more, and has no end', async () => {
    const { upload, asked, answers } = begin()
    await upload.begin()
    for (let at = 0; at < 2; at += 1) upload.write(Buffer.alloc(PIECE))
    expect(await isSettled(upload.complete())).toBe(false)
    const cancelled = upload.cancel()
    answers[0]?.(held(PIECE - 1))
    expect(await isSettled(cancelled)).toBe(false)
    answers[1]?.({})
    await cancelled
    expect(await isSettled(upload.finish())).toBe(false)
    expect(asked.map(({ method }) => method)).toEqual(['PUT', 'DELETE'])
  })

  test('that is refused says so at each step, and not before it is asked', async () => {
    const upload = uploadStream(() => Promise.reject(new Error('no')))
    await expect(upload.begin()).rejects.toThrow('no')
    for (let at = 0; at < 2; at += 1) upload.write(Buffer.alloc(PIECE))
    await new Promise((resolve) => setImmediate(resolve))
    for (const step of [upload.ready, upload.complete, upload.finish])
      await expect(Promise.resolve(step())).rejects.toThrow('no')
  })
})

/** A content that is sent from memory. */
const textOf = (body: unknown) => (Buffer.isBuffer(body) ? body.toString() : '')

afterEach(() => void vi.useRealTimers())

/** The answers in turn, and what the client sent for each: its range, and the bytes behind it. */
function answering(replies: readonly (ScriptedReply | 'broken' | 'unreadable')[]) {
  const { connection, asked } = scriptedStore((_, at) => {
    const reply = replies[at] ?? { status: 500 }
    if (reply === 'unreadable') throw new Error('the file is gone')
    if (reply === 'broken') throw new HlaError('remote', 'the connection broke')
    return reply
  })
  const ranges = () =>
    asked.map(({ headers, body }) => [headers?.['content-range'], textOf(body?.())] as const)
  return { connection, asked, ranges }
}

const held = (last: number): ScriptedReply => ({ status: 308, headers: { range: `bytes=0-${last}` } })
const MADE: ScriptedReply = { body: { id: 'made' } }
const TEN = '0123456789'
const from = (start: number) => Buffer.from(TEN.slice(start))

describe('a piece', () => {
  const sent = async (replies: Parameters<typeof answering>[0], more: Partial<UploadPiece> = {}) => {
    const { connection, ranges } = answering(replies)
    const session = { connection, path: '/upload', retries: 0 }
    const result = await sendPiece(session, { start: 0, end: 10, total: 10, from, ...more }).catch(
      (error: Error) => `${isHlaError(error) ? error.code : 'bug'}: ${error.message}`,
    )
    return {
      result: typeof result === 'object' && 'file' in result ? result.file.id : result,
      ranges: ranges(),
    }
  }
  const stuckAt = (bytes: number) =>
    `remote: https://store.example does not accept more than ${bytes} bytes of the upload`

  test.for<[string, Parameters<typeof answering>[0], Partial<UploadPiece>, unknown, readonly (readonly [string, string])[]]>([
    ['arrives', [MADE], {}, 'made', [['bytes 0-9/10', TEN]]],
    ['goes on behind the part that arrived', [held(3), MADE], {}, 'made', [['bytes 0-9/10', TEN], ['bytes 4-9/10', '456789']]],
    ['goes on, after a break, behind what the store says it holds', ['broken', held(3), 'broken', held(6), MADE], {}, 'made', [['bytes 0-9/10', TEN], ['bytes */10', ''], ['bytes 4-9/10', '456789'], ['bytes */10', ''], ['bytes 7-9/10', '789']]],
    ['is whole though the answer was lost', ['broken', MADE], {}, 'made', [['bytes 0-9/10', TEN], ['bytes */10', '']]],
    ['ends an upload whose bytes are all there', [held(9), MADE], {}, 'made', [['bytes 0-9/10', TEN], ['bytes */10', '']]],
    ['of a longer content leaves the rest to the next', [held(7)], { start: 4, end: 8, total: undefined }, { bytes: 8 }, [['bytes 4-7/*', '456789']]],
    ['of which nothing arrives is given up', [held(3)], { start: 4 }, stuckAt(4), [['bytes 4-9/10', '456789']]],
    ['is given up where the store has lost what came before it', [held(2)], { start: 4 }, stuckAt(3), [['bytes 4-9/10', '456789']]],
    ['of which the store says nothing is given up', [{ status: 308 }], {}, stuckAt(0), [['bytes 0-9/10', TEN]]],
    ['that is refused is not sent again', [{ status: 400 }], {}, 'io: https://store.example answers with status 400', [['bytes 0-9/10', TEN]]],
    ['that cannot be read is not sent again', ['unreadable'], {}, 'bug: the file is gone', [['bytes 0-9/10', TEN]]],
    ['whose token has ended is not sent again', [{ status: 401 }], {}, 'remote: https://store.example does not accept the token: it is unknown there, or was revoked', [['bytes 0-9/10', TEN]]],
    ['of a longer content that broke asks without its size', ['broken', held(7)], { start: 4, end: 8, total: undefined }, { bytes: 8 }, [['bytes 4-7/*', '456789'], ['bytes */*', '']]],
  ])('%s', async ([, replies, more, result, ranges]) => {
    expect(await sent(replies, more)).toEqual({ result, ranges })
  }) // prettier-ignore

  test('says how many bytes come, and gives the store five minutes to write them', async () => {
    const { connection, asked } = answering([held(3), 'broken', held(9), MADE])
    const session = { connection, path: '/upload', retries: 0 }
    await sendPiece(session, { start: 0, end: 10, total: 10, from, md5: '00ff' })
    const hash = { 'x-goog-hash': 'md5=AP8=' }
    expect(asked.map(({ headers, patience }) => [headers, patience])).toEqual([
      [{ 'content-range': 'bytes 0-9/10', 'content-length': '10', ...hash }, 300_000],
      [{ 'content-range': 'bytes 4-9/10', 'content-length': '6', ...hash }, 300_000],
      [{ 'content-range': 'bytes */10', 'content-length': '0', ...hash }, 300_000],
      [{ 'content-range': 'bytes */10', 'content-length': '0', ...hash }, 300_000],
    ])
  })

  test('of which less arrives than before is tried as often as was said, after a pause', async () => {
    const { connection, ranges } = answering([held(3), held(3), held(9), MADE])
    const session = { connection, path: '/upload', retries: 1 }
    vi.useFakeTimers()
    const sending = sendPiece(session, { start: 0, end: 10, total: 10, from })
    const asked = () => ranges().map(([range]) => range)
    await vi.advanceTimersByTimeAsync(0)
    expect(asked()).toEqual(['bytes 0-9/10', 'bytes 4-9/10'])
    await vi.runAllTimersAsync()
    await sending
    expect(asked()).toEqual(['bytes 0-9/10', 'bytes 4-9/10', 'bytes 4-9/10', 'bytes */10'])
  })
})

test('a piece of which nothing arrives is sent as often as was said', async () => {
  const { connection, asked, ranges } = answering([{ status: 308 }, { status: 308 }, MADE])
  vi.useFakeTimers()
  const sending = sendPiece(
    { connection, path: '/upload', retries: 2 },
    { start: 0, end: 10, total: 10, from },
  )
  await vi.runAllTimersAsync()
  expect(await sending).toMatchObject({ file: { id: 'made' } })
  expect(ranges()).toEqual(Array.from({ length: 3 }, () => ['bytes 0-9/10', TEN]))
  // the connection does not repeat a piece of which a part may have arrived
  expect(asked.map(({ retries }) => retries)).toEqual([0, 0, 0])
})

describe('an upload', () => {
  const NEW: UploadTarget = { kind: 'new', mimeType: 'text/csv', title: 't', parent: 'p' }
  const OLD: UploadTarget = { kind: 'revision', mimeType: 'text/csv', file: 'a/b' }
  const WHERE: ScriptedReply = { headers: { location: 'https://elsewhere.example/up/x?id=1' } }
  const PARENTS = { parents: [{ id: 'p' }] }

  test.for<[UploadTarget, number | undefined, object]>([
    [NEW, 7, { method: 'POST', path: '/upload/drive/v2/files', json: { title: 't', mimeType: 'text/csv', ...PARENTS }, headers: { 'x-upload-content-type': 'text/csv', 'x-upload-content-length': '7' } }],
    [{ ...NEW, id: 'i', isTitleFree: true, isConverted: true }, undefined, { json: { id: 'i', title: 't', mimeType: 'text/csv', ...PARENTS }, query: { convert: true, supportsAllDrives: true, uploadType: 'resumable' }, headers: { 'x-upload-content-type': 'text/csv', 'x-hla-if': 'title-free' } }],
    [{ ...OLD, properties: { k: 'v' } }, 0, { method: 'PUT', path: '/upload/drive/v2/files/a%2Fb', json: { mimeType: 'text/csv', properties: [{ key: 'k', value: 'v', visibility: 'PUBLIC' }] }, headers: { 'x-upload-content-type': 'text/csv', 'x-upload-content-length': '0' } }],
    [{ ...OLD, etag: '"e"' }, undefined, { json: { mimeType: 'text/csv' }, headers: { 'x-upload-content-type': 'text/csv', 'if-match': '"e"' } }],
  ])('%j of %s bytes begins at the place that the store names', async ([target, size, request]) => {
    const { connection, asked } = answering([WHERE])
    expect(await startUpload(connection, target, { size, retries: 3 })).toEqual({ connection, path: '/up/x?id=1', retries: 3 })
    expect(asked).toMatchObject([request])
    expect(asked[0]?.headers).toEqual((request as { headers: object }).headers)
    expect(asked[0]?.json).toEqual((request as { json: object }).json)
  }) // prettier-ignore

  test.for([[{}], [{ headers: { location: '/up' } }]])(
    'without a place does not begin: %j',
    async ([reply]) => {
      await expect(
        startUpload(answering([reply ?? {}]).connection, NEW, { size: 1, retries: 0 }),
      ).rejects.toMatchObject({
        code: 'remote',
        message: 'the store started an upload without saying where to send it',
      })
    },
  )

  test.for([
    [{ status: 404 }, undefined],
    [{ status: 410 }, undefined],
    [held(4), { bytes: 5 }],
    [{ status: 308 }, { bytes: 0 }],
    ...['bytes=0-', 'xbytes=0-4', 'bytes=0-4,6-7', 'bytes=1-4'].map(
      (range) => [{ status: 308, headers: { range } }, { bytes: 0 }] as const,
    ),
  ] as const)('of an earlier run: %j is %j', async ([reply, state]) => {
    const { connection, asked, ranges } = answering([reply])
    expect(await fetchUploadState({ connection, path: '/upload', retries: 0 })).toEqual(state)
    expect(ranges()).toEqual([['bytes */*', '']])
    expect(asked[0]?.headers).toMatchObject({ 'content-length': '0' })
  })

  test('of an earlier run that the store does not tell of is no forgotten one', async () => {
    const { connection } = answering([{ status: 403 }])
    await expect(fetchUploadState({ connection, path: '/upload', retries: 0 })).rejects.toMatchObject({
      code: 'io',
    })
  })
})

describe('a small content', () => {
  const bytes = Buffer.from('A*01:01\n')
  const md5 = createHash('md5').update(bytes)
  const small = { bytes, md5: md5.copy().digest('hex') }
  const NEW = { kind: 'new', mimeType: 'text/plain', title: 't', parent: 'p' } as const
  const IDS: ScriptedReply = { body: { ids: ['n'] } }

  test('is sent with what describes it, in one request', async () => {
    const { connection, asked } = answering([IDS, MADE])
    expect((await uploadSmall(connection, NEW, small)).id).toBe('made')
    const [, { method, path, query, headers, body } = { method: '', path: '' }] = asked
    expect([method, path, query]).toMatchObject([
      'POST',
      '/upload/drive/v2/files',
      { uploadType: 'multipart' },
    ])
    const boundary = /^multipart\/related; boundary=(\S+)$/.exec(headers?.['content-type'] ?? '')?.[1] ?? ''
    expect(headers?.['x-goog-hash']).toBe(`md5=${md5.digest('base64')}`)
    expect(textOf(body?.()).split('\r\n')).toEqual([
      `--${boundary}`,
      'content-type: application/json; charset=UTF-8',
      '',
      '{"title":"t","parents":[{"id":"p"}],"id":"n","mimeType":"text/plain"}',
      `--${boundary}`,
      'content-type: text/plain',
      '',
      'A*01:01\n',
      `--${boundary}--`,
    ])
  })

  test.for<[UploadTarget, readonly ScriptedReply[], string]>([
    [NEW, [IDS, { status: 409 }, { body: { id: 'n' } }], 'GET /drive/v2/files/n'],
    [{ ...NEW, id: 'i' }, [{ status: 409 }, { body: { id: 'i' } }], 'GET /drive/v2/files/i'],
    [{ kind: 'revision', mimeType: 'text/plain', file: 'f' }, [MADE], 'PUT /upload/drive/v2/files/f'],
  ])('%j is made once, whatever the store heard before', async ([target, replies, last]) => {
    const { connection, asked } = answering(replies)
    await uploadSmall(connection, target, small)
    expect(asked.map(({ method, path }) => `${method} ${path}`).at(-1)).toBe(last)
  })

  test('for a file that somebody else has changed is refused', async () => {
    const { connection } = answering([{ status: 409 }])
    const target: UploadTarget = { kind: 'revision', mimeType: 'text/plain', file: 'f' }
    await expect(uploadSmall(connection, target, small)).rejects.toMatchObject({ code: 'io' })
  })
})

describe('a download', () => {
  const MD5 = createHash('md5').update(TEN).digest('hex')
  interface Sent {
    readonly status?: number
    readonly text: string
    /** The connection breaks behind the text. */
    readonly isBroken?: boolean
  }

  /** What arrives, or the error, and the ranges that the client asked for. */
  async function read(sent: readonly Sent[], more: Partial<DownloadOptions> = {}, size = 10, md5 = MD5) {
    const ranges: (string | undefined)[] = []
    const connection: DriveConnection = {
      ...scriptedStore(() => ({})).connection,
      open({ method, headers, path, query }) {
        expect([method, path, query]).toEqual(['GET', '/drive/v2/files/f', { alt: 'media', revisionId: 'r', supportsAllDrives: true }])
        // contents are of any type
        expect(headers?.['accept']).toBe('*/*')
        const { status, text, isBroken = false } = sent[ranges.push(headers?.['range']) - 1] ?? { status: 500, text: '' }
        const bytes = (async function* () {
          yield* Array.from(text, (sign) => Buffer.from(sign))
          if (isBroken) throw Object.assign(new Error('gone'), { code: 'ECONNRESET' })
        })()
        return Promise.resolve({ status: status ?? (headers?.['range'] === undefined ? 200 : 206), header: () => undefined, retryAfter: undefined, bytes })
      },
      passing: (error) => (error instanceof Error && 'code' in error && error.code === 'ECONNRESET' ? error.message : undefined),
    }
    const content = { file: 'f', revision: 'r', size, md5, name: '/a' }
    let text = ''
    try {
      for await (const bytes of download(connection, content, { retries: 0, ...more })) text += bytes.toString()
    } catch (error) {
      text = error instanceof HlaError ? `${error.code}: ${error.message}` : String(error)
    }
    return [text, ...ranges]
  }
  async function* begun() {
    yield* [Buffer.from('01'), Buffer.from('23')]
  }

  test.for<[string, readonly Sent[], Partial<DownloadOptions>, readonly (string | undefined)[]]>([
    ['asks for the whole at once', [{ text: TEN }], {}, [TEN, undefined]],
    ['asks for the head first', [{ text: '012' }, { text: '3456789' }], { head: 3 }, [TEN, 'bytes=0-2', 'bytes=3-9']],
    ['of which the head is all asks for the whole', [{ text: TEN }], { head: 11 }, [TEN, undefined]],
    ['goes on behind what is here', [{ text: '456789' }], { begun: begun() }, ['456789', 'bytes=4-9']],
    ['goes on where it broke', [{ text: '012', isBroken: true }, { text: '34' }, { text: '56789' }], { retries: 1 }, [TEN, undefined, 'bytes=3-9', 'bytes=5-9']],
    ['that brings nothing twice is given up', [{ text: '012', isBroken: true }, { text: '' }], { retries: 1 }, ['remote: cannot read /a from https://store.example: the content was cut off', undefined, 'bytes=3-9']],
    ['that brings nothing is asked for as often as was said', [{ text: '', isBroken: true }, { text: '' }, { text: TEN }], { retries: 2 }, [TEN, undefined, undefined, undefined]],
    ['that breaks is given up where that was said', [{ text: '012', isBroken: true }], {}, ['remote: cannot read /a from https://store.example: gone', undefined]],
    ['of other bytes is damaged', [{ text: '0123456780' }], {}, ['checksum-mismatch: the download of /a is damaged: its MD5 differs from that of the store', undefined]],
    ['whose part comes as a whole is refused', [{ text: TEN, status: 200 }], { head: 3 }, ['io: https://store.example answers with status 200', 'bytes=0-2']],
  ])('%s', async ([, sent, more, expected]) => {
    vi.useFakeTimers()
    const reading = read(sent, more)
    await vi.runAllTimersAsync()
    expect(await reading).toEqual(expected)
  })

  test('of a document is an export, which a store may take two minutes to make', async () => {
    const asked: unknown[] = []
    const reply = { status: 200, header: () => undefined, retryAfter: undefined, bytes: begun() }
    const connection: DriveConnection = {
      ...scriptedStore(() => ({})).connection,
      open(request) {
        asked.push(request)
        return Promise.resolve(reply)
      },
    }
    expect(await openExport(connection, 'f', { type: 'text/csv', revision: 'r' })).toBe(reply)
    expect(asked).toEqual([
      {
        method: 'GET',
        path: '/drive/v2/files/f/export',
        query: { mimeType: 'text/csv', revisionId: 'r' },
        headers: { accept: '*/*' },
        patience: 120_000,
      },
    ])
  })

  test('that breaks goes on after a pause', async () => {
    vi.useFakeTimers()
    const sent: readonly Sent[] = [{ text: '012', isBroken: true }, { text: '3456789' }]
    const reading = read(sent, { retries: 1 })
    expect(await Promise.race([reading, vi.advanceTimersByTimeAsync(0).then(() => 'waits')])).toBe('waits')
    await vi.runAllTimersAsync()
    expect(await reading).toEqual([TEN, undefined, 'bytes=3-9'])
  })

  test('of nothing asks for nothing', async () => {
    expect(await read([], {}, 0, createHash('md5').digest('hex'))).toEqual([''])
  })
}) // prettier-ignore
