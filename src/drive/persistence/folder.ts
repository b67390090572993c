/** The folder of a store: its database, its contents, and what is not yet content. Nobody else may look.  [disk] */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { HlaError } from '../../errors.ts'

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
  const folder = resolve(path)
  return {
    path: folder,
    database: join(folder, 'store.db'),
    blobs: join(resolve(contents), 'blobs'),
    staging: join(resolve(contents), 'staging'),
  }
}

/** Makes what is not there. @throws {HlaError} data-differs — contents whose database is gone: they would be swept up */
export function makeFolder({ path, database, blobs, staging }: StoreFolder): void {
  for (const folder of [path, blobs, staging]) makeDurably(folder)
  if ((statSync(database, { throwIfNoEntry: false })?.size ?? 0) > 0) return
  if (readdirSync(blobs).length > 0)
    throw new HlaError('data-differs', `the store ${path} has contents, but its database is gone`, {
      offending: path,
      hint: 'restore a backup',
    })
  // SQLite gives the files beside it the same rights
  closeSync(openSync(database, 'a', 0o600))
  syncFolder(path)
}

/** A new folder is on disk when the one above it is. One by one: all at once, Node hides why it cannot. */
function makeDurably(folder: string): void {
  if (existsSync(folder)) return
  makeDurably(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
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
