/** The remote executor against services that fail, change, or have only the contract's methods. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openRemote } from '../../src/remote/remote.ts'
import type { RemoteOptions } from '../../src/remote/options.ts'
import { openPool } from '../../src/remote/pool.ts'
import { macOperation } from '../../src/operations/questions/mac.ts'
import { OPERATIONS } from '../../src/operations/registry.ts'
import { type FileServer, serve } from '../support/file-server.ts'

interface Request {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly headers: IncomingMessage['headers']
}

interface Reply {
  readonly status?: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string | string[]>>
}

const open: FileServer[] = []
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())))

/** A service with scripted answers; it records its requests. */
async function fake(
  answer: (request: Request) => Reply | undefined,
): Promise<{ url: string; asked: Request[] }> {
  const asked: Request[] = []
  const server = await serve((incoming, response) => void reply(incoming, response))
  async function reply(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const path = decodeURIComponent(incoming.url ?? '')
    const body: unknown = text.startsWith('{') && !text.includes('\n') ? JSON.parse(text) : text
    const request = { method: incoming.method ?? '', path, body, headers: incoming.headers }
    asked.push(request)
    const given = answer(request)
    if (given === undefined) return void incoming.socket.destroy()
    response.writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers })
    response.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body))
  }
  open.push(server)
  return { url: server.url.replace(/\/$/, ''), asked }
}

const VERSION = { ipd_version: 3580, pyard_version: '2.3.1' }

/** A basic service: the contract's routes, no codes, its own statuses. */
const peer = (answer: (request: Request) => Reply | undefined) =>
  fake((request) => (request.path === '/version' ? { body: VERSION } : answer(request)))

async function ask(url: string, operation: string, input: unknown, options: Partial<RemoteOptions> = {}) {
  const remote = await openRemote({ url, ...options })
  try {
    return await remote.executor.execute(operation, input)
  } finally {
    await remote.close()
  }
}

describe('a service that knows the contract alone', () => {
  test.for([
    ['redux', { gl_string: 'A*01:AB' }, 'POST /redux', { gl_string: 'A*01:AB', reduction_method: 'lgx' }],
    ['ard', { allele: 'A*01:01/A*02' }, 'GET /ard/A*01:01/A*02', ''],
    ['cwd', { gl_string: 'A*01:AB' }, 'POST /cwd-redux', { gl_string: 'A*01:AB' }],
    ['mac', { gl_string: 'A*01:AB' }, 'GET /mac/A*01:AB', ''],
    ['mac', { gl_string: 'A*43:XX', xx: true }, 'GET /xx/A*43:XX', ''],
    ['mac', { gl_string: 'A*01:AB', hats: true }, 'GET /mac-hats/A*01:AB', ''],
    ['mac', { gl_string: 'A*01:01/A*01:02' }, 'POST /mac', { gl_string: 'A*01:01/A*01:02' }],
    ['validate', { gl_string: 'A*01:01' }, 'POST /validate', { gl_string: 'A*01:01' }],
    [
      'blend',
      { DRB1_SLUG: 'DRB1*03:01+DRB1*04:01', DRB3: 'DRB3*01:01' },
      'POST /blend',
      { DRB1_SLUG: 'DRB1*03:01+DRB1*04:01', DRB3: 'DRB3*01:01', DRB4: '', DRB5: '' },
    ],
    ['splits', { allele: 'A25' }, 'GET /splits/A25', ''],
    ['similar', { prefix: 'A*01:$&' }, 'GET /similar/A*01:$&', ''],
  ] as const)('%s %j is %s', async ([operation, input, route, body]) => {
    const { url, asked } = await peer(() => ({ status: 400, body: { message: 'no' } }))
    await Promise.resolve(ask(url, operation, input)).catch(() => undefined)
    const last = asked.at(-1)
    expect(`${last?.method} ${last?.path}`).toBe(route)
    expect(last?.body).toEqual(body)
    expect(last?.headers.accept).toBe('application/json')
  })

  test.for([
    [
      'redux',
      { gl_string: 'A*01:AB', reduction_method: 'lgx' },
      { ard: 'A*01:01/A*01:02', ipd_version: 3580 },
      {
        gl_string: 'A*01:AB',
        reduction_method: 'lgx',
        ard: 'A*01:01/A*01:02',
        ipd_version: 3580,
        status: 'ok',
      },
    ],
    [
      'redux',
      { gl_string: 'A*01:AB', reduction_method: 'lgx' },
      { ard: 'A*01:01/A*01:02', ipd_version: '3580', notes: [], comment: null },
      {
        gl_string: 'A*01:AB',
        reduction_method: 'lgx',
        ard: 'A*01:01/A*01:02',
        ipd_version: '3580',
        status: 'ok',
        notes: [],
      },
    ],
    [
      'ard',
      { allele: 'A*01:01' },
      { allele: 'A*01:01', ard: 'A*01:01', ipd_version: 3580, pyard_version: '2' },
      { allele: 'A*01:01', ard: 'A*01:01', ipd_version: 3580 },
    ],
    [
      'similar',
      { prefix: 'A*01:01:01:04' },
      ['A*01:01:01:04'],
      { prefix: 'A*01:01:01:04', similar: ['A*01:01:01:04'], count: 1 },
    ],
    [
      'validate',
      { gl_string: 'A*01:01' },
      { valid: true },
      { gl_string: 'A*01:01', valid: true, malformed: false },
    ],
    [
      'mac',
      { gl_string: 'A*43:XX', xx: true },
      { xx_code: 'A*43:XX', alleles: ['A*43:01'], gl_string: 'A*43:01' },
      { mac: 'A*43:XX', gl_string: 'A*43:01', alleles: ['A*43:01'], direction: 'expand' },
    ],
    [
      'splits',
      { allele: 'B14' },
      { broad: 'B14', splits: ['B64', 'B65'] },
      { allele: 'B14', broad: 'B14', splits: ['B64', 'B65'] },
    ],
  ] as const)('the answer to %s is completed', async ([operation, input, body, expected]) => {
    const { url } = await peer(() => ({ body }))
    expect(await ask(url, operation, input)).toStrictEqual(expected)
  })

  test('what is not valid is an answer', async () => {
    const { url } = await peer(() => ({ status: 404, body: { valid: false, message: 'm', cause: 'c' } }))
    expect(await ask(url, 'validate', { gl_string: 'A*99:99' })).toEqual({
      gl_string: 'A*99:99', valid: false, malformed: false, message: 'm', cause: 'c',
    }) // prettier-ignore
  })

  test.for([
    [
      'blend',
      { DRB1_SLUG: 'x', DRB3: 'y' },
      200,
      { found: 'DRB3', expected: 'none' },
      { code: 'blend-mismatch', facts: { found: 'DRB3', expected: 'none' } },
    ],
    ['similar', { prefix: 'A*99' }, 400, { message: 'none' }, { code: 'no-match', message: 'none' }],
    ['similar', { prefix: 'A*99' }, 404, { message: 'none' }, { code: 'no-match' }],
    ['mac', { gl_string: 'A*01:ZZ' }, 404, { message: 'no MAC' }, { code: 'no-mac' }],
    ['redux', { gl_string: 'A*99:99' }, 400, { message: 'bad' }, { code: 'unknown-allele', message: 'bad' }],
    [
      'redux',
      { gl_string: 'A' },
      400,
      { message: 'bad', code: 'bad-syntax', position: [0, 1], suggestions: ['A*01'] },
      { code: 'bad-syntax', position: [0, 1], suggestions: ['A*01'] },
    ],
  ] as const)('%s %j with status %d is an error', async ([operation, input, status, body, error]) => {
    const { url } = await peer(() => ({ status, body }))
    await expect(ask(url, operation, input)).rejects.toMatchObject(error)
  })

  test.for([
    ['lift', { gl_string: 'A*01:01' }],
    ['diff', { gl_string: 'A*01:01', from_release: '3.29.0', to_release: '3.58.0' }],
    ['redux', { gl_string: 'A*01:01', from: '3.29.0' }],
    ['redux', { gl_string: 'A*01:01', options: { strict: false } }],
  ] as const)('%s %j is not offered', async ([operation, input]) => {
    const { url } = await peer(() => ({ body: {} }))
    await expect(ask(url, operation, input)).rejects.toMatchObject({ code: 'usage' })
  })

  test('the same question is asked once', async () => {
    const { url, asked } = await peer(({ body }) => ({
      body: { ard: (body as { gl_string: string }).gl_string },
    }))
    const remote = await openRemote({ url })
    const questions = ['A*01:01', 'A*02:01', 'A*01:01'].map((gl_string) => ({
      operation: 'redux',
      input: { gl_string },
    }))
    const ready = await remote.executor.ahead?.(questions)
    await remote.executor.ahead?.(questions)
    expect(questions.map(({ input }) => ready?.execute('redux', input))).toMatchObject([
      { ard: 'A*01:01' }, { ard: 'A*02:01' }, { ard: 'A*01:01' },
    ]) // prettier-ignore
    expect(asked).toHaveLength(3)
    await remote.close()
  })

  test('each question has its own answer, however it is asked again', async () => {
    const { url } = await peer(({ path, body }) => {
      const { reduction_method = '' } = body as { reduction_method?: string }
      const answer = `${path}~${reduction_method}`
      return { body: path === '/redux' ? { ard: answer } : { cwd: answer } }
    })
    const remote = await openRemote({ url })
    const shared = { gl_string: 'A*01:01' }
    const questions = [
      { operation: 'redux', input: shared },
      { operation: 'redux', input: { ...shared, reduction_method: 'G' } },
      // one object in two requests
      { operation: 'cwd', input: shared },
      { operation: 'redux', input: { ...shared, reduction_method: 'G' } },
    ]
    const ready = await remote.executor.ahead!(questions)
    const said = (operation: string, input: unknown) => {
      try {
        return JSON.stringify(ready.execute(operation, input))
      } catch (error) {
        return String(error)
      }
    }
    const answers = questions.map(({ operation, input }) => said(operation, input))
    expect(answers[0]).toContain('/redux')
    expect(answers[1]).toMatch(/redux.*G/)
    expect(answers[2]).toContain('/cwd-redux')
    expect(answers[3]).toBe(answers[1])
    expect(questions.map(({ operation, input }) => said(operation, { ...input }))).toEqual(answers)
    expect(() => ready.execute('redux', { gl_string: 'A*02:01' })).toThrow('not asked ahead')
    expect(() => ready.execute('validate', shared)).toThrow('not asked ahead')
    await remote.close()
  })
})

describe('a service in trouble', () => {
  test.for([503, 502, 504, 429, 408, 500])('is asked again after %d', async (status) => {
    let count = 0
    const { url } = await peer(() => {
      count += 1
      return count === 1
        ? { status, body: {}, headers: { 'retry-after': '0' } }
        : { body: { ard: 'A*01:01' } }
    })
    expect(await ask(url, 'redux', { gl_string: 'A*01:01' })).toMatchObject({ ard: 'A*01:01' })
  })

  test('or when the connection breaks', async () => {
    let count = 0
    const { url } = await peer(() => ((count += 1) === 1 ? undefined : { body: { ard: 'A*01:01' } }))
    expect(await ask(url, 'redux', { gl_string: 'A*01:01' })).toMatchObject({ ard: 'A*01:01' })
  })

  test.for([
    [503, 3, 'answers with status 503 (3 attempts in less than 1 s)'],
    [500, 2, 'answers with status 500 (2 attempts in less than 1 s)'],
  ] as const)('is given up after %d, %d times', async ([status, times, message]) => {
    const { url, asked } = await peer(() => ({ status, body: {}, headers: { 'retry-after': '0' } }))
    const answer = ask(url, 'redux', { gl_string: 'A*01:01' }, { retries: 2 })
    await expect(answer).rejects.toMatchObject({ code: 'remote', message: `${url} ${message}` })
    expect(asked).toHaveLength(1 + times)
  })

  test('that does not answer in time', async () => {
    const server = await serve(() => undefined)
    open.push(server)
    const answer = openRemote({ url: server.url, timeout: 100, retries: 0 })
    await expect(answer).rejects.toMatchObject({
      code: 'remote',
      message: expect.stringContaining('no answer within 0.1 s (1 attempt)'),
    })
  })

  test('has 30 s for each of five attempts where no other time is given', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const after = AbortSignal.timeout.bind(AbortSignal)
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => after(ms / 1000))
    onTestFinished(() => void vi.restoreAllMocks())
    const server = await serve(() => undefined)
    open.push(server)
    await expect(openRemote({ url: server.url })).rejects.toMatchObject({
      code: 'remote',
      message: expect.stringContaining(`${server.url}: no answer within 30 s (5 attempts in `),
    })
  })

  test('that is not there', async () => {
    const answer = openRemote({ url: 'http://127.0.0.1:9', retries: 1 })
    await expect(answer).rejects.toMatchObject({
      code: 'remote',
      message: 'cannot reach http://127.0.0.1:9: connection refused (2 attempts in less than 1 s)',
    })
  })

  test('the whole run has an end', async () => {
    const { url, asked } = await peer(() => ({ status: 503, body: {}, headers: { 'retry-after': '60' } }))
    const answer = ask(url, 'redux', { gl_string: 'A*01:01' }, { deadline: 1000 })
    await expect(answer).rejects.toMatchObject({
      code: 'remote',
      message: expect.stringContaining('within 1 s'),
    })
    // a service that asks for a longer pause is not asked again
    expect(asked).toHaveLength(2)
  })

  test.for([
    ['no version', { body: { a: 1 } }],
    ['no JSON', { body: '<html>' }],
    ['not there', { status: 404, body: {} }],
  ] as const)('%s: no such service', async ([, reply]) => {
    const { url } = await fake(() => reply)
    await expect(openRemote({ url })).rejects.toMatchObject({ code: 'remote' })
  })

  test.for([
    ['missing', {}, {}, 'requires a token'],
    ['wrong', { authorization: 'Bearer x' }, {}, 'does not accept the token: it is unknown there'],
    [
      'expired',
      { Authorization: 'Bearer x' },
      { 'www-authenticate': 'Bearer error="invalid_token", error_description="expired at 2026-01-01"' },
      'does not accept the token: expired at 2026-01-01',
    ],
  ] as const)('a token that is %s', async ([, headers, answered, message]) => {
    const { url } = await fake(() => ({ status: 401, body: {}, headers: answered }))
    await expect(openRemote({ url, headers })).rejects.toMatchObject({
      code: 'remote',
      message: expect.stringContaining(`${url} ${message}`),
    })
  })
})

describe('a service at another address', () => {
  test.for([
    ['/version', 'https://ard.example.org/version', 'https://ard.example.org/version'],
    ['/redux', '/new/redux?key=1', '/new/redux'],
  ] as const)('%s redirects to %s', async ([path, location, target]) => {
    const { url } = await fake((request) =>
      request.path === path ? { status: 308, body: '', headers: { location } } : { body: VERSION },
    )
    const full = target.startsWith('/') ? url + target : target
    await expect(ask(url, 'redux', { gl_string: 'A*01:01' })).rejects.toMatchObject({
      code: 'remote',
      message: `${url} redirects to ${full} (status 308)`,
    })
  })

  test('is not advised where a connection is closed, and nothing answers with TLS', async () => {
    const closing = await serve(({ socket }) => socket.destroy())
    open.push(closing)
    const plain = openRemote({ url: closing.url, retries: 0 })
    await expect(plain).rejects.toMatchObject({
      message: expect.stringContaining('connection lost'),
      hint: undefined,
    })
  })
})

describe('a reply that is too long', () => {
  const MIB = 1024 ** 2
  const questions = Array.from({ length: 6 }, (_, at) => ({
    operation: 'redux',
    input: { gl_string: `A*01:0${at + 1}`, reduction_method: 'lgx' },
  }))

  /** A service whose answers have so many bytes each, in notes, and the number of lines of each batch. */
  async function verbose(length: number) {
    const batches: number[] = []
    const message = 'x'.repeat(length)
    const { url } = await fake(({ path, body }) => {
      if (path !== '/batch')
        return { body: { ...VERSION, batch: true, operations: OPERATIONS.map(({ name }) => name) } }
      // a single line is parsed already
      const lines = typeof body === 'string' ? body.trimEnd().split('\n') : [JSON.stringify(body)]
      batches.push(lines.length)
      const answers = lines.map((line) => {
        const { gl_string } = JSON.parse(line) as { gl_string: string }
        const notes = [{ level: 'note', code: 'long', message }]
        return JSON.stringify({
          gl_string,
          reduction_method: 'lgx',
          ard: gl_string,
          ipd_version: 3580,
          status: 'ok',
          notes,
        })
      })
      return { body: `${answers.join('\n')}\n` }
    })
    const remote = await openRemote({ url })
    return { url, remote, batches }
  }

  test('is abandoned, and its batch asked again in halves', async () => {
    const { remote, batches } = await verbose(15 * MIB)
    const ready = await remote.executor.ahead!(questions)
    for (const { input } of questions)
      expect(ready.execute('redux', input)).toMatchObject({ ard: input.gl_string })
    expect(batches).toEqual([6, 3, 3])
    await remote.close()
  })

  test('to a single line is an error of the service', async () => {
    const { url, remote, batches } = await verbose(65 * MIB)
    await expect(remote.executor.ahead!(questions)).rejects.toMatchObject({
      code: 'remote',
      message: `${url} sent an answer of more than 64 MiB, which was abandoned`,
    })
    expect(batches).toEqual([6, 3, 2, 1])
    await remote.close()
  })

  test('that never ends is an error, too', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/version') return void response.end(JSON.stringify(VERSION))
      const piece = Buffer.alloc(MIB, ' ')
      const write = () => {
        while (response.write(piece));
        response.once('drain', write)
      }
      write()
    })
    open.push(server)
    await expect(ask(server.url, 'redux', { gl_string: 'A*01:01' })).rejects.toMatchObject({
      message: expect.stringContaining('more than 64 MiB'),
    })
  })
})

describe('the release', () => {
  test.for([
    ['3.58.0', VERSION],
    ['3580', VERSION],
    ['active', { ipd_version: 'Latest' }],
    ['starter', { ...VERSION, dataset: 'starter' }],
  ] as const)('%s is served', async ([release, body]) => {
    const { url } = await fake(() => ({ body }))
    const remote = await openRemote({ url, release })
    await remote.close()
    expect(remote.served.ipdVersion).toBe(String(body.ipd_version))
  })

  test.for([
    ['3.53.0', VERSION, 'serves IPD-IMGT/HLA 3.58.0, you asked for 3.53.0'],
    ['3.58.0-r2', VERSION, 'serves IPD-IMGT/HLA 3.58.0, you asked for 3.58.0-r2'],
    ['starter', VERSION, 'serves IPD-IMGT/HLA 3.58.0, you asked for the starter set'],
    [
      '3.58.0',
      { ...VERSION, dataset: 'starter' },
      'serves the built-in starter set of 3.58.0, you asked for 3.58.0',
    ],
  ] as const)('%s is not', async ([release, body, message]) => {
    const { url } = await fake(() => ({ body }))
    await expect(openRemote({ url, release })).rejects.toMatchObject({
      code: 'pin',
      message: `${url} ${message}`,
    })
  })

  test('of a copy is served by its name', async () => {
    const { url } = await fake(() => ({ body: VERSION, headers: { 'x-hla-data': '3.58.0-r2+mac.1' } }))
    const remote = await openRemote({ url, release: '3.58.0-r2' })
    await remote.close()
    await expect(openRemote({ url, release: '3.58.0-r1' })).rejects.toMatchObject({
      code: 'pin',
      message: `${url} serves IPD-IMGT/HLA 3.58.0-r2, you asked for 3.58.0-r1`,
    })
  })

  test('is one where a proxy repeats its headers', async () => {
    const { url } = await fake(() => ({
      body: { ...VERSION, ard: 'A*01:01' },
      headers: { 'x-hla-data': ['3.58.0+a', '3.58.0+b'] },
    }))
    const remote = await openRemote({ url })
    await remote.close()
    expect(remote.served.dataId).toBe('3.58.0+a')
  })

  test('may not change during the run', async () => {
    const { url } = await peer(() => ({ body: { ard: 'A*01:01', ipd_version: 3590 } }))
    await expect(ask(url, 'redux', { gl_string: 'A*01:01' })).rejects.toMatchObject({ code: 'pin' })
  })

  test('nor may the data', async () => {
    let count = 0
    const { url } = await fake(() => ({
      body: { ...VERSION, ard: 'x' },
      headers: { 'x-hla-data': `3.58.0+${(count += 1)}` },
    }))
    await expect(ask(url, 'redux', { gl_string: 'A*01:01' })).rejects.toMatchObject({ code: 'pin' })
  })
})

test('connections without a limit read an answer of any length', async () => {
  const { url } = await fake(() => ({ body: 'x'.repeat(1_000_000) }))
  const pool = await openPool({ concurrency: 1, timeout: 30_000, connectTimeout: 30_000 })
  const { body } = await pool.request({ origin: url, path: '/', method: 'GET' })
  expect(await body.text()).toHaveLength(1_000_000)
  await pool.destroy()
})

describe('secrets and paths', () => {
  test('headers go with every request, below the path of the address', async () => {
    const { url, asked } = await fake(({ path }) => ({
      body: path === '/hla/version' ? VERSION : { ard: 'A*01:01' },
    }))
    await ask(`${url}/hla/`, 'redux', { gl_string: 'A*01:01' }, { headers: { authorization: 'Bearer x' } })
    expect(asked.map(({ path }) => path)).toEqual(['/hla/version', '/hla/redux'])
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer x', 'Bearer x'])
  })
})

describe('what cannot be asked', () => {
  test('costs no other question its answer', async () => {
    const { url } = await peer(({ body }) => ({
      body: { ard: 'A*01:01', ipd_version: 3580, gl_string: (body as { gl_string: string }).gl_string },
    }))
    const remote = await openRemote({ url })
    const right = { operation: 'redux', input: { gl_string: 'A*01:01' } }
    const unknown = { operation: 'lift', input: { gl_string: 'A*01:01' } }
    const odd = { operation: 'redux', input: { gl_string: 'A*01:01', lift: true } }
    const ready = await remote.executor.ahead!([unknown, odd, right])
    expect(ready.execute('redux', right.input)).toMatchObject({ ard: 'A*01:01' })
    expect(() => ready.execute('lift', unknown.input)).toThrow('does not offer lift')
    expect(() => ready.execute('redux', odd.input)).toThrow('does not support lift')
    await remote.close()
  })
})

describe('an empty answer', () => {
  test.for([
    [undefined, 'nothing is left'],
    [
      [
        { level: 'detail', code: 'no-group', message: 'x' },
        { level: 'warning', code: 'no-serology', message: 'no allele of A*01:04N has a known antigen' },
      ],
      'no allele of A*01:04N has a known antigen',
    ],
  ] as const)('with the notes %j is refused', async ([notes, message]) => {
    const { url } = await peer(() => ({ body: { ard: '', ipd_version: 3580, notes } }))
    await expect(ask(url, 'redux', { gl_string: 'A*01:04N', reduction_method: 'S' })).rejects.toMatchObject({
      code: 'no-serology',
      message,
    })
  })
})

describe('what is not an answer to its question', () => {
  const right = {
    gl_string: 'A*01:01',
    reduction_method: 'G',
    ard: 'A*01:01:01G',
    ipd_version: 3580,
    status: 'ok',
  }
  const wrong = {
    gl_string: 'A*99:99',
    reduction_method: 'G',
    error: { code: 'unknown-allele', message: 'no A*99:99' },
  }
  const lines = [right, { ...right, gl_string: 'A*02:01' }, wrong, { ...wrong, gl_string: 'A*98:98' }]
  const questions = lines.map(({ gl_string, reduction_method }) => ({
    operation: 'redux',
    input: { gl_string, reduction_method },
  }))
  const [first, second, third, fourth] = lines

  /** The answers of `ahead` from a service that answers a batch with `text`. */
  async function batch(text: string) {
    const { url } = await fake(({ path }) => ({
      body:
        path === '/batch'
          ? text
          : { ...VERSION, batch: true, operations: OPERATIONS.map(({ name }) => name) },
    }))
    const remote = await openRemote({ url })
    try {
      return { url, ready: await remote.executor.ahead!(questions) }
    } finally {
      await remote.close()
    }
  }
  const textOf = (all: readonly unknown[]) => all.map((line) => `${JSON.stringify(line)}\n`).join('')

  test('while what is one is taken, as from services that repeat nothing beside an error', async () => {
    const { error } = wrong
    for (const all of [lines, [first, second, { error }, { error }]]) {
      const { ready } = await batch(textOf(all))
      expect(ready.execute('redux', questions[1]?.input)).toEqual(second)
      expect(() => ready.execute('redux', questions[2]?.input)).toThrow('no A*99:99')
    }
  })

  test.for([
    [
      'two answers swapped',
      [second, first, third, fourth],
      'about "A*01:01": its gl_string differs from the one in the request',
    ],
    [
      'two errors swapped',
      [first, second, fourth, third],
      'about "A*99:99": its gl_string differs from the one in the request',
    ],
    [
      'an answer by another method',
      [{ ...right, reduction_method: 'lgx' }, second, third, fourth],
      'its reduction_method differs from the one in the request',
    ],
    ['an empty object', [{}, second, third, fourth], 'gl_string is missing'],
    ['a number for a text', [{ ...right, ard: 5 }, second, third, fourth], 'ard is not a text'],
    [
      'a status that is none',
      [{ ...right, status: 'bad' }, second, third, fourth],
      'status is not one of ok',
    ],
    [
      'notes that are none',
      [{ ...right, notes: [{ level: 'note' }] }, second, third, fourth],
      'code is missing',
    ],
    [
      'a line feed in an answer',
      [{ ...right, ard: 'A*01:01\nA*02:01' }, second, third, fourth],
      'ard has a control character',
    ],
    [
      'an escape in a note',
      [{ ...right, notes: [{ level: 'note', code: 'x', message: '\u001b[2J' }] }, second, third, fourth],
      'it has a control character',
    ],
    [
      'a position of one number',
      [first, second, { ...wrong, error: { ...wrong.error, position: [1] } }, fourth],
      ': position has 1 items',
    ],
    [
      'a position of three',
      [first, second, { ...wrong, error: { ...wrong.error, position: [1, 2, 3] } }, fourth],
      ': position has 3 items',
    ],
    ['an error without a message', [first, second, { ...wrong, error: {} }, fourth], 'message is missing'],
    [
      'an error with a line feed',
      [first, second, { ...wrong, error: { message: 'a\nhla: error: b' } }, fourth],
      'it has a control character',
    ],
    [
      'an internal error',
      [first, second, { error: { code: 'internal', message: 'internal error' } }, fourth],
      'reports an internal error',
    ],
    ['an empty name', [{ ...right, ard: '' }, second, third, fourth], 'ard is empty'],
    ['a message for a name', [{ ...right, ard: 'not found' }, second, third, fourth], 'ard has " "'],
    [
      'a formula for a name',
      [{ ...right, ard: "=cmd|'/C calc'!A0" }, second, third, fourth],
      'ard has "=", and no name has that',
    ],
    [
      'an invisible character in a name',
      [{ ...right, ard: 'A*01:01\u202e' }, second, third, fourth],
      'ard has U+202E, which is not visible',
    ],
    ['a list', [[], second, third, fourth], 'it is not a JSON object'],
    ['an answer too few', [first, second, third], 'gave 3 answers to 4 questions'],
  ] as const)('%s: a failure of the service', async ([, all, message]) => {
    await expect(batch(textOf(all))).rejects.toMatchObject({
      code: 'remote',
      message: expect.stringContaining(message),
    })
  })

  test.for([
    ['a line that is not JSON', (text: string) => text.replace('{', '')],
    ['a line too many', (text: string) => `${text}{}`],
    ['a cut end', (text: string) => text.slice(0, -5)],
  ] as const)('%s: a failure of the service', async ([, damage]) => {
    await expect(batch(damage(textOf(lines)))).rejects.toMatchObject({ code: 'remote' })
  })

  test('an answer of another release ends the run', async () => {
    await expect(
      batch(textOf([{ ...right, ipd_version: 3590 }, second, third, fourth])),
    ).rejects.toMatchObject({ code: 'pin' })
  })

  test.for([
    ['redux', { gl_string: 'A*01:01' }, 200, {}, 'neither an answer nor a reason (status 200)'],
    ['redux', { gl_string: 'A*01:01' }, 200, { ard: 5 }, 'ard is not a text'],
    ['redux', { gl_string: 'A*01:01' }, 200, { ard: 'A*01:01\nA*02:01' }, 'ard has a control character'],
    [
      'redux',
      { gl_string: 'A*01:01' },
      200,
      { ard: 'A*02:01', gl_string: 'A*02:01' },
      'its gl_string differs from the one in the request',
    ],
    ['redux', { gl_string: 'A*01:01' }, 200, '<html>', 'its body is not a JSON object (status 200)'],
    ['redux', { gl_string: 'A*01:01' }, 400, {}, 'neither an answer nor a reason (status 400)'],
    ['splits', { allele: 'A99' }, 404, '<html>', 'its body is not a JSON object (status 404)'],
    [
      'mac',
      { gl_string: 'A*01:AB' },
      200,
      { mac: 'A*01:AC', gl_string: 'A*01:01' },
      'its mac differs from the one in the request',
    ],
    [
      'mac',
      { gl_string: 'A*01:01/A*01:02' },
      200,
      { mac: 'A*01:AB', gl_string: 'A*01:01' },
      'its gl_string differs from the one in the request',
    ],
    ['similar', { prefix: 'A*01:01' }, 200, ['A*01:01\nA*02'], 'similar has a control character'],
    ['similar', { prefix: 'A*01:01' }, 200, ['A*01:01', 'A*01:02\r'], 'similar has a control character'],
    ['similar', { prefix: 'A*01:01' }, 200, ['A*01:01', '=1+1'], 'similar has "="'],
    ['redux', { gl_string: 'A*01:01' }, 200, { ard: 'not found' }, 'ard has " ", and no name has that'],
    ['ard', { allele: 'A*01:01' }, 200, { ard: "=cmd|'/C calc'!A0" }, 'ard has "="'],
    ['cwd', { gl_string: 'A*01:01' }, 200, { cwd: 'A*01:01', cwd_mac: '@SUM' }, 'cwd_mac has "@"'],
    ['mac', { gl_string: 'A*01:AB' }, 200, { mac: 'A*01:AB', gl_string: '=1' }, 'gl_string has "="'],
    [
      'blend',
      { DRB1_SLUG: 'DRB1*03:01+DRB1*04:01', DRB3: '' },
      200,
      { DRBX_blend: '-1;2' },
      'DRBX_blend has ";"',
    ],
    ['validate', { gl_string: 'A*01:01' }, 200, { valid: 'no' }, 'valid is not true or false'],
  ] as const)(
    '%s %j, status %d, %j from a service of the contract: a failure of the service',
    async ([operation, input, status, body, message]) => {
      const { url } = await peer(() => ({
        status,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }))
      await expect(ask(url, operation, input)).rejects.toMatchObject({
        code: 'remote',
        message: expect.stringContaining(message),
      })
    },
  )

  test('a service of the contract says what a code stands for, not the code again', async () => {
    const { url } = await peer(() => ({
      body: { mac: 'A*01:AB', gl_string: 'A*01:01/A*01:02', alleles: ['A*01:01', 'A*01:02'] },
    }))
    const output = await ask(url, 'mac', { gl_string: 'A*01:AB' })
    expect(macOperation.toText(output as never)).toBe('A*01:01/A*01:02')
  })
})
