/**
 * `hla drive copy`: moves a store between a folder of one machine and a database. Contents are copied first. The target
 * becomes usable with the last step: all rows in one transaction, or the final name of the folder.  [disk, network]
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { HlaError } from '../../../errors.ts'
import { removeIfThere, syncDirectory } from '../contents/blob-files.ts'
import { isBucket } from '../contents/bucket/bucket-address.ts'
import { contentsIn } from '../contents/places/folder-place.ts'
import type { ContentPlace, PlacedContents } from '../contents/places/place.ts'
import { copyDatabase } from '../database/connection.ts'
import { openForReading, openForWriting, refuseCopy, withConnection } from '../database/open-database.ts'
import { type StoreFolder, existingStore, makeFolder, makeFolders, storeFolder } from '../folder.ts'
import { type Lock, holdLock, lockContents } from '../lock.ts'
import { tryLock, withClient } from '../shared/postgres.ts'
import { type KnownStore, putStore, withTables } from '../shared/prepare-copy.ts'
import { digestSnapshot, removeDatabase } from '../shared/snapshots.ts'
import { forgetAddress } from '../upkeep/backup.ts'
import { copyContents, hasContents } from '../upkeep/contents/copy-content.ts'
import {
  type CopyReport,
  type CopySource,
  compareRows,
  lockUnused,
  readSource,
  storeInUse,
} from './copy-source.ts'
import {
  fetchDatabase,
  findDatabaseStore,
  lockOutServers,
  separateDatabase,
  storeBesideContents,
  withBucket,
  withContents,
} from './database-store.ts'

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

function copyToDatabase(path: string, url: string, contents: string): Promise<CopyReport> {
  const from = existingStore(path)
  return withTarget(from, contents, (target) => copyTo(target, from, url))
}

async function copyTo(to: ContentsTarget, from: StoreFolder, url: string): Promise<CopyReport> {
  const copy = `${from.database}.copy`
  const locks = [await lockUnused(from)]
  try {
    locks.push(await lockContents(from))
    const source = await copyRows(from, copy)
    return await withClient(url, async (client) => {
      const identity = await claimDatabase(client, source, to)
      const copied = await withConnection(openForReading(copy), (rows) =>
        copyContents(contentsIn(from), to.contents, rows, 'missing'),
      )
      await withTables(client, async () => {
        await putRows(client, copy, identity)
        await client.query('DELETE FROM hla_copy')
      })
      return { ...copied, ...source.rows, largestChange: source.largestChange }
    })
  } finally {
    removeDatabase(copy)
    for (const lock of locks) lock.release()
  }
}

function copyRows(from: StoreFolder, copy: string): Promise<CopySource> {
  removeDatabase(copy)
  return withConnection(openForReading(from.database), async (original) => {
    refuseCopy(original, from.path)
    const source = readSource(original)
    await copyDatabase(original, copy)
    await withConnection(openForReading(copy), (made) => compareRows(made, source))
    return source
  })
}

/** Claims the database before anything is copied. @returns the identity of the new store. @throws {HlaError} io — it is not empty */
async function claimDatabase(client: Client, { identity }: CopySource, to: ContentsTarget): Promise<string> {
  if (!(await tryLock(client, 'copying')))
    throw new HlaError('io', 'another copy into this database is running', {
      hint: 'wait until it has ended',
    })
  return withTables(client, async (found) => {
    if (found !== undefined) throw notEmpty('the database holds a store')
    const { rows } = await client.query<Unfinished>('SELECT source, contents, identity FROM hla_copy')
    const [begun] = rows
    const made = begun?.identity ?? randomUUID()
    if (begun === undefined) {
      if (await hasContents(to.contents)) throw notEmpty(`there are contents in ${to.name}`)
      const values = [identity, to.name, made]
      await client.query('INSERT INTO hla_copy(source, contents, identity) VALUES ($1, $2, $3)', values)
    } else if (begun.source !== identity)
      throw notEmpty('the database holds an unfinished copy of another store')
    else if (begun.contents !== to.name)
      throw notEmpty(`the contents of the unfinished copy are in ${begun.contents}, not in ${to.name}`)
    await to.claim(made)
    return made
  })
}

interface Unfinished {
  readonly source: string
  readonly contents: string
  /** Identity of the new store. */
  readonly identity: string
}

function notEmpty(reason: string): HlaError {
  return new HlaError('io', `nothing is copied: ${reason}`, {
    hint: 'a store is copied into an empty database and an empty folder or bucket, or into its own unfinished copy',
  })
}

/** Writes the rows as the first snapshot of a new store and reads it back. Call it within a transaction. */
async function putRows(client: Client, copy: string, identity: string): Promise<void> {
  const connection = await openForWriting(copy)
  forgetAddress(connection)
  await putStore(client, connection, { file: copy, identity })
  const digest = createHash('sha256')
  await pipeline(createReadStream(copy), digest)
  if ((await digestSnapshot(client, 0)) !== digest.digest('hex'))
    throw new HlaError('data-differs', 'the database differs from what was copied into it')
}

/** A bucket, or a folder, which a server claims when it starts. */
type ContentsTarget = Pick<ContentPlace, 'name' | 'contents' | 'claim'>

/** Opens the target for the duration of `work`. @throws {HlaError} usage; io — it is out of reach */
function withTarget<Result>(
  from: StoreFolder,
  contents: string,
  work: (target: ContentsTarget) => Promise<Result>,
): Promise<Result> {
  if (isBucket(contents)) return withBucket(contents, work)
  const to = storeBesideContents(from.path, contents)
  makeFolders(to)
  return work({ name: to.blobs, contents: contentsIn(to), claim: () => Promise.resolve() })
}

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
  const source = await withConnection(openForReading(database), readSource)
  await separateDatabase(database)
  await withConnection(openForReading(database), (made) => compareRows(made, source))
  return { source, last }
}

function copyInto(from: PlacedContents, made: StoreFolder) {
  return withConnection(openForWriting(made.database), async (connection) => {
    forgetAddress(connection)
    const copied = await copyContents(from, contentsIn(made), connection, 'missing')
    connection.all('PRAGMA wal_checkpoint(TRUNCATE)')
    return copied
  })
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
