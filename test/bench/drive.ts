/**
 * Measures `hla drive serve` over HTTP: durable changes beside the disk's syncs, reads beside a constant [process,
 * network, clock].
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../src/package-root.ts'
import { bundleScript } from '../support/bundle.ts'
import { atLeast, type BenchRow, reported } from './bench-row.ts'
import { downloadRows } from './drive-downloads.ts'
import { ask, NEW_FILE, SECONDS } from './drive-load.ts'
import {
  processorSeconds,
  rawRate,
  type Server,
  slowSyncs,
  startConstant,
  startDrive,
} from './drive-server.ts'
import { smallUploadRows, uploadRows } from './drive-uploads.ts'
import { median, medianRatio } from './statistics.ts'

const ROUNDS = 5
/** Warm-up, in which V8 optimizes the service. */
const WARM_SECONDS = 3

interface Scripts {
  readonly client: string
  readonly constant: string
  readonly folder: string
}

/** All parts, or only `part`. */
export async function benchDrive(part?: keyof typeof PARTS): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hla-bench-drive-'))
  const client = bundleScript(packagePath(), 'test/bench/drive-client.ts')
  const constant = bundleScript(packagePath(), 'test/bench/drive-constant.ts')
  const scripts = { client: client.file, constant: constant.file, folder }
  try {
    if (part !== undefined) return await PARTS[part](scripts)
    return [
      ...(await insertRows(scripts)),
      ...(await readRows(scripts)),
      ...(await uploadRows(folder)),
      ...(await downloadRows(folder)),
    ]
  } finally {
    for (const made of [client, constant, { folder }]) rmSync(made.folder, { recursive: true, force: true })
  }
}

const PARTS = {
  inserts: insertRows,
  reads: readRows,
  uploads: ({ folder }: Scripts) => smallUploadRows(folder),
  downloads: ({ folder }: Scripts) => downloadRows(folder),
}

async function insertRows(scripts: Scripts): Promise<BenchRow[]> {
  const env = slowSyncs(scripts.folder)
  const drive = await startDrive(scripts.folder, env)
  const raw: number[] = []
  const rates: Record<number, number[]> = { 1: [], 8: [], 32: [] }
  const insert = { path: '/drive/v2/files', body: NEW_FILE }
  ask(scripts, drive, { ...insert, connections: 32, warm: WARM_SECONDS })
  for (let round = 0; round < ROUNDS; round += 1) {
    raw.push(rawRate(scripts.folder, env))
    for (const connections of [1, 8, 32])
      rates[connections]?.push(ask(scripts, drive, { ...insert, connections, warm: 0.3 }).perSecond)
  }
  drive.child.kill('SIGKILL')
  return [
    reported('4 KiB write + fdatasync', [median(raw), 'a second']),
    ...[1, 8, 32].map((connections) =>
      reported(`inserts, ${connections} connections`, [median(rates[connections] ?? []), 'a second']),
    ),
    atLeast('inserts, 32 connections : syncs', [medianRatio(rates[32] ?? [], raw), '×'], 20),
  ]
}

async function readRows(scripts: Scripts): Promise<BenchRow[]> {
  const drive = await startDrive(scripts.folder, {})
  ask(scripts, drive, { connections: 32, path: '/drive/v2/files', body: NEW_FILE })
  const list = await fetch(`http://127.0.0.1:${drive.port}/drive/v2/files?maxResults=500&fields=items`, {
    headers: { authorization: `Bearer ${drive.token}` },
  })
  const { items } = (await list.json()) as { items: { id: string }[] } // the service's response type
  const path = items.map(({ id }) => `/drive/v2/files/${id}`).join(' ')
  const other = await startConstant(scripts.constant, JSON.stringify(items[0]).length)
  const rates = ratesInTurn(scripts, [
    [other, '/'],
    [drive, path],
    [drive, path.replaceAll(/(?= |$)/g, '?fields=id,title,modifiedDate')],
    [drive, '/drive/v2/files?maxResults=100'],
  ])
  for (const { child } of [drive, other]) child.kill('SIGKILL')
  const [constant = [], get = [], some = [], lists = []] = rates
  const rows = (name: string, measured: readonly Rate[]) => [
    reported(name, [median(measured.map(({ wall }) => wall)), 'a second']),
    reported(`${name}, by the time of the server`, [
      median(measured.map(({ processor }) => processor)),
      'a second',
    ]),
  ]
  const ratio = (kind: keyof Rate) =>
    medianRatio(
      get.map((rate) => rate[kind]),
      constant.map((rate) => rate[kind]),
    )
  return [
    ...rows('Fastify answering a constant as long', constant),
    ...rows('get', get),
    atLeast('get : constant', [ratio('wall'), '×'], 0.15),
    reported('get : constant, by the time of the server', [ratio('processor'), '×']),
    ...rows('get of three fields', some),
    ...rows('list of 100', lists),
  ]
}

interface Rate {
  readonly wall: number
  /** Per second of the server's processor time, because the client uses the machine too. */
  readonly processor: number
}

/** Measures each once a round, in turn; the first round is not counted. */
function ratesInTurn(scripts: Scripts, asked: readonly (readonly [Server, string])[]): Rate[][] {
  const rates: Rate[][] = asked.map(() => [])
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [at, [server, path]] of asked.entries()) {
      const before = processorSeconds(server)
      const { perSecond: wall } = ask(scripts, server, { connections: 32, path })
      const processor = (wall * SECONDS) / (processorSeconds(server) - before)
      if (round > 0) rates[at]?.push({ wall, processor })
    }
  }
  return rates
}
