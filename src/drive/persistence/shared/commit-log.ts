/**
 * The log of a shared store in PostgreSQL: the commits of all servers, numbered without gaps. A commit counts once its
 * entry is committed there. Servers take turns, so each commit builds on all earlier ones
 * (docs/adr/shared-store.md#a-log-in-postgresql).  [network]
 */
import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { errorMessage } from '../../../errors.ts'
import { type StorageFailure, tryAgain } from '../../contract/failure.ts'
import { lazyConnection, MAX_ANSWER_TIME, MAX_SILENCE } from './postgres.ts'

export interface LogEntry {
  readonly number: number
  /**
   * Server that appended the entry. A server appends a number once, so the same number by another server means that the
   * log was restored.
   */
  readonly server: string
  readonly bytes: Buffer
}

/** Entries after a given number. */
export interface Following {
  /** Server of the entry with the given number. Undefined if there is no such entry. */
  readonly author: string | undefined
  readonly entries: readonly LogEntry[]
}

/** Exclusive right to append, until it is used or given back. */
export interface Turn {
  readonly last: number
  /** Time at which the turn began, by `performance.now`. */
  readonly since: number
  /** Entries after the one given to `takeTurn`. There may be more to fetch. */
  readonly following: Following
  /**
   * Appends an entry after `last`. Resolves when it is durable.
   * @throws {AppendUnknown} the outcome is unknown; anything else: it is not in the log
   */
  readonly append: (bytes: Buffer) => Promise<void>
  readonly giveBack: () => Promise<void>
}

export interface CommitLog {
  /** Identifier of the server, recorded with each entry. */
  readonly server: string
  /** `known` is the caller's last entry. `lasting` is a longer time limit of the turn in ms. */
  readonly takeTurn: (known?: number, lasting?: number) => Promise<Turn>
  /**
   * Appends without a turn, in one round trip. Succeeds only if the log ends right before `number`, with an entry of
   * `author` if given. Returns false if another server was faster.
   * @throws {AppendUnknown} the outcome is unknown; anything else: it is not in the log
   */
  readonly appendNext: (number: number, bytes: Buffer, author?: string) => Promise<boolean>
  readonly last: () => Promise<number>
  /** Tells whether entry `number` is `bytes`, appended by this server. Undefined if there is no such entry. */
  readonly holds: (number: number, bytes: Buffer) => Promise<boolean | undefined>
  /** Returns up to `MAX_BYTES` of entries, and at least one if there is any. */
  readonly after: (number: number) => Promise<Following>
  /** Returns undefined if there is no entry of that number. */
  readonly find: (number: number) => Promise<LogEntry | undefined>
  readonly close: () => Promise<void>
}

/** The connection ended before the answer. The entry may be in the log, or never get there. */
export class AppendUnknown extends Error {
  readonly number: number

  constructor(number: number, cause: unknown) {
    super('the connection to the log ended while an entry was committed', { cause })
    this.number = number
  }
}

interface LogAddress extends Pick<CommitLog, 'server'> {
  /** `postgres://…` */
  readonly url: string
}

/** Opens the log for the duration of `work`, for a task other than a server. */
export async function withLog<Result>(
  url: string,
  work: (log: CommitLog) => Promise<Result>,
): Promise<Result> {
  const log = openCommitLog({ url, server: randomUUID() })
  try {
    return await work(log)
  } finally {
    await log.close()
  }
}

/** Maximum bytes of entries read at a time. */
const MAX_BYTES = 8 << 20

export function openCommitLog({ url, server }: LogAddress): CommitLog {
  const reading = lazyConnection(url, false)
  const writing = lazyConnection(url, true)
  const readEntries = patientReader(reading)
  return {
    server,
    takeTurn: (known = Number.MAX_SAFE_INTEGER, lasting) => beginTurn(writing, server, known, lasting),
    async appendNext(number, bytes, author) {
      const client = await writing.get()
      try {
        const values = [number, server, bytes, author]
        return (await client.query({ name: 'next', text: APPEND_NEXT, values })).rowCount === 1
      } catch (error) {
        if (isRefusal(error)) throw error
        writing.drop()
        throw new AppendUnknown(number, error)
      }
    },
    async last() {
      const { rows } = await reading.query<{ last: string | null }>('last', LAST, [])
      return lastIn(rows)
    },
    async holds(number, bytes) {
      const values = [number, server]
      const { rows } = await readEntries<{ is_own: boolean; entry: Buffer }>('holds', HOLDS, values)
      return rows[0] && rows[0].is_own && rows[0].entry.equals(bytes)
    },
    async after(number) {
      const { rows } = await readEntries<FollowingRow>('after', AFTER, [number])
      return following(rows, number)
    },
    async find(number) {
      const { rows } = await readEntries<EntryRow>('find', FIND, [number])
      return rows[0] && toEntry(rows[0])
    },
    async close() {
      await Promise.all([reading.close(), writing.close()])
    },
  }
}

/** Reads entries, and doubles the time limit after each timeout: long entries arrive slowly over a distant connection. */
function patientReader(reading: ReturnType<typeof lazyConnection>) {
  let patience = MAX_SILENCE
  return async <Row extends object>(name: string, text: string, values: readonly unknown[]) => {
    try {
      const result = await reading.query<Row>(name, text, values, patience)
      patience = MAX_SILENCE
      return result
    } catch (error) {
      // message text of the `pg` package
      if (errorMessage(error) === 'Query read timeout') patience = Math.min(2 * patience, MAX_ANSWER_TIME)
      throw error
    }
  }
}

interface EntryRow {
  readonly number: string
  readonly server: string
  readonly entry: Buffer
}

interface FollowingRow extends Omit<EntryRow, 'entry'> {
  /** null: the caller has the entry. */
  readonly entry: Buffer | null
}

/** @throws the tables exist but are empty, because a database is being restored */
function lastIn(rows: readonly { readonly last: string | null }[]): number {
  const last = rows[0]?.last ?? null
  if (last === null) throw new Error('the database has no store')
  return Number(last)
}

function following(rows: readonly FollowingRow[], known: number): Following {
  const own = rows.find(({ number }) => Number(number) === known)
  const entries = rows.flatMap(({ entry, ...row }) => (entry === null ? [] : [toEntry({ ...row, entry })]))
  return { author: own?.server, entries }
}

function toEntry({ number, server, entry }: EntryRow): LogEntry {
  return { number: Number(number), server, bytes: entry }
}

/**
 * Reads the last number from the log, which only grows. The row in `hla_store` accumulates dead versions while any
 * transaction stays open.
 */
const LAST = 'SELECT coalesce((SELECT max(number) FROM hla_log), (SELECT last FROM hla_store)) AS last'

/** The server that increments `last` appends. A slower one finds it changed and appends nothing. */
const APPEND_NEXT = `WITH moved AS (UPDATE hla_store SET last = $1::bigint WHERE last = $1::bigint - 1
  AND ($4::text IS NULL OR $4 = (SELECT server FROM hla_log WHERE number = $1::bigint - 1)) RETURNING last)
  INSERT INTO hla_log(number, server, entry) SELECT last, $2, $3 FROM moved`

const APPEND = `WITH entry AS (INSERT INTO hla_log(number, server, entry) VALUES ($1, $2, $3))
  UPDATE hla_store SET last = $1`

const HOLDS = 'SELECT server = $2 AS is_own, entry FROM hla_log WHERE number = $1'

/** Tells whether PostgreSQL refused the statement and kept the connection. Other errors end the connection, perhaps after a commit. */
function isRefusal(error: unknown): boolean {
  // system errors have five-letter codes too, but no `severity`
  if (!(error instanceof Error && 'severity' in error)) return false
  const code = Reflect.get(error, 'code')
  return typeof code === 'string' && !ENDING.test(code)
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: connections, shutdowns, session timeouts, faults. */
const ENDING = /^(?:08|57P|25P|58|XX)/

/** Reads no more than `followEntries` applies at once, so that the answer arrives before the timeout. */
const AFTER = `SELECT number, server, CASE WHEN number > $1 THEN entry END AS entry FROM
  (SELECT *, sum(length(entry)) FILTER (WHERE number > $1) OVER (ORDER BY number) - length(entry) AS before FROM
    (SELECT number, server, entry FROM hla_log WHERE number >= $1 ORDER BY number LIMIT 200) AS next) AS sized
  WHERE number = $1 OR before <= ${MAX_BYTES} ORDER BY number`

const FIND = 'SELECT number, server, entry FROM hla_log WHERE number = $1'

async function beginTurn(
  writing: ReturnType<typeof lazyConnection>,
  server: string,
  known: number,
  lasting: number | undefined,
): Promise<Turn> {
  const client = await writing.get()
  try {
    // each statement sees everything committed before it, including commits made while it waited for the lock
    const [, { rows }, entries] = await Promise.all([
      client.query('BEGIN ISOLATION LEVEL READ COMMITTED'),
      client.query<{ last: string }>({ name: 'turn', text: 'SELECT last FROM hla_store FOR UPDATE' }),
      client.query<FollowingRow>({ name: 'after', text: AFTER, values: [known] }),
      lasting === undefined
        ? undefined
        : client.query({ name: 'lasting', text: LASTING, values: [String(lasting)] }),
    ])
    const since = performance.now()
    const found = { last: lastIn(rows), since, following: following(entries.rows, known) }
    const patience = lasting === undefined ? {} : { query_timeout: lasting }
    return { ...found, ...turnEnds(client, [found.last + 1, server], patience, writing.drop) }
  } catch (error) {
    writing.drop()
    throw error
  }
}

/** Time limits of this transaction only. A group that takes long to run makes a long entry. */
const LASTING = `SELECT set_config('idle_in_transaction_session_timeout', $1, true), set_config('statement_timeout', $1, true)`

function turnEnds(
  client: Client,
  [number, server]: readonly [number: number, server: string],
  patience: { readonly query_timeout?: number },
  drop: () => void,
): Pick<Turn, 'append' | 'giveBack'> {
  return {
    async append(bytes) {
      try {
        await Promise.all([
          client.query({ name: 'append', text: APPEND, values: [number, server, bytes], ...patience }),
          // after a refused statement this is a rollback
          client.query({ text: 'COMMIT', ...patience }),
        ])
      } catch (error) {
        if (isRefusal(error)) throw error
        drop()
        throw new AppendUnknown(number, error)
      }
    },
    async giveBack() {
      try {
        await client.query('ROLLBACK')
      } catch {
        // a closed connection holds no lock
        drop()
      }
    },
  }
}

export function databaseAway(cause: unknown): StorageFailure {
  return tryAgain(5, 'The service cannot reach its database; try again.', cause)
}
