/** How far a copy of a shared store has come in its log: written with what it follows. */
import { hash } from 'node:crypto'
import type { Connection } from './connection.ts'
import { parseState, type StateDigest, stateText } from './state-digest.ts'

const TABLE = `CREATE TABLE IF NOT EXISTS log_position(one INTEGER PRIMARY KEY CHECK(one = 1),
  store TEXT NOT NULL, number INTEGER NOT NULL, contents TEXT, tail TEXT, proof TEXT)`

export interface Position {
  /** Of which store. */
  readonly store: string
  /** Of the last entry that is in it. */
  readonly number: number
  /** SHA-256 of that entry; null: it is in none, or was not kept. A log that was restored has other entries of the same numbers. */
  readonly tail: string | null
  /** Folder of the contents, as this server sees it. */
  readonly contents: string | null
  /** Number of an entry and the digest of the copy at it; it may be an earlier entry. */
  readonly proof?: string | null
}

export function makeReplica(connection: Connection, store: string): void {
  connection.exec(TABLE)
  connection.run('INSERT OR REPLACE INTO log_position(one, store, number) VALUES (1, ?, 0)', store)
}

/** undefined: it is the database of one machine. */
export function readPosition(connection: Pick<Connection, 'get'>): Position | undefined {
  const has = connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'log_position'`)
  return has === undefined ? undefined : connection.get<Position>('SELECT * FROM log_position')
}

/** Adds the columns that an earlier version did not have. */
export function bringPosition(connection: Connection): void {
  for (const column of ['tail', 'proof']) {
    const sql = `SELECT 1 FROM pragma_table_info('log_position') WHERE name = ?`
    if (connection.get(sql, column) === undefined)
      connection.exec(`ALTER TABLE log_position ADD COLUMN ${column} TEXT`)
  }
}

/** Within a transaction. `entry`: that of the number, as it is in the log; `digest`: of the copy with it, where it is known. */
export function setPosition(
  connection: Connection,
  number: number,
  entry: Uint8Array,
  digest: StateDigest | undefined,
): void {
  connection.run('UPDATE log_position SET number = ?, tail = ?', number, digestEntry(entry))
  if (digest !== undefined) setProof(connection, digest)
}

/** Of a copy at the entry of its position. */
export function setProof(connection: Connection, digest: StateDigest): void {
  const number = readPosition(connection)?.number ?? 0
  connection.run('UPDATE log_position SET proof = ?', proofText(number, digest))
}

function proofText(number: number, digest: StateDigest): string {
  return `${number} ${stateText(digest)}`
}

/** Digest that the copy must have; undefined: it was not known at that entry. */
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
