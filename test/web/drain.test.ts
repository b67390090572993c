/** Stopping a service loses no answer: 50 clients on open connections, and SIGTERM. `HLA_LONG=1` runs 50 rounds. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { startDrive } from '../support/drive.ts'
import { type Asked, askUntilRefused, type Clients } from '../support/keep-alive-clients.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const PROGRAM = join(import.meta.dirname, '../../bin/hla.cjs')
const ROUNDS = process.env['HLA_LONG'] === '1' ? 50 : 2
const CLIENTS = 50

const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

interface Served {
  readonly url: string
  readonly child: ChildProcess
}

async function serve(...args: string[]): Promise<Served> {
  const cwd = temp('.')
  const env = { HOME: cwd, HLA_DATA_DIR: join(cwd, 'data'), HLA_SYSTEM_DATA_DIR: join(cwd, 'none') }
  const words = [PROGRAM, 'serve', '--port', '0', '--access-log', 'off', ...args]
  const child = spawn(process.execPath, words, { cwd, env })
  running.push(child)
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (bytes: Buffer) => {
      const found = /on (https?:\S+)\n/.exec((said += bytes.toString()))?.[1]
      if (found !== undefined) resolve(found)
    })
    child.on('exit', () => reject(new Error(said)))
  })
  return { url, child }
}

/** Sends SIGTERM while all clients send requests. */
async function ended({ child }: Served, { begun, ended }: Clients): Promise<Asked> {
  await begun
  await pause(Math.random() * 200)
  child.kill('SIGTERM')
  const [status] = (await once(child, 'exit')) as [number | null]
  expect(status).toBe(0)
  return ended
}

async function isRefused(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  return once(socket, 'connect').then(
    () => {
      socket.destroy()
      return false
    },
    () => true,
  )
}

const REDUX = { method: 'POST', path: '/redux', body: '{"gl_string":"A*01:AB","reduction_method":"lgx"}' }

describe('SIGTERM loses nothing of 50 clients', () => {
  test.for([
    ['at once', 30, []],
    ['after a delay', 30, ['--drain-delay', '200ms']],
    ['with workers', 30, ['--workers', '2']],
    ['that pause for up to five seconds', 5000, []],
  ] as const)('%s', { timeout: ROUNDS * 20_000 }, async ([, rest, args]) => {
    const lost: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const served = await serve(...args)
      const { answered, lost: more } = await ended(served, askUntilRefused(served.url, CLIENTS, REDUX, rest))
      expect(answered).toBeGreaterThan(CLIENTS)
      lost.push(...more)
    }
    expect(lost).toEqual([])
  })

  test('at the file store', { timeout: ROUNDS * 20_000 }, async () => {
    const lost: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const drive = await startDrive()
      const headers = { authorization: `Bearer ${drive.token}` }
      const asking = { method: 'GET', path: '/drive/v2/about', headers }
      const { answered, lost: more } = await ended(drive, askUntilRefused(drive.url, CLIENTS, asking, 30))
      expect(answered).toBeGreaterThan(CLIENTS)
      lost.push(...more)
    }
    expect(lost).toEqual([])
  })
})

describe('a second SIGTERM', () => {
  test.for([
    ['service', '/redux'],
    ['file store', '/drive/v2/files'],
  ] as const)('closes the connections of the %s that wait', async ([program, path]) => {
    const patience = ['--drain-timeout', '1h']
    const { url, child } = await (program === 'service'
      ? serve(...patience, '--request-timeout', '1h')
      : startDrive({ args: patience }))
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    // its body never comes
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{`)
    await once(socket, 'connect')
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    child.kill('SIGTERM')
    await expect.poll(() => isRefused(url)).toBe(true)
    expect(child.exitCode).toBe(null)
    child.kill('SIGTERM')
    await expect.poll(() => child.exitCode).toBe(0)
  })
})

describe('an open connection', () => {
  test('is answered after SIGTERM, and told that this was the last time', async () => {
    const { url, child } = await serve()
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let said = ''
    socket.on('data', (bytes) => (said += bytes.toString()))
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    await expect.poll(() => said).toContain('{"status":"ok"}')
    child.kill('SIGTERM')
    // after the signal it refuses new connections
    await expect.poll(() => isRefused(url), { timeout: 20_000 }).toBe(true)
    said = ''
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(socket, 'close')
    expect(said).toMatch(/^connection: close\r$/im)
    expect(said).toContain('{"status":"ok"}')
  })

  test('that is not used any more is closed long before the timeout', async () => {
    const { url, child } = await serve()
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(socket, 'data')
    const started = performance.now()
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(performance.now() - started).toBeLessThan(15_000)
  })
})
