/** Backs up a store while it is in use, and restores it. An unfinished folder never has its final name.  [disk] */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { copyFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { HlaError } from '../../../errors.ts'
import { syncDirectory, syncFile } from '../contents/blob-files.ts'
import { type Connection, copyDatabase } from '../database/connection.ts'
import { forgetBucket, readBucket, setBucket, withStorePlace } from '../contents/places/store-place.ts'
import { contentsIn } from '../contents/places/folder-place.ts'
import { type CopiedContents, type Copying, copyContents } from './contents/copy-content.ts'
import { BACKUP_MANIFEST, type StoreFolder, existingStore, makeFolder, storeFolder } from '../folder.ts'
import { lockContents } from '../lock.ts'
import { findDamage, openForReading, openForWriting, withConnection } from '../database/open-database.ts'
import { NEWEST_VERSION } from '../database/tables/schema.ts'
import { digestFile } from '../contents/staging.ts'

export interface BackupReport extends CopiedContents {
  /** Bytes of the database file. */
  readonly database: number
  readonly folder: string
}

/**
 * Backs up the state of one moment. Contents never change, so they are copied after the database.
 * @throws {HlaError} io — `to` is not empty, another backup or a clean-up is at work; data-differs — a content is
 * damaged
 */
export async function backup(path: string, to: string, copying: Copying = 'link'): Promise<BackupReport> {
  const from = existingStore(path)
  const lock = await lockContents(from)
  try {
    return await makeBeside(to, async (made) => {
      await copyRows(from, made)
      const copied = await withConnection(openForReading(from.database), (settings) =>
        withStorePlace(from, settings, (place) =>
          withDatabase(made, (rows) => copyContents(place.contents, contentsIn(made), rows, copying)),
        ),
      )
      await writeManifest(made, copied)
      return copied
    })
  } finally {
    lock.release()
  }
}

/**
 * `contents`: bucket of the new store, which must be empty; otherwise they are in its folder.
 * @throws {HlaError} not-found, unknown-format — no backup; data-differs — one that is damaged, or the bucket belongs
 * to another store; io — `to` is not empty, the bucket is out of reach
 */
export async function restore(path: string, to: string, contents?: string): Promise<BackupReport> {
  const manifest = readManifest(path)
  const from = existingStore(path)
  return makeBeside(to, async (made) => {
    await copyFile(from.database, made.database)
    await syncFile(made.database)
    await compareDatabase(made, manifest)
    await setUpCopy(made, contents)
    const copied = await withDatabase(made, (rows) =>
      withStorePlace(
        made,
        rows,
        (place) => copyContents(contentsIn(from), place.contents, rows, 'copy'),
        true,
      ),
    )
    const { count, bytes } = manifest.contents
    if (copied.count !== count || copied.bytes !== bytes)
      throw new HlaError(
        'data-differs',
        `the backup has ${copied.count} contents of ${copied.bytes} bytes, its description says ${count} of ${bytes} bytes`,
        { offending: path },
      )
    return copied
  })
}

/** The new store has another address, and its contents elsewhere. */
async function setUpCopy({ database }: StoreFolder, contents: string | undefined): Promise<void> {
  await withConnection(openForWriting(database), (connection) => {
    forgetAddress(connection)
    if (contents !== undefined) setBucket(connection, contents)
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  })
  await syncFile(database)
}

/** Makes a store in a folder beside `to`, and renames it when everything is on disk. */
async function makeBeside(
  to: string,
  make: (made: StoreFolder) => Promise<CopiedContents>,
): Promise<BackupReport> {
  const target = resolve(to)
  if (existsSync(target) && readdirSync(target).length > 0) throw notEmpty(target)
  const made = storeFolder(join(dirname(target), `.${basename(target)}.part`))
  // leftover of an interrupted attempt
  await rm(made.path, { recursive: true, force: true })
  try {
    makeFolder(made)
    const copied = await make(made)
    const { size } = await stat(made.database)
    for (const folder of [made.path, made.blobs, made.staging]) await syncDirectory(folder)
    await rename(made.path, target)
    await syncDirectory(dirname(target))
    return { ...copied, database: size, folder: target }
  } catch (error) {
    await rm(made.path, { recursive: true, force: true })
    throw error
  }
}

function notEmpty(target: string): HlaError {
  const hint = existsSync(join(target, BACKUP_MANIFEST))
    ? 'It holds a backup, which is never changed: name a new folder. restic, borg or rsync --link-dest keep several backups using space only for what changed.'
    : undefined
  return new HlaError('io', `the folder ${target} is not empty`, { offending: target, hint })
}

async function copyRows(from: StoreFolder, to: StoreFolder): Promise<void> {
  await withConnection(openForReading(from.database), async (source) => {
    await copyDatabase(source, to.database)
    if (readBucket(source) !== undefined) await takeContents(to)
  })
  await syncFile(to.database)
}

/** The contents of a backup are in its folder. */
function takeContents({ database }: StoreFolder): Promise<void> {
  return withConnection(openForWriting(database), (connection) => {
    forgetBucket(connection)
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  })
}

async function withDatabase<Result>(
  folder: StoreFolder,
  use: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  try {
    return await withConnection(openForReading(folder.database), (connection) => {
      const [wrong] = findDamage(connection)
      if (wrong !== undefined) throw new HlaError('data-differs', `the database is damaged: ${wrong}`)
      return use(connection)
    })
  } finally {
    // left by a reader; they contain no changes
    for (const trace of ['-wal', '-shm']) await rm(`${folder.database}${trace}`, { force: true })
  }
}

async function writeManifest(made: StoreFolder, contents: CopiedContents): Promise<void> {
  const database = await digestedFile(made.database)
  const manifest: Manifest = {
    format: FORMAT,
    version: NEWEST_VERSION,
    created: new Date().toISOString(),
    database,
    contents,
  }
  const path = join(made.path, BACKUP_MANIFEST)
  await writeFile(path, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600, flush: true })
}

async function compareDatabase(made: StoreFolder, { database }: Manifest): Promise<void> {
  const { sha256 } = await digestedFile(made.database)
  if (sha256 !== database.sha256)
    throw new HlaError('data-differs', 'the database in the backup differs from what was copied')
}

async function digestedFile(path: string): Promise<Manifest['database']> {
  const { size } = await stat(path)
  return { size, sha256: (await digestFile(path, size)).sha256 }
}

interface Manifest {
  readonly format: typeof FORMAT
  /** Version of the tables. */
  readonly version: number
  /** ISO 8601. */
  readonly created: string
  readonly database: { readonly size: number; readonly sha256: string }
  /** Contents stored as files, whose names are their digests. */
  readonly contents: { readonly count: number; readonly bytes: number }
}

const FORMAT = 'hla-drive-backup-1'

/** @throws {HlaError} not-found, unknown-format */
function readManifest(folder: string): Manifest {
  const path = join(folder, BACKUP_MANIFEST)
  const manifest = parse(readText(path), path)
  if (isManifest(manifest)) return manifest
  throw new HlaError('unknown-format', `${path} is not the description of a backup`, { offending: path })
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const hint = 'an unfinished backup has no such file'
    throw new HlaError('not-found', `there is no ${path}`, { offending: path, hint, cause })
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HlaError('unknown-format', `${path} is not JSON`, { offending: path, cause })
  }
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false
  // each member is checked before use
  const { format, version, database, contents } = value as Partial<Manifest>
  const isOfDatabase = typeof database?.size === 'number' && typeof database.sha256 === 'string'
  const isOfContents = typeof contents?.count === 'number' && typeof contents.bytes === 'number'
  return format === FORMAT && typeof version === 'number' && isOfDatabase && isOfContents
}

function forgetAddress(connection: Connection): void {
  connection.run(`INSERT OR REPLACE INTO settings(name, value) VALUES ('address', '')`)
}
