/**
 * Measures the service beside Fastify with a constant answer, one worker and two, and batches by --remote.  [disk,
 * network, process]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { packagePath } from '../../src/package-root.ts'
import { sharedPath } from '../support/shared.ts'
import { atLeast, atMost, type BenchRow, reported } from './bench-row.ts'
import { benchEnvironment, CLI, installForBench } from './installation.ts'
import {
  CONNECTIONS,
  fullLoad,
  type Load,
  loadClient,
  prepareLoad,
  SECONDS,
  type Server,
  startServer,
} from './service-load.ts'
import { median, medianRatio } from './statistics.ts'

const ROUNDS = 5

export function benchService(): Promise<BenchRow[]> {
  return withServers(async (servers) => {
    const one = await servers.start(serve(1))
    const rows = [...(await besideConstant(servers, one)), await paced(one, servers.load)]
    const both = await servers.start(serve(2))
    rows.push(...(await twoToOne(one, both, servers.load)))
    rows.push(await coreByCore(await servers.start(serve(1), '0'), { ...both, cores: '0,1' }, servers.load))
    return [...rows, await remote(one, servers)]
  })
}

/** Compares only one worker with Fastify answering a constant. */
export function benchServiceAlone(): Promise<BenchRow[]> {
  return withServers(async (servers) => besideConstant(servers, await servers.start(serve(1))))
}

/** Measures only a batch by --remote. */
export function benchServiceBatch(): Promise<BenchRow[]> {
  return withServers(async (servers) => [await remote(await servers.start(serve(1)), servers)])
}

interface Servers {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly load: Load
  readonly start: (args: readonly string[], cores?: string) => Promise<Server>
}

async function withServers(measure: (servers: Servers) => Promise<BenchRow[]>): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hla-bench-'))
  const dataDir = installForBench()
  const env = benchEnvironment(dataDir)
  const running: Server[] = []
  const start = async (args: readonly string[], cores?: string) => {
    const server = await startServer(args, env, cores)
    running.push(server)
    return server
  }
  try {
    return await measure({ folder, env, load: prepareLoad(folder), start })
  } finally {
    for (const { child } of running) child.kill('SIGKILL')
    for (const path of [folder, dataDir]) rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

function serve(workers: number, accessLog = 'off'): string[] {
  return [CLI, 'serve', '--port', '0', '--access-log', accessLog, '--workers', String(workers)]
}

/** Parses request bodies and serializes its answer as JSON, as our service does. */
const CONSTANT = `const fastify = require(${JSON.stringify(packagePath('node_modules/fastify'))})
const app = fastify()
const answer = JSON.parse(process.argv[1])
app.post('/redux', async () => answer)
app.listen({ port: 0 }).then((url) => console.error('on ' + url))`

/** Measures the servers alternately, so that a ratio holds while the machine's speed drifts. */
async function inTurn(servers: readonly Server[], load: Load) {
  const rounds: { rate: number; cost: number }[][] = servers.map(() => [])
  for (const server of servers) await warmUp(server, load)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, server] of servers.entries()) rounds[at]?.push(await fullLoad(server, load))
  }
  return rounds.map((measured) => ({
    rates: measured.map(({ rate }) => rate),
    costs: measured.map(({ cost }) => cost),
  }))
}

/** Sends 60,000 requests, enough for V8 to compile the service. */
async function warmUp(server: Server, load: Load): Promise<void> {
  for (let answered = 0; answered < 60_000;) answered += (await fullLoad(server, load)).rate * SECONDS
}

/** Our service without and with an access log, and the constant. */
async function besideConstant({ start, load, folder }: Servers, one: Server): Promise<BenchRow[]> {
  const answer = await (await fetch(`http://127.0.0.1:${one.port}/redux`, load.first)).text()
  const constant = await start(['-e', CONSTANT, answer])
  const logged = await start(serve(1, join(folder, 'access.log')))
  const [ours, logging, theirs] = await inTurn([one, logged, constant], load)
  if (ours === undefined || logging === undefined || theirs === undefined) return []
  const share = (rates: readonly number[]) => medianRatio(rates, theirs.rates) * 100
  return [
    reported('service: POST /redux of five loci, one worker', [median(ours.rates), '/s']),
    reported('service: … processor time', [median(ours.costs), 'µs']),
    reported('service: … to Fastify answering a constant', [share(ours.rates), '%']),
    reported('service: … by processor time', [medianRatio(theirs.costs, ours.costs) * 100, '%']),
    atLeast('service: … with a log of requests, to Fastify without', [share(logging.rates), '%'], 90),
    reported('service: … by processor time', [medianRatio(theirs.costs, logging.costs) * 100, '%']),
  ]
}

/** Uses two client processes, since one would reach its own limit first; the maximum is the rate of both. */
async function paced(one: Server, { bodies }: Load): Promise<BenchRow> {
  const ask = (rate?: number) => {
    const request = { port: one.port, bodies, connections: CONNECTIONS / 2, seconds: 4, rate }
    return Promise.all([loadClient(request), loadClient(request)])
  }
  const waits: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const most = (await ask()).reduce((sum, { answered }) => sum + answered / 4, 0)
    waits.push(Math.max(...(await ask(most / 4)).map(({ p99 }) => p99)))
  }
  return atMost('service: p99 at half of its maximum', [median(waits), 'ms'], 15)
}

async function twoToOne(one: Server, two: Server, load: Load): Promise<BenchRow[]> {
  const [alone, both] = await inTurn([one, two], load)
  if (alone === undefined || both === undefined) return []
  return [
    reported('service: two workers to one, the client on the same two cores', [
      medianRatio(both.rates, alone.rates),
      '×',
    ]),
    reported('service: … processor time of a request', [medianRatio(both.costs, alone.costs), '×']),
  ]
}

/** With one worker the client would have a core of its own, with two it would not: pinning makes its share the same. */
async function coreByCore(one: Server, two: Server, load: Load): Promise<BenchRow> {
  const [alone, both] = await inTurn([one, two], load)
  const ratio = medianRatio(both?.rates ?? [], alone?.rates ?? [])
  return atLeast('service: two workers on two cores to one on one, clients included', [ratio, '×'], 1.6)
}

/** Wall-clock time of the whole command on lines of typings. */
async function remote({ port }: Server, { folder, env }: Servers): Promise<BenchRow> {
  const input = join(folder, 'typings.txt')
  const lines = gunzipSync(readFileSync(sharedPath('registry/wmda/don.gl.txt.gz')))
    .toString('latin1')
    .trimEnd()
    .split('\n')
  writeFileSync(input, `${lines.map((line) => line.split('%')[1]).join('\n')}\n`.repeat(10))
  const output = (name: string) => join(folder, name)
  const time = async (name: string, args: readonly string[]) => {
    const started = performance.now()
    const child = spawn(process.execPath, [CLI, 'redux', '-q', '-i', input, '-o', output(name), ...args], {
      env,
    })
    const [status] = (await once(child, 'exit')) as [number]
    if (status > 1) throw new Error(`redux ended with ${status}`)
    return performance.now() - started
  }
  const [here, there]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    here.push(await time('here', []))
    there.push(await time('there', ['--remote', `http://127.0.0.1:${port}`]))
  }
  if (!readFileSync(output('here')).equals(readFileSync(output('there'))))
    throw new Error('--remote wrote other bytes')
  return atLeast('service: a batch by --remote to the same here', [medianRatio(here, there) * 100, '%'], 80)
}
