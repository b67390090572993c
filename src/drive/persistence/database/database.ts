/** The one typed interface to the database: few methods, values of four kinds. */
import type { Memory } from './memory.ts'
import { assured } from '../../../errors.ts'
import type { Caller } from '../../contract/failure.ts'

/** Booleans are 0 and 1, dates are milliseconds since 1970, all said by whoever writes the statement. */
export type Value = string | number | null | Uint8Array

export type Found<Row> = Row | undefined

/** Statements are prepared once, by their text. Rows are plain objects whose members are the columns. */
export interface Database {
  /** Row: the caller's word for what the statement selects. */
  readonly all: <Row>(sql: string, ...values: readonly Value[]) => Row[]
  readonly get: <Row>(sql: string, ...values: readonly Value[]) => Found<Row>
  /** Rows one at a time, for walks over much. */
  readonly each: <Row>(sql: string, ...values: readonly Value[]) => IterableIterator<Row>
  /** Of this connection: what one reader leaves for its next call. */
  readonly memory: Memory
}

export interface Written {
  /** Rows that the statement inserted, changed or deleted. */
  readonly changes: number
  /** Key of the row that was inserted last. */
  readonly lastKey: number
}

/** A database within a transaction of the writer thread. */
export interface Transaction extends Database {
  readonly run: (sql: string, ...values: readonly Value[]) => Written
  /**
   * At the end of the group, after its commands, in the order asked: for what no command reads. The values are checked at once; it
   * is in the same transaction, and taken back with the command.
   */
  readonly runDeferred: (sql: string, ...values: readonly Value[]) => void
  /** Does it and takes it back, with what it left for later. @throws what it throws */
  readonly trial: (work: () => void) => void
  /**
   * Emptied unless commands of one name follow each other, none fails and nobody else writes: for what all of them read and none of
   * them changes (`readOnce`). Undefined: each reads anew.
   */
  readonly groupCache?: Map<string, unknown> | undefined
  /** Milliseconds since 1970 of this command; never before that of an earlier one. */
  readonly now: number
}

export function countRows(db: Pick<Database, 'get'>, sql: string, ...values: readonly Value[]): number {
  return assured(db.get<{ count: number }>(sql, ...values), 'a count has a row').count
}

/** Input and result are plain data: they travel between threads. Who asks knows what the command takes and returns. */
type Command = (transaction: Transaction, caller: Caller, input: never) => unknown

export type Commands = Readonly<Record<string, Command>>

export interface CommandRequest {
  readonly command: string
  readonly caller: Caller
  readonly input: unknown
}

export type CommandAnswer = { readonly result: unknown } | { readonly error: unknown }
