/**
 * Fills a shared store with a million files over HTTP, and compares read times with those at ten thousand files
 * [process, network, disk, clock].
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { packagePath } from '../../src/package-root.ts'
import { bundleScript } from '../support/bundle.ts'
import { freePort } from '../support/free-port.ts'
import { POSTGRES, runPostgres } from '../support/postgres-server.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { atMost, type BenchRow, reported } from './bench-row.ts'
import { ask } from './drive-load.ts'
import { processorSeconds, type Server, startDrive } from './drive-server.ts'

const FEW = 10_000
const MANY = 1_000_000
/** Files in each folder. */
const CHILDREN = 100
const CONNECTIONS = 64
/** Seconds of each measurement, after a warm-up whose failures are not counted. */
const SECONDS = 4
const FOLDER = 'application/vnd.google-apps.folder'

/** Median ms of a request on one connection, and the server's processor time for each. */
interface Read {
  readonly half: number
  readonly processor: number
}

export async function benchSharedMillion(): Promise<BenchRow[]> {
  if (POSTGRES === undefined) {
    process.stdout.write('drive-million: skipped, PostgreSQL is not installed\n')
    return []
  }
  const folder = mkdtempSync(join(tmpdir(), 'hla-bench-drive-million-'))
  const client = bundleScript(packagePath(), 'test/bench/drive-client.ts')
  const postgres = runPostgres(join(folder, 'postgres'), await freePort())
  try {
    const args = ['--database', postgres.database('hla'), '--contents', join(folder, 'contents')]
    const drive = await startDrive(folder, {}, args)
    const store = await filling(drive)
    const reads = async (files: number) => {
      await store.fill(files)
      return store.paths().map((path) => read(client.file, drive, path))
    }
    const few = await reads(FEW)
    const many = await reads(MANY)
    await store.close()
    drive.child.kill('SIGKILL')
    return NAMES.flatMap((name, at) => rows(name, few[at], many[at]))
  } finally {
    postgres.stop(true)
    for (const made of [client, { folder }]) rmSync(made.folder, { recursive: true, force: true })
  }
}

const NAMES = ['get', 'newest 100', "'x' in parents, 100"]

function rows(name: string, few: Read | undefined, many: Read | undefined): BenchRow[] {
  if (few === undefined || many === undefined) throw new Error(`${name} was not measured`)
  return [
    reported(`${name}, of 10,000 files`, [few.half, 'ms']),
    reported(`${name}, of 1,000,000 files`, [many.half, 'ms']),
    atMost(`${name}: 1,000,000 to 10,000`, [many.half / few.half, '×'], 2),
    reported(`${name}: 1,000,000 to 10,000, processor time`, [many.processor / few.processor, '×']),
  ]
}

function read(client: string, server: Server, path: string): Read {
  const load = { path, connections: 1, seconds: SECONDS, warm: SECONDS / 2 }
  const before = processorSeconds(server)
  const { half, perSecond } = ask({ client }, server, load)
  return { half, processor: (processorSeconds(server) - before) / (perSecond * SECONDS) }
}

interface Filling {
  /** Fills until there are `files` files: each connection fills one folder after another. */
  readonly fill: (files: number) => Promise<void>
  /** In the order of NAMES. */
  readonly paths: () => readonly string[]
  readonly close: () => Promise<void>
}

async function filling({ port, token }: Server): Promise<Filling> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ids: string[] = []
  const insert = async (body: object): Promise<string> => {
    const made = await pool.request({
      method: 'POST',
      path: '/drive/v2/files',
      headers,
      body: JSON.stringify(body),
    })
    if (made.statusCode !== 200) throw new Error(`${made.statusCode}: ${await made.body.text()}`)
    const { id } = (await made.body.json()) as { readonly id: string } // the service's response type
    ids.push(id)
    return id
  }
  const fillFolder = async (title: string): Promise<string> => {
    const place = await insert({ title, mimeType: FOLDER })
    for (let at = 1; at <= CHILDREN; at += 1)
      await insert({ title: `donors ${at} of ${title}.csv`, mimeType: 'text/csv', parents: [{ id: place }] })
    return place
  }
  const parent = await fillFolder('typed this week')
  return {
    async fill(files) {
      let begun = ids.length
      const lane = async () => {
        while (begun < files) {
          begun += CHILDREN + 1
          await fillFolder(`week ${begun}`)
        }
      }
      await Promise.all(Array.from({ length: CONNECTIONS }, lane))
    },
    paths() {
      const random = randomNumbers(ids.length)
      const some = Array.from({ length: 500 }, () => ids[Math.floor(random() * ids.length)] ?? '')
      const query = new URLSearchParams({ q: `'${parent}' in parents`, maxResults: '100' })
      return [
        some.map((id) => `/drive/v2/files/${id}`).join(' '),
        '/drive/v2/files?maxResults=100',
        `/drive/v2/files?${query.toString()}`,
      ]
    },
    close: () => pool.close(),
  }
}
