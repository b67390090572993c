/** Removes what has expired, and files that no row names: those that a loss of power has left.  [disk, network] */
import { join } from 'node:path'
import { HlaError } from '../../../errors.ts'
import { isNamed, removeIfThere } from '../contents/blob-files.ts'
import { isOpenUpload } from '../contents/left-behind.ts'
import { listStaged } from '../contents/places/folder-place.ts'
import {
  BEGIN_WITHDRAWALS,
  type BeginWithdrawals,
  END_WITHDRAWALS,
  type EndWithdrawals,
  listDoubtful,
  type Withdrawal,
} from '../contents/places/withdrawals.ts'
import { type Lock, lockContents, lockService } from '../lock.ts'
import type { Store } from '../store.ts'
import { EXPIRE, type ExpireResult, STORE_ITSELF, WITHDRAW, type WithdrawResult } from './sweep.ts'

export interface GarbageOptions {
  /** Milliseconds: longer than any request takes from storing its content to writing its row. */
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
  /** Files or objects that no row named. */
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
    if (options.grace < MIN_GRACE && options.isAlone !== true) locks.push(await withoutService(store))
    let failure: unknown
    // a failed purge does not keep the rest from being removed
    const purged = (await options.purge?.().catch((error: unknown) => void (failure = error))) ?? 0
    const now = Date.now()
    const expiring = { before: now - options.uploadLife }
    const { count: expiredUploads } = await store.write<ExpireResult>(EXPIRE, STORE_ITSELF, expiring)
    const files = await sweepPlace(store, options.grace)
    if (failure !== undefined) throw failure
    return { purged, expiredUploads, files }
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

/** Removes what no row names from the place of the contents. `grace` is the minimum age in ms. @returns the number of files or objects */
export async function sweepPlace(store: Store, grace: number): Promise<number> {
  const { place } = store
  // otherwise the sweep could empty the bucket of another store
  await place.claim()
  const begun = await place.giveUpOlder(grace)
  return begun + (await sweepStaging(store, grace)) + (await sweepContents(store, grace))
}

async function sweepStaging({ read, folder }: Store, grace: number): Promise<number> {
  let count = 0
  for await (const { name, path, age } of listStaged(folder)) {
    if (age <= grace || isOpenUpload(read, name)) continue
    await removeIfThere(path)
    count += 1
  }
  return count
}

/** Contents per command: few enough that other commands wait only briefly. */
const ROWS_AT_ONCE = 100

async function sweepContents(store: Store, grace: number): Promise<number> {
  const { read, place } = store
  const isBucket = place.contents.pathOf === undefined
  const before = Date.now() - grace
  const found: string[] = []
  let count = isBucket ? await removeObjects(store, listDoubtful(read, Date.now())) : 0
  const withdraw = async () => {
    count += await withdrawContents(store, found.splice(0), before)
  }
  for await (const { sha256, age } of place.contents.list()) {
    if (age <= grace || isNamed(read, sha256)) continue
    found.push(sha256)
    if (found.length === ROWS_AT_ONCE) await withdraw()
  }
  await withdraw()
  return count
}

/** A file is moved aside in the command's transaction; a bucket needs a record of each removal (docs/adr/store.md#removing-contents). */
async function withdrawContents(store: Store, contents: readonly string[], before: number): Promise<number> {
  const { folder, place, write } = store
  const { pathOf } = place.contents
  if (pathOf === undefined) {
    const input: BeginWithdrawals = { contents }
    return removeObjects(store, await write(BEGIN_WITHDRAWALS, STORE_ITSELF, input))
  }
  // the name makes an interrupted sweep's file removable like that of an interrupted request
  const files = contents.map((sha256) => ({
    sha256,
    path: pathOf(sha256),
    aside: join(folder.staging, `part-${sha256}`),
  }))
  const { withdrawn } = await write<WithdrawResult>(WITHDRAW, STORE_ITSELF, { files, before })
  for (const path of withdrawn) await removeIfThere(path)
  return withdrawn.length
}

/** ms of wall-clock time: far less than the time after which the next clean-up takes the withdrawals up. */
const MAX_SWEEP_MS = 600_000

/** A removal that the bucket does not confirm stays recorded and is retried later, as are those left when time runs out. */
async function removeObjects({ place, write }: Store, begun: readonly Withdrawal[]): Promise<number> {
  const ended: number[] = []
  const until = Date.now() + MAX_SWEEP_MS
  try {
    for (const { pk, sha256 } of begun) {
      if (Date.now() > until) break
      await place.contents.remove(sha256)
      ended.push(pk)
    }
  } finally {
    const input: EndWithdrawals = { ended }
    await write(END_WITHDRAWALS, STORE_ITSELF, input)
  }
  return ended.length
}
