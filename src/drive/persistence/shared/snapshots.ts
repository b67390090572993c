/**
 * Snapshots of a shared store: its database as of an entry of the log, packed and in pieces. A new server makes its copy of the
 * latest; entries before the one before that are needed by nobody.  [disk, network]
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, renameSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import { copyDatabase } from '../database/copy-database.ts'
import { readPosition } from '../database/log-position.ts'
import { openForReading } from '../database/open-database.ts'

/** Bytes of a row. */
const PIECE = 1 << 20

/** Bytes of entries after the latest snapshot: as many are read in some ten seconds. */
const MUCH = 256 << 20

/** Within a transaction: when much has been written since the latest, and nobody else makes one. @returns whether it did */
export async function keepSnapshots(client: ClientBase, database: string, much = MUCH): Promise<boolean> {
  const { rows } = await client.query<{ snapshot: string; size: string }>(
    `SELECT snapshot, (SELECT coalesce(sum(length(entry)), 0) FROM hla_log WHERE number > snapshot) AS size FROM hla_store`,
  )
  const [{ snapshot, size } = { snapshot: '0', size: '0' }] = rows
  if (Number(size) < much) return false
  const copy = `${database}.snapshot`
  try {
    const number = await copyAt(database, copy)
    if (number <= Number(snapshot)) return false
    await putPieces(client, number, copy)
    await client.query('DELETE FROM hla_snapshot WHERE number < $1', [snapshot])
    await client.query('DELETE FROM hla_log WHERE number <= $1', [snapshot])
    // last: nobody appends while this row is locked
    await client.query('UPDATE hla_store SET snapshot = $1', [number])
  } finally {
    removeDatabase(copy)
  }
  return true
}

/** @returns the number of the entry that it is as of */
async function copyAt(from: string, to: string): Promise<number> {
  const source = await openForReading(from)
  try {
    await copyDatabase(source, to)
  } finally {
    source.close()
  }
  const copy = await openForReading(to)
  try {
    return readPosition(copy)?.number ?? 0
  } finally {
    copy.close()
  }
}

/** `file`: a database that nobody writes to. Within a transaction. */
export async function putPieces(client: ClientBase, number: number, file: string): Promise<void> {
  let part = 0
  const put = (bytes: Uint8Array) => client.query({ name: 'put', text: PUT, values: [number, part++, bytes] })
  await pipeline(createReadStream(file), createGzip({ level: 1 }), async (packed: AsyncIterable<Buffer>) => {
    for await (const bytes of pieces(packed)) await put(bytes)
  })
}

const PUT = 'INSERT INTO hla_snapshot(number, part, bytes) VALUES ($1, $2, $3)'

/** The latest, as `file`, in place of what is there. */
export async function getSnapshot(client: ClientBase, file: string): Promise<void> {
  const made = `${file}.new`
  // one state of all pieces, however long it takes
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await pipeline(
    readPieces(client, LATEST),
    createGunzip(),
    createWriteStream(made, { mode: 0o600, flush: true }),
  )
  await client.query('COMMIT')
  removeDatabase(file)
  renameSync(made, file)
}

/** SHA-256 of a snapshot, as it is unpacked: what a server will make its copy of. */
export async function digestSnapshot(client: ClientBase, number: number): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(readPieces(client, String(number)), createGunzip(), digest)
  return digest.digest('hex')
}

/** `which`: a number, or a query for one. */
async function* readPieces(client: ClientBase, which: string): AsyncGenerator<Buffer> {
  const text = `SELECT bytes FROM hla_snapshot WHERE number = ${which} AND part = $1`
  for (let part = 0; ; part += 1) {
    const { rows } = await client.query<{ bytes: Buffer }>({ text, values: [part] })
    const [row] = rows
    if (row === undefined) return
    yield row.bytes
  }
}

const LATEST = '(SELECT snapshot FROM hla_store)'

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

/** With what stands beside it. */
export function removeDatabase(file: string): void {
  for (const one of [file, `${file}-wal`, `${file}-shm`]) rmSync(one, { force: true })
}
