/** The log of a shared store: each number is used once, and each entry is known to the server that wrote it. */
import { NOTHING } from '../../../src/drive/persistence/database/state-digest.ts'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  AppendUnknown,
  type CommitLog,
  openCommitLog,
} from '../../../src/drive/persistence/shared/commit-log.ts'
import { wrapConnection } from '../../../src/drive/persistence/database/connection.ts'
import { initializePosition } from '../../../src/drive/persistence/database/log-position.ts'
import { loadSqlite } from '../../../src/drive/persistence/database/sqlite.ts'
import { encodeEntry } from '../../../src/drive/persistence/shared/commit-entry.ts'
import {
  holdSharedContents,
  inTransaction,
  withClient,
} from '../../../src/drive/persistence/shared/postgres.ts'
import { seekLeadership } from '../../../src/drive/persistence/shared/leadership.ts'
import { CopyDiffers } from '../../../src/drive/persistence/shared/server-copy.ts'
import { type LogState, catchUp, appendEntry, takeTurn } from '../../../src/drive/persistence/shared/turns.ts'
import { POSTGRES, startOwnPostgres } from '../../support/postgres.ts'

const TABLES = `CREATE TABLE hla_store(last bigint NOT NULL); INSERT INTO hla_store VALUES (0);
  CREATE TABLE hla_log(number bigint PRIMARY KEY, server text NOT NULL, entry bytea NOT NULL)`

const bytes = (text: string) => Buffer.from(text)

describe.skipIf(POSTGRES === undefined)('the log of a shared store', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startOwnPostgres()
  const opened: CommitLog[] = []
  afterEach(() => Promise.all(opened.splice(0).map((log) => log.close())))

  const makeLog = (name: string) => {
    const url = postgres?.database(name) ?? ''
    postgres?.query(name, TABLES)
    return (server: string) => {
      const log = openCommitLog({ url, server })
      opened.push(log)
      return log
    }
  }
  const entries = (name: string) =>
    postgres?.query(name, `SELECT number, server, convert_from(entry, 'UTF8') FROM hla_log ORDER BY number`)

  test('an entry goes behind the last one in one round trip, or nowhere', async () => {
    const open = makeLog('next')
    const [one, other] = [open('one'), open('other')]
    expect(await one.appendNext(1, bytes('a'))).toBe(true)
    expect(await other.appendNext(1, bytes('b'))).toBe(false)
    expect(await other.appendNext(3, bytes('b'))).toBe(false)
    expect(await other.appendNext(2, bytes('b'))).toBe(true)
    expect(await one.last()).toBe(2)
    expect(entries('next')).toBe('1|one|a\n2|other|b')
  })

  test('of those who append at the same time one does', async () => {
    const open = makeLog('together')
    const logs = Array.from({ length: 8 }, (_, at) => open(`server ${at}`))
    for (let number = 1; number <= 20; number += 1) {
      const done = await Promise.all(logs.map((log) => log.appendNext(number, bytes(`${number}`))))
      expect(done.filter(Boolean)).toHaveLength(1)
    }
    expect(await logs[0]?.last()).toBe(20)
  })

  test('who appends beside a turn waits for its end, and then knows of it', async () => {
    const open = makeLog('beside')
    const [one, other] = [open('one'), open('other')]
    const turn = await one.takeTurn()
    const appended = other.appendNext(1, bytes('b'))
    await turn.append(bytes('a'))
    expect(await appended).toBe(false)
    expect(entries('beside')).toBe('1|one|a')
  })

  test('a turn is two round trips: one for the lock and what others appended, one for the entry and the commit', async () => {
    const open = makeLog('trips')
    const { port, trips, close } = await countTrips(postgres?.port ?? 0)
    const other = open('other')
    const one = openCommitLog({ url: `postgres://hla@127.0.0.1:${port}/trips`, server: 'one' })
    for (const number of [2, 4]) {
      await other.appendNext(number - 1, bytes(`other ${number - 1}`))
      trips.count = 0
      const turn = await one.takeTurn(number - 2)
      expect(turn.last).toBe(number - 1)
      expect(turn.following.entries.map((entry) => entry.bytes.toString())).toEqual([`other ${number - 1}`])
      await turn.append(bytes(`one ${number}`))
    }
    expect(trips.count).toBe(2)
    await one.close()
    close()
    expect(entries('trips')).toBe('1|other|other 1\n2|one|one 2\n3|other|other 3\n4|one|one 4')
  })

  test('who waits for a turn gets the entries that were appended meanwhile', async () => {
    const open = makeLog('meanwhile')
    const [one, other] = [open('one'), open('other')]
    const turn = await one.takeTurn(0)
    const waiting = other.takeTurn(0)
    await turn.append(bytes('a'))
    const {
      last,
      following: { entries: found },
      giveBack,
    } = await waiting
    expect([last, found.map((entry) => [entry.number, entry.bytes.toString()])]).toEqual([1, [[1, 'a']]])
    await giveBack()
  })

  test('what PostgreSQL refuses in a turn is not in the log, and the turn is free', async () => {
    const open = makeLog('refused_turn')
    const [one, other] = [open('one'), open('other')]
    postgres?.query('refused_turn', 'ALTER TABLE hla_log ADD CHECK (length(entry) < 10)')
    const turn = await one.takeTurn()
    const refused = await turn.append(bytes('longer than that')).catch((error: unknown) => error)
    expect(refused).not.toBeInstanceOf(AppendUnknown)
    expect(String(refused)).toContain('violates check constraint')
    const next = await other.takeTurn()
    await turn.giveBack()
    await next.append(bytes('b'))
    await (await one.takeTurn()).append(bytes('c'))
    expect(entries('refused_turn')).toBe('1|other|b\n2|one|c')
  })

  test.each(['in_a_turn', 'without_one'])(
    'a connection that ends %s leaves in doubt whether the entry is there',
    async (name) => {
      const open = makeLog(name)
      const { port, close } = await countTrips(postgres?.port ?? 0)
      const one = openCommitLog({ url: `postgres://hla@127.0.0.1:${port}/${name}`, server: 'one' })
      const turn = name === 'without_one' ? undefined : await one.takeTurn()
      if (turn === undefined) await one.appendNext(7, bytes('of another number'))
      close()
      await expect(turn?.append(bytes('a')) ?? one.appendNext(1, bytes('a'))).rejects.toBeInstanceOf(
        AppendUnknown,
      )
      await one.close()
      const next = await open('other').takeTurn()
      expect([next.last, entries(name)]).toEqual([0, ''])
      await next.giveBack()
    },
  )

  test('an entry of another server, or with other bytes, is not its own', async () => {
    const open = makeLog('own')
    const [one, other] = [open('one'), open('other')]
    expect(await one.holds(1, bytes('a'))).toBeUndefined()
    await one.appendNext(1, bytes('a'))
    expect(await one.holds(1, bytes('a'))).toBe(true)
    expect(await one.holds(1, bytes('b'))).toBe(false)
    expect(await other.holds(1, bytes('a'))).toBe(false)
  })

  test('what PostgreSQL refuses is not in the log, and the next entry is', async () => {
    const open = makeLog('refused')
    const log = open('one')
    postgres?.query('refused', 'ALTER TABLE hla_log ADD CHECK (length(entry) < 10)')
    const refused = await log.appendNext(1, bytes('longer than that')).catch((error: unknown) => error)
    expect(refused).not.toBeInstanceOf(AppendUnknown)
    expect(String(refused)).toContain('violates check constraint')
    expect(await log.appendNext(1, bytes('a'))).toBe(true)
  })

  const ignore = () => undefined

  /** State of a copy at the start of the log; statements are ignored. */
  const stateOf = (log: CommitLog): LogState => ({
    connection: undefined as never,
    log,
    number: 0,
    digest: NOTHING,
    summed: 0,
    tracker: { begin: ignore, digest: (before) => before, end: ignore },
    guard: { check: ignore, checkLog: ignore, wrote: ignore, during: (work) => work() },
    author: undefined,
    isContended: false,
    told: () => undefined,
    followed: () => undefined,
    away: () => undefined,
    exhausted: () => undefined,
  })

  test('an entry whose answer did not come, and that is not there, can never come', async () => {
    const open = makeLog('doubt')
    const [log, late] = [open('one'), open('one')]
    // the connection ends before the statement starts
    const lost: CommitLog = {
      ...log,
      appendNext: () => Promise.reject(new AppendUnknown(1, new Error('the connection ended'))),
    }
    expect(await appendEntry(stateOf(lost), undefined, bytes('a'))).toMatchObject({ status: 503 })
    // the statement starts now
    expect(await late.appendNext(1, bytes('a'))).toBe(false)
    expect(await log.last()).toBe(1)
  })

  test('an entry whose answer did not come, and that is there, is acknowledged', async () => {
    const log = makeLog('there')('one')
    const lost: CommitLog = {
      ...log,
      async appendNext(number, entry) {
        await log.appendNext(number, entry)
        throw new AppendUnknown(number, new Error('the connection ended'))
      },
    }
    expect(await appendEntry(stateOf(lost), undefined, bytes('a'))).toBe(1)
    expect(entries('there')).toBe('1|one|a')
  })

  test('while nobody can tell what became of an entry a server waits, then says so and goes on', async () => {
    const open = makeLog('away')
    const [log, other] = [open('one'), open('other')]
    const away: CommitLog = {
      ...log,
      appendNext: () => Promise.reject(new AppendUnknown(1, new Error('the connection ended'))),
      takeTurn: () => Promise.reject(new Error('nobody is there')),
    }
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    const putting = appendEntry(stateOf(away), undefined, bytes('a'))
    await vi.advanceTimersByTimeAsync(70_000)
    vi.useRealTimers()
    expect(await putting).toMatchObject({ status: 503 })
    // if the entry arrives later, it is followed like another server's
    await log.appendNext(1, bytes('a'))
    expect(await appendEntry(stateOf(log), undefined, bytes('b'))).toBe('late')
    expect(await other.appendNext(2, bytes('c'), 'one')).toBe(true)
  })

  test('of long entries no more is fetched than is followed at a time', async () => {
    const open = makeLog('long')
    const [log, large] = [open('one'), Buffer.alloc(1 << 20, 'x')]
    for (let number = 1; number <= 20; number += 1) await log.appendNext(number, large)
    const { port, trips, close } = await countTrips(postgres?.port ?? 0)
    const slow = openCommitLog({ url: `postgres://hla@127.0.0.1:${port}/long`, server: 'slow' })
    const found = await slow.after(3)
    expect(found.author).toBe('one')
    expect(found.entries.map(({ number }) => number)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(trips.bytes).toBeLessThan(20 << 20)
    // an entry longer than the limit is fetched alone, and does not block the next
    await log.appendNext(21, Buffer.alloc(9 << 20, 'y'))
    await log.appendNext(22, large)
    expect((await slow.after(20)).entries.map(({ number }) => number)).toEqual([21])
    expect((await slow.after(21)).entries.map(({ number }) => number)).toEqual([22])
    await slow.close()
    close()
  })

  test('what an operator has set for all programs is not for these', async () => {
    const open = makeLog('settings')
    for (const setting of [
      `default_transaction_isolation = 'serializable'`,
      'synchronous_commit = off',
      `idle_session_timeout = '300ms'`,
      `idle_in_transaction_session_timeout = '300ms'`,
      `statement_timeout = '300ms'`,
    ])
      postgres?.query('postgres', `ALTER DATABASE settings SET ${setting}`)
    const logs = Array.from({ length: 8 }, (_, at) => open(`server ${at}`))
    for (let number = 1; number <= 20; number += 1) {
      const done = await Promise.all(logs.map((log) => log.appendNext(number, bytes(`${number}`))))
      expect(done.filter(Boolean)).toHaveLength(1)
    }
    const url = `postgres://hla@127.0.0.1:${postgres?.port}/settings`
    const lock = await holdSharedContents(url)
    await sleep(800)
    await expect(holdSharedContents(url)).rejects.toThrow(
      'a backup, check or clean-up of a store in this database is running',
    )
    lock.release()
    await withClient(url, async (client) => {
      await client.query('SELECT pg_sleep(0.6)')
      await inTransaction(client, () => sleep(600))
      const { rows } = await client.query('SHOW synchronous_commit')
      expect(rows).toEqual([{ synchronous_commit: 'on' }])
    })
  })

  test('who seeks to lead, and may not lock, leaves no connections behind', async () => {
    const url = postgres?.database('seeking') ?? ''
    postgres?.query(
      'seeking',
      'CREATE ROLE plain LOGIN; REVOKE EXECUTE ON FUNCTION pg_advisory_lock_shared(bigint) FROM PUBLIC',
    )
    const leadership = seekLeadership(url.replace('hla@', 'plain@'), {
      folder: '',
      check: () => Promise.resolve(undefined),
      told: () => undefined,
    })
    await sleep(3500)
    const left = `SELECT count(*) FROM pg_stat_activity WHERE usename = 'plain'`
    expect(Number(postgres?.query('seeking', left))).toBeLessThanOrEqual(1)
    await leadership.close()
  })

  test('a PostgreSQL that follows another one is not asked', async () => {
    const log = makeLog('standby')('one')
    // the message of a server with standby.signal that is still starting
    postgres?.query(
      'standby',
      `CREATE SCHEMA following; CREATE FUNCTION following.pg_is_in_recovery() RETURNS bool RETURN true;
       ALTER DATABASE standby SET search_path = following, pg_catalog, public`,
    )
    await expect(log.last()).rejects.toThrow('is a standby')
    postgres?.query('standby', 'ALTER DATABASE standby RESET search_path')
    expect(await log.last()).toBe(0)
  })

  test('what has changed nothing is answered only on top of all that others did', async () => {
    const open = makeLog('unchanged')
    const [one, other] = [open('one'), open('other')]
    const state = stateOf(one)
    expect(await appendEntry(state, undefined, undefined)).toBeUndefined()
    await other.appendNext(1, bytes('b'))
    expect(await appendEntry(state, undefined, undefined)).toBe('late')
    expect(state.isContended).toBe(true)
  })

  test('a log that was restored, and has grown since, is not gone on with', async () => {
    const open = makeLog('restored')
    const [one, other] = [open('one'), open('other')]
    for (const number of [1, 2, 3]) await one.appendNext(number, bytes(`${number}`))
    const state = () => ({ ...stateOf(one), number: 3, author: 'one' })
    const restore = async (last: number) => {
      const sql = `DELETE FROM hla_log WHERE number > 1; UPDATE hla_store SET last = 1`
      postgres?.query('restored', sql)
      for (let number = 2; number <= last; number += 1) await other.appendNext(number, bytes('other'))
    }
    // the new log ends where the old one did, or later
    for (const last of [3, 5]) {
      await restore(last)
      expect(await appendEntry(state(), undefined, bytes('4'))).toBe('late')
      await expect(takeTurn(state())).rejects.toThrow(CopyDiffers)
      await expect(catchUp(state())).rejects.toThrow('the database was restored')
      // it is unknown whether the entry was appended
      const lost: CommitLog = {
        ...one,
        appendNext: () => Promise.reject(new AppendUnknown(4, new Error('the connection ended'))),
      }
      await expect(appendEntry({ ...state(), log: lost }, undefined, bytes('4'))).rejects.toThrow(CopyDiffers)
      expect(await one.last()).toBe(last)
    }
    await restore(1)
    await expect(catchUp(state())).rejects.toThrow('entry 3 of the log is missing')
  })

  test('what others did is known of, also where the end of the log was not reached', async () => {
    const open = makeLog('halfway')
    const [one, other] = [open('one'), open('other')]
    await other.appendNext(1, encodeEntry([]))
    let looks = 0
    const cut: CommitLog = {
      ...one,
      after: (number) =>
        (looks += 1) === 1 ? one.after(number) : Promise.reject(new Error('the connection ended')),
    }
    const followed = vi.fn<(hasMoved: boolean) => void>()
    const { DatabaseSync } = await loadSqlite()
    const connection = wrapConnection(new DatabaseSync(':memory:', {}))
    initializePosition(connection, 'lab')
    const state: LogState = { ...stateOf(cut), connection, followed }
    await expect(catchUp(state)).rejects.toThrow('the connection ended')
    expect([state.number, followed.mock.calls]).toEqual([1, [[true]]])
  })

  test('a long answer is told from other failures by the words of pg', async () => {
    await withClient(postgres?.database('words') ?? '', async (client) => {
      const query = { text: 'SELECT pg_sleep(1)', query_timeout: 50 }
      // after this error the next read of long entries has a longer timeout
      await expect(client.query(query)).rejects.toThrow(/^Query read timeout$/)
    })
  })

  test('a turn that is said to take longer is held so long; another one ends', async () => {
    const usual = await makeLog('usual')('one').takeTurn()
    const long = await makeLog('lasting')('one').takeTurn(undefined, 30_000)
    await sleep(11_000)
    await expect(usual.append(bytes('a'))).rejects.toThrow(AppendUnknown)
    await long.append(bytes('a'))
    expect([entries('usual'), entries('lasting')]).toEqual(['', '1|one|a'])
  })

  test('a database whose rows are not yet there is away', async () => {
    const log = makeLog('empty')('one')
    postgres?.query('empty', 'DELETE FROM hla_store')
    await expect(log.last()).rejects.toThrow('the database has no store')
    expect(await takeTurn(stateOf(log))).toMatchObject({ status: 503 })
  })

  test('turns are taken while others append, and no longer', async () => {
    const log = makeLog('contended')('one')
    const state = { ...stateOf(log), isContended: true }
    const turn = await takeTurn(state)
    if (turn instanceof Error) throw turn
    expect(await appendEntry(state, turn, bytes('a'))).toBe(1)
    expect(state.isContended).toBe(false)
  })
})

/** A proxy to a server that counts round trips and bytes. */
async function countTrips(to: number) {
  const trips = { count: 0, bytes: 0 }
  const ends: (() => void)[] = []
  const server = createServer((client) => {
    const target = connect(to, '127.0.0.1')
    let isAnswered = true
    client.on('data', (bytes) => {
      if (isAnswered) trips.count += 1
      isAnswered = false
      target.write(bytes)
    })
    target.on('data', (bytes) => {
      isAnswered = true
      trips.bytes += bytes.length
      client.write(bytes)
    })
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      socket.on('error', () => undefined).on('close', () => other.destroy())
      ends.push(() => socket.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    for (const end of ends) end()
    server.close()
  }
  return { port: (server.address() as AddressInfo).port, trips, close } // the server listens on a port
}
