/** Brings a database to the newest version of the tables. */
import { countRows } from '../database.ts'
import { HlaError } from '../../../../errors.ts'
import type { Connection } from '../connection.ts'
import { MIGRATIONS } from './schema.ts'

/** 'hlaD': marks the file as ours. */
const APPLICATION = 0x68_6c_61_44

/** @throws {HlaError} data-differs — something else's database, or one of a newer version of this program */
export function migrate(connection: Connection, migrations: readonly string[] = MIGRATIONS): void {
  checkOurs(connection)
  for (let version = readSchemaVersion(connection); version < migrations.length; version++) {
    connection.exec('BEGIN IMMEDIATE')
    try {
      // another process may have done it while this one waited
      if (readSchemaVersion(connection) === version)
        connection.exec(
          `${migrations[version]}; PRAGMA user_version=${version + 1}; PRAGMA application_id=${APPLICATION}`,
        )
      connection.exec('COMMIT')
    } catch (error) {
      connection.exec('ROLLBACK')
      throw error
    }
  }
  checkTables(connection, migrations)
}

/** @throws {HlaError} data-differs — of a newer version of this program */
export function checkTables(connection: Connection, migrations: readonly string[] = MIGRATIONS): void {
  const version = readSchemaVersion(connection)
  if (version > migrations.length)
    throw new HlaError(
      'data-differs',
      `the store has tables of version ${version}, this program knows ${migrations.length}`,
      {
        hint: 'use the version of this program that wrote it, or a newer one',
      },
    )
}

function checkOurs(connection: Connection): void {
  const tables = countRows(connection, 'SELECT count(*) AS count FROM sqlite_schema')
  const application = connection.get<{ application_id: number }>('PRAGMA application_id')?.application_id
  if (tables > 0 && application !== APPLICATION)
    throw new HlaError('data-differs', 'store.db is the database of another program')
}

/** Of the tables; 0: there are none. */
export function readSchemaVersion(connection: Connection): number {
  return connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
}
