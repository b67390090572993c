/** Removes unreferenced data: contents, remains of uploads, files left by a crash.  [disk] */
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { HlaError } from '../../../errors.ts'
import { isCode, isNamed, removeIfThere } from '../contents/blob-files.ts'
import { type Lock, lockContents, lockService } from '../lock.ts'
import type { Store } from '../store.ts'
import { sweepBucket } from './sweep-bucket.ts'
import {
  EXPIRE,
  type ExpireResult,
  STORE_ITSELF,
  SWEEP,
  type SweepResult,
  WITHDRAW,
  type WithdrawInput,
  type WithdrawResult,
} from './sweep.ts'

export interface GarbageOptions {
  /** Milliseconds: longer than any request takes from staging its content to writing its row. */
  readonly grace: number
  /** Milliseconds after the last byte of an upload. */
  readonly uploadLife: number
  /** This process holds the lock of the service and is not a service itself. */
  readonly isAlone?: boolean
  /** Runs before contents are removed, e.g. to delete old revisions. Returns the number deleted. */
  readonly purge?: () => Promise<number>
}

export interface GarbageReport {
  readonly purged: number
  readonly expiredUploads: number
  /** Contents that no revision named. */
  readonly contents: number
  readonly bytes: number
  /** Files that no row named: of interrupted requests, and of those contents. */
  readonly files: number
}

/** ms: younger files may belong to a request in progress. */
export const DEFAULT_GRACE = 86_400_000

/** ms: minimum grace while a service runs, which may be receiving younger files. */
export const MIN_GRACE = 3_600_000

/** Can run beside a service. @throws {HlaError} io — a backup or a check is at work; usage — a service runs and the grace is too short */
export async function collectGarbage(store: Store, options: GarbageOptions): Promise<GarbageReport> {
  const locks = [await lockContents(store.folder)]
  try {
    if (store.sharing !== undefined) {
      locks.push(await store.sharing.lockContents())
      // uploads begun at other servers are no leftovers
      await store.sharing.current()
    }
    if (options.grace < MIN_GRACE && options.isAlone !== true) locks.push(await withoutService(store))
    let failure: unknown
    // a failed purge does not keep the rest from being removed
    const purged = (await options.purge?.().catch((error: unknown) => void (failure = error))) ?? 0
    const now = Date.now()
    const expiring = { before: now - options.uploadLife }
    const { count: expiredUploads } = await store.write<ExpireResult>(EXPIRE, STORE_ITSELF, expiring)
    const forgotten = await forgetContents(store, now - options.grace)
    const staged = await sweepStaging(store, now - options.grace)
    const inFolder = await sweepBlobFiles(store, now - options.grace)
    const files = staged + inFolder + (await sweepBucket(store, options.grace))
    if (failure !== undefined) throw failure
    return { purged, expiredUploads, ...forgotten, files }
  } finally {
    for (const lock of locks) lock.release()
  }
}

/** Locks out services. Throws if one is running. */
async function withoutService({ folder }: Store): Promise<Lock> {
  try {
    return await lockService(folder)
  } catch (error) {
    if (!(error instanceof HlaError) || error.code !== 'io') throw error
    throw new HlaError(
      'usage',
      `a service uses the store ${folder.path}: files that it is receiving must not be deleted`,
      {
        hint: 'Use --grace 1h or more while the service runs.',
        cause: error,
      },
    )
  }
}

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

/** `part-…` belongs to one request, `upload-…` to an upload that may continue. */
async function sweepStaging({ folder, read }: Store, before: number): Promise<number> {
  let count = 0
  for await (const { name } of await opendir(folder.staging)) {
    const path = join(folder.staging, name)
    const isKnown = read.get(KNOWN, name) !== undefined
    if (isKnown || !(await isOlder(path, before))) continue
    await removeIfThere(path)
    count++
  }
  return count
}

const KNOWN = `SELECT 1 FROM uploads WHERE staged = ?1 AND state = 'open' UNION ALL SELECT 1 FROM upload_pieces WHERE object = ?1`

async function sweepBlobFiles(store: Store, before: number): Promise<number> {
  const { folder, read } = store
  let count = 0
  const found: Withdrawing[] = []
  const remove = async () => {
    const files = found.splice(0)
    const { withdrawn } = await store.write<WithdrawResult>(WITHDRAW, STORE_ITSELF, { files, before })
    for (const path of withdrawn) await removeIfThere(path)
    count += withdrawn.length
  }
  for await (const entry of await opendir(folder.blobs, { recursive: true })) {
    if (!entry.isFile() || isNamed(read, entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    if (!(await isOlder(path, before))) continue
    // the name makes an interrupted sweep's file removable like that of an interrupted request
    found.push({ sha256: entry.name, path, aside: join(folder.staging, `part-${entry.name}`) })
    if (found.length === AT_ONCE) await remove()
  }
  await remove()
  return count
}

type Withdrawing = WithdrawInput['files'][number]

/** Few enough that other commands wait only briefly. */
const AT_ONCE = 100

async function isOlder(path: string, before: number): Promise<boolean> {
  try {
    return (await stat(path)).mtimeMs < before
  } catch (error) {
    // the request removed it meanwhile
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}
