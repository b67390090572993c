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
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

/** ms between attempts. */
const RETRY_MS = 20

/** Lock for copying, checking or removing contents, each exclusively. @throws {LockHeld} */
export function lockContents(folder: StoreFolder): Promise<Lock> {
  // a service holds it for a moment after each removal
  return holdLock(folder, CONTENTS, 'a backup, check or clean-up of the store is running', CONTENTS_WAIT_MS)
}

const CONTENTS = 'contents.lock'
/** ms */
const CONTENTS_WAIT_MS = 2000

/** The same lock, to be taken for a moment. */
export interface MomentaryLock {
  /** @returns its release; undefined if this or another process holds the lock */
  readonly attempt: () => (() => void) | undefined
  readonly close: () => void
}

export async function openContentsLock({ path }: Pick<StoreFolder, 'path'>): Promise<MomentaryLock> {
  const { DatabaseSync } = await loadSqlite()
  const connection = new DatabaseSync(join(path, CONTENTS), {})
  let isHeld = false
  return {
    attempt() {
      if (isHeld) return undefined
      try {
        connection.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
      } catch (error) {
        if (sqliteCode(error) === SQLITE.busy) return undefined
        throw error
      }
      isHeld = true
      return () => {
        connection.exec('ROLLBACK')
        isHeld = false
      }
    },
    close: () => connection.close(),
  }
}

/** Names the holder for messages. A full disk is ignored, because a clean-up must run there. */
function nameHolder(holder: string): void {
  try {
    writeFileSync(holder, `process ${process.pid}, since ${new Date().toISOString()}\n`, { mode: 0o600 })
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
}

/** Node has no file locks, but SQLite does: the lock is a transaction in an empty database. `timeout`: ms to wait for it. @throws {LockHeld} */
export async function holdLock(
  { path }: Pick<StoreFolder, 'path'>,
  name: string,
  refusal: string,
  timeout = 0,
): Promise<Lock> {
  const { DatabaseSync } = await loadSqlite()
  const connection = new DatabaseSync(join(path, name), { timeout })
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
