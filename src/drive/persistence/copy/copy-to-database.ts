/** Copies the store of a single machine into a database: its contents first, then all rows in one transaction.  [disk, network] */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, readdirSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { HlaError } from '../../../errors.ts'
import { copyDatabase } from '../database/connection.ts'
import { openForReading, openForWriting, refuseCopy } from '../database/open-database.ts'
import { type StoreFolder, existingStore, makeFolders } from '../folder.ts'
import { lockContents } from '../lock.ts'
import { tryLock, withClient } from '../shared/postgres.ts'
import { withTables, putStore } from '../shared/prepare-copy.ts'
import { digestSnapshot, removeDatabase } from '../shared/snapshots.ts'
import { type CopiedContents, copyContents, hasContents } from '../upkeep/contents/copy-content.ts'
import { forgetAddress } from '../upkeep/backup.ts'
import { type CopyReport, type CopySource, compareRows, lockUnused, readSource } from './copy-source.ts'
import { isBucket } from '../contents/bucket/bucket-address.ts'
import type { ContentPlace } from '../contents/places/place.ts'
import type { Database } from '../database/database.ts'
import { contentsIn } from '../contents/places/folder-place.ts'
import { storeBesideContents, withBucket } from './database-store.ts'

export function copyToDatabase(path: string, url: string, contents: string): Promise<CopyReport> {
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
      const copied = await copyNamed(to, copy)
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

async function copyRows(from: StoreFolder, copy: string): Promise<CopySource> {
  removeDatabase(copy)
  const original = await openForReading(from.database)
  try {
    refuseCopy(original, from.path)
    const source = readSource(original)
    await copyDatabase(original, copy)
    const made = await openForReading(copy)
    compareRows(made, source)
    made.close()
    return source
  } finally {
    original.close()
  }
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
      if (!(await to.isEmpty())) throw notEmpty(`there are contents in ${to.name}`)
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

async function copyNamed(to: ContentsTarget, copy: string): Promise<CopiedContents> {
  const rows = await openForReading(copy)
  try {
    return await to.copy(rows)
  } finally {
    rows.close()
  }
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

interface ContentsTarget {
  readonly name: string
  readonly isEmpty: () => Promise<boolean>
  /** Makes the target the place of that store. @throws {HlaError} data-differs — it belongs to another store */
  readonly claim: (store: string) => Promise<void>
  /**
   * Copies the contents named by `rows`, except those already there.
   * @throws {HlaError} data-differs — a content of the source is damaged
   */
  readonly copy: (rows: Database) => Promise<CopiedContents>
}

/** Opens the target for the duration of `work`. @throws {HlaError} usage; io — it is out of reach */
function withTarget<Result>(
  from: StoreFolder,
  contents: string,
  work: (target: ContentsTarget) => Promise<Result>,
): Promise<Result> {
  if (isBucket(contents)) return withBucket(contents, (place) => work(bucketTarget(from, place)))
  const to = storeBesideContents(from.path, contents)
  makeFolders(to)
  return work({
    name: to.blobs,
    isEmpty: () => Promise.resolve(readdirSync(to.blobs).length === 0),
    // a server claims the folder when it starts
    claim: () => Promise.resolve(),
    copy: (rows) => copyContents(contentsIn(from), contentsIn(to), rows, 'missing'),
  })
}

function bucketTarget(from: StoreFolder, place: ContentPlace): ContentsTarget {
  return {
    name: place.name,
    isEmpty: async () => !(await hasContents(place.contents)),
    claim: place.claim,
    copy: (rows) => copyContents(contentsIn(from), place.contents, rows, 'missing'),
  }
}
