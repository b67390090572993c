/**
 * Effects of a hostile table on other clients: each conversion ends independently, and an aborted one is logged and
 * counted.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import type { ServiceOptions } from '../../src/service/options.ts'
import { openService, type Service } from '../../src/service/service.ts'
import type { TableAnswer } from '../../src/service/table/table-answer.ts'
import { MAX_CALLER_TABLES, MAX_TABLES } from '../../src/service/table/table-share.ts'
import { readLossReason, startThreads } from '../../src/service/threads/threads.ts'
import { breakReason, watchConnections } from '../../src/web/connections.ts'
import { memoryDuring } from '../support/attacked.ts'
import { tempFolder } from '../support/temp.ts'
import { inlineCell, makeWorkbook } from '../support/workbook.ts'

const temp = tempFolder()
const PROGRAM = join(import.meta.dirname, '../../bin/hla.cjs')
const running: ChildProcess[] = []
const open: Service[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const child of running.splice(0)) child.kill('SIGKILL')
  await Promise.all(open.splice(0).map((service) => service.drain({ delay: 0, patience: 0 })))
})

function serve(): Promise<{ url: string; child: ChildProcess }> {
  const cwd = temp('.')
  const env = { HOME: cwd, HLA_DATA_DIR: join(cwd, 'data'), HLA_SYSTEM_DATA_DIR: join(cwd, 'none') }
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', '--access-log', 'off'], {
    cwd,
    env,
  })
  running.push(child)
  let said = ''
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (bytes: Buffer) => {
      const url = /on (http:\S+)\n/.exec((said += bytes.toString()))?.[1]
      if (url !== undefined) resolve({ url, child })
    })
    child.on('exit', () => reject(new Error(said)))
  })
}

async function listening(
  options: Partial<ServiceOptions> = {},
): Promise<{ url: string; port: number; said: () => string }> {
  const lines: string[] = []
  const log = { stream: { write: (line: string) => void lines.push(line) }, access: true, inputs: false }
  const service = openService(makeKnowledge(openStarter()), { log, ...options })
  open.push(service)
  await service.app.listen({ host: '0.0.0.0', port: 0 })
  const { port } = service.app.server.address() as AddressInfo // a TCP server's address is an object
  return { url: `http://127.0.0.1:${port}`, port, said: () => lines.join('') }
}

const convert = async (url: string, body: string | Uint8Array<ArrayBuffer>, name = 'a.csv') => {
  const answer = await fetch(`${url}/table?name=${name}`, { method: 'POST', body })
  return { status: answer.status, text: await answer.text() }
}
const metricsOf = async (url: string) => (await fetch(`${url}/metrics`)).text()

const rows = (count: number) => Array.from({ length: count }, (_, at) => `${at},01:01,02:01\n`).join('')
const ORDINARY = `ID,A_1,A_2\n${rows(100_000)}`

/** Rows whose only cell is in the last possible column of a sheet. */
const FAR = makeWorkbook({
  sheets: [
    {
      name: 'S',
      rows: `<row r="1">${['ID', 'A_1', 'A_2'].map((text, at) => inlineCell(`${'ABC'.charAt(at)}1`, text)).join('')}</row>${Array.from(
        { length: 900 },
        (_, at) => `<row r="${at + 2}"><c r="XFD${at + 2}"><v>1</v></c></row>`,
      ).join('')}`,
    },
  ],
})
const WIDE = gzipSync(`id,A_1,A_2${','.repeat(48_997)}\n${`${','.repeat(48_999)}\n`.repeat(300)}`)

test.for([
  ['a workbook with cells at the far right', FAR, 'far.xlsx'],
  ['columns × rows of nothing', WIDE, 'wide.csv.gz'],
] as const)('%s beside two ordinary tables: these end with their summary', async ([, hostile, name]) => {
  const { url, child } = await serve()
  const ordinary = [convert(url, ORDINARY), convert(url, ORDINARY)]
  const memory = await memoryDuring(child, async () => {
    const ended = await Promise.all([...ordinary, convert(url, new Uint8Array(hostile), name)])
    // a busy machine may need longer for so many columns than a service takes
    const isWhole = ({ status, text }: Awaited<(typeof ordinary)[number]>) =>
      status === 200 && text.includes('name="summary"')
    const [hostiles] = ended.splice(2)
    expect(ended.map(isWhole)).toEqual([true, true])
    if (hostiles?.status !== 400) expect(hostiles).toSatisfy(isWhole)
    else expect(hostiles.text).toContain('recognising the columns takes more than 2 s')
  })
  // three threads; the memory for a hostile table is not a multiple of its size
  expect(memory).toBeLessThan(400)
})

/**
 * A stand-in for the table thread: `hog` uses memory until none is left, `bug` fails, `fail later` after its first
 * piece; any other input is echoed.
 */
const THREAD = `
const { parentPort } = require('node:worker_threads')
const TYPE = 'multipart/form-data; boundary=hla-x'
let asked, given
const say = (message) => parentPort.postMessage(message)
parentPort.on('message', ({ kind, request }) => {
  if (kind === 'begin') {
    asked = new TextDecoder().decode(request.pieces[0]).trim()
    given = 0
    if (asked === 'hog at once') grow()
    say({ kind: 'begun', head: { contentType: TYPE } })
  }
  if (kind !== 'next') return
  given += 1
  if (given === 1) say({ kind: 'piece', bytes: Buffer.from('--hla-x\\r\\ncontent-disposition: form-data; name="table"\\r\\n\\r\\n' + asked) })
  if (asked === 'fail later') setImmediate(() => { throw new Error('a late bug') })
  if (given === 1) return
  if (asked === 'hog') grow()
  if (asked === 'bug') return say({ kind: 'failed', stack: 'Error: a bug\\n    at here' })
  say({ kind: 'piece', bytes: given === 2 ? Buffer.from('\\r\\n--hla-x--\\r\\n') : undefined })
})
function grow() { const all = []; for (;;) all.push(new Array(1e5).fill({})) }
say({ kind: 'data', dataId: process.env.HLA_TEST_DATA ?? '' })
`
const entry = { file: THREAD, eval: true, argv: [], workerData: undefined }
const tableThreads = () => startThreads<object, TableAnswer>(entry, 'table', MAX_TABLES)

describe('a thread for each conversion', () => {
  const request = (text: string) => ({ pieces: [Buffer.from(text)] })
  const take = async (threads: ReturnType<typeof tableThreads>, text: string) => {
    const { body } = (await threads.ask(request(text), '')) ?? {}
    let all = ''
    for await (const piece of body ?? []) all += Buffer.from(piece).toString()
    return all
  }

  test('what takes too much memory ends alone, before its answer and in the middle of it', async () => {
    const threads = tableThreads()
    const others = ['one', 'other'].map((text) => take(threads, text))
    const lost = ['hog', 'hog at once'].map((text) =>
      take(threads, text).catch((error: unknown) => readLossReason(error)),
    )
    expect(await Promise.all(lost)).toEqual(['memory', 'memory'])
    expect((await Promise.all(others)).map((text) => text.includes('name="table"'))).toEqual([true, true])
    // a thread for the next table is available
    expect(await take(threads, 'next')).toContain('next')
    await threads.close()
  })

  test('that nobody reads is free again, begun or not', async () => {
    const threads = tableThreads()
    for (let at = 0; at < 2 * MAX_TABLES; at += 1) {
      const answer = await threads.ask(request('x'), '')
      if (at % 2 === 1) await answer?.body.next()
      await answer?.body.return(undefined)
    }
    expect(await take(threads, 'next')).toContain('next')
    await threads.close()
  })

  test.for([
    ['before its first piece', 0],
    ['between two pieces', 1],
  ] as const)('ends with the service %s, and says so to every question', async ([, taken]) => {
    const threads = tableThreads()
    const answer = await threads.ask(request('x'), '')
    for (let at = 0; at < taken; at += 1) await answer?.body.next()
    await threads.close()
    await expect(answer?.body.next()).rejects.toMatchObject({ hint: 'ask again' })
    await expect(threads.ask(request('x'), '')).rejects.toMatchObject({ hint: 'ask again' })
  })

  test('ends with the service, also for tables that wait for a thread', async () => {
    const threads = tableThreads()
    await Promise.all(Array.from({ length: MAX_TABLES }, () => threads.ask(request('x'), '')))
    const waiting = [1, 2].map(() => threads.ask(request('x'), '').catch(readLossReason))
    await threads.close()
    expect(await Promise.all(waiting)).toEqual(['end', 'end'])
  })

  test('that failed between two pieces gives its reader the reason', async () => {
    const threads = tableThreads()
    const answer = await threads.ask(request('fail later'), '')
    const read = async () => {
      // takes longer than the failure, which a busy machine may tell of with the first piece
      for await (const _ of answer?.body ?? []) await take(threads, 'other')
    }
    await expect(read()).rejects.toThrow('a late bug')
    await threads.close()
  })
})

describe('an answer that breaks off', () => {
  const dataId = () => openService(makeKnowledge(openStarter())).snapshot().dataId
  const withThread = (asked: Partial<ServiceOptions> = {}) =>
    listening({
      thread: {
        ...entry,
        file: THREAD.replace("process.env.HLA_TEST_DATA ?? ''", JSON.stringify(dataId())),
      },
      ...asked,
    })

  test('for memory says so in its last part, in the log and in the metrics', async () => {
    const { url, said } = await withThread()
    const { status, text } = await convert(url, 'hog')
    expect(status).toBe(200)
    expect(text).toMatch(/name="error"[^{]*\{"code":"bad-request","message":"the table takes more memory[^}]*\}\r\n--hla-x--\r\n$/) // prettier-ignore
    expect(said()).toMatch(/"level":40.*"reqId":"[\w-]+","reason":"memory"/)
    expect(await metricsOf(url)).toContain('hla_answers_broken_total{method="POST",route="/table",reason="memory",worker="0"} 1\n') // prettier-ignore
  })

  test('for a fault of ours is cut off, logged and counted', async () => {
    const { url, said } = await withThread()
    await expect(convert(url, 'bug')).rejects.toThrow('terminated')
    await expect.poll(said).toMatch(/"level":50.*"reqId".*internal error/)
    expect(said()).toMatch(/"level":40.*"route":"\/table".*"broken":"failed"/)
    expect(await metricsOf(url)).toContain('route="/table",reason="failed",worker="0"} 1\n')
  })

  test('because its client went away is in the access log and counted', async () => {
    const { url, port, said } = await listening()
    const socket = begin(port, ORDINARY)
    await new Promise((come) => socket.once('data', come))
    socket.destroy()
    await expect.poll(said).toMatch(/"level":30.*"route":"\/table","status":200.*"broken":"client"/)
    await expect.poll(() => metricsOf(url)).toContain('route="/table",reason="client",worker="0"} 1\n')
    // the table's slot is free again
    await expect.poll(() => metricsOf(url)).toContain('hla_tables_converting{worker="0"} 0\n')
  })
})

/** A connection that sends a table, and reads only the beginning of the answer. */
function begin(port: number, text: string, { localAddress = '127.0.0.1', token = '' } = {}): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  const authorization = token === '' ? '' : `authorization: Bearer ${token}\r\n`
  socket.write(
    `POST /table?name=a.csv HTTP/1.1\r\nhost: x\r\n${authorization}content-length: ${text.length}\r\n\r\n${text}`,
  )
  return socket.on('error', () => undefined).once('data', () => socket.pause())
}

/** Longer than all buffers between client and service. */
const LONG = `ID,A_1,A_2,note\n${`1,01:01,02:01,${'x'.repeat(1000)}\n`.repeat(20_000)}`

const statusOf = (socket: Socket) =>
  new Promise<number>((resolve) =>
    socket.once('data', (bytes: Buffer) => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(bytes.toString())?.[1]))),
  )

describe('places for tables', () => {
  test('of one address are a share: slow readers leave some to others, and each refusal is counted', async () => {
    const { url, port } = await listening()
    const slow = Array.from({ length: MAX_CALLER_TABLES }, () => begin(port, LONG))
    expect(await Promise.all(slow.map(statusOf))).toEqual(slow.map(() => 200))
    const refused = await convert(url, ORDINARY)
    expect([refused.status, refused.text]).toEqual([
      503,
      expect.stringContaining('of your tables are being converted'),
    ])
    expect(await statusOf(begin(port, 'ID,A_1,A_2\n1,01:01,02:01\n', { localAddress: '127.0.0.2' }))).toBe(
      200,
    )
    // the other's table has ended
    const converting = `hla_tables_converting{worker="0"} ${MAX_CALLER_TABLES}\n`
    await expect.poll(() => metricsOf(url)).toContain(converting)
    expect(await metricsOf(url)).toContain('hla_tables_refused_total{reason="caller",worker="0"} 1\n')
  })

  test('are a share of each token, whatever its address', async () => {
    const { port } = await listening({ tokens: ['one', 'other'] })
    const slow = Array.from({ length: MAX_CALLER_TABLES }, () => begin(port, LONG, { token: 'one' }))
    expect(await Promise.all(slow.map(statusOf))).toEqual(slow.map(() => 200))
    expect(await statusOf(begin(port, ORDINARY, { token: 'one', localAddress: '127.0.0.2' }))).toBe(503)
    expect(await statusOf(begin(port, 'ID,A_1,A_2\n1,01:01,02:01\n', { token: 'other' }))).toBe(200)
  })
})

test('an answer that is much longer than a table may be ends with what is wrong', async () => {
  const { url } = await listening({ maxTable: 5500 })
  // the columns of a person are repeated in each row of a typing
  const loci = ['A', 'B', 'C', 'DRB1', 'DQA1', 'DQB1', 'DPA1', 'DPB1', 'DRB3', 'DRB4', 'DRB5']
  const table = `ID,${loci.map((locus) => `${locus}_1,${locus}_2`).join()}\n${'x'.repeat(5000)}${',01:01'.repeat(22)}\n`
  const { text } = await convert(url, table, 'a.csv&shape=long&on_error=keep&method=G')
  expect(text).toContain('"message":"the converted table is longer than 0.1 MiB"')
  expect(text).not.toContain('name="summary"')
  expect(text.length).toBeLessThan(16 * 5500 + 2000)
})

test('failed cells that are long are told as far as they go, and all are counted', async () => {
  const { url } = await listening()
  const { text } = await convert(
    url,
    `ID,A_1,A_2\n1,01:01,02:01\n${`1,A*99:99${'x'.repeat(5000)},02:01\n`.repeat(4000)}`,
  )
  const [, failed, reported] = /"failed":(\d+),"reported":(\d+)/.exec(text) ?? []
  expect(Number(failed)).toBe(4000)
  expect(Number(reported)).toBeGreaterThan(100)
  expect(Number(reported)).toBeLessThan(4000)
})

/** A connection whose reader takes `bytes` bytes every 50 ms; undefined: no output is pending. */
async function readAt(bytes: number | undefined): Promise<string | undefined> {
  const server = new EventEmitter()
  const socket = Object.assign(new EventEmitter(), { bytesRead: 0, bytesWritten: 0, writableLength: bytes === undefined ? 0 : 1e6, isOver: false, destroy: () => (socket.isOver = true) }) // prettier-ignore
  const limits = { requestTimeout: 200, idleTimeout: 400, leastRead: 8192 }
  const connections = watchConnections(server as unknown as Server, limits, false, () => [408, {}])
  server.emit('connection', socket)
  const reading = setInterval(() => (socket.bytesWritten += bytes ?? 1), 50)
  await expect
    .poll(() => socket.isOver, { timeout: 1500 })
    .toBe(true)
    .catch(() => undefined)
  clearInterval(reading)
  connections.close()
  const response = { req: { socket }, writableFinished: false } as unknown as ServerResponse
  return socket.isOver ? breakReason(response) : undefined
}

test.for([
  ['takes a little now and then', 20, 'slow'],
  ['takes what slow networks bring', 2000, undefined],
  ['waits for what is made', undefined, undefined],
] as const)('a reader who %s', async ([, bytes, reason]) => {
  expect(await readAt(bytes)).toBe(reason)
})
