/** Opens the database for reading or writing, with the settings that its durability depends on.  [disk] */
import { type Connection, wrapConnection } from './connection.ts'
import { migrate } from './tables/migrate.ts'
import { loadSqlite } from './sqlite.ts'
import type { Database } from './database.ts'

export async function openForReading(path: string): Promise<Connection> {
  const { DatabaseSync } = await loadSqlite()
  const connection = wrapConnection(new DatabaseSync(path, { readOnly: true, timeout: LOCK_TIMEOUT_MS }))
  connection.exec(
    `PRAGMA query_only=1; PRAGMA mmap_size=${1 << 30}; PRAGMA cache_size=-65536; ${SHARED_SETTINGS}`,
  )
  return connection
}

/** Closes the connection after `use`. */
export async function withConnection<Result>(
  opening: Promise<Connection>,
  use: (connection: Connection) => Result | Promise<Result>,
): Promise<Result> {
  const connection = await opening
  try {
    return await use(connection)
  } finally {
    connection.close()
  }
}

/** Upgrades the tables to this version. @throws {HlaError} data-differs */
export async function openForWriting(path: string): Promise<Connection> {
  const { DatabaseSync } = await loadSqlite()
  const connection = wrapConnection(
    new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS, enableForeignKeyConstraints: false }),
  )
  try {
    connection.exec(`PRAGMA cache_size=-131072; ${SHARED_SETTINGS}`)
    set(connection, 'journal_mode', 'wal')
    // builds of SQLite may default to NORMAL in WAL mode, which loses the latest changes on a power failure
    set(connection, 'synchronous', FULL)
    set(connection, 'journal_size_limit', 64 << 20)
    // the writer makes checkpoints itself, because errors of automatic ones are not reported
    set(connection, 'wal_autocheckpoint', 0)
    // macOS: a plain fsync leaves data in the drive's cache
    connection.exec('PRAGMA fullfsync=1; PRAGMA checkpoint_fullfsync=1')
    migrate(connection)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** https://www.sqlite.org/pragma.html#pragma_synchronous */
const FULL = 2

/** Damage of the database file and its indexes. */
export function findDamage(connection: Connection): string[] {
  const rows = connection.all<{ integrity_check: string }>('PRAGMA integrity_check')
  return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok')
}

/** Milliseconds to wait for a lock that another process holds, such as one that administers the folder. */
const LOCK_TIMEOUT_MS = 5000

const SHARED_SETTINGS = 'PRAGMA temp_store=MEMORY; PRAGMA trusted_schema=0;'

/** Verifies each setting, because SQLite ignores a wrong one silently. */
function set(connection: Connection, name: string, value: string | number): void {
  connection.exec(`PRAGMA ${name}=${value}`)
  const row = connection.get<Record<string, string | number>>(`PRAGMA ${name}`)
  const is = row === undefined ? undefined : Object.values(row)[0]
  if (is !== value) throw new Error(`the database keeps ${name} at ${is}; it must be ${value}`)
}

export interface ReadStore {
  /** Every statement sees what was committed before it. */
  readonly read: Database
  /** All statements of `query` see the same state. */
  readonly snapshot: <Result>(query: (database: Database) => Result) => Result
}

export function readStore(read: Connection): ReadStore {
  return {
    read,
    snapshot(query) {
      read.exec('BEGIN')
      try {
        return query(read)
      } finally {
        read.exec('COMMIT')
      }
    },
  }
}
