/** A database connection behind the typed interface. It rejects values that would not be stored unchanged.  [disk] */
import { invalid } from '../../contract/failure.ts'
import { type Database, type Found, type Value, type Written, makeMemory } from './database.ts'
import {
  type Bound,
  SQLITE,
  type SqliteConnection,
  type Statement,
  loadSqlite,
  sqliteCode,
} from './sqlite.ts'

export interface Connection extends Database {
  readonly run: (sql: string, ...values: readonly Value[]) => Written
  /** Checks and binds the values now. The statement runs when the returned function is called. */
  readonly prepared: (sql: string, ...values: readonly Value[]) => () => Written
  /** Runs statements without values. They are not cached. */
  readonly exec: (sql: string) => void
  readonly close: () => void
  /** The underlying connection, for backups. */
  readonly raw: SqliteConnection
}

export function wrapConnection(raw: SqliteConnection): Connection {
  const kept = statementCache(raw)
  return {
    raw,
    all<Row>(sql: string, ...values: readonly Value[]) {
      const { statement, count } = prepareFor('reading', kept.find(sql))
      // row type given by the caller, not checked
      return statement.all(...bindIntegers(values, count, sql)) as Row[]
    },
    get<Row>(sql: string, ...values: readonly Value[]): Found<Row> {
      const { statement, count } = prepareFor('reading', kept.find(sql))
      // row type given by the caller, not checked
      return statement.get(...bindIntegers(values, count, sql)) as Found<Row>
    },
    each<Row>(sql: string, ...values: readonly Value[]) {
      const prepared = prepareFor('reading', kept.take(sql))
      const rows = prepared.statement.iterate(...bindIntegers(values, prepared.count, sql))
      // row type given by the caller, not checked
      return givingBack(rows as IterableIterator<Row>, () => kept.keep(sql, prepared))
    },
    run(sql, ...values) {
      const { statement, count } = prepareFor('writing', kept.find(sql))
      return writtenBy(statement, bindIntegers(values, count, sql))
    },
    prepared(sql, ...values) {
      const { statement, count } = prepareFor('writing', kept.find(sql))
      const made = bindIntegers(values, count, sql)
      return () => writtenBy(statement, made)
    },
    memory: makeMemory(),
    exec: (sql) => raw.exec(sql),
    close: () => raw.close(),
  }
}

function writtenBy(statement: Statement, values: readonly Bound[]): Written {
  const { changes, lastInsertRowid } = statement.run(...values)
  return { changes: Number(changes), lastKey: Number(lastInsertRowid) }
}

interface Prepared {
  readonly statement: Statement
  readonly count: number
  last: 'reading' | 'writing'
}

/**
 * Reads keys of written rows as bigint. Keys of a full-text index can exceed a safe integer, and Node 26 and later
 * would throw after the write.
 */
function prepareFor(work: Prepared['last'], prepared: Prepared): Prepared {
  if (prepared.last === work) return prepared
  prepared.statement.setReadBigInts(work === 'writing')
  prepared.last = work
  return prepared
}

/** Maximum statements in the cache: searches generate them without limit, but those in use return at once. */
const MAX_KEPT = 500

function statementCache(raw: SqliteConnection) {
  const kept = new Map<string, Prepared>()
  const prepare = (sql: string): Prepared => ({
    statement: raw.prepare(sql),
    count: parameterCount(sql),
    last: 'reading',
  })
  const keep = (sql: string, prepared: Prepared) => {
    if (kept.size >= MAX_KEPT)
      for (const oldest of [...kept.keys()].slice(0, MAX_KEPT / 4)) kept.delete(oldest)
    kept.set(sql, prepared)
  }
  return {
    keep,
    find(sql: string): Prepared {
      let prepared = kept.get(sql)
      if (prepared === undefined) keep(sql, (prepared = prepare(sql)))
      return prepared
    },
    /** Removes the statement from the cache while its rows are iterated: another run would restart it. */
    take(sql: string): Prepared {
      const prepared = kept.get(sql) ?? prepare(sql)
      kept.delete(sql)
      return prepared
    },
  }
}

function* givingBack<Row>(rows: IterableIterator<Row>, giveBack: () => void): IterableIterator<Row> {
  try {
    yield* rows
  } finally {
    giveBack()
  }
}

/** Text, quoted names and comments, where `?` is no placeholder; then the placeholders. */
const PIECES =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|\?(?<number>\d*)|[:@$][A-Za-z_]/g

/** Counts placeholders, because the libraries bind NULL to those without a value. */
export function parameterCount(sql: string): number {
  let highest = 0
  for (const { 0: piece, groups } of sql.matchAll(PIECES)) {
    if (/^[:@$]/.test(piece)) throw new TypeError(`a statement has named placeholders: ${sql}`)
    if (!piece.startsWith('?')) continue
    // SQLite numbers a bare ? one above the highest so far
    highest = groups?.['number'] ? Math.max(highest, Number(groups['number'])) : highest + 1
  }
  return highest
}

/**
 * Binds whole numbers as 64-bit integers: a floating-point number finds no row of a full-text table. Changes `values`,
 * which the caller made for this call.
 */
export function bindIntegers(values: readonly Value[], count: number, sql: string): readonly Bound[] {
  if (values.length !== count)
    throw new TypeError(`a statement has ${count} placeholders but got ${values.length} values: ${sql}`)
  // elements are replaced by their bound form
  const made = values as Bound[]
  for (let at = 0; at < count; at++) {
    const value = values[at]
    if (typeof value === 'string') checkText(value)
    else if (typeof value === 'number') made[at] = boundNumber(value, sql)
    else if (value instanceof Uint8Array) made[at] = value.length === 0 ? NO_BYTES : value
    else if (value !== null)
      throw new TypeError(`parameter ${at + 1} of a statement cannot take ${typeof value}: ${sql}`)
  }
  return made
}

/** Empty bytes with a buffer of their own. Node's SQLite binds bytes without one, such as those from another thread, as NULL. */
const NO_BYTES = new Uint8Array(1).subarray(1)

function boundNumber(value: number, sql: string): number | bigint {
  if (Number.isSafeInteger(value)) return BigInt(value)
  if (Number.isFinite(value) && !Number.isInteger(value)) return value
  throw new TypeError(`a statement cannot take the number ${value}: ${sql}`)
}

/** SQLite ends a text at U+0000, and half a surrogate pair would return as another character. */
function checkText(text: string): void {
  if (text.includes('\0')) throw invalid('Text must not contain the character U+0000.')
  if (!text.isWellFormed()) throw invalid('Text must not contain half of a surrogate pair.')
}

/** Rows written before a checkpoint, about as many as pages of the log at most. */
const CHECKPOINT_ROWS = 20_000
/** Milliseconds without a command. */
const IDLE = 1000

/** Between groups, when idle, or before the connection is closed. */
type Moment = 'between' | 'idle' | 'end'

/** Returns after how many ms without a command it must be called again. Undefined: not before the next command. */
export type Checkpoint = (moment: Moment) => number | undefined

interface CheckpointOptions {
  readonly warn: (text: string) => void
  /** The disk has little room, so the log must not grow. */
  readonly isShort: () => boolean
}

/** Errors other than lack of space or a lock are thrown, because the disk failed. */
export function checkpointer(
  connection: Connection,
  takeWritten: () => number,
  { warn, isShort }: CheckpointOptions,
): Checkpoint {
  let waiting = 0
  return (moment) => {
    waiting += takeWritten()
    const isDue = waiting > (moment === 'between' && !isShort() ? CHECKPOINT_ROWS : 0)
    // the package closes a connection only when its statements are garbage-collected, so the checkpoint is made here
    if (isDue || moment === 'end') {
      moveInto(connection, moment === 'end' ? 'TRUNCATE' : 'PASSIVE', warn)
      waiting = 0
    }
    return waiting > 0 ? IDLE : undefined
  }
}

function moveInto(connection: Connection, kind: 'PASSIVE' | 'TRUNCATE', warn: (text: string) => void): void {
  try {
    connection.all(`PRAGMA wal_checkpoint(${kind})`)
  } catch (error) {
    const code = sqliteCode(error)
    // nothing is lost: the log keeps the changes until there is space, or until readers of the old pages have ended
    if (code !== SQLITE.full && code !== SQLITE.busy) throw error
    warn(
      code === SQLITE.full
        ? 'the disk is full: changes stay in the log'
        : 'a long read keeps changes in the log',
    )
  }
}

/** Copies with SQLite's backup in one step: a copy in several steps restarts after every write. */
export async function copyDatabase(from: Connection, to: string): Promise<void> {
  const sqlite = await loadSqlite()
  await sqlite.backup(from.raw, to, { rate: ALL_PAGES })
}

/** More than a database can have. Node 24 and later refuse -1, SQLite's value for all pages. */
const ALL_PAGES = 2 ** 31 - 1
