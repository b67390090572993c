/** The one typed door to the database: five methods, values of four kinds. */

/** Booleans are 0 and 1, dates are milliseconds since 1970, all said by whoever writes the statement. */
export type Value = string | number | null | Uint8Array

/** Statements are prepared once, by their text. Rows are plain objects whose members are the columns. */
export interface Database {
  /** Row: the caller's word for what the statement selects. */
  all<Row>(sql: string, ...values: readonly Value[]): Row[]
  get<Row>(sql: string, ...values: readonly Value[]): Row | undefined
  /** Rows one at a time, for walks over much. */
  each<Row>(sql: string, ...values: readonly Value[]): IterableIterator<Row>
}

/** A database within a transaction of the writer thread. */
export interface Transaction extends Database {
  run(sql: string, ...values: readonly Value[]): { readonly changes: number; readonly lastKey: number }
  /** Milliseconds since 1970 of this command; never before that of an earlier one. */
  readonly now: number
}
