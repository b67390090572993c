/** Removes what nothing names any more: contents, what remained of uploads, files that a crash left behind.  [disk] */
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
  /** Milliseconds: longer than any request takes from its content to its row. */
  readonly grace: number
  /** Milliseconds after the last byte. */
  readonly uploadLife: number
  /** This process holds the lock of the service, and is none. */
  readonly isAlone?: boolean
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

/** ms: what a service may be receiving is younger. */
export const LEAST_GRACE = 3_600_000

/** Beside a running service. @throws {HlaError} io — a backup or a check is at work; usage — a service is, and the grace is short */
export async function collectGarbage(store: Store, options: GarbageOptions): Promise<GarbageReport> {
  const locks = [await lockContents(store.folder)]
  try {
    if (store.sharing !== undefined) {
      locks.push(await store.sharing.lockContents())
      // what others have begun is no leftover
      await store.sharing.current()
    }
    if (options.grace < LEAST_GRACE && options.isAlone !== true) locks.push(await withoutService(store))
    let failure: unknown
    // what could not go in time keeps nothing else
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

/** None is at work, and none begins. */
async function withoutService({ folder }: Store): Promise<Lock> {
  try {
    return await lockService(folder)
  } catch (error) {
    if (!(error instanceof HlaError) || error.code !== 'io') throw error
    throw new HlaError(
      'usage',
      `a service uses the store ${folder.path}: what it may be receiving must stay`,
      {
        hint: 'While it does, the grace is 1h or more.',
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

/** `part-…` belongs to one request, `upload-…` to a session that may go on. */
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
    // a file of this name is swept up like that of a request which was cut off
    found.push({ sha256: entry.name, path, aside: join(folder.staging, `part-${entry.name}`) })
    if (found.length === AT_ONCE) await remove()
  }
  await remove()
  return count
}

type Withdrawing = WithdrawInput['files'][number]

/** Few enough that others need not wait. */
const AT_ONCE = 100

async function isOlder(path: string, before: number): Promise<boolean> {
  try {
    return (await stat(path)).mtimeMs < before
  } catch (error) {
    // it was given up meanwhile
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}
