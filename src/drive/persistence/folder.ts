/** The folder of a store: its database, its contents, and what is not yet content. Nobody else may look.  [disk] */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { advice, command } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { isBucket } from './contents/bucket/bucket-address.ts'

export interface StoreFolder {
  readonly path: string
  readonly database: string
  /** Contents, by their SHA-256: ab/abcd… */
  readonly blobs: string
  /** Contents that are still arriving; the same file system as `blobs`. */
  readonly staging: string
}

/** `contents`: where several servers of one store have those. */
export function storeFolder(path: string, contents = path): StoreFolder {
  // whoever can use a bucket has asked before
  if (isBucket(contents))
    throw new HlaError('usage', `contents have to be in a folder for this: ${contents}`, {
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

/** In a folder that is a backup: what was copied. */
export const BACKUP_MANIFEST = 'backup.json'

/** Its digest would be another one, and no restore would take it. @throws {HlaError} io */
export function refuseBackup({ path }: Pick<StoreFolder, 'path'>): void {
  if (!existsSync(join(path, BACKUP_MANIFEST))) return
  throw new HlaError('io', `${path} is a backup, which is never changed`, {
    offending: path,
    hint: advice`${command('drive restore', { options: [{ option: 'data', value: 'NEW' }], args: [path] })} makes a store of it`,
  })
}

/** Makes what is not there. @throws {HlaError} data-differs — contents whose database is gone */
export function makeFolder(folder: StoreFolder): void {
  const { path, database } = folder
  if (!makeFolders(folder)) return
  refuseOrphans(folder, `the store ${path} has contents, but its database is gone`)
  // SQLite gives the files beside it the same rights
  closeSync(openSync(database, 'a', 0o600))
  syncFolder(path)
}

/** Of a copy, which is made of what lies elsewhere, the contents too. @returns whether it has no database yet */
export function makeFolders({ path, database, blobs, staging }: StoreFolder): boolean {
  for (const folder of [path, blobs, staging]) makeDurably(folder)
  return (statSync(database, { throwIfNoEntry: false })?.size ?? 0) === 0
}

/** Contents that a new store does not name would be swept up. @throws {HlaError} data-differs */
export function refuseOrphans({ blobs }: StoreFolder, reason: string): void {
  if (readdirSync(blobs).length === 0) return
  throw new HlaError('data-differs', reason, { offending: blobs, hint: 'restore a backup' })
}

/** A new folder is on disk when the one above it is. One by one: all at once, Node hides why it cannot. */
function makeDurably(folder: string): void {
  if (existsSync(folder)) return
  makeDurably(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // another server of the store has made it meanwhile
    if (!existsSync(folder)) throw error
  }
  syncFolder(dirname(folder))
}

function syncFolder(folder: string): void {
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
