/** One connection to the database, behind the typed interface.  [disk] */
import type { Database, Found, Value, Written } from './database.ts'
import { makeMemory } from './memory.ts'
import { bound, parameterCount } from './parameters.ts'
import type { Bound, SqliteConnection, Statement } from './sqlite.ts'

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
      const { statement, count } = kept.find(sql)
      // the caller's word for what the statement selects
      return statement.all(...bound(values, count, sql)) as Row[]
    },
    get<Row>(sql: string, ...values: readonly Value[]): Found<Row> {
      const { statement, count } = kept.find(sql)
      // as above
      return statement.get(...bound(values, count, sql)) as Found<Row>
    },
    each<Row>(sql: string, ...values: readonly Value[]) {
      const prepared = kept.take(sql)
      const rows = prepared.statement.iterate(...bound(values, prepared.count, sql))
      // as above
      return givingBack(rows as IterableIterator<Row>, () => kept.keep(sql, prepared))
    },
    run(sql, ...values) {
      const { statement, count } = kept.find(sql)
      return writtenBy(statement, bound(values, count, sql))
    },
    prepared(sql, ...values) {
      const { statement, count } = kept.find(sql)
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
}

/** Searches make statements without end; the ones in use come back at once. */
const MOST_KEPT = 500

function statementCache(raw: SqliteConnection) {
  const kept = new Map<string, Prepared>()
  const prepare = (sql: string): Prepared => ({ statement: raw.prepare(sql), count: parameterCount(sql) })
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
