/** What a server does before it answers: the store is made if there is none, and its copy is brought to the end of the log.  [disk, network] */
import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Client } from 'pg'
import { HlaError } from '../../../errors.ts'
import type { Connection } from '../database/connection.ts'
import { makeReplica, readPosition, setContents } from '../database/log-position.ts'
import { openForReading, openForWriting, openReplica } from '../database/open-database.ts'
import { checkTables, readSchemaVersion } from '../database/tables/migrate.ts'
import { MIGRATIONS } from '../database/tables/schema.ts'
import type { StoreFolder } from '../folder.ts'
import { encodeEntry, SCRIPT } from './commit-entry.ts'
import type { CommitLog } from './commit-log.ts'
import { inTransaction } from './postgres.ts'
import { follow } from './replica.ts'
import { getSnapshot, putPieces, removeDatabase } from './snapshots.ts'

/** Any number, the same for all servers: one at a time makes the tables. */
const MAKING = 0x68_6c_61_44

/** @throws {HlaError} data-differs — the folder holds another store */
export async function prepareCopy(client: Client, folder: StoreFolder): Promise<void> {
  const known = await inTransaction(client, async () => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [MAKING])
    await client.query(TABLES)
    const { rows } = await client.query<Known>('SELECT identity, last FROM hla_store')
    return rows[0] ?? (await makeStore(client, folder))
  })
  await checkCopy(client, folder, known)
}

interface Known {
  readonly identity: string
  readonly last: string
}

const TABLES = `
CREATE TABLE IF NOT EXISTS hla_store(one int PRIMARY KEY DEFAULT 1 CHECK (one = 1), identity text NOT NULL,
  last bigint NOT NULL, snapshot bigint NOT NULL, made timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS hla_log(number bigint PRIMARY KEY, server text NOT NULL, entry bytea NOT NULL,
  at timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS hla_snapshot(number bigint NOT NULL, part int NOT NULL, bytes bytea NOT NULL,
  PRIMARY KEY (number, part))`

async function makeStore(client: Client, { database }: StoreFolder): Promise<Known> {
  const identity = randomUUID()
  const file = `${database}.first`
  try {
    const connection = await openForWriting(file)
    makeReplica(connection, identity)
    connection.all('PRAGMA wal_checkpoint(TRUNCATE)')
    connection.close()
    await client.query('INSERT INTO hla_store(identity, last, snapshot) VALUES ($1, 0, 0)', [identity])
    await putPieces(client, 0, file)
  } finally {
    removeDatabase(file)
  }
  return { identity, last: '0' }
}

/** What cannot follow the log is made anew. @throws {HlaError} data-differs */
async function checkCopy(client: Client, { database, path }: StoreFolder, known: Known): Promise<void> {
  if (existsSync(database) && statSync(database).size > 0) {
    const connection = await openForReading(database)
    const position = readPosition(connection)
    connection.close()
    if (position?.store !== known.identity)
      throw new HlaError(
        'data-differs',
        position === undefined
          ? `${path} holds a store of its own, not a copy of a shared one`
          : `${path} holds a copy of another store`,
        { offending: path, hint: '--data names a folder for this server alone' },
      )
    const { rows } = await client.query('SELECT 1 FROM hla_log WHERE number = $1', [position.number + 1])
    if (position.number === Number(known.last) || (position.number < Number(known.last) && rows.length > 0))
      return
  }
  await getSnapshot(client, database)
}

export async function catchUp(log: CommitLog, { database }: StoreFolder, contents: string): Promise<void> {
  const connection = await openReplica(database)
  try {
    setContents(connection, resolve(contents))
    let number = readPosition(connection)?.number ?? 0
    for (let entries = await log.after(number); entries.length > 0; entries = await log.after(number))
      number = follow(connection, entries, number)
    await bringTables(log, connection, number)
  } finally {
    connection.close()
  }
}

/** As an entry of the log, which servers of an earlier version follow too. @throws {HlaError} data-differs — made by a later one */
async function bringTables(log: CommitLog, connection: Connection, from: number): Promise<void> {
  const wanted = MIGRATIONS.length
  checkTables(connection)
  if (readSchemaVersion(connection) === wanted) return
  const turn = await log.takeTurn()
  try {
    let number = from
    while (number < turn.last) number = follow(connection, await log.after(number), number)
    const version = readSchemaVersion(connection)
    if (version >= wanted) return
    const sql = `${MIGRATIONS.slice(version).join(';')}; PRAGMA user_version=${wanted}`
    await turn.append(encodeEntry([{ sql, values: [], changes: SCRIPT, key: -1 }]))
  } finally {
    await turn.giveBack()
  }
  follow(connection, await log.after(turn.last), turn.last)
}
