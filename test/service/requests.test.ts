/** Parts of a service, one at a time: access, refusals, the places of tables, and which questions are large. */
import { createHash } from 'node:crypto'
import { connect, Socket } from 'node:net'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { HlaError } from '../../src/errors.ts'
import { DEFAULT_SERVICE, type ServiceOptions } from '../../src/service/options.ts'
import { isLargeInput, isLargeLine } from '../../src/service/questions/large-questions.ts'
import { guard, identifyClient, readTokens } from '../../src/service/requests/access.ts'
import { addBatch, type BatchParts } from '../../src/service/requests/batch.ts'
import { allowedMethods } from '../../src/service/requests/allowed-methods.ts'
import { answerError, answerFailures } from '../../src/service/requests/failures.ts'
import { takeTurns } from '../../src/service/requests/turns.ts'
import { tablePlaces } from '../../src/service/table/table-places.ts'
import { drainServer } from '../../src/web/drain.ts'
import { addPages } from '../../src/web/pages.ts'
import { shareLoop } from '../../src/web/share.ts'

const open: FastifyInstance[] = []
afterEach(() => Promise.all(open.splice(0).map((app) => app.close())))

test('the event loop is told of each connection, for which its next turn waits', () => {
  const app = fastify()
  open.push(app)
  let connections = 0
  takeTurns(app, { ...shareLoop(), connected: () => (connections += 1) }, DEFAULT_SERVICE)
  for (const socket of [new Socket(), new Socket()]) {
    app.server.emit('connection', socket)
    socket.destroy()
  }
  expect(connections).toBe(2)
})

describe('steps that wait for their turn', () => {
  /** Sockets at these addresses; every step waits until it is run. */
  function waiting(
    addresses: readonly string[],
    options: Partial<ServiceOptions> = {},
    event = 'connection',
  ) {
    const app = fastify()
    open.push(app)
    const queued: (() => void)[] = []
    const share = {
      ...shareLoop(),
      tryRun: () => false,
      queue: (_caller: string, work: (until: number) => void) => void queued.push(() => work(0)),
    }
    const runStep = takeTurns(app, share, { ...DEFAULT_SERVICE, ...options })
    const add = (address: string) => {
      const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: address })
      app.server.emit(event, socket)
      return socket
    }
    const sockets = addresses.map(add)
    let ran = 0
    const ask = async (at: number, times: number) => {
      for (let time = 0; time < times; time += 1) {
        const request = { ip: addresses[at], token: undefined, raw: { socket: sockets[at] } }
        runStep(request as unknown as FastifyRequest, () => (ran += 1)) // the members that are read
      }
      await Promise.resolve()
    }
    const run = (times: number) => {
      for (const step of queued.splice(0, times)) step()
      return ran
    }
    const paused = () => sockets.map((socket) => socket.isPaused())
    const end = () => sockets.forEach((socket) => socket.destroy())
    return { add: (address: string) => void sockets.push(add(address)), ask, run, paused, sockets, end }
  }

  test('are a hundred of an address, then nothing is read from it until half are done', async () => {
    const { add, ask, run, paused, end } = waiting(['192.0.2.1', '192.0.2.1', '192.0.2.2'])
    await ask(0, 60)
    await ask(1, 40)
    await ask(2, 100)
    expect(paused()).toEqual([false, false, false])
    await ask(1, 1)
    expect(paused()).toEqual([true, true, false])
    add('192.0.2.1')
    expect(paused()).toEqual([true, true, false, true])
    // 49 of its own are left
    expect(run(51)).toBe(51)
    expect(paused()).toEqual([true, true, false, true])
    expect(run(1)).toBe(52)
    expect(paused()).toEqual([false, false, false, false])
    end()
  })

  test('are forgotten with the last connection of their address', async () => {
    const { add, ask, paused, sockets } = waiting(['192.0.2.1', '192.0.2.1'])
    await ask(0, 101)
    const turn = () => new Promise((over) => setImmediate(over))
    for (const isPaused of [true, false]) {
      sockets.shift()?.destroy()
      await turn()
      add('192.0.2.1')
      expect(paused().at(-1)).toBe(isPaused)
      sockets.pop()?.destroy()
      await turn()
    }
  })

  test('are those of encrypted connections where there is a certificate', async () => {
    const tls = { cert: '', key: '' }
    for (const [event, isPaused] of [
      ['connection', false],
      ['secureConnection', true],
    ] as const) {
      const { ask, paused, run, end } = waiting(['192.0.2.1'], { tls }, event)
      await ask(0, 101)
      expect([paused(), run(101)]).toEqual([[isPaused], 101])
      end()
    }
  })

  test('are counted by connection behind a proxy', async () => {
    const { ask, paused, end } = waiting(['192.0.2.1', '192.0.2.1'], { trustsProxy: true })
    await ask(0, 101)
    await ask(1, 100)
    expect(paused()).toEqual([true, false])
    end()
  })

  test('are left out when their client has left', async () => {
    const { ask, run, sockets, end } = waiting(['192.0.2.1', '192.0.2.2'])
    await ask(0, 2)
    await ask(1, 3)
    sockets[0]?.destroy()
    expect(run(5)).toBe(3)
    end()
  })
})

describe('access', () => {
  /** A service with a route for those with a token, and one for all. */
  function guarded(partial: Partial<ServiceOptions>) {
    const options = { ...DEFAULT_SERVICE, ...partial }
    const app = fastify()
    open.push(app)
    const accept = readTokens(app, options)
    guard(app, options)
    app.get('/', (request, reply) => reply.send({ client: identifyClient(request) }))
    app.get('/open', { config: { isOpen: true } }, (request, reply) =>
      reply.send({ client: identifyClient(request) }),
    )
    return { app, accept }
  }
  const idOf = (token: string) => createHash('sha256').update(token).digest('hex').slice(0, 8)

  const NONE = { message: 'a bearer token is needed: Authorization: Bearer …', code: 'unauthorized' }
  const UNKNOWN = {
    message: 'the token is not one of this service: ask its operator for a new one',
    code: 'unauthorized',
  }

  test.for<[authorization: string | undefined, status: number, body: unknown, challenge?: string]>([
    [undefined, 401, NONE, 'Bearer'],
    ['Basic one', 401, NONE, 'Bearer'],
    ['Bearer', 401, NONE, 'Bearer'],
    ['Bearer one two', 401, NONE, 'Bearer'],
    ['Bearer ', 401, NONE, 'Bearer'],
    ['Basic Bearer one', 401, NONE, 'Bearer'],
    ['Bearer three', 401, UNKNOWN, 'Bearer error="invalid_token"'],
    ['Bearer one', 200, { client: idOf('one') }],
    ['bearer  two', 200, { client: idOf('two') }],
  ])('with %s is %d', async ([authorization, status, body, challenge]) => {
    const { app } = guarded({ tokens: ['one', 'two'] })
    const answer = await app.inject({
      url: '/',
      headers: authorization === undefined ? {} : { authorization },
    })
    expect([answer.statusCode, answer.json<unknown>(), answer.headers['www-authenticate']]).toEqual([
      status,
      body,
      challenge,
    ])
  })

  test('of others begins when the tokens are replaced, and ends for the former', async () => {
    const { app, accept } = guarded({ tokens: ['one'] })
    accept(['two'])
    const statuses = ['one', 'two'].map(async (token) => {
      const { statusCode } = await app.inject({ url: '/', headers: { authorization: `Bearer ${token}` } })
      return statusCode
    })
    expect(await Promise.all(statuses)).toEqual([401, 200])
  })

  test('without tokens is by address, as on an open route, with or without a token', async () => {
    const headers = { authorization: 'Bearer one' }
    for (const [tokens, url] of [
      [undefined, '/'],
      [['one'], '/open'],
    ] as const) {
      const answer = await guarded({ tokens }).app.inject({ url, headers })
      expect(answer.json<unknown>()).toEqual({ client: '127.0.0.1' })
    }
  })

  test('to pages needs no token', async () => {
    const { app } = guarded({ tokens: ['one'] })
    addPages(app, 'dist/page', { '/page.js': ['page.js', 'text/javascript'] })
    expect((await app.inject('/page.js')).statusCode).toBe(200)
  })

  test('of a connection that has ended has a name, too', () => {
    expect(identifyClient({ token: undefined, ip: undefined } as unknown as FastifyRequest)).toBe('ended')
  })

  const exposed = 'etag, x-hla-data, x-request-id'
  test.for<[cors: string[], origin: string | undefined, allowed: string | undefined]>([
    [['https://a.example'], 'https://a.example', 'https://a.example'],
    [['https://a.example'], 'https://b.example', undefined],
    [['https://a.example'], undefined, undefined],
    [['https://a.example', '*'], 'https://b.example', '*'],
    [['*'], undefined, '*'],
  ])('of pages: %j allows %s %s', async ([cors, origin, allowed]) => {
    const { headers } = await guarded({ cors }).app.inject({
      url: '/',
      headers: origin === undefined ? {} : { origin },
    })
    expect([
      headers.vary,
      headers['access-control-allow-origin'],
      headers['access-control-expose-headers'],
    ]).toEqual(['origin', allowed, allowed === undefined ? undefined : exposed])
  })

  test('of pages is told to browsers that ask before, without a token', async () => {
    const { app } = guarded({ cors: ['https://a.example'], tokens: ['one'] })
    const { statusCode, headers } = await app.inject({
      method: 'OPTIONS',
      url: '/redux',
      headers: { origin: 'https://a.example' },
    })
    expect(statusCode).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://a.example',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization, content-type, x-request-id',
      'access-control-max-age': '600',
    })
    const none = await guarded({}).app.inject({ url: '/', headers: { origin: 'https://a.example' } })
    expect(none.headers.vary).toBe(undefined)
  })
})

describe('a refusal', () => {
  /** A service with these routes; it answers a fault of the code, too. */
  function failing(error?: Error) {
    const logged: string[] = []
    const stream = { write: (line: string) => void logged.push(line) }
    const app = fastify({
      bodyLimit: 2000,
      logger: { level: 'warn', stream },
      frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    })
    open.push(app)
    answerFailures(app, allowedMethods(app))
    app.post('/redux', (_request, reply) => {
      if (error !== undefined) throw error
      return reply.send({})
    })
    app.get('/mac/:code', (_request, reply) => reply.send({}))
    app.get('/splits/:allele', (_request, reply) => reply.send({}))
    return { app, logged }
  }
  const post = (payload: string, headers: object = {}) =>
    ({
      method: 'POST',
      url: '/redux',
      payload,
      headers: { 'content-type': 'application/json', ...headers },
    }) as const

  test.for([1998, 1999])('of a body that is too long, and of no other: %d letters', async (letters) => {
    const answer = await failing().app.inject(post(`"${'A'.repeat(letters)}"`))
    expect([answer.statusCode, answer.json<unknown>()]).toEqual(
      letters === 1998
        ? [200, {}]
        : [
            413,
            {
              message:
                'the body is too long: one request is at most 2,000 bytes; POST /batch takes many, one a line',
              code: 'bad-request',
            },
          ],
    )
  })

  test.for<[method: 'GET' | 'PUT' | 'POST', url: string, status: number, body: object, allow?: string]>([
    [
      'GET',
      '/none?a=1',
      404,
      { message: 'this service has no GET /none; see /openapi.json for all paths', code: 'not-found' },
    ],
    [
      'POST',
      `/${'n'.repeat(120)}`,
      404,
      {
        message: `this service has no POST /${'n'.repeat(99)}; see /openapi.json for all paths`,
        code: 'not-found',
      },
    ],
    [
      'PUT',
      '/redux',
      405,
      { message: 'this service has no PUT /redux; use POST', code: 'method-not-allowed' },
      'POST',
    ],
    [
      'POST',
      '/mac/A',
      405,
      { message: 'this service has no POST /mac/A; use GET, HEAD', code: 'method-not-allowed' },
      'GET, HEAD',
    ],
    ['GET', '/mac/%ff', 400, { message: 'the address is not percent-encoded UTF-8', code: 'bad-request' }],
    ['GET', '/splits/%ff', 404, { message: 'the address is not percent-encoded UTF-8', code: 'bad-request' }],
    [
      'POST',
      '/mac/A/B',
      404,
      { message: 'this service has no POST /mac/A/B; see /openapi.json for all paths', code: 'not-found' },
    ],
    [
      'POST',
      '/mac/',
      404,
      { message: 'this service has no POST /mac/; see /openapi.json for all paths', code: 'not-found' },
    ],
  ])('of %s %s', async ([method, url, status, body, allow]) => {
    const answer = await failing().app.inject({ method, url })
    expect([answer.statusCode, answer.json<unknown>(), answer.headers.allow]).toEqual([status, body, allow])
  })

  test.for([
    ['GET', '/none', 404],
    ['GET', '/redux', 405],
    ['POST', '/none', 404],
    ['GET', '/a'.repeat(18), 404],
    ['GET', '/a'.repeat(19), 404],
  ] as const)(
    'of %s %s is a page for a browser, unless the address is long',
    async ([method, url, status]) => {
      const answer = await failing().app.inject({ method, url, headers: { accept: 'text/html' } })
      const isPage = method === 'GET' && url.length < 38
      expect([answer.statusCode, answer.headers['content-type'], answer.headers.vary]).toEqual([
        status,
        isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
        method === 'GET' ? 'accept' : undefined,
      ])
    },
  )

  test('of a body that is somewhat too long comes behind it, and of a far longer one at once', async () => {
    const { app } = failing()
    const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
    for (const [length, isAwaited] of [
      [16 * 1024 ** 2, true],
      [16 * 1024 ** 2 + 1, false],
    ] as const) {
      const socket = connect(port, '127.0.0.1')
      let said = ''
      socket.on('data', (bytes) => (said += bytes.toString()))
      const head = `POST /redux HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`
      socket.write(`${head}content-length: ${length}\r\n\r\n{`)
      if (isAwaited) {
        // an answer to a later question of another connection
        expect((await fetch(`http://127.0.0.1:${port}/mac/A`)).status).toBe(200)
        expect(said).toBe('')
        socket.write(Buffer.alloc(length - 1))
      }
      await expect.poll(() => said).toContain('HTTP/1.1 413 ')
      socket.destroy()
    }
  })

  test.for([
    ['left before it was whole', true, false, undefined, 499],
    ['left while its answer was made', false, true, 'EPIPE', 499],
    ['left while a stream was sent', false, true, 'ERR_STREAM_PREMATURE_CLOSE', 499],
    ['broke its connection', false, true, 'ECONNRESET', 499],
    ['is there', false, false, 'EPIPE', 500],
    ['left, at a bug', false, true, 'ERR_OTHER', 500],
  ] as const)('to a client that %s', ([, isBroken, hasLeft, code, status]) => {
    const sent: unknown[] = []
    const logged: unknown[] = []
    const request = {
      url: '/redux',
      raw: { destroyed: isBroken, complete: !isBroken, socket: { destroyed: hasLeft } },
      routeOptions: { config: {} },
      log: { error: (line: unknown) => logged.push(line) },
    }
    const reply = { code: (number: number) => (sent.push(number), reply), send: () => reply }
    const error = Object.assign(new Error('A*01:01'), { code })
    answerError(error as never, request as never, reply as never) // the members that are read
    expect([sent, logged.length]).toEqual([[status], status === 500 ? 1 : 0])
  })

  test.for([
    [new TypeError('A*01:01'), 500, { message: 'internal error', code: 'internal' }, { level: 50, msg: 'internal error', err: { type: 'TypeError' } }],
    [new HlaError('no-data', 'nothing is installed'), 501, { message: 'nothing is installed', code: 'no-data' }, { level: 40, msg: 'cannot answer', code: 'no-data' }],
    [new HlaError('internal', 'a fault'), 500, { message: 'a fault', code: 'internal' }, { level: 40, msg: 'cannot answer', code: 'internal' }],
    [new HlaError('bad-syntax', 'odd', { offending: 'A' }), 400, { message: 'odd', code: 'bad-syntax', offending: 'A' }, undefined],
  ] as const)('of %s is %d, and logged without the input', async ([error, status, body, line]) => {
    const { app, logged } = failing(error)
    const answer = await app.inject(post('{}'))
    expect(answer.statusCode).toBe(status)
    expect(answer.json<unknown>()).toMatchObject(body)
    const found = logged.map((one): unknown => JSON.parse(one))
    expect(found).toMatchObject(line === undefined ? [] : [{ ...line, reqId: expect.stringMatching(/^req-/) as unknown }])
  }) // prettier-ignore
})

describe('a large line of a batch', () => {
  test.for([
    [new HlaError('bad-request', 'it takes too much memory'), 200, 'it takes too much memory'],
    [new TypeError('no A*01:01'), 500, 'internal error'],
  ] as const)('that ends with %s', async ([error, status, message]) => {
    const app = fastify()
    open.push(app)
    answerFailures(app, allowedMethods(app))
    const parts = {
      current: { served: { knowledge: {}, dataId: '3.58.0' } },
      maxLine: 10_000,
      metrics: { countLines: () => undefined },
      connections: { end: () => undefined },
      share: shareLoop(),
      large: { line: () => Promise.reject(error) },
      countLines: () => undefined,
    }
    addBatch(app, parts as unknown as BatchParts) // the members that are used
    const payload = `{"op":"redux","gl_string":"${'A*01:01/'.repeat(200)}A*01:02"}\n`
    const answer = await app.inject({ method: 'POST', url: '/batch', payload })
    expect(answer.statusCode).toBe(status)
    const { error: told = answer.json<{ message: string }>() } = answer.json<{
      error?: { message: string }
    }>()
    expect(told.message).toBe(message)
    expect(answer.body).not.toContain('A*01:01')
  })
})

describe('the places of tables', () => {
  afterEach(() => void vi.useRealTimers())
  const turn = () => vi.advanceTimersByTimeAsync(0)

  test('are four, three of them of one caller, and sixteen wait', async () => {
    vi.useFakeTimers()
    const places = tablePlaces()
    const own = await Promise.all([1, 2, 3, 4].map(() => places.take('a')))
    expect(own.map((place) => typeof place)).toEqual(['function', 'function', 'function', 'string'])
    expect(own[3]).toBe('caller')
    const last = await places.take('b')
    expect(places.use()).toEqual({ taken: 4, refused: { full: 0, caller: 1, crowded: 0 } })
    const waiting = Array.from({ length: 16 }, (_, at) => places.take(`c${at}`))
    expect(await places.take('d')).toBe('full')
    places.refuse('crowded')
    expect(places.use()).toEqual({ taken: 4, refused: { full: 1, caller: 1, crowded: 1 } })
    if (typeof last === 'function') {
      last()
      last()
    }
    expect(typeof (await waiting[0])).toBe('function')
    await turn()
    expect(places.use().taken).toBe(4)
    // one has got its place, so that another may wait
    const another = places.take('a2')
    await vi.advanceTimersByTimeAsync(29_999)
    expect(places.use().refused.full).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await Promise.all([...waiting.slice(1), another])).toEqual(
      Array.from({ length: 16 }, () => 'full'),
    )
    expect(places.use()).toEqual({ taken: 4, refused: { full: 17, caller: 1, crowded: 1 } })
  })

  test('that become free too late are given back, and the caller may come again', async () => {
    vi.useFakeTimers()
    const places = tablePlaces()
    const held = await Promise.all(['a', 'b', 'c', 'd'].map((caller) => places.take(caller)))
    const late = Array.from({ length: 3 }, () => places.take('e'))
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await Promise.all(late)).toEqual(['full', 'full', 'full'])
    for (const place of held) if (typeof place === 'function') place()
    await turn()
    expect(places.use().taken).toBe(0)
    const again = await Promise.all(['e', 'e', 'e', 'f'].map((caller) => places.take(caller)))
    expect(again.map((place) => typeof place)).toEqual(Array.from({ length: 4 }, () => 'function'))
    expect(places.use().taken).toBe(4)
  })
})

test('a service ends only when it is told to', async () => {
  const app = fastify()
  open.push(app)
  const draining = drainServer(() => app)
  const state = () => [draining.isDraining(), draining.isLast(), draining.isCut()]
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  expect(state()).toEqual([false, false, false])
  await draining.drain({ delay: 0, patience: 10_000 })
  expect(state()).toEqual([true, true, false])
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('a service that ends accepts connections until its delay is over, and waits for the others', async ({
  onTestFinished,
}) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = fastify()
  open.push(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const draining = drainServer(() => app)
  const state = async () => {
    for (let turn = 0; turn < 120; turn += 1) await new Promise((soon) => setImmediate(soon))
    return [draining.isDraining(), app.server.listening, draining.isLast(), draining.isCut()]
  }
  let stop: () => void = () => undefined
  const others = new Promise<void>((stopped) => (stop = stopped))
  const drained = draining.drain({ delay: 3000, patience: 10_000, othersStopped: () => others })
  expect(await state()).toEqual([true, true, false, false])
  await vi.advanceTimersByTimeAsync(2999)
  expect(await state()).toEqual([true, true, false, false])
  await vi.advanceTimersByTimeAsync(1)
  // other processes may still accept connections at the address
  expect(await state()).toEqual([true, false, false, false])
  stop()
  await drained
  expect(await state()).toEqual([true, false, true, false])
})

test('a service that ends cuts off what is not answered after its patience', async ({ onTestFinished }) => {
  const app = fastify()
  open.push(app)
  app.get('/', () => new Promise(() => undefined))
  const asked = new Promise<void>((soon) =>
    app.addHook('onRequest', (_request, _reply, done) => (soon(), done())),
  )
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const answer = fetch(url).catch(String)
  await asked
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const draining = drainServer(() => app)
  const drained = draining.drain({ delay: 0, patience: 10_000 })
  await vi.advanceTimersByTimeAsync(9999)
  expect(draining.isCut()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(draining.isCut()).toBe(true)
  await drained
  expect(await answer).toContain('fetch failed')
})

test('a question is large by the length of all its texts', () => {
  const most = 1000
  expect([isLargeLine('x'.repeat(most)), isLargeLine('x'.repeat(most + 1))]).toEqual([false, true])
  const isLarge = (input: object) => isLargeInput({ input, notes: [] } as never)
  expect([isLarge({ gl_string: 'x'.repeat(most) }), isLarge({ gl_string: 'x'.repeat(most + 1) })]).toEqual([
    false,
    true,
  ])
  expect([isLarge({ a: 'x'.repeat(most), b: 5 }), isLarge({ a: 'x'.repeat(most), b: 'x' })]).toEqual([
    false,
    true,
  ])
  // a list with the marks between its members
  const list = ['x'.repeat(most - 2), 'y']
  expect([isLarge({ list }), isLarge({ list: [...list, ''] })]).toEqual([false, true])
})
