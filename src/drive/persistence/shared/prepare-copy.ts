/** Start of a server: creates the store if there is none, and brings the server's copy to the end of the log.  [disk, network] */
import { randomUUID } from 'node:crypto'
import { existsSync, renameSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Client } from 'pg'
import { HlaError } from '../../../errors.ts'
import { isBucket } from '../contents/bucket/bucket-address.ts'
import type { Connection } from '../database/connection.ts'
import {
  migratePosition,
  digestEntry,
  initializePosition,
  type Position,
  readPosition,
  setContents,
  setProof,
} from '../database/log-position.ts'
import { openForReading, openForWriting, openServerCopy, withConnection } from '../database/open-database.ts'
import { digestState } from '../database/state-digest.ts'
import { isDamage } from '../database/sqlite.ts'
import { checkTables, readSchemaVersion, upgradeScript } from '../database/tables/migrate.ts'
import { NEWEST_VERSION } from '../database/tables/schema.ts'
import { refuseOrphans, type StoreFolder } from '../folder.ts'
import { rollBack } from '../writer/command-group.ts'
import { encodeEntry, SCRIPT } from './commit-entry.ts'
import type { CommitLog } from './commit-log.ts'
import { inTransaction } from './postgres.ts'
import { type CopyState, type OnDisagreement, followEntries, followLog, proveNow } from './server-copy.ts'
import { getSnapshot, putPieces, removeDatabase } from './snapshots.ts'

/** Arbitrary lock number, the same for all servers: one at a time creates the tables. */
const MAKING = 0x68_6c_61_44

/**
 * Makes the server's copy, and replaces one that cannot follow the log.
 * @throws {HlaError} data-differs — the folder holds another store, or the store is incomplete
 */
export async function prepareCopy(
  client: Client,
  folder: StoreFolder,
  warn: (text: string) => void,
): Promise<void> {
  const { database } = folder
  const copy = await readCopy(folder)
  const known = await withTables(client, async (found) => {
    if (found !== undefined) return found
    await refuseUnfinished(client)
    if (copy !== undefined) throw notRestored(folder)
    return makeStore(client, folder)
  })
  if (copy === DAMAGED) {
    warn(
      `${database} is damaged and was renamed to ${database}.damaged: the copy of the store is being rebuilt`,
    )
    renameSync(database, `${database}.damaged`)
  } else if (copy !== undefined) {
    if (copy.store !== known.identity) throw notOurs(folder.path, 'a copy of another store')
    if (await isOfLog(client, copy, Number(known.last))) return
  }
  await getSnapshot(client, database, warn)
}

/** A new store would be in the way of a database yet to be restored. */
function notRestored({ path }: StoreFolder): HlaError {
  return new HlaError('data-differs', `the database has no store, and ${path} holds a copy of one`, {
    offending: path,
    hint: 'restore the database, or check --database; for a new store, give an empty --data folder',
  })
}

export interface KnownStore {
  readonly identity: string
  /** Number of the last entry of the log. */
  readonly last: string
}

/** Runs `work` in a transaction under a lock, with the tables created. */
export function withTables<Result>(
  client: Client,
  work: (found: KnownStore | undefined) => Promise<Result>,
): Promise<Result> {
  return inTransaction(client, async () => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [MAKING])
    await client.query(TABLES)
    const { rows } = await client.query<KnownStore>('SELECT identity, last FROM hla_store')
    return work(rows[0])
  })
}

async function refuseUnfinished(client: Client): Promise<void> {
  const { rows } = await client.query('SELECT 1 FROM hla_copy')
  if (rows.length === 0) return
  throw new HlaError('data-differs', 'the store in this database is a copy that is not finished', {
    hint: 'hla drive copy with the same --from, --to and --contents finishes it',
  })
}

const TABLES = `
CREATE TABLE IF NOT EXISTS hla_store(one int PRIMARY KEY DEFAULT 1 CHECK (one = 1), identity text NOT NULL,
  last bigint NOT NULL, snapshot bigint NOT NULL, made timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS hla_log(number bigint PRIMARY KEY, server text NOT NULL, entry bytea NOT NULL,
  at timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS hla_snapshot(number bigint NOT NULL, part int NOT NULL, bytes bytea NOT NULL,
  PRIMARY KEY (number, part));
CREATE TABLE IF NOT EXISTS hla_copy(one int PRIMARY KEY DEFAULT 1 CHECK (one = 1), source text NOT NULL,
  contents text NOT NULL, identity text NOT NULL, begun timestamptz NOT NULL DEFAULT now())`

async function makeStore(client: Client, folder: StoreFolder): Promise<KnownStore> {
  const { database, blobs } = folder
  refuseOrphans(folder, `the database has no store yet, but there are contents in ${blobs}`)
  const file = `${database}.first`
  try {
    const connection = await openForWriting(file)
    return await putStore(client, connection, { file, identity: randomUUID() })
  } finally {
    removeDatabase(file)
  }
}

/** Turns the database of `connection` into that of a new store, and closes it. Call it within a transaction. */
export async function putStore(
  client: Client,
  connection: Connection,
  { file, identity }: { readonly file: string; readonly identity: string },
): Promise<KnownStore> {
  initializePosition(connection, identity)
  setProof(connection, digestState(connection))
  connection.all('PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
  await client.query('INSERT INTO hla_store(identity, last, snapshot) VALUES ($1, 0, 0)', [identity])
  await putPieces(client, 0, file)
  return { identity, last: '0' }
}

/** Returns undefined if there is no copy yet. @throws {HlaError} data-differs */
async function readCopy({ database, path }: StoreFolder): Promise<Position | typeof DAMAGED | undefined> {
  if (!existsSync(database) || statSync(database).size === 0) return undefined
  let position: Position | undefined
  try {
    position = await withConnection(openForReading(database), readPosition)
  } catch (error) {
    if (!isDamage(error)) throw error
    return DAMAGED
  }
  if (position === undefined) throw notOurs(path, 'a store in a folder, not a copy of a shared store')
  return position
}

/** A copy whose store cannot be read. */
const DAMAGED = 'damaged'

function notOurs(path: string, what: string): HlaError {
  return new HlaError('data-differs', `${path} holds ${what}`, {
    offending: path,
    hint: '--data must name a folder that only this server uses',
  })
}

/** The copy can continue if its last entry is that of the log. The log may have been restored from a backup since. */
async function isOfLog(client: Client, { number, tail }: Position, last: number): Promise<boolean> {
  if (number === 0 || number > last) return false
  const { rows } = await client.query<{ number: string; entry: Buffer }>(
    'SELECT number, entry FROM hla_log WHERE number IN ($1::bigint, $1::bigint + 1) ORDER BY number',
    [number],
  )
  const [own] = rows
  if (own === undefined || Number(own.number) !== number || rows.length !== Math.min(last - number, 1) + 1)
    return false
  return digestEntry(own.entry) === tail
}

/** Verifies the copy's rows against its entry and follows the log to its end, before the server answers. @throws {CopyDiffers} */
export async function catchUp(
  log: CommitLog,
  { database }: StoreFolder,
  contents: string,
  disagree?: OnDisagreement,
): Promise<void> {
  await withConnection(openServerCopy(database), async (connection) => {
    migratePosition(connection)
    setContents(connection, isBucket(contents) ? contents : resolve(contents))
    const state = await followLog(log, connection, disagree)
    const brought = await bringTables(log, connection, state)
    if (brought !== state) proveNow(connection, brought)
    state.tracker.end()
  })
}

/**
 * Upgrades the tables through an entry of the log, which servers of an earlier version follow too.
 * @throws {HlaError} data-differs — the tables are of a later version
 */
async function bringTables(log: CommitLog, connection: Connection, from: CopyState): Promise<CopyState> {
  const wanted = NEWEST_VERSION
  checkTables(connection)
  const known = readSchemaVersion(connection)
  if (known === wanted) return from
  tryScript(connection, upgradeScript(known))
  const turn = await log.takeTurn()
  let state = from
  try {
    while (state.number < turn.last)
      state = followEntries(connection, (await log.after(state.number)).entries, state)
    const version = readSchemaVersion(connection)
    if (version >= wanted) return state
    const statement = { sql: upgradeScript(version), values: [], changes: SCRIPT, key: -1 }
    await turn.append(encodeEntry([statement]))
  } finally {
    await turn.giveBack()
  }
  return followEntries(connection, (await log.after(turn.last)).entries, state)
}

/**
 * Tries the upgrade and rolls it back: a script that fails would block every server. It runs before the turn, because
 * it may take long.
 */
function tryScript(connection: Connection, sql: string): void {
  connection.run('BEGIN IMMEDIATE')
  try {
    connection.exec(sql)
  } finally {
    rollBack(connection)
  }
}
