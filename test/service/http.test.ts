/** The service on a real socket: bad input, slow and vanishing clients, reload and drain. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import fastify from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { METHOD_NAMES } from '../../src/engine/reduce/methods.ts'
import { type Knowledge, makeKnowledge } from '../../src/operations/knowledge.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import type { ServiceOptions } from '../../src/service/options.ts'
import { openService, type Service } from '../../src/service/service.ts'
import { packageVersion } from '../../src/package-root.ts'
import { watchConnections } from '../../src/web/connections.ts'
import { samplesOf } from '../support/samples.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

const open: Service[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.drain({ delay: 0, patience: 0 })))
})

const starter = () => makeKnowledge(openStarter())

async function listening(
  options: Partial<ServiceOptions> = {},
): Promise<{ service: Service; port: number; url: string }> {
  const service = openService(starter(), options)
  open.push(service)
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as AddressInfo // a TCP server's address is an object
  return { service, port, url: `http://127.0.0.1:${port}` }
}

/** Response of a raw connection to `text`, until it closes or matches `enough`. */
function reporter(port: number, text: string, enough?: RegExp): Promise<{ said: string; socket: Socket }> {
  return new Promise((resolve) => {
    let said = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (bytes) => {
      said += bytes.toString()
      if (enough?.test(said) === true) resolve({ said, socket })
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve({ said, socket }))
  })
}

const QUESTION = JSON.stringify({ gl_string: 'A*01:01', reduction_method: 'lgx' })
const post = (url: string, body: string, headers = {}) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

describe('bad input', () => {
  test.for([
    ['no JSON', '{"gl_string"', 400],
    ['an array', '[]', 400],
    ['a number', '1', 400],
    ['nothing', '', 400],
    ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400],
    ['a prototype', '{"__proto__":{"gl_string":"A*01:01"}}', 400],
    ['a null byte', '{"gl_string":"A*01:01\\u0000","reduction_method":"lgx"}', 400],
    ['an unknown option', '{"gl_string":"A*01:01","reduction_method":"lgx","options":{"stict":false}}', 400],
    [
      'five megabytes',
      JSON.stringify({ gl_string: 'A'.repeat(5 * 1024 ** 2), reduction_method: 'lgx' }),
      413,
    ],
    [
      'a megabyte of names',
      JSON.stringify({ gl_string: 'A*01:01/'.repeat(120_000), reduction_method: 'W' }),
      400,
    ],
    [
      'half a megabyte of operators',
      JSON.stringify({ gl_string: '^|+~/'.repeat(100_000), reduction_method: 'G' }),
      400,
    ],
  ] as const)('%s is refused with a message', async ([, body, status]) => {
    const { url } = await listening()
    const answer = await post(`${url}/redux`, body)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ message: expect.stringMatching(/./) })
    expect((await post(`${url}/redux`, QUESTION)).status).toBe(200)
  })

  test.for([
    [0, 5500, 'the limit is 5,000', 'operator'],
    [6000, 5500, 'the limit is 5,000', 'operator'],
    [10, 20, 'the limit is 10', ''],
  ] as const)('a limit of %d asked for, and %d names: %s', async ([limit, count, message, hint]) => {
    const { url } = await listening()
    const gl_string = Array.from({ length: count }, () => 'A*01:01').join('/')
    const answer = await post(
      `${url}/redux`,
      JSON.stringify({ gl_string, reduction_method: 'lgx', options: { limit } }),
    )
    expect(await answer.json()).toMatchObject({
      code: 'too-ambiguous',
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    })
  })

  test('JSON needs not be called JSON', async () => {
    const { url } = await listening()
    const answer = await post(`${url}/redux`, QUESTION, {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(await answer.json()).toMatchObject({ ard: 'A*01:01' })
  })

  test.for([
    ['/ard/A%2A01%3A01', 200],
    ['/ard/HLA-A*01:01', 200],
    ['/ard/A*01:01%2F', 400],
    ['/ard/A*01:01%00', 400],
    ['/ard/..%2Fversion', 400],
    ['/ard/%2e%2e', 400],
    ['/ard/%ZZ', 400],
    ['/ard/%E0%80%80', 400],
    ['/ard/%25', 400],
    [`/ard/${'A'.repeat(12_000)}`, 400],
    ['/valid?gl_string=A*01:01%2', 400],
    ['/valid?gl_string[]=A*01:01', 400],
    ['/valid?gl_string=A*01:01&level=none', 400],
    ['/ard/A*01:01/more', 404],
    ['//ard/A*01:01', 404],
    ['/none.css', 404],
  ] as const)('GET %s is %d', async ([path, status]) => {
    const { port } = await listening()
    const { said } = await reporter(port, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    const [head = '', body = ''] = said.split('\r\n\r\n')
    expect(head).toContain(`HTTP/1.1 ${status} `)
    expect(head).toMatch(/content-type: application\/json/i)
    if (status !== 200) expect(JSON.parse(body)).toMatchObject({ message: expect.stringMatching(/./) })
  })

  test('what is not HTTP is told so', async () => {
    const { port } = await listening()
    const { said } = await reporter(port, 'A*01:01\r\n\r\n')
    expect(said).toContain('HTTP/1.1 400 ')
  })

  test('who sends somewhat too much is told when all is sent', async () => {
    const { port } = await listening()
    const size = 5 * 1024 ** 2
    const head = `POST /redux HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${size}\r\n\r\n`
    const { said } = await reporter(port, head + 'x'.repeat(size))
    expect(said).toContain('HTTP/1.1 413 ')
    expect(said).toContain('the body is too long')
  })

  test('who sends too much is told before the last byte', async () => {
    const { port } = await listening()
    const head = 'POST /redux HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999\r\n\r\n'
    const { said, socket } = await reporter(port, `${head}{`, /too long/)
    expect(said).toContain('HTTP/1.1 413 ')
    socket.destroy()
  })
})

describe('what is asked otherwise', () => {
  test('a known path by another method', async () => {
    const { url } = await listening()
    const allowed = async (path: string, method: string) => {
      const answer = await fetch(url + path, { method })
      return [answer.status, answer.headers.get('allow')]
    }
    expect(await allowed('/redux', 'GET')).toEqual([405, 'POST'])
    expect(await allowed('/mac/A*01:AB', 'PUT')).toEqual([405, 'GET, HEAD'])
    expect(await allowed('/table', 'DELETE')).toEqual([405, 'POST'])
    expect(await allowed('/constructor', 'GET')).toEqual([404, null])
    expect(await allowed('/mac/', 'POST')).toEqual([404, null])
  })

  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

  test.for([
    ['/nope', BROWSER, 404, 'text/html', 'href="./docs"'],
    ['/nope/deeper/', BROWSER, 404, 'text/html', 'href="../../docs"'],
    ['/redux', BROWSER, 405, 'text/html', 'There is no page at this address'],
    ['/nope', '*/*', 404, 'application/json', 'not-found'],
    ['/nope', 'application/json, text/html', 404, 'application/json', 'not-found'],
    [`/${'a/'.repeat(30)}`, BROWSER, 404, 'application/json', 'not-found'],
    ['/splits/A99', BROWSER, 501, 'application/json', 'starter'],
  ] as const)('%s, as %s, where there is no page', async ([path, accept, status, type, text]) => {
    const { url } = await listening()
    const answer = await fetch(url + path, { headers: { accept } })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toContain(type)
    if (!path.startsWith('/splits')) expect(answer.headers.get('vary')).toContain('accept')
    expect(answer.headers.get('content-security-policy')?.includes("default-src 'none'")).toBe(
      type === 'text/html' ? true : undefined,
    )
    expect(await answer.text()).toContain(text)
  })

  test('what a service offers: its methods, and the releases that are installed beside its own', async () => {
    const facts = async (knowledge: Knowledge) => {
      const service = openService(knowledge)
      open.push(service)
      const answer = await service.app.inject('/version')
      return { ...answer.json<{ methods: string[]; releases: string[] }>(), etag: answer.headers.etag }
    }
    const alone = await facts(starter())
    expect(alone.releases).toEqual([])
    expect(alone.methods).toEqual(METHOD_NAMES.filter((name) => name !== 'hats'))
    const two = await facts(makeKnowledge({ ...openStarter(), installed: () => ['3.58.0', '3.29.0'] }))
    expect(two.releases).toEqual(['3.58.0', '3.29.0'])
    // a browser with a cached answer notices a newly installed release
    expect(two.etag).not.toBe(alone.etag)
  })

  test('a body that is far too long is answered readably', async () => {
    const { url } = await listening()
    for (const size of [2, 64]) {
      const answer = await post(`${url}/redux`, 'x'.repeat(size * 1024 ** 2))
      expect(answer.status).toBe(413)
      expect(await answer.json()).toMatchObject({
        message: expect.stringContaining('at most 1,048,576 bytes'),
      })
    }
  })

  test('what caches keep depends on the origin', async () => {
    const { url } = await listening({ cors: ['https://a.example'] })
    const vary = async (headers: Record<string, string>) =>
      (await fetch(`${url}/version`, { headers })).headers.get('vary')
    expect(await vary({})).toBe('origin, accept')
    expect(await vary({ origin: 'https://a.example' })).toBe('origin, accept')
    expect(await vary({ origin: 'https://b.example' })).toBe('origin, accept')
  })
})

describe('advice', () => {
  const asked = (words?: string) => (words === undefined ? {} : { 'x-hla-words': words })

  test('is in the words of whoever asks', async () => {
    const { url } = await listening()
    const hint = async (words?: string) => {
      const body = JSON.stringify({ gl_string: 'a*01:01', reduction_method: 'lgx' })
      const answer = (await (await post(`${url}/redux`, body, asked(words))).json()) as { hint: string }
      const line = JSON.stringify({ op: 'redux', gl_string: 'a*01:01' })
      const batch = (await (await post(`${url}/batch`, line, asked(words))).json()) as {
        error: { hint: string }
      }
      expect(batch.error.hint).toBe(answer.hint)
      return answer.hint
    }
    expect(await hint()).toBe('"accept": ["case"] reads it as A*01:01')
    expect(await hint('page')).toBe('the choice "Correct small slips" reads it as A*01:01')
    expect(await hint('command-line')).toBe('--accept case reads it as A*01:01')
    expect(await hint('constructor')).toBe('"accept": ["case"] reads it as A*01:01')
  })

  test('about a table is in its parameters', async () => {
    const { url } = await listening()
    const answer = await post(`${url}/table?name=a.csv`, 'id,A_1,A_2\n1,01:01,02:01\n2,01:01\n')
    const text = await answer.text()
    expect(text).not.toMatch(/--[a-z]+ /)
    expect(text).toContain('ragged=pad')
  })
})

describe('slow and vanishing clients', () => {
  test('a body that does not arrive is not waited for', async () => {
    const { port, url } = await listening({ requestTimeout: 200 })
    const started = performance.now()
    const { said } = await reporter(port, 'POST /redux HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{')
    expect(said).toContain('HTTP/1.1 408 ')
    expect(said).toContain('did not arrive in time')
    expect(performance.now() - started).toBeLessThan(5000)
    expect((await post(`${url}/redux`, QUESTION)).status).toBe(200)
  })

  test('who goes on sending is told so however late he listens', async () => {
    const { port } = await listening({ requestTimeout: 200 })
    const socket = connect(port, '127.0.0.1').setNoDelay(true)
    socket.on('error', () => undefined).pause()
    socket.write('POST /redux HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{')
    for (let at = 0; at < 40; at += 1) {
      if (socket.writable) socket.write(' ')
      await pause(25)
    }
    let said = ''
    socket.on('data', (bytes) => (said += bytes.toString())).resume()
    await expect.poll(() => said, { timeout: 10_000 }).toContain('HTTP/1.1 408 ')
    socket.destroy()
  })

  test('nor is a head', async () => {
    const { port } = await listening({ requestTimeout: 300 })
    const { said } = await reporter(port, 'POST /redux HTTP/1.1\r\nhost: x\r\n')
    expect(said).toContain('HTTP/1.1 408 ')
  })

  test('nor is anything else on a connection, for long', async () => {
    const { port, url } = await listening({ idleTimeout: 300 })
    const [silent, idle] = await Promise.all([
      reporter(port, ''),
      reporter(port, 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'),
    ])
    expect(silent.said).toBe('')
    expect(idle.said).toContain('HTTP/1.1 200 OK')
    expect((await post(`${url}/redux`, QUESTION)).status).toBe(200)
  })

  test('while a client that waits for its answer is no idle one', async () => {
    const app = fastify()
    const limits = { requestTimeout: 200, idleTimeout: 200, leastRead: 8192 }
    const connections = watchConnections(app.server, limits, false, () => [408, {}])
    app.get('/long', () => pause(1500).then(() => 'answered'))
    app.post('/long', () => pause(1500).then(() => 'answered'))
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const answers = await Promise.all([fetch(`${url}/long`), post(`${url}/long`, '{}')])
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['answered', 'answered'])
    connections.close()
    await app.close()
  })

  test('and how long that is, is said', async () => {
    const { url } = await listening({ idleTimeout: 7000 })
    expect((await fetch(`${url}/healthz`)).headers.get('keep-alive')).toBe('timeout=7')
  })

  test('an upload that breaks off harms nobody', async () => {
    const { port, url } = await listening()
    const socket = connect(port, '127.0.0.1')
    socket.write('POST /redux HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"gl_string":')
    await pause(50)
    socket.resetAndDestroy()
    expect((await post(`${url}/redux`, QUESTION)).status).toBe(200)
  })

  test('a batch that breaks off harms nobody', async () => {
    const { port, url } = await listening()
    const line = `${JSON.stringify({ op: 'redux', gl_string: 'A*01:01' })}\n`
    const size = line.length.toString(16)
    const head = 'POST /batch HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n'
    const { said, socket } = await reporter(port, `${head}${size}\r\n${line}\r\n`, /"ard"/)
    expect(said).toContain('"ard":"A*01:01"')
    socket.resetAndDestroy()
    await pause(20)
    expect((await post(`${url}/redux`, QUESTION)).status).toBe(200)
  })
})

describe('one answer', () => {
  /** Blocks the event loop, so that no input is read. */
  const block = (ms: number) => {
    for (const until = performance.now() + ms; performance.now() < until;);
  }

  test('to what came in time but was read late', async () => {
    const { port, url } = await listening({ requestTimeout: 300 })
    const socket = connect(port, '127.0.0.1').setNoDelay(true)
    let said = ''
    socket.on('data', (bytes) => (said += bytes.toString())).on('error', () => undefined)
    const head = `POST /redux HTTP/1.1\r\nhost: x\r\ncontent-length: ${QUESTION.length}\r\n\r\n`
    socket.write(head + QUESTION.slice(0, 10))
    await pause(200)
    socket.write(QUESTION.slice(10))
    block(400)
    await expect.poll(() => said).toContain('"ard":"A*01:01"')
    await pause(400)
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
    socket.destroy()
    expect((await post(`${url}/redux`, QUESTION)).status).toBe(200)
  })

  test.for([10, 60, 120])('to what comes when it has been refused (%i ms later)', async (late) => {
    const { port, url } = await listening({ requestTimeout: 200 })
    const sockets = Array.from({ length: 20 }, () => connect(port, '127.0.0.1').setNoDelay(true))
    const said = sockets.map(() => '')
    for (const [at, socket] of sockets.entries()) {
      socket.on('data', (bytes) => (said[at] += bytes.toString())).on('error', () => undefined)
      socket.write(`POST /redux HTTP/1.1\r\nhost: x\r\ncontent-length: ${QUESTION.length}\r\n\r\n{`)
    }
    await pause(200 + late)
    for (const socket of sockets) {
      if (socket.writable) socket.write(QUESTION.slice(1))
      block(5)
    }
    const answers = () => said.map((text) => text.match(/HTTP\/1\.1 (?:200|408)/g)?.length ?? 0)
    await expect.poll(answers, { timeout: 10_000 }).not.toContain(0)
    expect((await post(`${url}/redux`, QUESTION)).status).toBe(200)
    expect(answers()).toEqual(sockets.map(() => 1))
    for (const socket of sockets) socket.destroy()
  })
})

describe('POST /batch', () => {
  const lines = [
    '{"op":"redux","gl_string":"A*01:AB"}',
    '',
    'no JSON',
    '{"op":"none"}',
    '{"op":"validate","gl_string":"A*01:01+"}',
    '{"op":"ard","allele":"A*01:01:01:01"}\r',
  ]

  test('answers each line in its place, the last without a line feed too', async () => {
    const { url } = await listening()
    const answer = await post(`${url}/batch`, lines.join('\n'))
    expect(answer.headers.get('content-type')).toMatch(/^application\/jsonl/)
    const answers = (await answer.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(answers).toEqual([
      expect.objectContaining({ ard: 'A*01:01/A*01:02' }),
      { error: expect.objectContaining({ code: 'bad-request' }) },
      { error: expect.objectContaining({ code: 'bad-request' }) },
      { error: expect.objectContaining({ code: 'bad-request' }) },
      expect.objectContaining({ valid: false, malformed: true }),
      expect.objectContaining({ ard: 'A*01:01' }),
    ])
  })

  test('an empty one is answered by nothing', async () => {
    const { url } = await listening()
    expect(await (await post(`${url}/batch`, '')).text()).toBe('')
  })

  test('a line over the limit is refused, and the next one is answered', async () => {
    const { url } = await listening({ maxBody: 1000 })
    const answer = await post(`${url}/batch`, `${'x'.repeat(5000)}\n${lines[0] ?? ''}\n`)
    const [first, second] = (await answer.text()).split('\n')
    expect(first).toContain('longer than 1,000 bytes')
    expect(second).toContain('"ard":"A*01:01/A*01:02"')
  })

  test('answers come while questions are still asked', async () => {
    const { url } = await listening()
    const count = await new Promise<number>((resolve, reject) => {
      let count = 0
      const asking = httpRequest(`${url}/batch`, { method: 'POST' }, (answer) => {
        let said = ''
        answer.on('data', (bytes: Buffer) => {
          said += bytes.toString()
          count = said.split('\n').length - 1
          if (count < 5) asking.write(`${lines[0] ?? ''}\n`)
          else asking.end()
        })
        answer.on('end', () => resolve(count))
      })
      asking.on('error', reject)
      asking.write(`${lines[0] ?? ''}\n`)
    })
    expect(count).toBe(5)
  })

  test('a reader that does not read stops the writer', async () => {
    const { port } = await listening()
    const line = `${JSON.stringify({ op: 'redux', gl_string: 'A*01:01+A*02:01' })}\n`
    const socket = connect(port, '127.0.0.1')
    socket.pause()
    socket.write('POST /batch HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
    const block = line.repeat(2000)
    const chunk = `${block.length.toString(16)}\r\n${block}\r\n`
    // 50 MB of questions: the client must wait when the kernel's buffers are full
    let written = 0
    const isTaken = async () =>
      socket.write(chunk) || (await Promise.race([once(socket, 'drain').then(() => true), pause(700, false)]))
    while (written < 400 && (await isTaken())) written += 1
    expect(written).toBeLessThan(400)
    socket.destroy()
  })
})

describe('who may ask', () => {
  test('without a token nobody but machines that ask for health', async () => {
    const { url } = await listening({ tokens: ['secret', 'other'] })
    const status = async (path: string, authorization?: string) =>
      (await fetch(url + path, authorization === undefined ? {} : { headers: { authorization } })).status
    expect(await status('/version')).toBe(401)
    expect(await status('/nothing')).toBe(401)
    expect(await status('/version', 'Bearer wrong')).toBe(401)
    expect(await status('/version', 'Basic secret')).toBe(401)
    expect(await status('/version', 'Bearer secret')).toBe(200)
    expect(await status('/version', 'bearer  other')).toBe(200)
    expect(await status('/version', 'Bearer secret x')).toBe(401)
    expect(await status('/version', 'x Bearer secret')).toBe(401)
    expect(await status('/healthz')).toBe(200)
    expect(await status('/readyz')).toBe(200)
    expect(await status('/metrics')).toBe(401)
  })

  test.for([
    ['missing', undefined, 'Bearer', 'a bearer token is needed'],
    ['of another kind', 'Basic secret', 'Bearer', 'a bearer token is needed'],
    ['wrong', 'Bearer wrong', 'Bearer error="invalid_token"', 'the token is not one of this service'],
  ] as const)('a token that is %s', async ([, authorization, challenge, message]) => {
    const { url } = await listening({ tokens: ['secret'] })
    const reply = await fetch(`${url}/version`, authorization === undefined ? {} : { headers: { authorization } }) // prettier-ignore
    expect(reply.headers.get('www-authenticate')).toBe(challenge)
    expect(await reply.json()).toMatchObject({
      message: expect.stringContaining(message),
      code: 'unauthorized',
    })
  })

  test('pages of allowed origins', async () => {
    const { url } = await listening({ cors: ['https://a.example'] })
    const allowed = async (origin: string) =>
      (await fetch(`${url}/version`, { headers: { origin } })).headers.get('access-control-allow-origin')
    expect(await allowed('https://a.example')).toBe('https://a.example')
    expect(await allowed('https://b.example')).toBe(null)
    const preflight = await fetch(`${url}/redux`, {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
  })

  test('nobody too often', async () => {
    const { url } = await listening({ rateLimit: 3 })
    const answers = await Promise.all(Array.from({ length: 8 }, () => fetch(`${url}/version`)))
    const refused = answers.filter(({ status }) => status === 429)
    // on a busy machine one more is earned meanwhile
    expect(refused.length).toBeGreaterThanOrEqual(3)
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
  })
})

test('a batch is admitted whatever its size, and its lines are paid off at the rate', async () => {
  const { url } = await listening({ rateLimit: 100 })
  const lines = 1000
  const batch = await post(`${url}/batch`, `${JSON.stringify({ op: 'version' })}\n`.repeat(lines))
  expect(batch.status).toBe(200)
  expect((await batch.text()).split('\n')).toHaveLength(lines + 1)
  const refused = await fetch(`${url}/version`)
  expect(refused.status).toBe(429)
  const seconds = Number(refused.headers.get('retry-after'))
  // what was earned while the lines were answered is less than a few seconds' worth
  expect(seconds).toBeGreaterThan(4)
  expect(seconds).toBeLessThanOrEqual(10)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

describe('addresses', () => {
  test('that bring wrong tokens are counted too', async () => {
    const { url } = await listening({ rateLimit: 3, tokens: ['secret'] })
    const headers = { authorization: 'Bearer wrong' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => fetch(`${url}/version`, { headers })))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(3)
  })

  test.for([
    [true, [200, 200, 429, 429]],
    [false, [200, 429, 429, 429]],
  ] as const)('behind a proxy (%s) are those it names', async ([trustsProxy, expected]) => {
    const { url } = await listening({ rateLimit: 1, trustsProxy })
    const statuses: number[] = []
    // entries before the proxy's own may be forged
    for (const forwarded of ['192.0.2.1', '192.0.2.2', '192.0.2.9, 192.0.2.1', '192.0.2.1'])
      statuses.push((await fetch(`${url}/version`, { headers: { 'x-forwarded-for': forwarded } })).status)
    expect(statuses).toEqual(expected)
  })
})

describe('a request that is refused by its head', () => {
  test.for(['/redux', '/batch'])('a compressed body is 415: %s', async (path) => {
    const { url } = await listening()
    const body = new Uint8Array(gzipSync(QUESTION))
    const answer = await fetch(url + path, { method: 'POST', body, headers: { 'content-encoding': 'gzip' } })
    expect(answer.status).toBe(415)
    expect(await answer.json()).toMatchObject({
      message: expect.stringContaining('without Content-Encoding'),
    })
    const plain = await post(url + '/redux', QUESTION, { 'content-encoding': 'identity' })
    expect(plain.status).toBe(200)
  })

  test('a table may be compressed', async () => {
    const { url } = await listening()
    const body = new Uint8Array(gzipSync('ID,A_1,A_2\n1,01:01,02:01\n'))
    const headers = { 'content-encoding': 'gzip' }
    expect((await fetch(`${url}/table?name=a.csv`, { method: 'POST', body, headers })).status).toBe(200)
  })

  test.for(['br', 'deflate', 'gzip, gzip', 'compress'])('but not by %s', async (encoding) => {
    const { url } = await listening()
    const headers = { 'content-encoding': encoding }
    const answer = await fetch(`${url}/table?name=a.csv`, {
      method: 'POST',
      body: 'ID,A_1\n1,01:01\n',
      headers,
    })
    expect([answer.status, answer.headers.get('accept-encoding')]).toEqual([415, 'gzip, x-gzip, zstd'])
    expect(await answer.json()).toMatchObject({
      message: expect.stringContaining('one of gzip, x-gzip, zstd'),
    })
  })

  test('two hosts are 400, one is not', async () => {
    const { port } = await listening()
    const ask = async (hosts: string) =>
      (await reporter(port, `GET /version HTTP/1.1\r\n${hosts}connection: close\r\n\r\n`)).said.slice(0, 12)
    expect(await ask('host: one\r\nHost: other\r\n')).toBe('HTTP/1.1 400')
    expect(await ask('host: one\r\n')).toBe('HTTP/1.1 200')
  })
})

describe('identity', () => {
  test('of the data, of the request, of the answer', async () => {
    const { url } = await listening()
    const first = await fetch(`${url}/ard/A*01:01`, { headers: { 'x-request-id': 'mine-1' } })
    expect(first.headers.get('x-hla-data')).toBe('3.58.0+starter')
    expect(first.headers.get('x-request-id')).toBe('mine-1')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"3\.58\.0\+starter-/)
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const again = await fetch(`${url}/ard/A*01:01`, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    const any = await fetch(`${url}/ard/A*01:01`, { headers: { 'if-none-match': '*' } })
    expect(any.status).toBe(304)
    const statusFor = async (tags: string) =>
      (await fetch(`${url}/ard/A*01:01`, { headers: { 'if-none-match': tags } })).status
    for (const tags of [`W/${etag}`, `"x", ${etag}`, `${etag},"x"`, `"x" , W/${etag} , "y"`, '"x", *'])
      expect([tags, await statusFor(tags)]).toEqual([tags, 304])
    for (const tags of ['"x"', `xW/${etag}`, 'x, y'])
      expect([tags, await statusFor(tags)]).toEqual([tags, 200])
    const page = await fetch(`${url}/`, { headers: { 'if-none-match': '*' } })
    expect(page.status).toBe(304)
    // this address contains no patient data
    expect((await fetch(`${url}/version`)).headers.get('cache-control')).toBe('public, no-cache')
    const failed = await fetch(`${url}/ard/A`, { headers: { 'if-none-match': etag, 'x-request-id': 'a b' } })
    expect(failed.status).toBe(400)
    expect(failed.headers.get('etag')).toBe(null)
    expect(failed.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-\d+$/)
  })

  test('the page is for itself alone, and sent again only when it changed', async () => {
    const { url } = await listening({ tokens: ['secret'] })
    const page = await fetch(`${url}/`)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    const headers = { 'if-none-match': page.headers.get('etag') ?? '' }
    expect((await fetch(`${url}/`, { headers })).status).toBe(304)
    for (const part of ['docs', 'page.css', 'page.js', 'docs.js', 'openapi.json'])
      expect((await fetch(`${url}/${part}`)).status).toBe(200)
  })

  test.for([
    ['/ui', '/'],
    ['/ui/', '/'],
  ] as const)('%s, where services of py-ard have their page, leads to it', async ([from, to]) => {
    const { url } = await listening({ tokens: ['secret'] })
    const page = await fetch(url + from)
    expect([page.status, page.url]).toEqual([200, url + to])
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test('the description names every route', async () => {
    const { url } = await listening()
    const { openapi, paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
      openapi: string
      paths: Record<string, Record<string, unknown>>
    }
    expect(openapi).toBe('3.1.0')
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        '/version', '/redux', '/ard/{allele}', '/cwd-redux', '/mac/{allele_code}', '/mac', '/validate', '/valid',
        '/xx/{xx_code}', '/mac-hats/{allele_code}',
        '/blend', '/splits/{allele}', '/similar/{allele_prefix}', '/batch', '/table',
      ]),
    ) // prettier-ignore
  })

  test('counts by route, never by what was asked', async () => {
    const { url } = await listening()
    await fetch(`${url}/ard/A*01:01`)
    await fetch(`${url}/nothing/A*01:01`)
    const text = await (await fetch(`${url}/metrics`)).text()
    expect(text).toContain('hla_requests_total{method="GET",route="/ard/:allele",worker="0",status="200"} 1')
    expect(text).toContain('hla_request_seconds_count{method="GET",route="/ard/:allele",worker="0"} 1')
    expect(text).not.toContain('A*01:01')
  })

  test('counts each request, line and token once, and nothing else', async () => {
    const { url } = await listening({ tokens: ['secret', 'metrics'] })
    const headers = { authorization: 'Bearer secret' }
    const paths = ['ard/A*01:01', 'ard/A*02:01', 'ard/A*99:99', 'nothing']
    for (const path of paths) await (await fetch(`${url}/${path}`, { headers })).text()
    await (await fetch(`${url}/version`)).text()
    const lines = [
      '{"op":"version"}',
      '{"op":"redux","gl_string":"A*99:99","reduction_method":"lgx"}',
      'no JSON',
    ]
    await (await post(`${url}/batch`, lines.join('\n'), headers)).text()
    const digest = (token: string) => createHash('sha256').update(token).digest('hex').slice(0, 8)
    const read = async () => {
      const reply = await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer metrics' } })
      const samples = [...samplesOf(await reply.text())]
      return new Map(
        samples.filter(([name]) => !name.includes('/metrics') && !name.includes(digest('metrics'))),
      )
    }
    const isCounter = (name: string) =>
      /^hla_(?!.*_age_days|request_seconds_(?:bucket|sum)|connections)/.test(name)
    const route = (method: string, path: string) => `{method="${method}",route="${path}",worker="0"`
    // a request is counted after its answer is sent
    await expect
      .poll(async () => Object.fromEntries([...(await read())].filter(([name]) => isCounter(name))))
      .toEqual({
        [`hla_info{version="${packageVersion()}",data="3.58.0+starter",worker="0"}`]: 1,
        [`hla_requests_total${route('GET', '/ard/:allele')},status="200"}`]: 2,
        [`hla_requests_total${route('GET', '/ard/:allele')},status="501"}`]: 1,
        [`hla_requests_total${route('GET', 'unknown')},status="404"}`]: 1,
        [`hla_requests_total${route('GET', '/version')},status="401"}`]: 1,
        [`hla_requests_total${route('POST', '/batch')},status="200"}`]: 1,
        [`hla_request_seconds_count${route('GET', '/ard/:allele')}}`]: 3,
        [`hla_request_seconds_count${route('GET', 'unknown')}}`]: 1,
        [`hla_request_seconds_count${route('GET', '/version')}}`]: 1,
        [`hla_request_seconds_count${route('POST', '/batch')}}`]: 1,
        'hla_batch_lines_total{worker="0"}': 3,
        'hla_tables_refused_total{reason="full",worker="0"}': 0,
        'hla_tables_refused_total{reason="caller",worker="0"}': 0,
        'hla_tables_refused_total{reason="crowded",worker="0"}': 0,
        [`hla_token_requests_total{token="${digest('secret')}",worker="0"}`]: 5,
        'hla_requests_in_flight{worker="0"}': 1,
        'hla_tables_converting{worker="0"}': 0,
        'hla_table_places{worker="0"}': 4,
      })
    const samples = await read()
    const counts = [...samples].filter(([name]) =>
      name.startsWith(`hla_request_seconds_bucket${route('GET', '/ard/:allele')}`),
    )
    expect(counts.at(-1)).toEqual([expect.stringContaining('le="+Inf"'), 3])
    expect(counts.map(([, count]) => count)).toEqual(
      counts.map(([, count]) => count).toSorted((a, b) => a - b),
    )
    expect(samples.get(`hla_request_seconds_sum${route('GET', '/ard/:allele')}}`)).toBeGreaterThan(0)
  })

  test('open files, the start of the process, and how old the data are', async () => {
    const before = Date.now() / 1000
    const { url } = await listening()
    const text = await (await fetch(`${url}/metrics`)).text()
    const value = (name: string) =>
      Number(new RegExp(`^${name}\\{worker="0"\\} (\\S+)$`, 'm').exec(text)?.[1])
    expect(value('process_start_time_seconds')).toBeGreaterThan(before - 3600)
    expect(value('process_start_time_seconds')).toBeLessThanOrEqual(before)
    if (process.platform === 'linux') {
      expect(value('process_open_fds')).toBeGreaterThan(3)
      expect(value('process_max_fds')).toBeGreaterThan(value('process_open_fds'))
    }
    // the starter set is part of 3.58.0, dated 2024-10-09
    const days = Math.floor((Date.now() - Date.UTC(2024, 9, 9)) / 86_400_000)
    expect(Math.abs(value('hla_release_age_days') - days)).toBeLessThanOrEqual(1)
    // its codes are those of 2020-07-11
    const macDays = Math.floor((Date.now() - Date.UTC(2020, 6, 11)) / 86_400_000)
    expect(Math.abs(value('hla_mac_age_days') - macDays)).toBeLessThanOrEqual(1)
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(1 << 20)
    expect(value('process_uptime_seconds')).toBeGreaterThan(0)
    expect(value('process_cpu_seconds_total')).toBeGreaterThan(0)
    const lag = ['mean', 'p99', 'max'].map((of) => value(`nodejs_eventloop_lag_${of}_seconds`))
    expect(lag.filter((seconds) => seconds >= 0)).toHaveLength(3)
  })

  test('which token asked, by its digest alone', async () => {
    const { url } = await listening({ tokens: ['secret', 'other'] })
    const headers = { authorization: 'Bearer secret' }
    await fetch(`${url}/version`, { headers })
    const text = await (await fetch(`${url}/metrics`, { headers })).text()
    const short = createHash('sha256').update('secret').digest('hex').slice(0, 8)
    expect(text).toMatch(new RegExp(`^hla_token_requests_total\\{token="${short}",worker="0"\\} [12]$`, 'm'))
    expect(text).not.toContain('secret')
  })

  test('requests under way, connections, and how late the process is', async () => {
    const { url, port } = await listening()
    const { socket } = await reporter(port, 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n', /ok/)
    const asking = await reporter(
      port,
      'POST /batch HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"op":"version"}\n',
      /ipd_version/,
    )
    const read = async () => {
      const text = await (await fetch(`${url}/metrics`)).text()
      const value = (name: string) =>
        Number(new RegExp(`^${name}\\{worker="0"\\} (\\S+)$`, 'm').exec(text)?.[1])
      return {
        requests: value('hla_requests_in_flight'),
        connections: value('hla_connections'),
        lag: value('nodejs_eventloop_lag_max_seconds'),
      }
    }
    // the request for the metrics counts too
    expect(await read()).toMatchObject({ requests: 2, connections: 3 })
    await pause(100)
    const until = performance.now() + 200
    while (performance.now() < until);
    await pause(50)
    expect((await read()).lag).toBeGreaterThan(0.1)
    socket.destroy()
    asking.socket.destroy()
    await pause(50)
    expect(await read()).toMatchObject({ requests: 1, connections: 1 })
  })
})

describe('logs', () => {
  async function linesOf(inputs: boolean): Promise<string> {
    const lines: string[] = []
    const log = { stream: { write: (line: string) => void lines.push(line) }, access: true, inputs }
    const { service, url } = await listening({ log })
    await fetch(`${url}/ard/A*01:01:01:01`)
    await fetch(`${url}/valid?gl_string=A*01:01:01:01`)
    await post(`${url}/redux`, JSON.stringify({ gl_string: 'A*01:01:01:01', reduction_method: 'lgx' }))
    await post(`${url}/redux`, '{"gl_string":"A*01:01:01:01')
    await fetch(`${url}/A*01:01:01:01`)
    await post(`${url}/batch`, '{"op":"redux","gl_string":"A*01:01:01:01"}')
    await service.drain({ delay: 0, patience: 0 })
    return lines.join('')
  }

  test('hold no typing', async () => {
    const text = await linesOf(false)
    expect(text).toContain('"route":"/redux"')
    expect(text).not.toContain('A*01')
  })

  test('the client and the bytes of every answer', async () => {
    const lines: string[] = []
    const log = { stream: { write: (line: string) => void lines.push(line) }, access: true, inputs: false }
    const { url } = await listening({ log })
    const one = await (await fetch(`${url}/ard/A*01:01`)).text()
    const many = await (
      await post(`${url}/batch`, '{"op":"redux","gl_string":"A*01:01"}\n'.repeat(50))
    ).text()
    const found = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ route }) => route)
    expect(found).toMatchObject([
      { ip: '127.0.0.1', route: '/ard/:allele', bytes: expect.any(Number) },
      { ip: '127.0.0.1', route: '/batch', bytes: expect.any(Number) },
    ])
    for (const [at, { length }] of [one, many].entries()) {
      expect(Number(found[at]?.['bytes'])).toBeGreaterThan(length)
      expect(Number(found[at]?.['bytes'])).toBeLessThan(length + 2000)
    }
  })

  test.for(['/redux', '/batch', '/table'])(
    'an upload to %s that breaks off is no error of ours',
    async (path) => {
      const lines: string[] = []
      const log = { stream: { write: (line: string) => void lines.push(line) }, access: false, inputs: false }
      const { url, port } = await listening({ log })
      for (const end of ['resetAndDestroy', 'end'] as const) {
        const socket = connect(port, '127.0.0.1')
        socket.on('error', () => undefined)
        socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"op":\n`)
        await pause(50)
        socket[end]()
      }
      await pause(100)
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
      expect(lines).toEqual([])
    },
  )

  test('unless that was asked for', async () => {
    expect(await linesOf(true)).toContain('A*01:01:01:01')
  })
})

describe('reload and drain', () => {
  test.skipIf(!hasShared)('a reload changes the data between two requests', async () => {
    const reopen = () => makeKnowledge({ release: realRelease('3580'), mac: realMacs() })
    const { service, url } = await listening({ reopen })
    const ask = async () => (await (await fetch(`${url}/version`)).json()) as { dataset?: string }
    expect(await ask()).toMatchObject({ dataset: 'starter' })
    service.reload()
    expect(await ask()).not.toHaveProperty('dataset')
  })

  test('what is under way is answered, and nobody new is let in', async () => {
    const { service, port, url } = await listening()
    const head = `POST /redux HTTP/1.1\r\nhost: x\r\ncontent-length: ${QUESTION.length}\r\n\r\n`
    const asking = connect(port, '127.0.0.1')
    let said = ''
    asking.on('data', (bytes) => (said += bytes.toString()))
    asking.write(head + QUESTION.slice(0, 10))
    await pause(50)
    const drained = service.drain({ delay: 100, patience: 5000 })
    const ready = await fetch(`${url}/readyz`)
    expect(ready.status).toBe(503)
    await pause(150)
    // open connections learn that this answer is the last, and new ones are refused
    expect((await fetch(`${url}/healthz`)).headers.get('connection')).toBe('close')
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
    asking.write(QUESTION.slice(10))
    await Promise.all([drained, once(asking, 'close')])
    expect(said).toContain('HTTP/1.1 200 OK')
    expect(said).toContain('"ard":"A*01:01"')
  })

  test('what hangs is cut off', async () => {
    const { service, port } = await listening()
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('POST /redux HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{')
    await pause(50)
    const started = performance.now()
    await service.drain({ delay: 0, patience: 100 })
    expect(performance.now() - started).toBeLessThan(3000)
    socket.destroy()
  })
})
