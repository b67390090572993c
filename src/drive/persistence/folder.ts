/** The folder of a store: database, contents and staging. Only its owner may read it.  [disk] */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { advice, command } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { isBucket } from './contents/bucket/bucket-address.ts'

export interface StoreFolder {
  readonly path: string
  readonly database: string
  /** Contents, named by SHA-256: ab/abcd… */
  readonly blobs: string
  /** Contents that are still arriving. Must be on the same file system as `blobs`. */
  readonly staging: string
}

/** `contents` is the folder shared by several servers of a store. */
export function storeFolder(path: string, contents = path): StoreFolder {
  // commands that support buckets have handled them before
  if (isBucket(contents))
    throw new HlaError('usage', `this command needs contents in a folder, not in ${contents}`, {
      offending: contents,
    })
  const folder = resolve(path)
  return {
    path: folder,
    database: join(folder, 'store.db'),
    blobs: join(resolve(contents), 'blobs'),
    staging: join(resolve(contents), 'staging'),
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
export function makeFolder(folder: StoreFolder): void {
  const { path, database } = folder
  if (!makeFolders(folder)) return
  refuseOrphans(folder, `the store ${path} has contents, but its database is gone`)
  // SQLite gives its -wal and -shm files the same permissions
  closeSync(openSync(database, 'a', 0o600))
  syncFolder(path)
}

/** Creates the folders only, for a copy whose rows and contents come from elsewhere. @returns whether it has no database yet */
export function makeFolders({ path, database, blobs, staging }: StoreFolder): boolean {
  for (const folder of [path, blobs, staging]) makeDurably(folder)
  return (statSync(database, { throwIfNoEntry: false })?.size ?? 0) === 0
}

/** A clean-up of a new store would remove contents that it does not name. @throws {HlaError} data-differs */
export function refuseOrphans({ blobs }: StoreFolder, reason: string): void {
  if (readdirSync(blobs).length === 0) return
  throw new HlaError('data-differs', reason, { offending: blobs, hint: 'restore a backup' })
}

/** Creates each folder and syncs its parent. Without `recursive`, because Node then hides the cause of a failure. */
function makeDurably(folder: string): void {
  if (existsSync(folder)) return
  makeDurably(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // another server of the store may have created it
    if (!existsSync(folder)) throw error
  }
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
