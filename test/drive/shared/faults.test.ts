/**
 * Servers of one store, their database, bucket and network fail at random under load: each acknowledged change exists
 * once and complete, and every server returns the same data.
 */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Drive, type Reply, startDrive } from '../../support/drive.ts'
import { type FaultyProxy, faultyProxy } from '../../support/faulty-proxy.ts'
import { POSTGRES, startOwnPostgres } from '../../support/postgres.ts'
import type { Postgres } from '../../support/postgres-server.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { IS_LONG } from '../../support/rounds.ts'
import { runHla } from '../../support/run-hla.ts'
import { startOwnSwift, SWIFT, type Swift } from '../../support/swift.ts'
import { tempFolder } from '../../support/temp.ts'

const CONNECTIONS = 32
const SERVERS = 3

interface Known {
  /** File id -> title in the last answer. */
  readonly titles: Map<string, string>
  /** Titles of requests without an answer: each may exist at most once. */
  readonly doubtful: Set<string>
  /** File id -> MD5 of the content. */
  readonly contents: Map<string, string>
  /** Ids of `contents` that were not read yet. */
  readonly unread: Set<string>
}

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Whether the request succeeded; otherwise it can be repeated. */
function isDone(reply: Reply): boolean {
  if (reply.status === 200) return true
  expect([reply.status, reply.headers.get('retry-after'), reply.text]).toEqual([
    503,
    expect.any(String),
    expect.any(String),
  ])
  return false
}

async function upload(server: Drive, title: string, known: Known): Promise<void> {
  const content = Buffer.from(`${title} `.repeat(3000))
  const made = await server.ask('POST', '/upload/drive/v2/files', {
    body: content,
    headers: { 'content-type': 'text/plain' },
    query: { uploadType: 'media' },
  })
  if (!isDone(made)) return
  known.contents.set(made.json.id, md5(content))
  known.unread.add(made.json.id)
}

/** Reads up to 60 new contents, which is what a round has time for. */
async function expectContents(servers: readonly Drive[], known: Known): Promise<void> {
  const some = [...known.unread].slice(-60)
  known.unread.clear()
  for (const [at, id] of some.entries()) {
    const read = await servers[at % SERVERS]?.ask('GET', `/drive/v2/files/${id}`, { query: { alt: 'media' } })
    expect([read?.status, md5(Buffer.from(read?.text ?? ''))]).toEqual([200, known.contents.get(id)])
  }
}

/** Creates and changes a file, and reads it from another server. */
async function change(server: Drive, other: Drive, title: string, known: Known): Promise<void> {
  known.doubtful.add(title)
  const made = await server.ask('POST', '/drive/v2/files', { body: { title } })
  if (!isDone(made)) return
  known.doubtful.delete(title)
  const path = `/drive/v2/files/${made.json.id}`
  known.titles.set(made.json.id, title)
  const next = `${title}+`
  known.doubtful.add(next)
  const changed = await server.ask('PUT', path, { body: { title: next } })
  if (!isDone(changed)) return
  known.doubtful.delete(next)
  known.titles.set(made.json.id, next)
  const read = await other.ask('GET', path)
  if (isDone(read)) expect(read.json.title).toBe(next)
}

/** Sends requests until `isOver`. */
async function work(
  server: (more: number) => Drive,
  name: string,
  known: Known,
  isOver: () => boolean,
): Promise<void> {
  for (let at = 0; !isOver(); at += 1) {
    const title = `${name}.${at}`
    try {
      await (at % 4 === 3 ? upload(server(0), title, known) : change(server(0), server(1), title, known))
    } catch (error) {
      // the server was killed; assertion errors are real failures
      if (error instanceof Error && /AssertionError/.test(error.name)) throw error
      await pause(20)
    }
  }
}

/**
 * Checks that every acknowledged change exists, with the title of the last answer or of a missing one, and that no
 * title exists twice.
 */
async function expectAll(server: Drive, known: Known): Promise<void> {
  const titles = new Map<string, string>()
  let pageToken: string | undefined
  do {
    const page = await server.ask('GET', '/drive/v2/files', {
      query: {
        maxResults: 1000,
        fields: 'nextPageToken,items(id,title,md5Checksum)',
        ...(pageToken === undefined ? {} : { pageToken }),
      },
    })
    expect([page.status, page.text]).toEqual([200, expect.any(String)])
    for (const { id, title, md5Checksum } of page.json.items) {
      expect(titles.has(id)).toBe(false)
      titles.set(id, title)
      const content = known.contents.get(id)
      if (content !== undefined) expect(md5Checksum).toBe(content)
    }
    pageToken = page.json.nextPageToken
  } while (pageToken !== undefined)
  for (const id of known.contents.keys()) expect(titles.has(id)).toBe(true)
  for (const [id, title] of known.titles) {
    const found = titles.get(id) ?? ''
    const isDoubtful = found === `${title}+` && known.doubtful.has(found)
    expect([id, found]).toEqual([id, isDoubtful ? found : title])
  }
  const seen = [...titles.values()]
    .filter((title) => title !== 'Untitled')
    .map((title) => title.replace(/\+$/, ''))
  expect(seen.length).toBe(new Set(seen).size)
}

/** Status of the server, or the end of its output if it is gone. */
async function statusOf(server: Drive): Promise<number | string> {
  try {
    return (await server.ask('GET', '/drive/v2/about')).status
  } catch {
    return server.said().slice(-2000)
  }
}

interface Scene {
  readonly postgres: Postgres
  /** Proxies between each server and PostgreSQL. */
  readonly proxies: readonly FaultyProxy[]
  readonly bucket: Bucket | undefined
  readonly servers: Drive[]
  readonly start: (at: number) => Promise<Drive>
  readonly random: () => number
}

interface Bucket {
  readonly swift: Swift
  /** Proxies between each server and the object store. */
  readonly proxies: readonly FaultyProxy[]
}

/** Resolves when everything works again. */
type Fault = (scene: Scene) => Promise<void>

async function kill({ servers, start }: Scene, killed: readonly number[]): Promise<void> {
  await Promise.all(killed.map(async (at) => servers[at]?.stop('SIGKILL')))
  await pause(500)
  for (const at of killed) servers[at] = await start(at)
}

/** One element, or all. */
function some<One>(all: readonly One[], random: () => number): readonly One[] {
  const at = Math.floor(random() * (all.length + 1))
  return at === all.length ? all : all.slice(at, at + 1)
}

async function breakUp(proxies: readonly FaultyProxy[], random: () => number): Promise<void> {
  for (let times = 0; times < 6; times += 1) {
    for (const proxy of some(proxies, random)) {
      proxy.delay(Math.floor(random() * 30))
      if (random() < 0.5) proxy.cut()
      else proxy.halfClose()
    }
    await pause(100 + random() * 300)
  }
  for (const proxy of proxies) proxy.delay(0)
}

async function standStill(
  proxies: readonly FaultyProxy[],
  random: () => number,
  milliseconds: number,
): Promise<void> {
  const still = some(proxies, random)
  for (const proxy of still) proxy.standStill()
  await pause(milliseconds)
  for (const proxy of still) {
    // the request arrives, and its answer does not
    if (random() < 0.5) proxy.halfClose()
    proxy.goOn()
  }
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'a server is killed': (scene) => kill(scene, [Math.floor(scene.random() * SERVERS)]),
  async 'PostgreSQL is killed'({ postgres, random }) {
    postgres.stop(true)
    await pause(300 + random() * 700)
    postgres.start()
  },
  'connections end, and come late': ({ proxies, random }) => breakUp(proxies, random),
  'the network stands still': ({ proxies, random }) => standStill(proxies, random, 500 + random() * 2500),
  'all servers are killed': (scene) => kill(scene, [0, 1, 2]),
}

/** Faults longer than a server waits for its turn, and longer than PostgreSQL keeps a turn open. */
const LONG_FAULTS: typeof FAULTS = {
  'the network stands still for long': ({ proxies, random }) =>
    standStill(proxies, random, 4000 + random() * 11_000),
}

async function away({ swift }: Bucket, meanwhile: () => Promise<unknown>): Promise<void> {
  await swift.kill()
  await meanwhile()
  await swift.start()
}

/** Faults of the object store. */
const BUCKET_FAULTS: Readonly<Record<string, (scene: Scene, bucket: Bucket) => Promise<void>>> = {
  'the object store is killed': ({ random }, bucket) => away(bucket, () => pause(300 + random() * 3000)),
  'connections to the object store end, and come late': ({ random }, { proxies }) => breakUp(proxies, random),
  'the object store says nothing': ({ random }, { proxies }) =>
    standStill(proxies, random, 1000 + random() * 9000),
  'a server begins while the object store is away': (scene, bucket) =>
    away(bucket, () => kill(scene, [Math.floor(scene.random() * SERVERS)])),
}

const OF_BUCKET: typeof FAULTS = Object.fromEntries(
  Object.entries(BUCKET_FAULTS).map(([name, fault]) => [
    name,
    async (scene) => scene.bucket && fault(scene, scene.bucket),
  ]),
)

describe.skipIf(POSTGRES === undefined)('servers of one store', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startOwnPostgres()
  const temp = tempFolder()

  async function expectFaults(name: string, faults: typeof FAULTS, rounds: number, swift?: Swift) {
    if (postgres === undefined) throw new Error('PostgreSQL is not installed')
    const { port } = new URL(postgres.database(name))
    const proxiesTo = (to: string) =>
      Promise.all(Array.from({ length: SERVERS }, () => faultyProxy(Number(to))))
    const proxies = await proxiesTo(port)
    const bucket = swift && { swift, proxies: await proxiesTo(new URL(swift.url).port) }
    const contents = (await swift?.bucket(name)) ?? temp(`${name}-contents`)
    let token: string | undefined
    const start = (at: number) => {
      const url = `postgres://hla@127.0.0.1:${proxies[at]?.port}/${name}`
      return startDrive({
        folder: temp(`${name}-${at}`),
        args: ['--database', url, '--contents', contents, '--access-log', 'off'],
        env:
          bucket === undefined
            ? {}
            : { ...bucket.swift.env, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${bucket.proxies[at]?.port}` },
        ...(token === undefined ? {} : { token }),
      })
    }
    const first = await start(0)
    token = first.token
    const servers = [first, await start(1), await start(2)]
    // searches list all files below, perhaps on a busy machine
    const limit = ['drive', 'limit', 'set', 'list-milliseconds=60000', '--data', first.folder]
    expect((await runHla(limit, { cwd: first.folder })).status).toBe(0)
    const known: Known = {
      titles: new Map(),
      doubtful: new Set(),
      contents: new Map(),
      unread: new Set(),
    }
    const seed = Date.now() % 100_000
    const scene: Scene = { postgres, proxies, bucket, servers, start, random: randomNumbers(seed) }
    for (let round = 0; round < rounds; round += 1) {
      const [what = '', fault] = Object.entries(faults)[round % Object.keys(faults).length] ?? []
      const before = known.titles.size
      let isOver = false
      const load = Promise.all(
        Array.from({ length: CONNECTIONS }, (_, n) => {
          const server = (more: number) => servers[(n + more) % SERVERS] ?? first
          return work(server, `${round}.${n}`, known, () => isOver)
        }),
      )
      // the rejection is awaited later
      load.catch(() => undefined)
      await pause(500 + scene.random() * 1000)
      await fault?.(scene)
      await pause(500)
      isOver = true
      await load
      for (const server of servers)
        await expect
          .poll(() => statusOf(server), { timeout: 30_000, message: `${what}, seed ${seed}` })
          .toBe(200)
      for (const server of servers) await expectAll(server, known)
      await expectContents(servers, known)
      // at least one file was created
      expect(known.titles.size).toBeGreaterThan(before)
    }
    for (const server of servers) await server.stop()
    expect(known.contents.size).toBeGreaterThan(0)
  }

  const [inFolder, inBucket] = [IS_LONG ? 50 : 5, 50]
  const timeout = (rounds: number) => ({ timeout: 60_000 + rounds * 60_000 })

  test(`${inFolder} times`, timeout(inFolder), () =>
    expectFaults('faults', IS_LONG ? { ...FAULTS, ...LONG_FAULTS } : FAULTS, inFolder),
  )

  test.runIf(SWIFT && IS_LONG)(`${inBucket} times, with a bucket`, timeout(inBucket), async () => {
    const faults = { ...OF_BUCKET, ...FAULTS, ...LONG_FAULTS }
    await expectFaults('bucketfaults', faults, inBucket, await startOwnSwift())
  })
})
