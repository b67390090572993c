/** Upgrades a database to the newest version of the tables. */
import { countRows } from '../database.ts'
import { HlaError } from '../../../../errors.ts'
import type { Connection } from '../connection.ts'
import { MIGRATIONS } from './schema.ts'

/** 'hlaF': the application ID that marks the file as ours. */
const APPLICATION = 0x68_6c_61_46

/** @throws {HlaError} data-differs — the database of another program, or tables of a newer version */
export function migrate(connection: Connection, migrations: readonly string[] = MIGRATIONS): void {
  checkTables(connection, migrations)
  for (const [version, sql] of migrations.entries()) {
    if (readSchemaVersion(connection) > version) continue
    connection.exec('BEGIN IMMEDIATE')
    try {
      // another process may have upgraded while this one waited for the lock
      if (readSchemaVersion(connection) === version)
        connection.exec(`${sql}; PRAGMA user_version=${version + 1}; PRAGMA application_id=${APPLICATION}`)
      connection.exec('COMMIT')
    } catch (error) {
      connection.exec('ROLLBACK')
      throw error
    }
  }
  checkTables(connection, migrations)
}

/** @throws {HlaError} data-differs — the database of another program, or tables of a newer version */
export function checkTables(connection: Connection, migrations: readonly string[] = MIGRATIONS): void {
  const tables = countRows(connection, 'SELECT count(*) AS count FROM sqlite_schema')
  const application = connection.get<{ application_id: number }>('PRAGMA application_id')?.application_id
  if (tables > 0 && application !== APPLICATION)
    throw new HlaError(
      'data-differs',
      'store.db was written by another program, or by a preview of this one',
      {
        hint: 'use the program that wrote it; hla drive serve --data with a new folder makes a new store',
      },
    )
  const version = readSchemaVersion(connection)
  if (version > migrations.length)
    throw new HlaError(
      'data-differs',
      `the store has tables of version ${version}, this program knows ${migrations.length}`,
      { hint: 'use the version of this program that wrote it, or a newer one' },
    )
}

/** Number of migrations that were run. 0 for a database without tables. */
export function readSchemaVersion(connection: Connection): number {
  return connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
}
