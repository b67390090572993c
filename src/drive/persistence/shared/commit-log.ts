/**
 * The log of a shared store in PostgreSQL: every commit of every server, each numbered, without gaps. A commit counts when its entry
 * is committed there, and servers take turns, so that each is made on top of all before it (docs/adr/0075).  [network]
 */
import type { Client } from 'pg'
import { StorageFailure } from '../../contract/failure.ts'
import { connect } from './postgres.ts'

export interface LogEntry {
  readonly number: number
  readonly bytes: Buffer
}

/** Nobody else appends until it is used or given back. */
export interface Turn {
  /** Number of the last entry. */
  readonly last: number
  /** Resolves when it is durable. @throws {AppendUnknown} nobody knows; what PostgreSQL says otherwise: it is not in the log */
  readonly append: (bytes: Buffer) => Promise<number>
  readonly giveBack: () => Promise<void>
}

export interface CommitLog {
  readonly takeTurn: () => Promise<Turn>
  readonly last: () => Promise<number>
  /** At most so many bytes of entries, and at least one if there is one. */
  readonly after: (number: number) => Promise<readonly LogEntry[]>
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
  const reading = keptConnection(url)
  const writing = keptConnection(url)
  return {
    async takeTurn() {
      const client = await writing.get()
      try {
        const answers = await client.query('BEGIN; SELECT last FROM hla_store FOR UPDATE')
        // one answer for each of the two
        const [, { rows }] = answers as unknown as [unknown, { readonly rows: readonly { last: string }[] }]
        return takenTurn(client, server, Number(rows[0]?.last), writing.drop)
      } catch (error) {
        writing.drop()
        throw error
      }
    },
    async last() {
      const { rows } = await reading.query<{ last: string }>('last', 'SELECT last FROM hla_store', [])
      return Number(rows[0]?.last)
    },
    async after(number) {
      const { rows } = await reading.query<{ number: string; entry: Buffer }>('after', AFTER, [number])
      const entries: LogEntry[] = []
      let size = 0
      for (const row of rows) {
        entries.push({ number: Number(row.number), bytes: row.entry })
        size += row.entry.length
        if (size > MOST_BYTES) break
      }
      return entries
    },
    async close() {
      await Promise.all([reading.close(), writing.close()])
    },
  }
}

const AFTER = 'SELECT number, entry FROM hla_log WHERE number > $1 ORDER BY number LIMIT 200'

function takenTurn(client: Client, server: string, last: number, drop: () => void): Turn {
  return {
    last,
    async append(bytes) {
      const number = last + 1
      await client.query({
        name: 'append',
        text: `WITH entry AS (INSERT INTO hla_log(number, server, entry) VALUES ($1, $2, $3))
          UPDATE hla_store SET last = $1`,
        values: [number, server, bytes],
      })
      try {
        await client.query('COMMIT')
      } catch (error) {
        drop()
        throw new AppendUnknown(number, error)
      }
      return number
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

/** One connection, made when it is needed and again when it was lost. */
function keptConnection(url: string) {
  let made: Promise<Client> | undefined
  const drop = () => {
    made
      ?.then(
        (client) => client.end(),
        () => undefined,
      )
      .catch(() => undefined)
    made = undefined
  }
  const get = (): Promise<Client> => {
    made ??= connect(url, false, drop).catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
  return {
    get,
    drop,
    async query<Row extends object>(name: string, text: string, values: readonly unknown[]) {
      const client = await get()
      try {
        return await client.query<Row>({ name, text, values: [...values] })
      } catch (error) {
        drop()
        throw error
      }
    },
    async close() {
      const client = await made?.catch(() => undefined)
      made = undefined
      await client?.end()
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
