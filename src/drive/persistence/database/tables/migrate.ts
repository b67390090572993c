/** Upgrades a database to the newest version of the tables. */
import { countRows } from '../database.ts'
import { HlaError } from '../../../../errors.ts'
import type { Connection } from '../connection.ts'
import { BASELINE_VERSION, MIGRATIONS } from './schema.ts'

/** 'hlaD': the application ID that marks the file as ours. */
const APPLICATION = 0x68_6c_61_44

/** @throws {HlaError} data-differs — the database of another program, or tables of a version that cannot be upgraded */
export function migrate(connection: Connection, migrations: readonly string[] = MIGRATIONS): void {
  checkOurs(connection)
  checkTables(connection, migrations)
  for (const { from, to, sql } of steps(readSchemaVersion(connection), migrations)) {
    connection.exec('BEGIN IMMEDIATE')
    try {
      // another process may have upgraded while this one waited for the lock
      if (readSchemaVersion(connection) === from)
        connection.exec(`${sql}; PRAGMA user_version=${to}; PRAGMA application_id=${APPLICATION}`)
      connection.exec('COMMIT')
    } catch (error) {
      connection.exec('ROLLBACK')
      throw error
    }
  }
  checkTables(connection, migrations)
}

interface Step {
  readonly from: number
  readonly to: number
  readonly sql: string
}

/** Version 0 is a database without tables, which gets the baseline directly. */
function steps(version: number, migrations: readonly string[]): readonly Step[] {
  return migrations
    .map((sql, at) => ({ sql, from: at === 0 ? 0 : BASELINE_VERSION + at - 1, to: BASELINE_VERSION + at }))
    .filter(({ from }) => from >= version)
}

/** @throws {HlaError} data-differs — made by a newer version of this program, or by one before 1.0.0 */
export function checkTables(connection: Connection, migrations: readonly string[] = MIGRATIONS): void {
  const [version, newest] = [readSchemaVersion(connection), BASELINE_VERSION + migrations.length - 1]
  const known = newest === BASELINE_VERSION ? `${newest}` : `${BASELINE_VERSION} to ${newest}`
  const message = `the store has tables of version ${version}, this program knows ${known}`
  if (version > newest)
    throw new HlaError('data-differs', message, {
      hint: 'use the version of this program that wrote it, or a newer one',
    })
  if (version > 0 && version < BASELINE_VERSION)
    throw new HlaError('data-differs', message, {
      hint: `hla 1.0.0 upgrades the tables to version ${BASELINE_VERSION}: install it (npm install hla@1.0.0), serve the store with it once, then use this version`,
    })
}

function checkOurs(connection: Connection): void {
  const tables = countRows(connection, 'SELECT count(*) AS count FROM sqlite_schema')
  const application = connection.get<{ application_id: number }>('PRAGMA application_id')?.application_id
  if (tables > 0 && application !== APPLICATION)
    throw new HlaError('data-differs', 'store.db is the database of another program')
}

/** Version of the tables. 0 for a database without tables. */
export function readSchemaVersion(connection: Connection): number {
  return connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
}
