/**
 * Place of a store's contents: its own folder, or the bucket that its settings name. The name is in the database, so
 * that commands of administration find the contents without being told.  [disk, network]
 */
import { randomUUID } from 'node:crypto'
import { HlaError, errorMessage, isHlaError } from '../../../../errors.ts'
import { isStorageFailure } from '../../../contract/failure.ts'
import type { Connection } from '../../database/connection.ts'
import type { Database } from '../../database/database.ts'
import type { StoreFolder } from '../../folder.ts'
import { readBucketAddress } from '../bucket/bucket-address.ts'
import { bucketPlace } from '../bucket/bucket-place.ts'
import { folderPlace } from './folder-place.ts'
import type { ContentPlace } from './place.ts'

interface StoreBucket {
  /** `s3://bucket/prefix/` */
  readonly name: string
  /** Identifier with which the store claims the bucket. */
  readonly owner: string
}

/** Returns undefined if the contents are in the folder of the store. */
export function readBucket(db: Pick<Database, 'get'>): StoreBucket | undefined {
  const row = db.get<{ value: string }>(`SELECT value FROM settings WHERE name = 'bucket'`)
  // only this file writes the row
  return row && (JSON.parse(row.value) as StoreBucket)
}

/** Sends no request yet. @throws {HlaError} usage — wrong settings of the bucket's address */
export function openStorePlace(
  folder: StoreFolder,
  db: Pick<Database, 'get'>,
  isNew?: boolean,
): ContentPlace {
  const bucket = readBucket(db)
  if (bucket === undefined) return folderPlace(folder)
  const owner = { store: bucket.owner, isNew: () => isNew ?? !hasContents(db) }
  return bucketPlace(bucket.name, owner, process.env)
}

function hasContents(db: Pick<Database, 'get'>): boolean {
  return db.get(`SELECT 1 FROM blobs WHERE kind = 'file' LIMIT 1`) !== undefined
}

/**
 * Makes a bucket the place of the contents of a store that has none yet.
 * @throws {HlaError} usage — not the address of a bucket; data-differs — the contents are elsewhere
 */
export function chooseBucket(connection: Connection, contents: string): void {
  const { name } = readBucketAddress(contents, process.env)
  const known = readBucket(connection)?.name
  if (known === name) return
  if (hasContents(connection))
    throw new HlaError(
      'data-differs',
      `this store has its contents in ${known ?? 'its folder'}, not in ${name}`,
      {
        offending: contents,
        hint: 'to move them, hla drive backup, then hla drive restore with --contents into a new --data',
      },
    )
  setBucket(connection, contents)
}

/** Call it for a store without contents in that bucket. @throws {HlaError} usage — not the address of a bucket */
export function setBucket(connection: Connection, contents: string): void {
  const { name } = readBucketAddress(contents, process.env)
  const value = JSON.stringify({ name, owner: randomUUID() })
  connection.run(`INSERT OR REPLACE INTO settings(name, value) VALUES ('bucket', ?)`, value)
}

/** For a copy of the database whose contents are in its own folder. */
export function forgetBucket(connection: Connection): void {
  connection.run(`DELETE FROM settings WHERE name = 'bucket'`)
}

/**
 * Opens the contents for the duration of `work`. `isNew`: they are about to be copied there.
 * @throws {HlaError} io — the bucket is out of reach; data-differs — it belongs to another store; usage
 */
export async function withStorePlace<Result>(
  folder: StoreFolder,
  db: Pick<Database, 'get'>,
  work: (place: ContentPlace) => Promise<Result>,
  isNew?: boolean,
): Promise<Result> {
  const place = openStorePlace(folder, db, isNew)
  try {
    await place.claim()
    return await work(place)
  } catch (error) {
    if (!isStorageFailure(error)) throw error
    throw new HlaError('io', `cannot reach the contents in ${place.name}: ${errorMessage(error.cause)}`, {
      offending: place.name,
      cause: error,
    })
  } finally {
    await place.close()
  }
}

interface Claiming {
  readonly name: string
  readonly claim: () => Promise<void>
  readonly onWarning: (text: string) => void
  readonly onBroken: (error: Error) => void
}

/** ms between attempts to claim the place. */
const CLAIM_RETRY_MS = 10_000

/** Retries to claim a place that is out of reach; metadata can be served meanwhile. @returns a function that stops the retries */
export async function keepClaiming({ name, claim, onWarning, onBroken }: Claiming): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined
  let isLate = false
  const attempt = async () => {
    try {
      await claim()
    } catch (error) {
      // an object store that restarts may report a missing bucket for a while
      const isUnusable = isLate && isHlaError(error) && error.code === 'io'
      if (!isStorageFailure(error) && !isUnusable) throw error
      isLate = true
      onWarning(`cannot reach the contents in ${name}: ${errorMessage(error.cause ?? error)}`)
      timer = setTimeout(() => void attempt().catch(onBroken), CLAIM_RETRY_MS)
    }
  }
  await attempt()
  return () => clearTimeout(timer)
}
