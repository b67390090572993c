/** Measures what other callers notice while one address floods the service.  [process, network, clock] */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { rmSync } from 'node:fs'
import { atMost, type BenchRow, reported } from './bench-row.ts'
import { benchEnvironment, CLI, installForBench } from './installation.ts'
import { startServer } from './service-load.ts'
import { median } from './statistics.ts'

const ROUNDS = 5
const SECONDS = 6
/** Processes of each flood, and spinning processes beside the comparison. */
const PROCESSES = 4

/** Floods, each the start of a program that asks until it ends; `port` and `connect` (from 127.0.0.1) are known. */
const FLOODS: Readonly<Record<string, string>> = {
  // lines of 50 KB, each with 4,900 unknown names
  'batches of unknown names, 24 connections': `
const names = Array.from({ length: 4900 }, (_, at) => 'A*77:' + (1000 + at)).join('/')
const line = JSON.stringify({ op: 'validate', gl_string: names }) + '\\n'
const body = line.repeat(20)
const head = 'POST /batch HTTP/1.1\\r\\nhost: a\\r\\ncontent-type: application/jsonl\\r\\ncontent-length: ' + body.length + '\\r\\n\\r\\n'
for (let at = 0; at < 6; at += 1) repeat(head + body)`,
  'pipelined look-ups, 300 connections': `
const all = 'GET /similar/A*02 HTTP/1.1\\r\\nhost: a\\r\\n\\r\\n'.repeat(200)
for (let at = 0; at < 75; at += 1) repeat(all)`,
  'tables of 10,000 columns, 4 connections': `
const body = Array.from({ length: 10000 }, (_, at) => 'hap' + at + '_A').join(',') + '\\n' + Array(10000).fill('01:01').join(',') + '\\n'
const head = 'POST /table HTTP/1.1\\r\\nhost: a\\r\\ncontent-type: text/csv\\r\\ncontent-length: ' + body.length + '\\r\\n\\r\\n'
repeat(head + body)`,
}

/** Sends the text, and again when the service has been silent for a moment after an answer, or has closed. */
const CLIENT = `
const [port, flood] = process.argv.slice(1)
const connect = () => require('node:net').connect({ port: Number(port), host: '127.0.0.1' })
function repeat(text) {
  const socket = connect()
  let timer
  socket.on('error', () => {}).on('close', () => setTimeout(repeat, 20, text))
  socket.on('data', () => { clearTimeout(timer); timer = setTimeout(() => socket.write(text), 50) })
  socket.write(text)
}
eval(flood)`

const SPIN = 'for (;;);'

export async function benchFlood(): Promise<BenchRow[]> {
  const dataDir = installForBench()
  const args = [CLI, 'serve', '--port', '0', '--access-log', 'off', '--workers', '1']
  const { child, port } = await startServer(args, benchEnvironment(dataDir))
  try {
    await watch(port, 2)
    const spinning = await rounds(port, () => beside(['-e', SPIN]))
    const limit = Math.max(50, Math.ceil(5 * spinning.victim))
    const rows = [reported('flood: p99 of a redux beside four spinning processes', [spinning.victim, 'ms'])]
    for (const [name, flood] of Object.entries(FLOODS)) {
      const found = await rounds(port, () => beside(['-e', CLIENT, String(port), flood]))
      rows.push(
        atMost(`flood: ${name}: p99 of another's redux`, [found.victim, 'ms'], limit),
        atMost(`flood: … /healthz at most`, [found.health, 'ms'], 200),
      )
    }
    return rows
  } finally {
    child.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
}

function beside(args: readonly string[]): ChildProcess[] {
  return Array.from({ length: PROCESSES }, () => spawn(process.execPath, args, { stdio: 'ignore' }))
}

interface Noticed {
  /** p99 of a redux in ms. */
  readonly victim: number
  /** Longest answer of /healthz in ms. */
  readonly health: number
}

/** Medians over rounds with new processes in each. */
async function rounds(port: number, start: () => ChildProcess[]): Promise<Noticed> {
  const found: Noticed[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const others = start()
    await new Promise((soon) => setTimeout(soon, 1000))
    found.push(await watch(port, SECONDS))
    for (const other of others) {
      other.kill('SIGKILL')
      await once(other, 'exit')
    }
    // what was begun for them ends
    await new Promise((soon) => setTimeout(soon, 1000))
  }
  return {
    victim: median(found.map(({ victim }) => victim)),
    health: median(found.map(({ health }) => health)),
  }
}

const BODY = JSON.stringify({ gl_string: 'A*01:01:01:01+A*02:01:01:01', reduction_method: 'lgx' })

/** Two other addresses: one asks for a redux every 10 ms, one for /healthz every 100 ms. */
async function watch(port: number, seconds: number): Promise<Noticed> {
  const victim = asker(port, '127.0.0.2')
  const monitor = asker(port, '127.0.0.3')
  const end = performance.now() + seconds * 1000
  const [waits, healths] = await Promise.all([
    pace(10, end, () => victim('POST', '/redux', BODY)),
    pace(100, end, () => monitor('GET', '/healthz')),
  ])
  waits.sort((one, other) => one - other)
  return {
    victim: waits[Math.floor((waits.length - 1) * 0.99)] ?? Number.NaN,
    health: Math.max(...healths),
  }
}

/** Times from when each question was due to its answer, in ms. */
async function pace(every: number, end: number, ask: () => Promise<void>): Promise<number[]> {
  const times: Promise<number>[] = []
  for (let due = performance.now(); due < end; due += every) {
    await new Promise((soon) => setTimeout(soon, Math.max(0, due - performance.now())))
    const since = due
    times.push(ask().then(() => performance.now() - since))
  }
  return Promise.all(times)
}

function asker(port: number, localAddress: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  return (method: string, path: string, body = ''): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const asked = request(
        { agent, port, host: '127.0.0.1', localAddress, method, path, headers },
        (reply) => {
          reply.resume().once('end', () => {
            if (reply.statusCode === 200) resolve()
            else reject(new Error(`${path}: ${reply.statusCode}`))
          })
        },
      )
      asked.on('error', reject).end(body)
    })
}
