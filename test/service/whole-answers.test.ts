/** What a service answers and logs beside its operations, in whole: refusals, health, tags of caches, places of tables, log lines. */
import { createHash } from 'node:crypto'
import { connect, type AddressInfo } from 'node:net'
import fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { HlaError } from '../../src/errors.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { packageVersion } from '../../src/package-root.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { makeServed } from '../../src/service/current.ts'
import type { ServiceOptions } from '../../src/service/options.ts'
import { openService } from '../../src/service/service.ts'
import { addTable, type TableParts } from '../../src/service/table/table.ts'
import type { TableAnswer } from '../../src/service/table/table-answer.ts'
import { newForm } from '../../src/service/table/multipart.ts'
import { startThreads } from '../../src/service/threads/threads.ts'
import { breakReason } from '../../src/web/connections.ts'

const KNOWLEDGE = makeKnowledge(openStarter())

function opened(options: Partial<ServiceOptions> = {}) {
  const service = openService(KNOWLEDGE, options)
  onTestFinished(() => service.drain({ delay: 0, patience: 0 }))
  return service
}

async function listening(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port // the address of a port
}

/** All that is said to these bytes until the connection is closed. */
function said(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (bytes) => (heard += bytes.toString()))
    socket.on('error', () => undefined).on('close', () => resolve(heard))
  })
}

const json = (body: object) => JSON.stringify(body)

describe('a refusal', () => {
  test.for([
    ['what is not HTTP', 'A*01:01\r\n\r\n', '400 Bad Request', 'not an HTTP request'],
    [
      'long headers',
      `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(17 * 1024)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
      'the headers are too long',
    ],
  ] as const)('of %s', async ([, text, status, message]) => {
    const body = json({ message, code: 'bad-request' })
    expect(await said(await listening(opened().app), text)).toBe(
      [
        `HTTP/1.1 ${status}`,
        'connection: close',
        'content-type: application/json; charset=utf-8',
        `content-length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    )
  })

  test.for([
    ['a body', 'POST /redux HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\n{'],
    ['a head', 'POST /redux HTTP/1.1\r\n'],
  ] as const)('of %s that does not arrive', async ([, text]) => {
    const [head = '', body] = (await said(await listening(opened({ requestTimeout: 100 }).app), text)).split(
      '\r\n\r\n',
    )
    expect([head.split('\r\n')[0], body]).toEqual([
      'HTTP/1.1 408 Request Timeout',
      json({ message: 'the request did not arrive in time', code: 'timeout' }),
    ])
  })

  test('of a body that is too long keeps its connection when all of it has arrived', async () => {
    const heard = await said(
      await listening(opened({ maxBody: 10 }).app),
      `POST /redux HTTP/1.1\r\nhost: x\r\ncontent-length: 20\r\n\r\n${'x'.repeat(20)}GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
    )
    expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  })

  test('of several hosts', async () => {
    const heard = await said(
      await listening(opened().app),
      'GET /version HTTP/1.1\r\nHOST: one\r\nhost: two\r\nconnection: close\r\n\r\n',
    )
    expect(heard.split('\r\n\r\n')[1]).toBe(
      json({ message: 'a request must have exactly one Host header', code: 'bad-request' }),
    )
  })

  test('of too many requests, but not of those without a token', async () => {
    const { app } = opened({ rateLimit: 1 })
    expect((await app.inject('/version')).statusCode).toBe(200)
    const answer = await app.inject('/version')
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
      429,
      '1',
      { message: 'more than 1 requests or lines of batches a second', code: 'too-many-requests' },
    ])
    for (const url of ['/healthz', '/openapi.json', '/docs'])
      expect((await app.inject(url)).statusCode).toBe(200)
  })

  test.for([
    ['', 'the body is empty; it must be one JSON object'],
    ['{', 'the body is not JSON'],
    ['[]', 'a request is one JSON object'],
  ] as const)('of the body %j', async ([body, message]) => {
    const chunk = body === '' ? '' : `${body.length}\r\n${body}\r\n`
    const heard = await said(
      await listening(opened().app),
      `POST /redux HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`,
    )
    const [head = '', answer = ''] = heard.split('\r\n\r\n')
    expect([head.slice(9, 12), JSON.parse(answer)]).toEqual([
      '400',
      { message, code: 'bad-request', suggestions: [] },
    ])
  })
})

test('a service says that it is alive, ready, and about to end', async () => {
  const service = openService(KNOWLEDGE)
  const ask = async (url: string) => {
    const { statusCode, body } = await service.app.inject(url)
    return [statusCode, body]
  }
  expect(await ask('/healthz')).toEqual([200, '{"status":"ok"}'])
  expect(await ask('/readyz')).toEqual([200, '{"status":"ready","data":"3.58.0+starter"}'])
  const drained = service.drain({ delay: 50, patience: 0 })
  expect(await ask('/healthz')).toEqual([200, '{"status":"ok"}'])
  expect(await ask('/readyz')).toEqual([
    503,
    '{"status":"draining","message":"the service is shutting down"}',
  ])
  await drained
})

test.for([
  ['/ui', './'],
  ['/ui/', '../'],
] as const)('%s leads to the page at %s', async ([url, location]) => {
  const answer = await opened({ tokens: ['one'] }).app.inject(url)
  expect([answer.statusCode, answer.headers['location']]).toEqual([302, location])
})

test('metrics are text of Prometheus, with the number of the process', async () => {
  const service = opened({ worker: 7 })
  const { app } = service
  const answer = await app.inject('/metrics')
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(answer.body).toContain(
    `hla_info{version="${packageVersion()}",data="3.58.0+starter",worker="7"} 1\n`,
  )
  expect(service.snapshot().worker).toBe(7)
  const gathered = opened({ gather: () => Promise.resolve([]) })
  expect((await gathered.app.inject('/metrics')).body).not.toContain('worker=')
})

describe('a cache', () => {
  const TAG = `"3.58.0+starter-${packageVersion()}"`
  const TEXT_TAG = `"3.58.0+starter-${packageVersion()}-text"`
  test.for<[request: InjectOptions, expected: readonly unknown[]]>([
    [{ url: '/ard/A*01:01' }, [200, TAG, 'private, no-cache', 'accept', '3.58.0+starter']],
    [{ url: '/ard/A*01:01', headers: { accept: 'text/plain' } }, [200, TEXT_TAG, 'private, no-cache', 'accept', '3.58.0+starter']],
    [{ url: '/ard/A*01:01', headers: { 'if-none-match': TAG } }, [304, TAG, 'private, no-cache', 'accept', '3.58.0+starter']],
    [{ url: '/ard/A*01:01', headers: { 'if-none-match': TEXT_TAG } }, [200, TAG, 'private, no-cache', 'accept', '3.58.0+starter']],
    [{ url: '/splits/A9' }, [501, undefined, undefined, undefined, '3.58.0+starter']],
    [{ url: '/ard/A' }, [400, undefined, undefined, undefined, '3.58.0+starter']],
    [{ url: '/valid?gl_string=A*' }, [400, undefined, undefined, 'accept', '3.58.0+starter']],
    [{ method: 'POST', url: '/redux', payload: { gl_string: 'A*01:01' } }, [400, undefined, undefined, undefined, '3.58.0+starter']],
    [{ method: 'POST', url: '/redux', payload: { gl_string: 'A*01:01', reduction_method: 'G' } }, [200, undefined, undefined, undefined, '3.58.0+starter']],
    [{ method: 'POST', url: '/mac', payload: { gl_string: 'A*01:01/A*01:02' } }, [200, undefined, undefined, 'accept', '3.58.0+starter']],
  ])('is told of %j', async ([request, expected]) => {
    const { statusCode, headers } = await opened().app.inject(request)
    const { etag, vary } = headers
    expect([statusCode, etag, headers['cache-control'], vary, headers['x-hla-data']]).toEqual(expected)
  }) // prettier-ignore

  test('may share the version, unless a token was needed for it', async () => {
    const today = new Date().toISOString().slice(0, 10)
    for (const [headers, scope] of [
      [{}, 'public'],
      [{ authorization: 'Bearer x' }, 'private'],
    ] as const) {
      const answer = await opened().app.inject({ url: '/version', headers })
      const { releases } = answer.json<{ releases: string[] }>()
      expect([answer.headers['cache-control'], answer.headers['etag']]).toEqual([
        `${scope}, no-cache`,
        `"3.58.0+starter-${packageVersion()}-${releases.join('-')}-${today}"`,
      ])
    }
  })
})

describe('the limit of names of an operator', () => {
  const gl_string = (count: number) => Array.from({ length: count }, () => 'A*01:01').join('/')
  test.for<[most: number, limit: unknown, count: number, says: string | undefined]>([
    [3, undefined, 3, undefined],
    [3, undefined, 4, 'the limit is 3'],
    [3, 0, 4, 'the limit is 3'],
    [3, 3, 3, undefined],
    [3, 4, 4, 'the limit is 3'],
    [3, 2, 2, undefined],
    [3, 2, 3, 'the limit is 2'],
    [0, undefined, 6, undefined],
    [0, 2, 3, 'the limit is 2'],
    [3, '2', 1, 'option limit must be a number'],
    [3, null, 1, 'option limit must be a number'],
    [3, -1, 1, 'option limit must be a whole number; 0 means no limit'],
  ])('of %d, with %j asked for, and %d names: %s', ([most, limit, count, says]) => {
    const { executor } = makeServed(KNOWLEDGE, most)
    const options = limit === undefined ? {} : { options: { limit } }
    const input = { gl_string: gl_string(count), reduction_method: 'lgx', ...options }
    const ask = () => executor.execute('redux', input)
    if (says === undefined) expect(ask()).toMatchObject({ gl_string: gl_string(count) })
    else expect(ask).toThrow(says)
  })

  test('is in the identity of no data', () => {
    const { dataId, etag } = makeServed(KNOWLEDGE, 3)
    expect([dataId, etag]).toEqual(['3.58.0+starter', `"3.58.0+starter-${packageVersion()}"`])
    const identity = { ...KNOWLEDGE.identity, id: '3.58.0+mac.1', sha256: 'abc' }
    const full = makeServed({ ...KNOWLEDGE, identity }, 3)
    expect([full.dataId, full.etag]).toEqual([
      '3.58.0+mac.1 sha256:abc',
      `"3.58.0+mac.1-abc-${packageVersion()}"`,
    ])
  })
})

test('the lines of a batch, and what is wrong with them', async () => {
  const service = opened({ maxBody: 40 })
  const { app } = service
  const lines = ['{"op":"mac","gl_string":"A*01:01/A*01:02"}', '{"op":"none"}', '{"op":"ard","allele":"A*01:01"}\r', '', '{"op":"ard","allele":"A*01:AB"}'] // prettier-ignore
  const answer = await app.inject({ method: 'POST', url: '/batch', payload: lines.join('\n') })
  expect([answer.statusCode, answer.headers['content-type'], answer.headers['x-hla-data']]).toEqual([
    200,
    'application/jsonl; charset=utf-8',
    '3.58.0+starter',
  ])
  const [long, unknown, ard, empty, code, ...more] = answer.body
    .split('\n')
    .map((line) => (line === '' ? line : (JSON.parse(line) as unknown)))
  expect(more).toEqual([''])
  expect(long).toEqual({
    error: { message: 'the line is longer than 40 bytes', code: 'bad-request', suggestions: [] },
  })
  for (const wrong of [unknown, empty]) expect(wrong).toMatchObject({ error: { code: 'bad-request' } })
  expect([ard, code]).toMatchObject([
    { allele: 'A*01:01', ard: 'A*01:01' },
    { allele: 'A*01:AB', ard: 'A*01:01/A*01:02' },
  ])
  expect(service.snapshot().lines).toBe(5)
  expect((await app.inject({ method: 'POST', url: '/batch' })).body).toBe('')
})

describe('a table', () => {
  const apps: FastifyInstance[] = []
  afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())))

  /** Sends a table to a service with these parts. */
  async function sent(parts: Partial<TableParts>) {
    const lines: string[] = []
    const app = fastify({ logger: { level: 'warn', stream: { write: (line) => void lines.push(line) } } })
    apps.push(app)
    const refused: string[] = []
    let given = 0
    const reasons: unknown[] = []
    app.addHook('onRequest', (_request, reply, done) => {
      reply.raw.once('close', () => reasons.push(breakReason(reply.raw)))
      done()
    })
    addTable(app, {
      convert: () => Promise.reject(new Error('not asked')),
      most: 1000,
      time: 0,
      places: {
        take: () => Promise.resolve(() => (given += 1)),
        refuse: (why) => refused.push(why),
        use: () => ({ taken: 0, refused: { full: 0, caller: 0, crowded: 0 } }),
      },
      connections: { begin: () => undefined, end: () => undefined, close: () => undefined },
      ...parts,
    })
    const url = `http://127.0.0.1:${await listening(app)}/table`
    const answer = await fetch(url, { method: 'POST', body: 'ID,A1\nx,01:01\n' })
    const body = await answer.text().catch(() => 'broken')
    await expect.poll(() => reasons.length).toBe(1)
    await new Promise((turn) => setImmediate(turn))
    const { status, headers } = answer
    const logged = lines.map((line) => JSON.parse(line) as { msg: string; reason?: string; level: number })
    return { status, retry: headers.get('retry-after'), body, given, logged, reasons, refused }
  }

  test.for([
    ['full', '4 tables are being converted; ask again'],
    ['caller', '3 of your tables are being converted; try again when one is finished'],
  ] as const)('without a place (%s) is refused', async ([why, message]) => {
    const places = {
      take: () => Promise.resolve(why),
      refuse: () => undefined,
      use: () => ({ taken: 0, refused: { full: 0, caller: 0, crowded: 0 } }),
    }
    const { status, retry, body } = await sent({ places })
    expect([status, retry, body]).toEqual([503, '2', json({ message, code: 'too-many-requests' })])
  })

  test('that is too long is refused before it has a place', async () => {
    const message = 'the table is longer than 0 MiB; the command line converts tables of any length'
    expect(await sent({ most: 5 })).toMatchObject({
      status: 413,
      body: json({ message, code: 'bad-request' }),
      given: 0,
      reasons: [undefined],
    })
  })

  test('with an error is refused, and its place is free again', async () => {
    const convert = () => Promise.reject(new HlaError('usage', 'no columns', { hint: 'name one' }))
    const { status, body, given, logged } = await sent({ convert })
    expect([status, JSON.parse(body), given, logged]).toEqual([
      400,
      { message: 'no columns', code: 'usage', hint: 'name one', suggestions: [] },
      1,
      [],
    ])
  })

  const ended = async (): Promise<HlaError> => {
    const threads = startThreads({ file: 'none', workerData: {} } as never, 'table', 1)
    await threads.close()
    return threads.ask(undefined as never, '').then(
      () => new HlaError('internal', 'nothing ended'),
      (error: HlaError) => error,
    )
  }
  const END = 'the service ended before it was ready with the table'

  test('that the service is too late for may come again', async () => {
    const convert = async () => Promise.reject<TableAnswer>(await ended())
    expect(await sent({ convert })).toEqual({
      status: 503,
      retry: '2',
      body: json({ message: END, code: 'too-many-requests' }),
      given: 1,
      logged: [expect.objectContaining({ level: 40, msg: 'a table conversion did not complete', reason: 'end' })],
      reasons: ['end'],
      refused: [],
    })
  }) // prettier-ignore

  test('whose answer ends early has the reason as its last part', async () => {
    const form = newForm()
    const error = await ended()
    const body = (async function* () {
      yield await Promise.resolve(`${form.part('plan', 'text/plain')}A`)
      throw error
    })()
    const boundary = form.contentType.slice('multipart/form-data; boundary='.length)
    const answer = await sent({ convert: () => Promise.resolve({ contentType: form.contentType, body }) })
    const record = { message: END, code: 'bad-request', hint: 'ask again', suggestions: [] }
    expect(answer).toMatchObject({ status: 200, given: 1, reasons: ['end'], logged: [{ reason: 'end' }] })
    const [head, text] = answer.body.split(`--${boundary}\r\n`).slice(-1)[0]?.split('\r\n\r\n') ?? []
    expect(head).toBe('content-disposition: form-data; name="error"\r\ncontent-type: application/json')
    expect(text?.startsWith('{')).toBe(true)
    expect(JSON.parse(text?.split('\r\n')[0] ?? '')).toEqual(record)
    expect(answer.body.endsWith(`\r\n--${boundary}--\r\n`)).toBe(true)
  })

  test('whose answer ends with a bug is broken off, and logged without the bug’s text', async () => {
    const form = newForm()
    const body = (async function* () {
      yield await Promise.resolve(`${form.part('plan', 'text/plain')}A`)
      throw new TypeError('a bug')
    })()
    const answer = await sent({ convert: () => Promise.resolve({ contentType: form.contentType, body }) })
    expect(answer).toMatchObject({ given: 1, reasons: ['failed'] })
    expect(answer.body).not.toContain('summary')
    expect(answer.logged[0]).toMatchObject({ level: 50, msg: 'internal error' })
  })
})

describe('the log', () => {
  /** Lines about these requests of one client; numbers that differ are left out. */
  async function logged(options: Partial<ServiceOptions>, inputs = false, access = true) {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    const { app } = opened({ ...options, log: { stream, access, inputs } })
    const url = `http://127.0.0.1:${await listening(app)}`
    const headers = { authorization: 'Bearer one', connection: 'close' }
    const ask = async (id: string, path: string, init: RequestInit = {}) =>
      (await fetch(url + path, { ...init, headers: { ...headers, 'x-request-id': id } })).text()
    await ask('r1', '/ard/A*01:01?lift=false')
    await ask('r2', '/none/A*01:01')
    await ask('r3', '/redux', { method: 'POST', body: '{"gl_string":"A*01:01","reduction_method":"G"}' })
    await ask('r4', '/batch', { method: 'POST', body: '{"op":"version"}' })
    const ofRequests = () => lines.filter((line) => line.includes('reqId'))
    await expect.poll(() => ofRequests().length).toBe(access ? 4 : 0)
    return ofRequests().map((line) => {
      const { time, pid, hostname, bytes, ms, ...facts } = JSON.parse(line) as Record<string, unknown>
      expect([time, pid, hostname, bytes, ms].map((one) => typeof one)).toEqual(['number', 'number', 'string', 'number', 'number']) // prettier-ignore
      expect([Number(bytes) > 100, Number(ms) > 0, Number(ms) < 60_000]).toEqual([true, true, true])
      return facts
    })
  }

  const LINES = [
    { reqId: 'r1', method: 'GET', route: '/ard/:allele', status: 200 },
    { reqId: 'r2', method: 'GET', route: 'unknown', status: 404 },
    { reqId: 'r3', method: 'POST', route: '/redux', status: 200 },
    { reqId: 'r4', method: 'POST', route: '/batch', status: 200 },
  ].map((line) => ({ level: 30, ip: '127.0.0.1', ...line }))

  test('has a line for a request, without what was asked', async () => {
    expect(await logged({})).toEqual(LINES)
    expect(await logged({}, false, false)).toEqual([])
  })

  test('has the id of the token', async () => {
    const token = createHash('sha256').update('one').digest('hex').slice(0, 8)
    const lines = LINES.map((line) => ({ ...line, token }))
    expect(await logged({ tokens: ['one'] })).toEqual(lines)
  })

  test('has what was asked where the operator wants it, but no body that was read piece by piece', async () => {
    const asked = [
      { url: '/ard/A*01:01?lift=false' },
      { url: '/none/A*01:01' },
      { url: '/redux', body: { gl_string: 'A*01:01', reduction_method: 'G' } },
      { url: '/batch' },
    ]
    expect(await logged({}, true)).toEqual(LINES.map((line, at) => ({ ...line, ...asked[at] })))
  })

  test.for([true, false])('tells of a client that left only where it tells of requests: %s', async (access) => {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    const service = opened({ log: { stream, access, inputs: false } })
    const { app } = service
    const port = await listening(app)
    const socket = connect(port, '127.0.0.1')
    socket.write('POST /batch HTTP/1.1\r\nhost: x\r\nx-request-id: r1\r\ncontent-length: 100\r\n\r\n{"op":"version"}\n')
    await new Promise((begun) => socket.once('data', begun))
    socket.destroy()
    await expect.poll(() => service.snapshot().broken).toEqual({ 'method="POST",route="/batch",reason="client"': 1 })
    const found = lines.map((line) => JSON.parse(line) as { msg?: string; broken?: string }).filter(({ broken }) => broken !== undefined)
    expect(found).toMatchObject(
      access ? [{ level: 30, reqId: 'r1', route: '/batch', broken: 'client', msg: 'the answer broke off' }] : [],
    )
  }) // prettier-ignore

  test('warns of answers that the end of the service cut off', async () => {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    const service = openService(KNOWLEDGE, { log: { stream, access: false, inputs: false } })
    const socket = connect(await listening(service.app), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('POST /batch HTTP/1.1\r\nhost: x\r\nx-request-id: r1\r\ncontent-length: 100\r\n\r\n{"op":"version"}\n')
    await new Promise((begun) => socket.once('data', begun))
    await service.drain({ delay: 0, patience: 0 })
    await expect.poll(() => service.snapshot().broken).toEqual({ 'method="POST",route="/batch",reason="end"': 1 })
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { level: 40, reqId: 'r1', route: '/batch', status: 200, broken: 'end', msg: 'the answer broke off' },
    ])
  }) // prettier-ignore
})
