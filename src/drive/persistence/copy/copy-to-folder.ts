/** Copies the store of a database into a folder of this machine. The folder gets its final name when it is complete.  [disk, network] */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Client } from 'pg'
import { HlaError } from '../../../errors.ts'
import { removeIfThere, syncDirectory } from '../contents/blob-files.ts'
import { openForReading, openForWriting } from '../database/open-database.ts'
import { type StoreFolder, makeFolder, storeFolder } from '../folder.ts'
import { type Lock, holdLock } from '../lock.ts'
import { withClient } from '../shared/postgres.ts'
import type { KnownStore } from '../shared/prepare-copy.ts'
import { contentsIn } from '../contents/places/folder-place.ts'
import type { PlacedContents } from '../contents/places/place.ts'
import { copyContents } from '../upkeep/contents/copy-content.ts'
import { forgetAddress } from '../upkeep/backup.ts'
import { type CopyReport, type CopySource, compareRows, readSource, storeInUse } from './copy-source.ts'
import {
  fetchDatabase,
  findDatabaseStore,
  lockOutServers,
  separateDatabase,
  withContents,
} from './database-store.ts'
import { copyToDatabase } from './copy-to-database.ts'

async function copyToFolder(url: string, contents: string, to: string): Promise<CopyReport> {
  const target = resolve(to)
  const made = storeFolder(join(dirname(target), `.${basename(target)}.copy`))
  refuseFull(target)
  return withClient(url, async (client) => {
    const known = await findDatabaseStore(client)
    await lockOutServers(client)
    const lock = await claimFolder(made, known)
    try {
      const { source, last } = await makeRows(client, url, made)
      const copied = await withContents({ path: made.path, contents, store: known.identity }, (from) =>
        copyInto(from.place.contents, made),
      )
      await expectUnchanged(client, last)
      await publishFolder(made, target)
      return { ...copied, ...source.rows, largestChange: source.largestChange }
    } finally {
      lock.release()
    }
  })
}

function refuseFull(target: string): void {
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new HlaError('io', `the folder ${target} is not empty`, { offending: target })
}

const MARKER = 'copy.json'
const LOCK = 'copy.lock'

/** Claims the working folder, which is new or holds an unfinished copy of the same store. */
async function claimFolder(made: StoreFolder, { identity }: KnownStore): Promise<Lock> {
  const marker = join(made.path, MARKER)
  const text = JSON.stringify({ copyOf: identity })
  if (!existsSync(marker)) {
    refuseFull(made.path)
    makeFolder(made)
    writeFileSync(marker, text, { mode: 0o600, flush: true })
  } else if (readFileSync(marker, 'utf8') !== text)
    throw new HlaError('io', `${made.path} holds an unfinished copy of another store`, {
      offending: made.path,
      hint: 'remove it, or name another --to',
    })
  return holdLock(made, LOCK, 'another copy is running in')
}

/** Fetches the rows on every attempt, because it takes only one read of the database. */
async function makeRows(
  client: Client,
  url: string,
  { database }: StoreFolder,
): Promise<{ readonly source: CopySource; readonly last: number }> {
  const last = await fetchDatabase(client, { url, database })
  const opened = await openForReading(database)
  const source = readSource(opened)
  opened.close()
  await separateDatabase(database)
  const made = await openForReading(database)
  compareRows(made, source)
  made.close()
  return { source, last }
}

async function copyInto(from: PlacedContents, made: StoreFolder) {
  const connection = await openForWriting(made.database)
  try {
    forgetAddress(connection)
    return await copyContents(from, contentsIn(made), connection, 'missing')
  } finally {
    connection.all('PRAGMA wal_checkpoint(TRUNCATE)')
    connection.close()
  }
}

/** Detects writes by a server that was started meanwhile. */
async function expectUnchanged(client: Client, last: number): Promise<void> {
  if (Number((await findDatabaseStore(client)).last) === last) return
  throw storeInUse('the store in this database has changed')
}

async function publishFolder(made: StoreFolder, target: string): Promise<void> {
  // both files are empty after the checkpoint
  for (const trace of ['-wal', '-shm']) await removeIfThere(`${made.database}${trace}`)
  for (const folder of [made.path, made.blobs, made.staging]) await syncDirectory(folder)
  await rename(made.path, target)
  await syncDirectory(dirname(target))
  for (const name of [MARKER, LOCK, `${LOCK}.holder`]) await removeIfThere(join(target, name))
}

interface CopyRequest {
  /** A folder or `postgres://…`; `to` is the other kind. */
  readonly from: string
  readonly to: string
  /** Place of the contents of the store in the database. */
  readonly contents: string
}

/**
 * The target cannot be used before it is complete and compared. An interrupted copy resumes.
 * @throws {HlaError} usage; not-found; io — the target is not empty, a service uses the source; data-differs — a
 * content is damaged
 */
export function copyStore({ from, to, contents }: CopyRequest): Promise<CopyReport> {
  const [isFrom, isTo] = [isDatabase(from), isDatabase(to)]
  if (isFrom === isTo)
    throw new HlaError('usage', 'one of --from and --to is a folder, the other postgres://…', {
      hint: isFrom
        ? 'copy the database with pg_dump, and also the folder of the contents'
        : 'hla drive backup and hla drive restore copy a folder',
    })
  return isTo ? copyToDatabase(from, to, contents) : copyToFolder(from, contents, to)
}

export function isDatabase(address: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(address)
}
