/** Fetches the current state of a store in a database into a file of this machine.  [disk, network] */
import type { Client } from 'pg'
import { HlaError, errorMessage } from '../../../errors.ts'
import { isStorageFailure } from '../../contract/failure.ts'
import { isBucket } from '../contents/bucket/bucket-address.ts'
import { folderPlace } from '../contents/places/folder-place.ts'
import { openPlace } from '../contents/places/open-place.ts'
import type { ContentPlace } from '../contents/places/place.ts'
import { migratePosition } from '../database/log-position.ts'
import { openServerCopy, withConnection } from '../database/open-database.ts'
import { checkTables } from '../database/tables/migrate.ts'
import { type StoreFolder, storeFolder } from '../folder.ts'
import { withLog } from '../shared/commit-log.ts'
import { tryLock } from '../shared/postgres.ts'
import type { KnownStore } from '../shared/prepare-copy.ts'
import { followLog, type WantedSums } from '../shared/server-copy.ts'
import { getSnapshot } from '../shared/snapshots.ts'
import { storeInUse } from './copy-source.ts'

/** Store folder at `path` with contents in another folder. @throws {HlaError} usage — the contents are in no folder */
export function storeBesideContents(path: string, contents: string): StoreFolder {
  if (!/^\w[\w+.-]*:\/\//.test(contents)) return storeFolder(path, contents)
  throw new HlaError('usage', `this command works only with contents in a folder, not ${contents}`)
}

/** `folder` has the rows, and the contents if they are in a folder. */
export interface FoundContents {
  readonly folder: StoreFolder
  readonly place: ContentPlace
}

/**
 * Opens the contents for the duration of `work`. `path` is a folder of this command.
 * @throws {HlaError} io — they are out of reach; data-differs — they belong to another store; usage
 */
export async function withContents<Result>(
  { path, contents, store }: { readonly path: string; readonly contents: string; readonly store: string },
  work: (found: FoundContents) => Promise<Result>,
): Promise<Result> {
  if (!isBucket(contents)) {
    const folder = storeBesideContents(path, contents)
    return work({ folder, place: folderPlace(folder) })
  }
  return withBucket(contents, async (place) => {
    await place.claim(store)
    return work({ folder: storeFolder(path), place })
  })
}

/** Opens the bucket for the duration of `work`. @throws {HlaError} io — it is out of reach; usage */
export async function withBucket<Result>(
  contents: string,
  work: (place: ContentPlace) => Promise<Result>,
): Promise<Result> {
  const place = openPlace(contents)
  try {
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

/** @throws {HlaError} not-found */
export async function findDatabaseStore(client: Client): Promise<KnownStore> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('hla_store') IS NOT NULL AS there`,
  )
  if (tables[0]?.there === true) {
    const { rows } = await client.query<KnownStore>('SELECT identity, last FROM hla_store')
    if (rows[0] !== undefined) return rows[0]
  }
  throw new HlaError('not-found', 'there is no store in this database')
}

/** Keeps servers from starting for as long as this connection lasts. @throws {HlaError} io — a server runs */
export async function lockOutServers(client: Client): Promise<void> {
  if (!(await tryLock(client, 'leading'))) throw storeInUse('a service uses the store in this database')
}

/**
 * `warn` reports damage that was skipped; the fetched rows are verified in any case.
 * @returns the number of the last entry in it.
 * @throws {HlaError} data-differs — its tables are of a later version
 */
export async function fetchDatabase(
  client: Client,
  { url, database }: { readonly url: string; readonly database: string },
  warn: (text: string) => void = () => undefined,
  sums?: WantedSums,
): Promise<number> {
  await getSnapshot(client, database, warn)
  return withLog(url, (log) =>
    withConnection(openServerCopy(database), async (copy) => {
      migratePosition(copy)
      const { number: last, tracker } = await followLog(log, copy, warn, sums)
      tracker.end()
      checkTables(copy)
      return last
    }),
  )
}

/** Turns a copy into the database of a single machine. */
export function separateDatabase(database: string): Promise<void> {
  return withConnection(openServerCopy(database), (copy) => {
    copy.exec('DROP TABLE log_position')
    copy.all('PRAGMA wal_checkpoint(TRUNCATE)')
  })
}
