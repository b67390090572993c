/**
 * Damage to copies, snapshots and log entries of a shared store: after the next entry no server gives a wrong answer.
 * A server with a damaged copy stops, rebuilds it from a snapshot and the log, reports it, and continues.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { keepSnapshots } from '../../../src/drive/persistence/shared/snapshots.ts'
import { withClient } from '../../../src/drive/persistence/shared/postgres.ts'
import { loadSqlite } from '../../../src/drive/persistence/database/sqlite.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { POSTGRES, startPostgres } from '../../support/postgres.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { IS_LONG } from '../../support/rounds.ts'
import { startSwift, SWIFT } from '../../support/swift.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
/** Rounds per store; at a merge the first three kinds of damage, of one store. */
const ROUNDS = IS_LONG ? 50 : 3

/** Node of another version, with another SQLite. */
const OTHER_NODE = process.env['HLA_OTHER_NODE']
if (IS_LONG && OTHER_NODE === undefined)
  process.stderr.write('skipped: HLA_OTHER_NODE names no Node of another version\n')

const copyOf = (server: Drive) => join(server.folder, 'store.db')

/** Changes the copy with SQLite, as another program would. */
async function change(server: Drive, sql: string): Promise<void> {
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(copyOf(server), { timeout: 10_000 })
  database.exec(sql)
  database.close()
}

function flip(file: string, bit: number): void {
  const bytes = readFileSync(file)
  const at = bit >> 3
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.of((bytes[at] ?? 0) ^ (1 << (bit & 7))), 0, 1, at)
  closeSync(handle)
}

/** Number of the lowest bit of the text's last byte in a file; undefined: the file does not contain the text. */
function bitOf(file: string, text: string, random: () => number): number | undefined {
  const bytes = readFileSync(file)
  const found: number[] = []
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) found.push(at)
  const at = found[Math.floor(random() * found.length)]
  return at === undefined ? undefined : 8 * (at + text.length - 1)
}

const PATIENCE = { timeout: 30_000, interval: 100 }

describe.skipIf(POSTGRES === undefined)('a damaged copy of a shared store', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startPostgres()
  const started: Drive[] = []
  afterEach(async () => {
    for (const one of started.splice(0)) if (one.child.exitCode === null) await one.stop('SIGKILL')
  })

  interface Store {
    readonly url: string
    readonly contents: string
    readonly env?: Readonly<Record<string, string>>
    /** Node binary of every second server. */
    readonly node?: string
    token?: string
  }

  async function start(store: Store, folder: string): Promise<Drive> {
    const { url, contents, env = {}, token, node } = store
    const server = await startDrive({
      folder: temp(folder),
      args: ['--database', url, '--contents', contents, '--access-log', 'off'],
      env,
      ...(token === undefined ? {} : { token }),
      ...(node === undefined || !folder.endsWith('-1') ? {} : { node }),
    })
    store.token ??= server.token
    started.push(server)
    return server
  }

  /** Checks the titles that the server returns; it may be unavailable meanwhile. */
  async function expectTitles(server: Drive, titles: ReadonlyMap<string, string>): Promise<void> {
    for (const [id, title] of titles) {
      const read = async () => {
        const reply = await server.ask('GET', `/drive/v2/files/${id}`).catch(() => undefined)
        // the server restarts
        if (reply === undefined || reply.status === 503) return 'unavailable'
        expect([reply.status, reply.json.title]).toEqual([200, title])
        return reply.json.title
      }
      await expect.poll(read, { timeout: 60_000, message: server.said() }).toBe(title)
    }
  }

  test('stops to answer, is made anew, and says so', async () => {
    const store: Store = { url: postgres?.database('diverge') ?? '', contents: temp('diverge-contents') }
    const one = await start(store, 'diverge-1')
    const other = await start(store, 'diverge-2')
    const made = await one.ask('POST', '/drive/v2/files', { body: { title: 'patient 7' } })
    const titles = new Map([[made.json.id, 'patient 7']])
    await expectTitles(other, titles)
    await change(one, `UPDATE files SET title = 'patient 8' WHERE title = 'patient 7'`)
    const path = `/drive/v2/files/${made.json.id}`
    expect((await other.ask('PATCH', path, { body: { description: 'x' } })).status).toBe(200)
    await expectTitles(one, titles)
    // output of the process can arrive late
    await expect
      .poll(() => one.said(), PATIENCE)
      .toMatch(/the copy of the store was changed: another program has written to it/)
    await expect
      .poll(() => one.said(), PATIENCE)
      // the damage is found at the server's next entry, when another server's digest arrives, or at its next start
      .toMatch(
        /(the copy of the store has no digest of its rows, as when its server was killed|the rows of the copy of the store are not those of entry \d+ of its log|after entry \d+ its rows have the digest \w+, those of server \S+ \w+): it is being rebuilt/,
      )
    await expect.poll(async () => (await one.ask('GET', '/readyz')).status, PATIENCE).toBe(200)
    await expectTitles(other, titles)
    expect(other.said()).not.toMatch(/anew/)
  })

  type Damage = (scene: Scene) => Promise<void>

  interface Scene {
    readonly store: Store
    readonly name: string
    readonly servers: Drive[]
    readonly random: () => number
    readonly title: string
    readonly sql: (text: string) => string
    readonly insert: (server: Drive) => Promise<void>
  }

  const anyBit = (file: string, random: () => number) => Math.floor(random() * 8 * statSync(file).size)

  /** Makes a snapshot after one entry; a leader waits for 256 MiB. */
  const makeSnapshot = ({ store, name }: Scene) =>
    withClient(store.url, (client) =>
      keepSnapshots(client, { url: store.url, file: temp(`${name}.snapshot`), much: 1 }, (text) => {
        expect(text).toMatch(/is damaged/)
      }),
    )

  async function restarted({ servers, store, name }: Scene, meanwhile: (stopped: Drive) => Promise<void>) {
    const [, server] = servers
    if (server === undefined) throw new Error('there are two servers')
    await server.stop()
    await meanwhile(server)
    servers[1] = await start(store, `${name}-1`)
  }

  const DAMAGES: Readonly<Record<string, Damage>> = {
    'a row that another program changes': ({ servers: [one], title }) =>
      change(one as Drive, `UPDATE files SET title = 'wrong' WHERE title = '${title}'`),
    async 'a bit of the file of a server that runs'({ servers: [, other], title, random }) {
      const file = copyOf(other as Drive)
      flip(file, bitOf(file, title, random) ?? anyBit(file, random))
    },
    'a bit of the file of a server that is stopped': (scene) =>
      restarted(scene, (stopped) => {
        const file = copyOf(stopped)
        flip(file, bitOf(file, scene.title, scene.random) ?? anyBit(file, scene.random))
        return Promise.resolve()
      }),
    'any bit of the file of a server that is stopped': (scene) =>
      restarted(scene, (stopped) => {
        flip(copyOf(stopped), anyBit(copyOf(stopped), scene.random))
        return Promise.resolve()
      }),
    async 'a row of a copy from which a snapshot might be made'(scene) {
      const [one] = scene.servers
      await change(one as Drive, `UPDATE files SET title = 'wrong' WHERE title = '${scene.title}'`)
      await makeSnapshot(scene)
    },
    async 'a bit of the latest snapshot'(scene) {
      await scene.insert(scene.servers[0] as Drive)
      await makeSnapshot(scene)
      const number = scene.sql('SELECT max(number) FROM hla_snapshot')
      const size = Number(
        scene.sql(`SELECT 8 * length(bytes) FROM hla_snapshot WHERE number = ${number} AND part = 0`),
      )
      const bit = Math.floor(scene.random() * size)
      scene.sql(
        `UPDATE hla_snapshot SET bytes = set_bit(bytes, ${bit}, 1 - get_bit(bytes, ${bit})) WHERE number = ${number} AND part = 0`,
      )
    },
    'a bit of an entry': (scene) =>
      restarted(scene, async () => {
        await scene.insert(scene.servers[0] as Drive)
        const number = scene.sql('SELECT max(number) FROM hla_log')
        const size = Number(scene.sql(`SELECT 8 * length(entry) FROM hla_log WHERE number = ${number}`))
        const bit = Math.floor(scene.random() * size)
        const flipBit = () =>
          scene.sql(
            `UPDATE hla_log SET entry = set_bit(entry, ${bit}, 1 - get_bit(entry, ${bit})) WHERE number = ${number}`,
          )
        flipBit()
        await expect(start(scene.store, `${scene.name}-1`)).rejects.toThrow(
          `entry ${number} of the log of the store cannot be read`,
        )
        // undo the damage, as a restored PostgreSQL backup would
        flipBit()
      }),
  }

  test('a damaged snapshot goes, and the one before stays until there is another', async () => {
    const name = 'snapshots'
    const store: Store = { url: postgres?.database(name) ?? '', contents: temp('snapshots-contents') }
    const server = await start(store, 'snapshots-1')
    const sql = (text: string) => postgres?.query(name, text) ?? ''
    const titles = new Map<string, string>()
    const insert = async () => {
      const made = await server.ask('POST', '/drive/v2/files', { body: { title: `title ${titles.size}` } })
      titles.set(made.json.id, made.json.title)
    }
    const snapshot = () =>
      withClient(store.url, (client) =>
        keepSnapshots(client, { url: store.url, file: temp('snapshots.file'), much: 1 }, () => undefined),
      )
    const damageLatest = () =>
      sql(
        `UPDATE hla_snapshot SET bytes = set_byte(bytes, 1000, 255 - get_byte(bytes, 1000)) WHERE number = (SELECT max(number) FROM hla_snapshot)`,
      )
    const numbers = () =>
      sql(`SELECT string_agg(number::text, ' ' ORDER BY number) FROM hla_snapshot`).split(' ')
    await insert()
    await snapshot()
    const good = numbers().at(-1) ?? ''
    await insert()
    await snapshot()
    damageLatest()
    await insert()
    await snapshot()
    expect(numbers()).toEqual([good, expect.any(String)])
    // a copy made from the good snapshot can follow the log
    expect(Number(sql('SELECT min(number) FROM hla_log'))).toBe(Number(good) + 1)
    damageLatest()
    await expectTitles(await start(store, 'snapshots-2'), titles)
  })

  /** `firstKind`: the kind of damage of the first round; the other kinds follow in turn. */
  async function expectRounds(name: string, store: Store, firstKind: number): Promise<void> {
    const random = randomNumbers(ROUNDS)
    const servers = [await start(store, `${name}-0`), await start(store, `${name}-1`)]
    const titles = new Map<string, string>()
    const insert = async (server: Drive) => {
      const title = `title number ${titles.size}`
      // repeats the request while the server restarts
      const ask = () => server.ask('POST', '/drive/v2/files', { body: { title } }).catch(() => undefined)
      let reply = await ask()
      while (reply === undefined || reply.status === 503) {
        await new Promise((resolve) => setTimeout(resolve, 200))
        reply = await ask()
      }
      expect([reply.status, reply.json.title]).toEqual([200, title])
      titles.set(reply.json.id, title)
    }
    const sql = (text: string) => postgres?.query(name, text) ?? ''
    await insert(servers[0] as Drive)
    for (let round = 0; round < ROUNDS; round += 1) {
      const damages = Object.entries(DAMAGES)
      const [, damage] = damages[(firstKind + round) % damages.length] ?? []
      for (const server of servers) await insert(server)
      const known = [...titles.values()]
      const title = known[Math.floor(random() * known.length)] ?? ''
      // wait until the changes are in the database file
      await new Promise((resolve) => setTimeout(resolve, 1500))
      await damage?.({ store, name, servers, random, title, sql, insert })
      await insert(servers[round % 2] as Drive)
      for (const server of servers) await expectTitles(server, titles)
      if (round % 4 < 3 && round < ROUNDS - 1) continue
      const fresh = await start(store, `${name}-fresh-${round}`)
      await expectTitles(fresh, titles)
      expect(await fresh.stop()).toBe(0)
    }
    for (const server of servers) expect(await server.stop()).toBe(0)
  }

  test(`${ROUNDS} times`, { timeout: 60_000 + ROUNDS * 30_000 }, () =>
    expectRounds(
      'damaged',
      { url: postgres?.database('damaged') ?? '', contents: temp('damaged-contents') },
      0,
    ),
  )

  test.runIf(OTHER_NODE !== undefined && IS_LONG)(
    `${ROUNDS} times, with servers on two versions of Node`,
    { timeout: 60_000 + ROUNDS * 30_000 },
    async () => {
      const node = OTHER_NODE ?? ''
      expect(execFileSync(node, ['-p', 'process.version'], { encoding: 'utf8' }).trim()).not.toBe(
        process.version,
      )
      const [url, contents] = [postgres?.database('twonodes') ?? '', temp('twonodes-contents')]
      await expectRounds('twonodes', { url, contents, node }, 3)
    },
  )

  test.runIf(SWIFT && IS_LONG)(
    `${ROUNDS} times, with a bucket`,
    { timeout: 60_000 + ROUNDS * 30_000 },
    async () => {
      const swift = await startSwift()
      const store = {
        url: postgres?.database('damagedbucket') ?? '',
        contents: await swift.bucket('damagedbucket'),
        env: swift.env,
      }
      await expectRounds('damagedbucket', store, 5)
    },
  )
})
