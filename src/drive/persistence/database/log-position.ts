/** Position of a shared store's copy in its log, written together with the entries it follows. */
import { hash } from 'node:crypto'
import type { Connection } from './connection.ts'
import { parseState, type StateDigest, stateText } from './state-digest.ts'

const TABLE = `CREATE TABLE IF NOT EXISTS log_position(one INTEGER PRIMARY KEY CHECK(one = 1),
  store TEXT NOT NULL, number INTEGER NOT NULL, contents TEXT, tail TEXT, proof TEXT)`

export interface Position {
  /** Identity of the store. */
  readonly store: string
  /** Number of the last entry in the copy. */
  readonly number: number
  /** SHA-256 of that entry. null: no entry yet, or not recorded. A restored log has other entries of the same numbers. */
  readonly tail: string | null
  /** Place of the contents, as this server reaches it. */
  readonly contents: string | null
  /** Number of an entry, which may be earlier, and the digest of the copy at it. */
  readonly proof?: string | null
}

export function initializePosition(connection: Connection, store: string): void {
  connection.exec(TABLE)
  connection.run('INSERT OR REPLACE INTO log_position(one, store, number) VALUES (1, ?, 0)', store)
}

/** Returns undefined for the database of a single machine. */
export function readPosition(connection: Pick<Connection, 'get'>): Position | undefined {
  const has = connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'log_position'`)
  return has === undefined ? undefined : connection.get<Position>('SELECT * FROM log_position')
}

/** Adds the columns that an earlier version lacked. */
export function migratePosition(connection: Connection): void {
  for (const column of ['tail', 'proof']) {
    const sql = `SELECT 1 FROM pragma_table_info('log_position') WHERE name = ?`
    if (connection.get(sql, column) === undefined)
      connection.exec(`ALTER TABLE log_position ADD COLUMN ${column} TEXT`)
  }
}

/** Call within a transaction. `entry` is the log entry of that number, `digest` that of the copy with it, if known. */
export function setPosition(
  connection: Connection,
  number: number,
  entry: Uint8Array,
  digest: StateDigest | undefined,
): void {
  connection.run('UPDATE log_position SET number = ?, tail = ?', number, digestEntry(entry))
  if (digest !== undefined) setProof(connection, digest)
}

/** Records the digest of a copy at its current entry. */
export function setProof(connection: Connection, digest: StateDigest): void {
  const number = readPosition(connection)?.number ?? 0
  connection.run('UPDATE log_position SET proof = ?', proofText(number, digest))
}

function proofText(number: number, digest: StateDigest): string {
  return `${number} ${stateText(digest)}`
}

/** Expected digest of the copy. Undefined if it is unknown at the current entry. */
export function readProof(connection: Pick<Connection, 'get'>): StateDigest | undefined {
  const { number, proof } = readPosition(connection) ?? {}
  const prefix = `${number} `
  return proof?.startsWith(prefix) === true ? parseState(proof.slice(prefix.length)) : undefined
}

export function digestEntry(entry: Uint8Array): string {
  return hash('sha256', entry)
}

/** @see Position.contents */
export function setContents(connection: Connection, contents: string): void {
  connection.run('UPDATE log_position SET contents = ?', contents)
}
