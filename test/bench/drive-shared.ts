/**
 * Measures the servers of a shared store over HTTP: durable changes of two servers beside those of one, the disk's
 * syncs, and a server that stores nothing; reads of two beside reads of one [process, network, clock].
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../src/package-root.ts'
import { bundleScript } from '../support/bundle.ts'
import { freePort } from '../support/free-port.ts'
import { POSTGRES, runPostgres } from '../support/postgres-server.ts'
import { atLeast, atMost, type BenchRow, reported } from './bench-row.ts'
import { ask, askBeside, NEW_FILE, SECONDS } from './drive-load.ts'
import {
  mostSyncs,
  processorSeconds,
  type Server,
  slowSyncs,
  startConstant,
  startDrive,
} from './drive-server.ts'
import { median, medianRatio } from './statistics.ts'

const ROUNDS = 5
/** Rounds of reads; more than ROUNDS, because their processor times differ by less than rounds do. */
const READ_ROUNDS = 15
/** Warm-up, in which V8 optimizes the service. */
const WARM_SECONDS = 3

interface Measured {
  readonly client: string
  readonly constant: string
  readonly folder: string
  /** Environment of the servers and of PostgreSQL, which sets the speed of their disk. */
  readonly env: Readonly<Record<string, string>>
  readonly servers: readonly [Server, Server]
  /** Options of another store on the same PostgreSQL. */
  readonly other: readonly string[]
}

/** Runs on the plain disk, and with 4 ms syncs: on a fast disk the limit is the processor, not PostgreSQL's commits. */
export async function benchShared(): Promise<BenchRow[]> {
  if (POSTGRES === undefined) {
    process.stdout.write('drive-shared: skipped, PostgreSQL is not installed\n')
    return []
  }
  const folder = mkdtempSync(join(tmpdir(), 'hla-bench-shared-'))
  const client = bundleScript(packagePath(), 'test/bench/drive-client.ts')
  const constant = bundleScript(packagePath(), 'test/bench/drive-constant.ts')
  try {
    const scripts = { client: client.file, constant: constant.file, folder }
    const slow = slowSyncs(folder)
    return [
      ...(await onDisk(scripts, 'plain', {}, async (measured) => [
        ...(await insertRows(measured, '')),
        ...(await readRows(measured)),
      ])),
      ...(slow['LD_PRELOAD'] === undefined
        ? []
        : await onDisk(scripts, 'slow', slow, (measured) => insertRows(measured, ', sync of 4 ms'))),
    ]
  } finally {
    for (const made of [client, constant, { folder }]) rmSync(made.folder, { recursive: true, force: true })
  }
}

/** Two servers of a store, and its PostgreSQL. */
async function onDisk(
  scripts: Pick<Measured, 'client' | 'constant' | 'folder'>,
  disk: string,
  env: Measured['env'],
  measure: (measured: Measured) => Promise<BenchRow[]>,
): Promise<BenchRow[]> {
  const folder = join(scripts.folder, disk)
  const postgres = runPostgres(join(folder, 'postgres'), await freePort(), env)
  const servers: Server[] = []
  try {
    const url = postgres.database('hla')
    const args = ['--database', url, '--contents', join(folder, 'contents')]
    const first = await startDrive(folder, env, args)
    servers.push(first)
    const second = await startDrive(folder, env, args, first)
    servers.push(second)
    const other = ['--database', postgres.database('other'), '--contents', join(folder, 'other')]
    return await measure({ ...scripts, folder, env, servers: [first, second], other })
  } finally {
    for (const { child } of servers) child.kill('SIGKILL')
    postgres.stop(true)
  }
}

async function insertRows(measured: Measured, disk: string): Promise<BenchRow[]> {
  const { client, constant, folder, env, servers } = measured
  const [shared] = servers
  const alone = await startDrive(folder, env)
  const nothing = await startConstant(constant, await answerLength(alone))
  const names = ['nothing', 'alone', '1', '8', '32', 'both']
  const rates = new Map<string, number[]>(names.map((name) => [name, []]))
  const put = (name: string, rate: number) => rates.get(name)?.push(rate)
  const insert = (server: Server, connections: number, warm: number) =>
    ask({ client }, server, { path: '/drive/v2/files', body: NEW_FILE, connections, warm }).perSecond
  for (const server of [alone, shared, nothing]) insert(server, 32, WARM_SECONDS)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const connections of [1, 8, 32]) put(String(connections), insert(shared, connections, 0.3))
    put('alone', insert(alone, 32, 0.3))
    put('nothing', insert(nothing, 32, 0.3))
    put('both', await insertsOfBoth(client, servers))
  }
  for (const { child } of [alone, nothing]) child.kill('SIGKILL')
  const of = (name: string) => rates.get(name) ?? []
  const ratio = (name: string, to: string) => [medianRatio(of(name), of(to)), '×'] as const
  const syncs = mostSyncs(env)
  return [
    ...['1', '8', '32'].map((name) =>
      reported(`inserts, ${name} connections${disk}`, [median(of(name)), 'a second']),
    ),
    ...(Number.isFinite(syncs)
      ? [atLeast(`inserts, 32 connections : syncs${disk}`, [median(of('32')) / syncs, '×'], 6)]
      : []),
    reported(`Fastify, which answers as long and keeps nothing, 32 connections${disk}`, [
      median(of('nothing')),
      'a second',
    ]),
    reported(`inserts, 16 connections to each of two servers${disk}`, [median(of('both')), 'a second']),
    atLeast(`inserts, two servers : one server${disk}`, ratio('both', '32'), 0.85),
    reported(`inserts, 32 connections, store of one machine${disk}`, [median(of('alone')), 'a second']),
    reported(`inserts, 32 connections, shared : of one machine${disk}`, ratio('32', 'alone')),
  ]
}

/** Bytes in the answer to an insert. */
async function answerLength({ port, token }: Server): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/drive/v2/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: NEW_FILE,
  })
  return (await answer.text()).length
}

/** Inserts a second of both servers together. */
async function insertsOfBoth(client: string, servers: readonly Server[]): Promise<number> {
  const load = { path: '/drive/v2/files', body: NEW_FILE, connections: 16, warm: 0.3 }
  const asked = await Promise.all(servers.map((server) => askBeside({ client }, server, load)))
  return asked.reduce((sum, { perSecond }) => sum + perSecond, 0)
}

/**
 * Cost of a second server to reads of the first. The two servers of a store are measured at once, alternately with a
 * server of this store and one of another store, so that both cases share processors and caches.
 */
async function readRows({ client, folder, servers, other }: Measured): Promise<BenchRow[]> {
  const [first, second] = servers
  const foreign = await startDrive(folder, {}, other)
  for (const server of [first, foreign])
    ask({ client }, server, { path: '/drive/v2/files', body: NEW_FILE, connections: 32 })
  const of = async (server: Server): Promise<Reading> => ({ server, path: await somePaths(server) })
  const [one, two, apart] = [await of(first), await of(second), await of(foreign)]
  const kinds = { alone: [one], together: [one, two], apart: [one, apart] }
  const reads = new Map<string, Reads[]>(Object.keys(kinds).map((kind) => [kind, []]))
  for (let round = 0; round <= READ_ROUNDS; round += 1) {
    for (const [kind, asked] of Object.entries(kinds)) {
      const done = await readsOf(client, asked)
      // in the first round V8 compiles the service
      if (round > 0) reads.get(kind)?.push(done)
    }
  }
  foreign.child.kill('SIGKILL')
  const values = (kind: string, what: keyof Reads) => (reads.get(kind) ?? []).map((read) => read[what])
  const ratio = medianRatio(values('together', 'microseconds'), values('apart', 'microseconds'))
  return [
    reported('get, one server', [median(values('alone', 'perSecond')), 'a second']),
    reported('get, two servers of one store', [median(values('together', 'perSecond')), 'a second']),
    ...[
      ['one server', 'alone'],
      ['two servers of one store', 'together'],
      ['two servers of two stores', 'apart'],
    ].map(([name, kind = '']) =>
      reported(`get, ${name}, processor time`, [median(values(kind, 'microseconds')), 'µs']),
    ),
    atMost('processor time of a get, servers of one store : of two', [ratio, '×'], 1.05),
  ]
}

/** Paths of 500 files: caching only the last answer does not help. */
async function somePaths({ port, token }: Server): Promise<string> {
  const list = await fetch(`http://127.0.0.1:${port}/drive/v2/files?maxResults=500&fields=items(id)`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { items } = (await list.json()) as { items: { id: string }[] } // the service's response type
  return items.map(({ id }) => `/drive/v2/files/${id}`).join(' ')
}

interface Reading {
  readonly server: Server
  readonly path: string
}

interface Reads {
  readonly perSecond: number
  /** The server's processor time for each request. */
  readonly microseconds: number
}

/** Runs all readings at once, each over as many connections. */
async function readsOf(client: string, readings: readonly Reading[]): Promise<Reads> {
  const used = () => readings.reduce((sum, { server }) => sum + processorSeconds(server), 0)
  const before = used()
  const asked = await Promise.all(
    readings.map(({ server, path }) => askBeside({ client }, server, { connections: 32, path })),
  )
  const perSecond = asked.reduce((sum, one) => sum + one.perSecond, 0)
  return { perSecond, microseconds: ((used() - before) * 1e6) / (perSecond * SECONDS) }
}
