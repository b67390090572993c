/** No caller makes others wait: work is shared by caller, and large questions have a thread of their own. */
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { request as httpRequest } from 'node:http'
import { afterEach, beforeAll, afterAll, describe, expect, test } from 'vitest'
import { serviceThread } from '../../src/cli/run/serve/service-thread.ts'
import { openKnowledge } from '../../src/cli/run/open-knowledge.ts'
import { makeServed } from '../../src/service/current.ts'
import { answerLarge } from '../../src/service/questions/large-questions.ts'
import { EXAMPLES } from '../../src/service/openapi/openapi-examples.ts'
import type { ServiceOptions } from '../../src/service/options.ts'
import { openService, type Service } from '../../src/service/service.ts'
import { installedData } from '../support/installed-data.ts'
import { hasShared } from '../support/shared.ts'

const open: Service[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(async () => {
  await Promise.all(open.splice(0).map((service) => service.drain({ delay: 0, patience: 0 })))
})

async function listening(
  hasThread = true,
  options: Partial<ServiceOptions> = {},
): Promise<{ url: string; port: number }> {
  const [release, dataDir] = hasShared ? ['3.58.0', await installedData()] : ['starter', undefined]
  const { knowledge } = openKnowledge(release, dataDir)
  const thread = hasThread
    ? serviceThread({ release, maxAlleles: 5000, ...(dataDir !== undefined && { dataDir }) })
    : undefined
  const service = openService(knowledge, { thread, ...options })
  open.push(service)
  await service.app.listen({ host: '0.0.0.0', port: 0 })
  const { port } = service.app.server.address() as AddressInfo // a TCP server's address is an object
  return { url: `http://127.0.0.1:${port}`, port }
}

/** Status of a request from another address. */
function askFromElsewhere(port: number, path: string, body?: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: '127.0.0.1', port, path, localAddress: '127.0.0.2', method: body === undefined ? 'GET' : 'POST', agent: false },
      (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
      },
    )
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  }) // prettier-ignore
}

/** Counts what matches in the answers on a connection. */
function counted(port: number, what: RegExp): { socket: Socket; count: () => number } {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let count = 0
  socket.on('error', () => undefined)
  socket.on('data', (bytes: Buffer) => (count += bytes.toString('latin1').match(what)?.length ?? 0))
  return { socket, count: () => count }
}

const QUESTION = { gl_string: 'A*01:01+A*02:01', reduction_method: 'lgx' }

/** Thousands of texts that cannot be names. */
const HEAVY = Array.from({ length: 4900 }, (_, at) => `A*9${at}`).join('/')
const heavyLine = JSON.stringify({ op: 'validate', gl_string: HEAVY })

describe('while a caller', () => {
  let port: number
  beforeAll(async () => {
    ;({ port } = await listening())
    // starts the thread
    await askFromElsewhere(port, '/validate', { gl_string: HEAVY })
  })

  test('sends heavy lines over several connections, others are answered between them', async () => {
    const batches = [1, 2, 3, 4].map(() => {
      const batch = counted(port, /"message":"Provided/g)
      batch.socket.write('POST /batch HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n')
      const line = `${heavyLine}\n`.repeat(20)
      batch.socket.write(`${line.length.toString(16)}\r\n${line}\r\n`)
      return batch
    })
    const answered = () => batches.reduce((sum, { count }) => sum + count(), 0)
    await expect.poll(answered).toBeGreaterThan(0)
    const before = answered()
    for (let round = 0; round < 20; round += 1)
      expect(await askFromElsewhere(port, '/redux', QUESTION)).toBe(200)
    expect(answered() - before).toBeLessThan(20)
  })

  test.for([
    ['/redux', QUESTION],
    ['/healthz', undefined],
  ] as const)('pipelines thousands of requests, others are answered in between: %s', async ([path, body]) => {
    const MANY = 500
    const flood = counted(port, /HTTP\/1.1 400/g)
    flood.socket.write(
      `GET /valid?gl_string=${encodeURIComponent(HEAVY.slice(0, 400))} HTTP/1.1\r\nhost: a\r\n\r\n`.repeat(
        MANY,
      ),
    )
    await expect.poll(flood.count).toBeGreaterThan(0)
    expect(await askFromElsewhere(port, path, body)).toBe(200)
    expect(flood.count()).toBeLessThan(MANY / 2)
  })
})

test('more requests than may wait are all answered, in their order', async () => {
  const { port } = await listening(false)
  const MANY = 2500
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let got = ''
  socket.on('data', (bytes: Buffer) => (got += bytes.toString('latin1')))
  for (let at = 0; at < MANY; at += 1)
    socket.write(`GET /version HTTP/1.1\r\nhost: a\r\nx-request-id: r${at}\r\n\r\n`)
  await expect.poll(() => got.match(/x-request-id: r\d+/g)?.length, { timeout: 60_000 }).toBe(MANY)
  expect(got.match(/x-request-id: r\d+/g)).toEqual(
    Array.from({ length: MANY }, (_, at) => `x-request-id: r${at}`),
  )
})

describe('a large question', () => {
  let withThread: string
  let without: string
  beforeAll(async () => {
    withThread = (await listening()).url
    without = (await listening(false)).url
  })

  const NAMES = ['A*01:01', 'A*02:01', 'A*99:99', 'A*24:02']
  const long = (join: string) => Array.from({ length: 400 }, (_, at) => NAMES[at % 4]).join(join)

  const seen = async (url: string, path: string, init: RequestInit) => {
    const answer = await fetch(url + path, init)
    const { date: _, 'x-request-id': __, ...headers } = Object.fromEntries(answer.headers)
    return { status: answer.status, headers, body: await answer.text() }
  }

  test.for([...EXAMPLES].map(([operation]) => operation))('is answered in the thread as elsewhere: %s', async (operation) => {
    for (const text of [long('/'), long('+').slice(0, 1500), 'x'.repeat(2000), 'HLA-A2/'.repeat(300)]) {
      const body = `${JSON.stringify({ op: operation, gl_string: text, mac: text, allele: text, reduction_method: 'G', from_release: '3.58.0', to_release: '3.58.0' })}\n`
      expect(await seen(withThread, '/batch', { method: 'POST', body })).toEqual(await seen(without, '/batch', { method: 'POST', body }))
    }
  }) // prettier-ignore

  test.for([
    ['/redux', { reduction_method: 'G' }, {}],
    ['/redux', { reduction_method: 'nonsense' }, {}],
    ['/redux', { reduction_method: 'lgx' }, { 'x-hla-words': 'command-line' }],
    ['/validate', {}, {}],
    ['/validate', {}, { accept: 'text/plain' }],
    ['/validate', { level: 'grammar' }, {}],
    ['/explain', { reduction_method: 'exon' }, {}],
    ['/cwd', {}, {}],
  ] as const)('over its own route, too: %s %j %j', async ([path, more, headers]) => {
    for (const gl_string of [long('/'), long('^'), 'A*01:01/'.repeat(500), `${long('/')}/`]) {
      const init = { method: 'POST', body: JSON.stringify({ gl_string, ...more }), headers }
      expect(await seen(withThread, path, init)).toEqual(await seen(without, path, init))
    }
  })

  test.runIf(hasShared)('takes its suggestions from the budget of its batch', async () => {
    const { knowledge } = openKnowledge('3.58.0', await installedData())
    const line = JSON.stringify({ op: 'redux', gl_string: 'A*01:998', reduction_method: 'G' })
    const advice = { left: 1, refused: 0 }
    const ask = { kind: 'line', line, face: 'request', advice } as const
    expect(answerLarge(ask, makeServed(knowledge, 5000))).toMatchObject({ advice: { left: 0, refused: 0 } })
    expect(answerLarge({ ...ask, advice: { left: 0, refused: 0 } }, makeServed(knowledge, 5000))).toMatchObject({ advice: { left: 0, refused: 1 } })
  }) // prettier-ignore

  test.runIf(hasShared && process.env['HLA_LONG'] !== undefined)('shares the budget of a batch', async () => {
    const names = Array.from({ length: 4900 }, (_, at) => `A*01:9${at}`)
    const long = JSON.stringify({ op: 'validate', gl_string: names.join('/') })
    const short = JSON.stringify({ op: 'validate', gl_string: 'A*01:998' })
    const body = `${long}\n${short}\n`.repeat(52)
    const ask = async (url: string) => {
      const answer = await fetch(`${url}/batch`, { method: 'POST', body })
      return (await answer.text()).split('\n')
    }
    const [here, there] = [await ask(without), await ask(withThread)]
    expect(there.findIndex((line, at) => line !== here[at])).toBe(-1)
    expect(there).toHaveLength(here.length)
    expect(here.filter((line) => line.includes('suggestions were made only for the first'))).toHaveLength(1)
  })
})
