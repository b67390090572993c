/** Removes what nothing names any more: contents, what remained of uploads, files that a crash left behind.  [disk] */
import { opendir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Caller } from '../model/caller.ts'
import { asidePath, isNamed, restoreAside } from './aside.ts'
import { blobFiles, isCode, removeIfThere, syncDirectory } from './blob-files.ts'
import { lockContents } from './lock.ts'
import type { Store } from './store.ts'
import { EXPIRE, type ExpireResult, SWEEP, type SweepResult } from './sweep.ts'

export interface GarbageOptions {
  /** Milliseconds: longer than any request takes from its content to its row. */
  readonly grace: number
  /** Milliseconds after the last byte. */
  readonly uploadLife: number
  /** What goes before contents do, e.g. old revisions: answers how many. */
  readonly purge?: () => Promise<number>
}

export interface GarbageReport {
  readonly purged: number
  readonly expiredUploads: number
  /** Contents that no revision named. */
  readonly contents: number
  readonly bytes: number
  /** Files that no row named: of requests that were cut off, and of those contents. */
  readonly files: number
}

/** ms: what is younger may be of a request under way. */
export const USUAL_GRACE = 86_400_000

/** Beside a running service. @throws {HlaError} io — a backup or a check is at work */
export async function collectGarbage(store: Store, options: GarbageOptions): Promise<GarbageReport> {
  const lock = await lockContents(store.folder)
  try {
    const purged = (await options.purge?.()) ?? 0
    const now = Date.now()
    const expiring = { before: now - options.uploadLife }
    const { count: expiredUploads } = await store.write<ExpireResult>(EXPIRE, STORE_ITSELF, expiring)
    const forgotten = await forgetContents(store, now - options.grace)
    await restoreAside(store.folder, store.read)
    const staged = await sweepStaging(store, now - options.grace)
    const files = staged + (await sweepBlobFiles(store, now - options.grace))
    return { purged, expiredUploads, ...forgotten, files }
  } finally {
    lock.release()
  }
}

const STORE_ITSELF: Caller = { user: 0, client: 0, scopes: [] }

async function forgetContents(store: Store, before: number): Promise<{ contents: number; bytes: number }> {
  let [contents, bytes] = [0, 0]
  for (let after: number | undefined = 0; after !== undefined;) {
    const { forgotten, next }: SweepResult = await store.write(SWEEP, STORE_ITSELF, { before, after })
    contents += forgotten.length
    for (const { size } of forgotten) bytes += size
    after = next
  }
  return { contents, bytes }
}

/** `part-…` belongs to one request, `upload-…` to a session that may go on. */
async function sweepStaging({ folder, read }: Store, before: number): Promise<number> {
  let count = 0
  for await (const { name } of await opendir(folder.staging)) {
    const path = join(folder.staging, name)
    const isKnown = read.get(`SELECT 1 FROM uploads WHERE staged = ? AND state = 'open'`, name) !== undefined
    if (isKnown || !(await isOlder(path, before))) continue
    await removeIfThere(path)
    count++
  }
  return count
}

async function sweepBlobFiles(store: Store, before: number): Promise<number> {
  const { folder, read } = store
  let count = 0
  for await (const entry of await opendir(folder.blobs, { recursive: true })) {
    if (!entry.isFile() || isNamed(read, entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    if ((await isOlder(path, before)) && (await removeUnnamed(store, path, entry.name, before))) count++
  }
  return count
}

/**
 * A request that stores the same content at this moment either finds the file, touches it and relies on it, or finds none and puts
 * its own there: so the file is moved aside first and then checked again.
 */
async function removeUnnamed(store: Store, path: string, sha256: string, before: number): Promise<boolean> {
  const aside = asidePath(store.folder, sha256)
  await rename(path, aside)
  if ((await isOlder(aside, before)) && !isNamed(store.read, sha256)) {
    await removeIfThere(aside)
    return true
  }
  await syncDirectory(store.folder.staging)
  await blobFiles(store.folder.blobs).move(aside, sha256)
  return false
}

async function isOlder(path: string, before: number): Promise<boolean> {
  try {
    return (await stat(path)).mtimeMs < before
  } catch (error) {
    // it was given up meanwhile
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}
