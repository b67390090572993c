/**
 * `hla serve` as a process under attack: a stalled process, many requests at once on one connection, small bodies that
 * unpack to large ones.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { MAX_CALLER_TABLES } from '../../src/service/table/table-share.ts'
import { THREAD_HEAP } from '../../src/service/threads/threads.ts'
import { connectTo, memoryDuring, standStill, statusesIn } from '../support/attacked.ts'
import { closeConnections } from '../support/close-connections.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const PROGRAM = join(import.meta.dirname, '../../bin/hla.cjs')
const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

interface Serving {
  readonly url: string
  readonly child: ChildProcess
  readonly said: () => string
}

async function serve(...args: string[]): Promise<Serving> {
  const cwd = temp('.')
  const env = { HOME: cwd, HLA_DATA_DIR: join(cwd, 'data'), HLA_SYSTEM_DATA_DIR: join(cwd, 'none') }
  const words = [PROGRAM, 'serve', '--port', '0', '--access-log', 'off', ...args]
  const child = spawn(process.execPath, words, { cwd, env })
  running.push(child)
  let said = ''
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (bytes: Buffer) => {
      const found = /on (http:\S+)\n/.exec((said += bytes.toString()))?.[1]
      if (found !== undefined) resolve(found)
    })
    child.on('exit', () => reject(new Error(said)))
  })
  return { url, child, said: () => said }
}

const QUESTION = '{"gl_string":"A*01:AB","reduction_method":"lgx"}'
const TABLE = 'id,A_1,A_2\n1,01:01,02:01\n'
const head = (path: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n${more}\r\n`

/** The service still answers, and exits without errors. */
async function expectSound({ url, child, said }: Serving): Promise<void> {
  const answer = await fetch(`${url}/redux`, { method: 'POST', body: QUESTION })
  expect(await answer.json()).toMatchObject({ ard: 'A*01:01/A*01:02' })
  closeConnections()
  child.kill('SIGTERM')
  expect((await once(child, 'exit')) as unknown[]).toEqual([0, null])
  expect(said()).not.toContain('ERR_HTTP_HEADERS_SENT')
  expect(said()).not.toContain('internal error')
}

describe('a process that stands still in the middle of a body', () => {
  const times: [words: string[], ms: number][] = [[['--request-timeout', '1s'], 1600]]
  if (process.env['HLA_LONG'] !== undefined) times.push([[], 11_000])
  const CASES = times.flatMap(([words, ms]) =>
    (['/redux', '/table?name=a.csv', '/batch'] as const).flatMap((path) =>
      (['meanwhile', 'afterwards'] as const).map((when) => ({ words, ms, path, when })),
    ),
  )

  test.for(CASES)('answers it once: $ms ms, $path, the rest $when', async (attack) => {
    const { words, ms, path, when } = attack
    const serving = await serve(...words)
    const body = path === '/redux' ? QUESTION : path === '/batch' ? `${QUESTION}\n` : TABLE
    // as many as a single client may convert tables at once
    const clients = Array.from({ length: MAX_CALLER_TABLES }, () => connectTo(serving.url))
    for (const { socket } of clients) socket.write(head(path, body.length) + body.slice(0, 10))
    // the connections are open before the process stalls
    await expect.poll(async () => (await fetch(`${serving.url}/healthz`)).status).toBe(200)
    const rest = () => {
      for (const { socket } of clients) if (socket.writable) socket.write(body.slice(10))
    }
    await standStill(serving.child, ms, when === 'meanwhile' ? rest : undefined)
    if (when === 'afterwards') rest()
    for (const { received } of clients)
      await expect.poll(() => statusesIn(received()), { timeout: 10_000 }).toHaveLength(1)
    // a body that arrived in time is answered; a later one may be refused
    const may = when === 'meanwhile' ? [200] : [200, 408]
    for (const { received, socket } of clients) {
      expect(may).toContain(statusesIn(received())[0])
      socket.destroy()
    }
    await expectSound(serving)
  })
})

type Asked = readonly [path: string, body: string, answer: RegExp, status: number]

describe('many requests on one connection, without waiting', () => {
  /** Takes longer than all the others. */
  const FIRST: Asked = [
    '/table?name=a.csv',
    TABLE + '2,01:AB,99:99\n'.repeat(2000),
    /filename="a\.lgx\.csv"/,
    200,
  ]
  const ASKED: readonly Asked[] = [
    ['/redux', QUESTION, /"ard":"A\*01:01\/A\*01:02"/, 200],
    ['/nothing', '{}', /this service has no POST \/nothing/, 404],
    ['/batch', `{"op":"redux","gl_string":"B*07:02"}\n`, /"ard":"B\*07:02"/, 200],
    ['/redux', '{', /the body is not JSON/, 400],
    ['/validate', '{"gl_string":"A*01:01"}', /"valid":true/, 200],
    ['/redux', '{"gl_string":"A*02:01","reduction_method":"lgx"}', /"ard":"A\*02:01"/, 200],
  ]

  test('are answered in their order, and none is lost', async () => {
    const serving = await serve()
    const rounds = [FIRST, ...Array.from({ length: 20 }, () => ASKED).flat()]
    const { socket, ended } = connectTo(serving.url)
    const last = rounds.length - 1
    socket.write(
      rounds
        .map(([path, body], at) => head(path, body.length, at === last ? 'connection: close\r\n' : '') + body)
        .join(''),
    )
    const text = await ended
    expect(statusesIn(text)).toEqual(rounds.map(([, , , status]) => status))
    let at = 0
    for (const [path, , answer] of rounds) {
      const found = text.slice(at).search(answer)
      expect({ path, isFound: found >= 0 }).toEqual({ path, isFound: true })
      at += found + 1
    }
    await expectSound(serving)
  })

  test('and behind one that cannot be read nothing more is', async () => {
    const serving = await serve()
    const { socket, ended } = connectTo(serving.url)
    const good = head('/redux', QUESTION.length) + QUESTION
    socket.write(`${good}${good}nonsense\r\n\r\n${good}`)
    expect(statusesIn(await ended)).toEqual([200, 200, 400])
    await expectSound(serving)
  })
})

describe('a small body that unpacks to a large one', () => {
  /** Over a gigabyte: concatenated gzip members are one file. */
  const packed = (member: string) => {
    const bytes = gzipSync(member.repeat(Math.ceil(2 ** 24 / member.length)), { level: 1 })
    return Buffer.concat([gzipSync(TABLE), ...Array.from({ length: 80 }, () => bytes)])
  }

  test.for([
    ['rows', '1,01:01,02:01\n'],
    ['line feeds', '\n'],
    ['one row without an end', 'x'],
    ['one quoted field without an end', '"'],
    ['gzip in gzip', gzipSync('x'.repeat(100_000)).toString('latin1')],
  ] as const)('ends where a table may end: %s', async ([, member]) => {
    const serving = await serve('--max-table', '4MiB')
    const convert = () =>
      fetch(`${serving.url}/table?name=a.csv.gz`, { method: 'POST', body: packed(member) }).then((answer) =>
        answer.text(),
      )
    // the thread that converts tables has started
    await (await fetch(`${serving.url}/table?name=a.csv`, { method: 'POST', body: TABLE })).text()
    let text = ''
    const memory = await memoryDuring(serving.child, async () => (text = await convert()))
    expect(text).toMatch(/"code":"/)
    expect(text).not.toContain('internal')
    // the table thread's heap, and the buffers of one table
    expect(memory).toBeLessThan(THREAD_HEAP + 4 + 128)
    await expectSound(serving)
  })
})
