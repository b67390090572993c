/**
 * The log of a shared store in PostgreSQL: every commit of every server, each numbered, without gaps. A commit counts when its entry
 * is committed there, and servers take turns, so that each is made on top of all before it (docs/adr/shared-store.md#a-log-in-postgresql).  [network]
 */
import type { Client } from 'pg'
import { errorMessage } from '../../../errors.ts'
import { StorageFailure } from '../../contract/failure.ts'
import { keptConnection, LONGEST_ANSWER, LONGEST_SILENCE } from './postgres.ts'

export interface LogEntry {
  readonly number: number
  /** That appended it. A server appends a number once, so another server's entry of that number is of a log that was restored. */
  readonly server: string
  readonly bytes: Buffer
}

/** What comes after the entry of a copy. */
export interface Following {
  /** Server of the entry that was named; undefined: there is none. */
  readonly author: string | undefined
  readonly entries: readonly LogEntry[]
}

/** Nobody else appends until it is used or given back. */
export interface Turn {
  /** Number of the last entry. */
  readonly last: number
  /** When it was taken, as `performance.now` has it. */
  readonly since: number
  /** What comes after the entry that was named; more of it may have to be fetched. */
  readonly following: Following
  /** As the entry after that. Resolves when it is durable. @throws {AppendUnknown} nobody knows; anything else: it is not in the log */
  readonly append: (bytes: Buffer) => Promise<void>
  readonly giveBack: () => Promise<void>
}

export interface CommitLog {
  /** Names whoever appends. */
  readonly server: string
  /** `known`: the last entry of who asks. `lasting`: ms that it may be held, where that is longer than usual. */
  readonly takeTurn: (known?: number, lasting?: number) => Promise<Turn>
  /**
   * Without a turn, in one round trip: only where the entry before that number is the last, and of that server where there is one.
   * False: another server was faster.
   * @throws {AppendUnknown} nobody knows; anything else: it is not in the log
   */
  readonly appendNext: (number: number, bytes: Buffer, author?: string) => Promise<boolean>
  readonly last: () => Promise<number>
  /** Whether the entry of that number is this one, of this server; undefined: there is none. */
  readonly holds: (number: number, bytes: Buffer) => Promise<boolean | undefined>
  /** At most so many bytes of entries, and at least one if there is one. */
  readonly after: (number: number) => Promise<Following>
  /** undefined: there is none of that number. */
  readonly find: (number: number) => Promise<LogEntry | undefined>
  readonly close: () => Promise<void>
}

/** The connection ended before the answer came: the entry of that number may be in the log, or will never be. */
export class AppendUnknown extends Error {
  readonly number: number

  constructor(number: number, cause: unknown) {
    super('the connection to the log ended while an entry was committed', { cause })
    this.number = number
  }
}

export interface LogAddress {
  /** `postgres://…` */
  readonly url: string
  /** Names whoever appends. */
  readonly server: string
}

/** Bytes of entries that are read at a time. */
const MOST_BYTES = 8 << 20

export function openCommitLog({ url, server }: LogAddress): CommitLog {
  const reading = keptConnection(url, false)
  const writing = keptConnection(url, true)
  const readEntries = patientReader(reading)
  return {
    server,
    takeTurn: (known = Number.MAX_SAFE_INTEGER, lasting) => beginTurn(writing, { server, known, lasting }),
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

/** A long entry comes slowly from afar: who waited in vain waits twice as long the next time. */
function patientReader(reading: ReturnType<typeof keptConnection>) {
  let patience = LONGEST_SILENCE
  return async <Row extends object>(name: string, text: string, values: readonly unknown[]) => {
    try {
      const result = await reading.query<Row>(name, text, values, patience)
      patience = LONGEST_SILENCE
      return result
    } catch (error) {
      // as `pg` words it
      if (errorMessage(error) === 'Query read timeout') patience = Math.min(2 * patience, LONGEST_ANSWER)
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
  /** null: it is known. */
  readonly entry: Buffer | null
}

/** @throws the tables are there, and what is in them is not yet: a database is restored */
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

/** Of the log, which only grows: the row that is moved has a version for each entry that came while a transaction of somebody was open. */
const LAST = 'SELECT coalesce((SELECT max(number) FROM hla_log), (SELECT last FROM hla_store)) AS last'

/** Whoever moves the number appends: who comes behind finds it moved, and appends nothing. */
const APPEND_NEXT = `WITH moved AS (UPDATE hla_store SET last = $1::bigint WHERE last = $1::bigint - 1
  AND ($4::text IS NULL OR $4 = (SELECT server FROM hla_log WHERE number = $1::bigint - 1)) RETURNING last)
  INSERT INTO hla_log(number, server, entry) SELECT last, $2, $3 FROM moved`

const APPEND = `WITH entry AS (INSERT INTO hla_log(number, server, entry) VALUES ($1, $2, $3))
  UPDATE hla_store SET last = $1`

const HOLDS = 'SELECT server = $2 AS is_own, entry FROM hla_log WHERE number = $1'

/** An error that PostgreSQL tells and goes on: the statement was taken back. Others end the connection, perhaps behind a commit. */
function isRefusal(error: unknown): boolean {
  // the system has codes of five letters, too, but tells nothing of how severe it is
  if (!(error instanceof Error && 'severity' in error)) return false
  const code = Reflect.get(error, 'code')
  return typeof code === 'string' && !ENDING.test(code)
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: of connections, shutdowns, timeouts of sessions, faults. */
const ENDING = /^(?:08|57P|25P|58|XX)/

/** No more is read than is followed at a time: an answer has to come before it is given up. */
const AFTER = `SELECT number, server, CASE WHEN number > $1 THEN entry END AS entry FROM
  (SELECT *, sum(length(entry)) FILTER (WHERE number > $1) OVER (ORDER BY number) - length(entry) AS before FROM
    (SELECT number, server, entry FROM hla_log WHERE number >= $1 ORDER BY number LIMIT 200) AS next) AS sized
  WHERE number = $1 OR before <= ${MOST_BYTES} ORDER BY number`

const FIND = 'SELECT number, server, entry FROM hla_log WHERE number = $1'

interface Taking {
  readonly server: string
  readonly known: number
  readonly lasting: number | undefined
}

async function beginTurn(
  writing: ReturnType<typeof keptConnection>,
  { server, known, lasting }: Taking,
): Promise<Turn> {
  const client = await writing.get()
  try {
    // each sees what was committed before it, while the lock was waited for, too
    const [, { rows }, entries] = await Promise.all([
      client.query('BEGIN ISOLATION LEVEL READ COMMITTED'),
      client.query<{ last: string }>({ name: 'turn', text: 'SELECT last FROM hla_store FOR UPDATE' }),
      client.query<FollowingRow>({ name: 'after', text: AFTER, values: [known] }),
      lasting === undefined
        ? undefined
        : client.query({ name: 'lasting', text: LASTING, values: [String(lasting)] }),
    ])
    const since = performance.now()
    const taken = { last: lastIn(rows), since, following: following(entries.rows, known), lasting }
    return takenTurn(client, server, taken, writing.drop)
  } catch (error) {
    writing.drop()
    throw error
  }
}

/** For this transaction alone; what takes long to run makes a long entry. */
const LASTING = `SELECT set_config('idle_in_transaction_session_timeout', $1, true), set_config('statement_timeout', $1, true)`

function takenTurn(
  client: Client,
  server: string,
  { lasting, ...found }: Pick<Turn, 'last' | 'since' | 'following'> & Pick<Taking, 'lasting'>,
  drop: () => void,
): Turn {
  const patience = lasting === undefined ? {} : { query_timeout: lasting }
  return {
    ...found,
    async append(bytes) {
      const number = found.last + 1
      try {
        await Promise.all([
          client.query({ name: 'append', text: APPEND, values: [number, server, bytes], ...patience }),
          // of what was refused it is a rollback
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
        // a connection that is gone holds nothing
        drop()
      }
    },
  }
}

/** What was asked may be asked again. */
export function databaseAway(cause: unknown): StorageFailure {
  const failure = new StorageFailure(503, 'backendError', 'The database of the service is out of reach.', {
    retryAfter: 5,
  })
  failure.cause = cause
  return failure
}
