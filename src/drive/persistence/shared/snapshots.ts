/**
 * Snapshots of a shared store: its database as of a log entry, compressed and split into pieces. A new server copies
 * the latest. No server needs the entries up to the previous snapshot.  [disk, network]
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, renameSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Client, ClientBase } from 'pg'
import { HlaError, errorMessage } from '../../../errors.ts'
import { migratePosition, readProof, setProof } from '../database/log-position.ts'
import { openServerCopy, withConnection } from '../database/open-database.ts'
import { isDamage } from '../database/sqlite.ts'
import { stateText } from '../database/state-digest.ts'
import { withLog } from './commit-log.ts'
import { inTransaction } from './postgres.ts'
import { CopyDiffers, followLog, readDigest } from './server-copy.ts'

/** Bytes of a row. */
const PIECE = 1 << 20

/** Bytes of entries after which a new snapshot is due. Reading as many takes about ten seconds. */
const MUCH = 256 << 20

export interface SnapshotTask {
  readonly url: string
  /** Temporary database of this task, never a copy that a server answers from. */
  readonly file: string
  readonly much?: number
}

/**
 * Makes a snapshot if enough was written since the latest and no other server makes one. It starts from the previous
 * snapshot and the log, so that errors of a single server's copy cannot enter.
 * @returns whether it made one
 */
export async function keepSnapshots(
  client: Client,
  { url, file, much = MUCH }: SnapshotTask,
  warn: (text: string) => void,
): Promise<boolean> {
  const { rows } = await client.query<{ snapshot: string; size: string }>(
    `SELECT snapshot, (SELECT coalesce(sum(length(entry)), 0) FROM hla_log WHERE number > snapshot) AS size FROM hla_store`,
  )
  const [{ snapshot, size } = { snapshot: '0', size: '0' }] = rows
  if (Number(size) < much) return false
  try {
    const base = await getSnapshot(client, file, warn)
    const number = await bringToEnd(url, file, warn)
    if (number <= Number(snapshot)) return false
    await inTransaction(client, async () => {
      await putPieces(client, number, file)
      // drops damaged snapshots; keeps the base, which a server may be copying
      await client.query('DELETE FROM hla_snapshot WHERE number NOT IN ($1, $2)', [base, number])
      await client.query('DELETE FROM hla_log WHERE number <= $1', [base])
      // last, because this row lock blocks appends
      await client.query('UPDATE hla_store SET snapshot = $1', [number])
    })
  } finally {
    removeDatabase(file)
  }
  return true
}

/** @returns the number of the entry that the file now has. @throws {CopyDiffers} its rows do not match the log */
function bringToEnd(url: string, file: string, warn: (text: string) => void): Promise<number> {
  return withLog(url, (log) =>
    withConnection(openServerCopy(file), async (connection) => {
      const { number, digest, tracker } = await followLog(log, connection, warn)
      tracker.end()
      if (stateText(readDigest(connection)) !== stateText(digest))
        throw new CopyDiffers('the rows of a snapshot are not what the log adds up to')
      connection.all('PRAGMA wal_checkpoint(TRUNCATE)')
      return number
    }),
  )
}

/** `file` is a database with no writer. Call it within a transaction. */
export async function putPieces(client: ClientBase, number: number, file: string): Promise<void> {
  let part = 0
  const put = (bytes: Uint8Array) => client.query({ name: 'put', text: PUT, values: [number, part++, bytes] })
  await pipeline(createReadStream(file), createGzip({ level: 1 }), async (packed: AsyncIterable<Buffer>) => {
    for await (const bytes of pieces(packed)) await put(bytes)
  })
}

const PUT = 'INSERT INTO hla_snapshot(number, part, bytes) VALUES ($1, $2, $3)'

/**
 * Writes the latest snapshot whose rows match its digest to `file`, replacing it. An older one works too, because the
 * log still has the entries after it.
 * @returns its number
 * @throws {HlaError} data-differs — none
 */
export async function getSnapshot(
  client: ClientBase,
  file: string,
  warn: (text: string) => void,
): Promise<string> {
  // one consistent state of all pieces, however long reading takes
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  try {
    const { rows } = await client.query<{ number: string }>(
      'SELECT DISTINCT number FROM hla_snapshot ORDER BY number DESC',
    )
    for (const { number } of rows) if (await tookSnapshot(client, number, file, warn)) return number
  } finally {
    await client.query('COMMIT')
  }
  throw new HlaError('data-differs', 'no snapshot of the store can be read: all of them are damaged', {
    hint: 'restore the database from a backup; running servers still have the current store',
  })
}

/** @returns whether the snapshot is intact */
async function tookSnapshot(
  client: ClientBase,
  number: string,
  file: string,
  warn: (text: string) => void,
): Promise<boolean> {
  const made = `${file}.new`
  try {
    await fetchPieces(client, number, made)
    removeDatabase(file)
    renameSync(made, file)
    // verified after the rename: a file that SQLite has opened must not be renamed while a connection may be open
    await proveSnapshot(file)
    return true
  } catch (error) {
    removeDatabase(made)
    removeDatabase(file)
    if (!isUnreadable(error)) throw error
    warn(`snapshot ${number} of the store is damaged (${errorMessage(error)})`)
    return false
  }
}

async function fetchPieces(client: ClientBase, number: string, file: string): Promise<void> {
  await pipeline(
    readPieces(client, number),
    createGunzip(),
    createWriteStream(file, { mode: 0o600, flush: true }),
  )
}

/** Verifies the rows. Snapshots of version 1.0 have no digest and are trusted. @throws {CopyDiffers} */
function proveSnapshot(file: string): Promise<void> {
  return withConnection(openServerCopy(file), (connection) => {
    migratePosition(connection)
    const known = readProof(connection)
    const digest = readDigest(connection)
    if (known === undefined) setProof(connection, digest)
    else if (stateText(known) !== stateText(digest))
      throw new CopyDiffers('its rows do not have the digest that it was made with')
    connection.all('PRAGMA wal_checkpoint(TRUNCATE)')
  })
}

/** Damaged data, as opposed to errors of the network or the disk. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof CopyDiffers || isDamage(error)) return true
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  // https://nodejs.org/api/zlib.html: the compressed data is invalid
  return code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR'
}

/** SHA-256 of an uncompressed snapshot, from which a server makes its copy. */
export async function digestSnapshot(client: ClientBase, number: number): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(readPieces(client, String(number)), createGunzip(), digest)
  return digest.digest('hex')
}

async function* readPieces(client: ClientBase, number: string): AsyncGenerator<Buffer> {
  const text = 'SELECT bytes FROM hla_snapshot WHERE number = $1 AND part = $2'
  for (let part = 0; ; part += 1) {
    const { rows } = await client.query<{ bytes: Buffer }>({ text, values: [number, part] })
    const [row] = rows
    if (row === undefined) return
    yield row.bytes
  }
}

async function* pieces(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [waiting, size]: [Buffer[], number] = [[], 0]
  for await (const bytes of packed) {
    waiting.push(bytes)
    size += bytes.length
    if (size < PIECE) continue
    yield Buffer.concat(waiting)
    ;[waiting, size] = [[], 0]
  }
  if (size > 0) yield Buffer.concat(waiting)
}

/** Removes a database with its -wal and -shm files. */
export function removeDatabase(file: string): void {
  for (const one of [file, `${file}-wal`, `${file}-shm`]) rmSync(one, { force: true })
}
