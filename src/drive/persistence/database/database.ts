/** The typed interface to the database: few methods, values of four kinds, and a typed cache of each connection. */
import { assured } from '../../../errors.ts'
import type { Caller } from '../../contract/failure.ts'

/** Booleans are stored as 0 and 1, dates as milliseconds since 1970. The caller converts them. */
export type Value = string | number | null | Uint8Array

export type Found<Row> = Row | undefined

/** Statements are prepared once and cached by their text. Rows are plain objects, with a member for each column. */
export interface Database {
  /** `Row` is given by the caller and not checked. */
  readonly all: <Row>(sql: string, ...values: readonly Value[]) => Row[]
  readonly get: <Row>(sql: string, ...values: readonly Value[]) => Found<Row>
  /** Iterates rows one at a time, for large results. */
  readonly each: <Row>(sql: string, ...values: readonly Value[]) => IterableIterator<Row>
  /** Cache of this connection, kept between calls. */
  readonly memory: Memory
}

export interface Written {
  /** Rows that the statement inserted, changed or deleted. */
  readonly changes: number
  /** Key of the row inserted last. */
  readonly lastKey: number
}

/** A database within a transaction of the writer thread. */
export interface Transaction extends Database {
  readonly run: (sql: string, ...values: readonly Value[]) => Written
  /**
   * Runs the statement at the end of the group, in the order of the calls. For tables that no command reads. Values are
   * checked at once. The statement is in the same transaction and is rolled back with its command.
   */
  readonly runDeferred: (sql: string, ...values: readonly Value[]) => void
  /** Runs `work` and rolls it back, with its deferred statements. @throws errors of `work` */
  readonly trial: (work: () => void) => void
  /**
   * Cache for values that consecutive commands of one name read and none changes (`cacheInGroup`). Emptied when another
   * command follows, one fails, or another connection writes. If undefined, each command reads the database.
   */
  readonly groupCache?: Map<string, unknown> | undefined
  /** Time of this command in ms since 1970. Never before that of an earlier command. */
  readonly now: number
}

export function countRows(db: Pick<Database, 'get'>, sql: string, ...values: readonly Value[]): number {
  return assured(db.get<{ count: number }>(sql, ...values), 'a count has a row').count
}

/** Input and result are plain data, because they travel between threads. The caller knows their types. */
type Command = (transaction: Transaction, caller: Caller, input: never) => unknown

export type Commands = Readonly<Record<string, Command>>

export interface CommandRequest {
  readonly command: string
  readonly caller: Caller
  readonly input: unknown
}

export type CommandAnswer = { readonly result: unknown } | { readonly error: unknown }

/** Declaration of a cached value, made once at module level. The object itself is the key. */
export interface CachedValue<T> {
  readonly make: () => T
}

interface Memory {
  readonly recall: <T>(what: CachedValue<T>) => T
  /** Discards the value. The next `recall` makes a new one. */
  readonly forget: (what: CachedValue<unknown>) => void
}

export function makeMemory(): Memory {
  const known = new Map<CachedValue<unknown>, unknown>()
  return {
    recall<T>(what: CachedValue<T>): T {
      // the map holds the result of the declaration's `make`
      if (known.has(what)) return known.get(what) as T
      const made = what.make()
      known.set(what, made)
      return made
    },
    forget: (what) => void known.delete(what),
  }
}
