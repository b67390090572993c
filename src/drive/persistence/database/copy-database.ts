/** Copies a database that may be written to meanwhile: the state of one moment.  [disk] */
import type { Connection } from './connection.ts'
import { loadSqlite } from './sqlite.ts'

/** By SQLite itself, in one step: a copy in several begins anew whenever somebody writes. */
export async function copyDatabase(from: Connection, to: string): Promise<void> {
  const sqlite = await loadSqlite()
  await sqlite.backup(from.raw, to, { rate: ALL_PAGES })
}

/** More than a database can have. Node from 24 on takes no -1, which is SQLite's own word for it. */
const ALL_PAGES = 2 ** 31 - 1
