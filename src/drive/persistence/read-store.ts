/** Reading a store: single statements, and several that see one state. */
import type { Database } from './database/database.ts'
import type { Connection } from './database/connection.ts'

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
