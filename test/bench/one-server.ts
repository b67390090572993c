/**
 * Measures what one server holds, at ten thousand, a hundred thousand and a million files: start, lists, searches,
 * inserts, memory, backup, restore, and the start after `kill -9` [process, network, disk, clock].
 *
 * HLA_BENCH_STORE names a folder whose stores are kept and used again: filling takes most of the time.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { packagePath } from '../../src/package-root.ts'
import { bundleScript } from '../support/bundle.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { type BenchRow, reported } from './bench-row.ts'
import { heard } from './drive-server.ts'
import { median } from './statistics.ts'

const SIZES = [10_000, 100_000, 1_000_000]
const TIMES = 51
const PROGRAM = packagePath('bin/hla.cjs')
const GIBIBYTE = 1 << 30

export async function benchOneServer(): Promise<BenchRow[]> {
  const kept = process.env['HLA_BENCH_STORE']
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'hla-bench-one-'))
  mkdirSync(folder, { recursive: true })
  const fill = bundleScript(packagePath(), 'test/bench/one-server-fill.ts')
  const client = bundleScript(packagePath(), 'test/bench/drive-client.ts')
  try {
    const rows: BenchRow[] = []
    const data = join(folder, 'store')
    for (const size of SIZES) {
      await (await serve(data)).stop()
      const filling = spawn(process.execPath, [fill.file, data, String(size)], { stdio: 'inherit' })
      // takes most of the time, and is not measured
      setPriority(filling.pid ?? 0, 1)
      const [status] = (await once(filling, 'exit')) as [number | null]
      if (status !== 0) throw new Error('the store was not filled')
      const measured = await measure(data, folder, client.file)
      for (const row of measured) {
        rows.push({ ...row, name: `${size.toLocaleString('en')} files, ${row.name}` })
        process.stdout.write(`${size} ${row.name} ${row.value} ${row.unit}\n`)
      }
    }
    return rows
  } finally {
    for (const made of [fill, client]) rmSync(made.folder, { recursive: true, force: true })
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

interface Running {
  readonly child: ChildProcess
  readonly port: number
  readonly token: string
  /** ms until it answered. */
  readonly started: number
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
}

async function serve(data: string): Promise<Running> {
  const since = performance.now()
  const args = [PROGRAM, 'drive', 'serve', '--data', data, '--port', '0', '--access-log', 'off']
  const child = spawn(process.execPath, args)
  const said = await heard(child, 'stderr', /on http:\S+:(\d+)\n/)
  const port = Number(/:(\d+)\n/.exec(said)?.[1])
  const { status } = await fetch(`http://127.0.0.1:${port}/readyz`)
  if (status !== 200) throw new Error(`the server is not ready: ${status}`)
  const started = performance.now() - since
  return {
    child,
    port,
    token: readFileSync(join(data, 'owner-token'), 'utf8').trim(),
    started,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await once(child, 'exit')
    },
  }
}

async function measure(data: string, folder: string, client: string): Promise<BenchRow[]> {
  const server = await serve(data)
  const pool = new Pool(`http://127.0.0.1:${server.port}`, { connections: 1 })
  const atRest = memory(server)
  const reads = await readRows(pool, server)
  const inserts = await insertRows(pool, server, client)
  const afterwards = memory(server)
  await pool.close()
  const killed = await killRow(server, data, client)
  return [
    reported('database', [sizeOf(join(data, 'store.db')) / GIBIBYTE, 'GiB']),
    reported('start', [server.started, 'ms']),
    ...reads,
    ...inserts,
    reported('memory of all processes at rest', [atRest, 'MiB']),
    reported('memory after these requests', [afterwards, 'MiB']),
    killed,
    ...careRows(data, folder),
  ]
}

type Fetch = (path: string) => Promise<unknown>

async function readRows(pool: Pool, server: Running): Promise<BenchRow[]> {
  const headers = { authorization: `Bearer ${server.token}` }
  const get: Fetch = async (path) => {
    const answer = await pool.request({ method: 'GET', path, headers })
    if (answer.statusCode !== 200)
      throw new Error(`${path}: ${answer.statusCode} ${await answer.body.text()}`)
    return answer.body.json()
  }
  const find = async (q: string) => (await get(list({ q, maxResults: '100' }))) as Found
  const [large] = (await find(`title = 'all of the registry'`)).items
  const { items: some } = await find(`title contains 'Ulm'`)
  if (large === undefined || some.length === 0) throw new Error('the store has no files')
  const random = randomNumbers(3)
  const one = () => some[Math.floor(random() * some.length)]?.id ?? ''
  const within = `'${large.id}' in parents`
  const cases: readonly (readonly [string, () => string])[] = [
    ['get', () => `/drive/v2/files/${one()}`],
    ['newest 100', () => list({ maxResults: '100' })],
    ['100 in a folder with a tenth', () => list({ q: within, maxResults: '100' })],
    ['… by title', () => list({ q: within, maxResults: '100', orderBy: 'title' })],
    ['title contains, one file', () => list({ q: `title contains '${2 + Math.floor(random() * 9000)}'` })],
    ['title contains, a ninth', () => list({ q: `title contains 'Turin'`, maxResults: '100' })],
    [
      'full text, one file',
      () => list({ q: `fullText contains 'D${100 * Math.floor(random() * 90) + 7}X3'` }),
    ],
    ['full text, most files', () => list({ q: `fullText contains 'DRB1'`, maxResults: '100' })],
  ]
  const rows: BenchRow[] = []
  for (const [name, path] of cases) rows.push(...(await timed(server, name, () => get(path()))))
  return rows
}

interface Found {
  readonly items: readonly { readonly id: string }[]
}

function list(query: Readonly<Record<string, string>>): string {
  return `/drive/v2/files?${new URLSearchParams(query).toString()}`
}

/** Median, and processor time of the server's processes for each request, which a busy machine does not change. */
async function timed(server: Running, name: string, work: () => Promise<unknown>): Promise<BenchRow[]> {
  const took: number[] = []
  await work()
  const before = processorSeconds(server)
  for (let at = 0; at < TIMES; at += 1) {
    const since = performance.now()
    await work()
    took.push(performance.now() - since)
  }
  const processor = ((processorSeconds(server) - before) / TIMES) * 1000
  return [reported(name, [median(took), 'ms']), reported(`${name}: processor`, [processor, 'ms'])]
}

async function insertRows(pool: Pool, server: Running, client: string): Promise<BenchRow[]> {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'text/csv' }
  const body = 'id,A_1,A_2\n1,A*01:01,A*02:01\n'
  const insert = async () => {
    const answer = await pool.request({ method: 'POST', path: UPLOAD, headers, body })
    if (answer.statusCode !== 200) throw new Error(`an insert got ${answer.statusCode}`)
    await answer.body.dump()
  }
  const one = await timed(server, 'upload of a small table', insert)
  const printed = execFileSync(process.execPath, load(client, server, 32, 4), { encoding: 'utf8' })
  // our own script prints this
  const { perSecond } = JSON.parse(printed) as { readonly perSecond: number }
  return [...one, reported('inserts of 32 connections', [perSecond, 'a second'])]
}

const UPLOAD = '/upload/drive/v2/files?uploadType=media&title=donors.csv'

function load(client: string, { port, token }: Running, connections: number, seconds: number): string[] {
  const body = JSON.stringify({ title: 'donors of the week.csv', mimeType: 'text/csv' })
  return [client, ...[port, connections, seconds, 1].map(String), '/drive/v2/files', token, body]
}

/** Kills the server while 32 connections insert. */
async function killRow(server: Running, data: string, client: string): Promise<BenchRow> {
  const loading = spawn(process.execPath, load(client, server, 32, 60), { stdio: 'ignore' })
  await new Promise((resolve) => setTimeout(resolve, 3000))
  await server.stop('SIGKILL')
  loading.kill('SIGKILL')
  const again = await serve(data)
  await again.stop()
  return reported('kill -9 under inserts to ready', [again.started, 'ms'])
}

function careRows(data: string, folder: string): BenchRow[] {
  const [kept, restored] = [join(folder, 'kept'), join(folder, 'restored')]
  const run = (...words: readonly string[]) => {
    const since = performance.now()
    execFileSync(process.execPath, [PROGRAM, 'drive', ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
    return (performance.now() - since) / 1000
  }
  for (const one of [kept, restored]) rmSync(one, { recursive: true, force: true })
  try {
    const linked = run('backup', '--data', data, kept)
    rmSync(kept, { recursive: true, force: true })
    return [
      reported('backup, contents linked', [linked, 's']),
      reported('backup, contents copied', [run('backup', '--copy', '--data', data, kept), 's']),
      reported('restore', [run('restore', kept, '--data', restored), 's']),
      reported('fsck', [run('fsck', '--data', data), 's']),
    ]
  } finally {
    for (const one of [kept, restored]) rmSync(one, { recursive: true, force: true })
  }
}

/** MiB of the server and its processes that no file backs. */
function memory({ child }: Running): number {
  return processTree(child.pid ?? 0)
    .map((pid) => Number(/^Pss_Anon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]))
    .reduce((sum, kibibytes) => sum + kibibytes / 1024, 0)
}

/** From Linux's count in 1/100 s, with that of processes that have ended. */
function processorSeconds({ child }: Running): number {
  const seconds = processTree(child.pid ?? 0).map((pid) => {
    const [, words = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const used = words.split(' ').slice(11, 15).map(Number)
    return used.reduce((sum, ticks) => sum + ticks / 100, 0)
  })
  return seconds.reduce((sum, one) => sum + one, 0)
}

function processTree(top: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const)
  const below = (pid: number): number[] => [
    pid,
    ...parents.filter(([, parent]) => parent === pid).flatMap(([child]) => below(child)),
  ]
  return below(top)
}

/** Undefined for a process that has just ended. */
function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}

function sizeOf(file: string): number {
  return Number(execFileSync('stat', ['-c', '%s', file], { encoding: 'utf8' }))
}
