/** The folder of a store: database, contents and staging. Only its owner may read it.  [disk] */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { advice, command } from '../../advice.ts'
import { HlaError } from '../../errors.ts'

export interface StoreFolder {
  readonly path: string
  readonly database: string
  /** Contents, named by SHA-256: ab/abcd… */
  readonly blobs: string
  /** Contents that are still arriving. Must be on the same file system as `blobs`. */
  readonly staging: string
  /** Contents on their way to a bucket. */
  readonly spool: string
}

export function storeFolder(path: string): StoreFolder {
  const folder = resolve(path)
  return {
    path: folder,
    database: join(folder, 'store.db'),
    blobs: join(folder, 'blobs'),
    staging: join(folder, 'staging'),
    spool: join(folder, 'spool'),
  }
}

/** @throws {HlaError} not-found */
export function existingStore(path: string): StoreFolder {
  const folder = storeFolder(path)
  if (existsSync(folder.database)) return folder
  throw new HlaError('not-found', `there is no store in ${folder.path}`, { offending: folder.path })
}

/** File that marks a folder as a backup and describes it. */
export const BACKUP_MANIFEST = 'backup.json'

/** A changed backup would have another digest and could not be restored. @throws {HlaError} io */
export function refuseBackup({ path }: Pick<StoreFolder, 'path'>): void {
  if (!existsSync(join(path, BACKUP_MANIFEST))) return
  throw new HlaError('io', `${path} is a backup, which is never changed`, {
    offending: path,
    hint: advice`${command('drive restore', { options: [{ option: 'data', value: 'NEW' }], args: [path] })} restores it into a new store`,
  })
}

/** Creates missing folders and files. @throws {HlaError} data-differs — there are contents without a database */
export function makeFolder({ path, database, blobs, staging }: StoreFolder): void {
  for (const folder of [path, blobs, staging]) makeDurably(folder)
  if ((statSync(database, { throwIfNoEntry: false })?.size ?? 0) > 0) return
  // a clean-up of a new store would remove contents that it does not name
  if (readdirSync(blobs).length > 0)
    throw new HlaError('data-differs', `the store ${path} has contents, but its database is gone`, {
      offending: blobs,
      hint: 'restore a backup',
    })
  // SQLite gives its -wal and -shm files the same permissions
  closeSync(openSync(database, 'a', 0o600))
  syncFolder(path)
}

/** Creates each folder and syncs its parent. Without `recursive`, because Node then hides the cause of a failure. */
function makeDurably(folder: string): void {
  if (existsSync(folder)) return
  makeDurably(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
  syncFolder(dirname(folder))
}

export function syncFolder(folder: string): void {
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
