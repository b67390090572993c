/** Locks on a store's folder. The operating system holds them, so they end with the process in any case.  [disk] */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HlaError } from '../../errors.ts'
import { isDiskFull } from './contents/blob-files.ts'
import type { StoreFolder } from './folder.ts'
import { loadSqlite, SQLITE, sqliteCode } from './database/sqlite.ts'

export interface Lock {
  readonly release: () => void
}

/** Another process holds the lock. */
export class LockHeld extends HlaError {}

/** Lock of the folder's single writer: a service, or a command while no service runs. @throws {LockHeld} */
export function lockService(folder: StoreFolder): Promise<Lock> {
  return holdLock(folder, 'service.lock', 'another service uses the store')
}

/** Retries for `patience` ms, because commands hold the lock only briefly. @throws {LockHeld} */
export async function waitForService(folder: StoreFolder, patience: number): Promise<Lock> {
  const until = performance.now() + patience
  for (;;) {
    try {
      return await lockService(folder)
    } catch (error) {
      if (!(error instanceof LockHeld) || performance.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, AGAIN))
    }
  }
}

/** ms between attempts. */
const AGAIN = 20

/** Lock for copying, checking or removing contents, each exclusively. @throws {LockHeld} */
export function lockContents(folder: StoreFolder): Promise<Lock> {
  return holdLock(folder, 'contents.lock', 'a backup, check or clean-up of the store is running')
}

/** Names the holder for messages. A full disk is ignored, because a clean-up must run there. */
function nameHolder(holder: string): void {
  try {
    writeFileSync(holder, `process ${process.pid}, since ${new Date().toISOString()}\n`, { mode: 0o600 })
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
}

/** Node has no file locks, but SQLite does: the lock is a transaction in an empty database. @throws {LockHeld} */
export async function holdLock(
  { path }: Pick<StoreFolder, 'path'>,
  name: string,
  refusal: string,
): Promise<Lock> {
  const { DatabaseSync } = await loadSqlite()
  const connection = new DatabaseSync(join(path, name), {})
  const holder = join(path, `${name}.holder`)
  try {
    connection.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
    nameHolder(holder)
    return { release: () => connection.close() }
  } catch (error) {
    connection.close()
    if (sqliteCode(error) !== SQLITE.busy) throw error
    const hint = existsSync(holder) ? `it is ${readFileSync(holder, 'utf8').trim()}` : undefined
    throw new LockHeld('io', `${refusal} ${path}`, { offending: path, hint })
  }
}
