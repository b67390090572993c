/** Loads SQLite: the one built into Node where there is one, else the package with the same interface.  [disk] */

export type Bound = string | number | bigint | null | Uint8Array

export interface Statement {
  run(...values: readonly Bound[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(...values: readonly Bound[]): unknown
  all(...values: readonly Bound[]): unknown[]
  iterate(...values: readonly Bound[]): IterableIterator<unknown>
}

export interface SqliteConnection {
  prepare(sql: string): Statement
  exec(sql: string): void
  close(): void
}

export interface Sqlite {
  readonly DatabaseSync: new (path: string, options: OpenOptions) => SqliteConnection
  /** Copies a database that may be written to meanwhile, `rate` pages at a time. */
  readonly backup: (from: SqliteConnection, to: string, options?: { rate?: number }) => Promise<unknown>
}

export interface OpenOptions {
  readonly readOnly?: boolean
  readonly enableForeignKeyConstraints?: boolean
  /** Milliseconds to wait for a lock. */
  readonly timeout?: number
}

let loaded: Sqlite | undefined

export async function loadSqlite(): Promise<Sqlite> {
  // the package has the same interface but types of its own
  loaded ??= builtInSqlite() ?? ((await import('@photostructure/sqlite')) as unknown as Sqlite)
  return loaded
}

/** Without the warning that it is experimental, which is for those who write programs. */
function builtInSqlite(): Sqlite | undefined {
  const warn = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    // Node 20 has none, nor types of it; what has backup (22.16, 23.8) has full text search as well
    const found: Partial<Sqlite> | undefined = process.getBuiltinModule('node:sqlite')
    return isWhole(found) ? found : undefined
  } finally {
    process.emitWarning = warn
  }
}

function isWhole(found: Partial<Sqlite> | undefined): found is Sqlite {
  return found?.backup !== undefined && found.DatabaseSync !== undefined
}

/** SQLite's own number for what went wrong, the low byte of its extended one; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

/** https://www.sqlite.org/rescode.html */
export const SQLITE = {
  busy: 5,
  noMemory: 7,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const
