/** How far a copy of a shared store has come in its log: written with what it follows. */
import type { Connection } from './connection.ts'

const TABLE = `CREATE TABLE IF NOT EXISTS log_position(one INTEGER PRIMARY KEY CHECK(one = 1),
  store TEXT NOT NULL, number INTEGER NOT NULL, contents TEXT)`

export interface Position {
  /** Of which store. */
  readonly store: string
  /** Of the last entry that is in it. */
  readonly number: number
  /** Folder of the contents, as this server sees it. */
  readonly contents: string | null
}

export function makeReplica(connection: Connection, store: string): void {
  connection.exec(TABLE)
  connection.run('INSERT OR REPLACE INTO log_position(one, store, number) VALUES (1, ?, 0)', store)
}

/** undefined: it is the database of one machine. */
export function readPosition(connection: Pick<Connection, 'get'>): Position | undefined {
  const has = connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'log_position'`)
  return has === undefined
    ? undefined
    : connection.get<Position>('SELECT store, number, contents FROM log_position')
}

/** Within a transaction. */
export function setPosition(connection: Connection, number: number): void {
  connection.run('UPDATE log_position SET number = ?', number)
}

/** @see Position.contents */
export function setContents(connection: Connection, contents: string): void {
  connection.run('UPDATE log_position SET contents = ?', contents)
}
