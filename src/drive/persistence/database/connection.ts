/** One connection to the database, behind the typed interface: values are checked for what arrives as it was.  [disk] */
import { invalid } from '../../contract/failure.ts'
import type { Database, Found, Value, Written } from './database.ts'
import { makeMemory } from './memory.ts'
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
  /** With its values checked and bound; it runs when the answer is called. */
  readonly prepared: (sql: string, ...values: readonly Value[]) => () => Written
  /** Statements without values, of which nothing is kept. */
  readonly exec: (sql: string) => void
  readonly close: () => void
  /** For what the interface has no method for: a copy while the database is in use. */
  readonly raw: SqliteConnection
}

export function wrapConnection(raw: SqliteConnection): Connection {
  const kept = statementCache(raw)
  return {
    raw,
    all<Row>(sql: string, ...values: readonly Value[]) {
      const { statement, count } = reading(kept.find(sql))
      // the caller's word for what the statement selects
      return statement.all(...bound(values, count, sql)) as Row[]
    },
    get<Row>(sql: string, ...values: readonly Value[]): Found<Row> {
      const { statement, count } = reading(kept.find(sql))
      // as above
      return statement.get(...bound(values, count, sql)) as Found<Row>
    },
    each<Row>(sql: string, ...values: readonly Value[]) {
      const prepared = reading(kept.take(sql))
      const rows = prepared.statement.iterate(...bound(values, prepared.count, sql))
      // as above
      return givingBack(rows as IterableIterator<Row>, () => kept.keep(sql, prepared))
    },
    run(sql, ...values) {
      const { statement, count } = writing(kept.find(sql))
      return writtenBy(statement, bound(values, count, sql))
    },
    prepared(sql, ...values) {
      const { statement, count } = writing(kept.find(sql))
      const made = bound(values, count, sql)
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
  /** It was run last, not read. */
  isWriting: boolean
}

/** A full-text index has rows of its own, whose keys are larger than a number: from Node 26 on one would be refused when all is written. */
function writing(prepared: Prepared): Prepared {
  return prepared.isWriting ? prepared : switched(prepared, true)
}

function reading(prepared: Prepared): Prepared {
  return prepared.isWriting ? switched(prepared, false) : prepared
}

function switched(prepared: Prepared, isWriting: boolean): Prepared {
  prepared.statement.setReadBigInts(isWriting)
  prepared.isWriting = isWriting
  return prepared
}

/** Searches make statements without end; the ones in use come back at once. */
const MOST_KEPT = 500

function statementCache(raw: SqliteConnection) {
  const kept = new Map<string, Prepared>()
  const prepare = (sql: string): Prepared => ({
    statement: raw.prepare(sql),
    count: parameterCount(sql),
    isWriting: false,
  })
  const keep = (sql: string, prepared: Prepared) => {
    if (kept.size >= MOST_KEPT)
      for (const oldest of [...kept.keys()].slice(0, MOST_KEPT / 4)) kept.delete(oldest)
    kept.set(sql, prepared)
  }
  return {
    keep,
    find(sql: string): Prepared {
      let prepared = kept.get(sql)
      if (prepared === undefined) keep(sql, (prepared = prepare(sql)))
      return prepared
    },
    /** While its rows are walked a statement is nobody else's: to run it again would start it over. */
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

/** Text, names and remarks, in which a `?` is none; then the places themselves. */
const PIECES =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|\?(?<number>\d*)|[:@$][A-Za-z_]/g

/** The libraries bind NULL to places that got no value, so they are counted here. */
export function parameterCount(sql: string): number {
  let highest = 0
  for (const { 0: piece, groups } of sql.matchAll(PIECES)) {
    if (/^[:@$]/.test(piece)) throw new TypeError(`a statement has places by name: ${sql}`)
    if (!piece.startsWith('?')) continue
    // SQLite numbers a bare ? one above the highest so far
    highest = groups?.['number'] ? Math.max(highest, Number(groups['number'])) : highest + 1
  }
  return highest
}

/**
 * Whole numbers as 64-bit integers: what is bound as a floating-point number finds no row of a full-text table.
 * Changes `values`, which the caller made for this call.
 */
export function bound(values: readonly Value[], count: number, sql: string): readonly Bound[] {
  if (values.length !== count)
    throw new TypeError(`a statement has ${count} places but got ${values.length} values: ${sql}`)
  // its members become what they are bound as
  const made = values as Bound[]
  for (let at = 0; at < count; at++) {
    const value = values[at]
    if (typeof value === 'string') checkText(value)
    else if (typeof value === 'number') made[at] = boundNumber(value, sql)
    else if (value instanceof Uint8Array) made[at] = value.length === 0 ? NO_BYTES : value
    else if (value !== null)
      throw new TypeError(`place ${at + 1} of a statement cannot take ${typeof value}: ${sql}`)
  }
  return made
}

/** Of a memory of its own: bytes that have none, as those from another thread, Node's SQLite binds as NULL. */
const NO_BYTES = new Uint8Array(1).subarray(1)

function boundNumber(value: number, sql: string): number | bigint {
  if (Number.isSafeInteger(value)) return BigInt(value)
  if (Number.isFinite(value) && !Number.isInteger(value)) return value
  throw new TypeError(`a statement cannot take the number ${value}: ${sql}`)
}

/** SQLite ends a text at U+0000, and half a surrogate pair would come back as another character. */
function checkText(text: string): void {
  if (text.includes('\0')) throw invalid('Text must not contain the character U+0000.')
  if (!text.isWellFormed()) throw invalid('Text must not contain half of a surrogate pair.')
}

/** Rows written, about as many pages of the log at most. */
const MUCH = 20_000
/** Milliseconds without a command. */
const IDLE = 1000

/** Between groups; when nothing was asked for the time that was answered; before the connection is closed. */
type Moment = 'between' | 'idle' | 'end'

/** Answers after how many milliseconds without a command it wants to be called again; undefined: not before there is one. */
export type Checkpoint = (moment: Moment) => number | undefined

interface CheckpointOptions {
  readonly warn: (text: string) => void
  /** The disk has little room: the log must not grow. */
  readonly isShort: () => boolean
}

/** Errors that are not lack of space are thrown: the disk failed. */
export function checkpointer(
  connection: Connection,
  takeWritten: () => number,
  { warn, isShort }: CheckpointOptions,
): Checkpoint {
  let waiting = 0
  return (moment) => {
    waiting += takeWritten()
    const isDue = waiting > (moment === 'between' && !isShort() ? MUCH : 0)
    // the package closes a connection only when its statements are collected as garbage, so it must be done here
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
    // nothing is lost: the log holds it until there is space, or until nobody reads what it replaces
    if (code !== SQLITE.full && code !== SQLITE.busy) throw error
    warn(
      code === SQLITE.full
        ? 'the disk is full: changes stay in the log'
        : 'a long read keeps changes in the log',
    )
  }
}

/** By SQLite itself, in one step: a copy in several begins anew whenever somebody writes. */
export async function copyDatabase(from: Connection, to: string): Promise<void> {
  const sqlite = await loadSqlite()
  await sqlite.backup(from.raw, to, { rate: ALL_PAGES })
}

/** More than a database can have. Node from 24 on takes no -1, which is SQLite's own word for it. */
const ALL_PAGES = 2 ** 31 - 1
