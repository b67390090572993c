/** One service for each folder: the lock is the system's and ends with the process, however it ends.  [disk] */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HlaError } from '../../errors.ts'
import { loadSqlite, SQLITE, sqliteCode } from './sqlite.ts'

export interface Lock {
  readonly release: () => void
}

/** @throws {HlaError} io — another process holds it */
export async function holdFolder(folder: string): Promise<Lock> {
  const { DatabaseSync } = await loadSqlite()
  // an empty database of its own: Node has no file locks, SQLite does
  const connection = new DatabaseSync(join(folder, 'lock'), {})
  try {
    connection.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    connection.close()
    if (sqliteCode(error) !== SQLITE.busy) throw error
    throw new HlaError('io', `another service uses the store ${folder}`, {
      offending: folder,
      hint: holderOf(folder),
    })
  }
  // for people only
  writeFileSync(join(folder, HOLDER), `process ${process.pid}, since ${new Date().toISOString()}\n`, {
    mode: 0o600,
  })
  return { release: () => connection.close() }
}

const HOLDER = 'lock.holder'

function holderOf(folder: string): string {
  return `it is ${readFileSync(join(folder, HOLDER), 'utf8').trim()}`
}
