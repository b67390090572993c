/** Records the statements of a command group for the log. */
import { StorageFailure } from '../../contract/failure.ts'
import type { Connection } from '../database/connection.ts'
import type { Value } from '../database/database.ts'
import type { LoggedStatement } from './commit-entry.ts'

/** Connection that records the statements of a group's transaction. */
export interface Recorder {
  readonly connection: Connection
  /** Statements of the open transaction. */
  readonly statements: () => readonly LoggedStatement[]
}

/** Bytes by `sizeOf`. PostgreSQL sends an entry as text of twice its size, and text of 512 MiB cannot be read. */
const LARGEST = 96 << 20

/**
 * Records all statements except those that control transactions. Throws when their sizes exceed `largest`: no server
 * could follow an entry of unlimited size.
 */
export function statementRecorder(connection: Connection, largest = LARGEST): Recorder {
  const list = statementList(largest)
  const makesKeys = keyMaker(connection)
  const add = (
    sql: string,
    values: readonly Value[],
    { changes, lastKey }: ReturnType<Connection['run']>,
  ) => {
    list.add({ sql, values, changes, key: changes > 0 && makesKeys(sql) ? lastKey : -1 })
    return { changes, lastKey }
  }
  const count = (values: readonly Value[]) => {
    list.count(values)
    // binding may change the values
    return [...values]
  }
  return {
    connection: {
      ...connection,
      run(sql, ...values) {
        if (CONTROLS.test(sql)) {
          const done = connection.run(sql, ...values)
          list.control(sql)
          return done
        }
        return add(sql, count(values), connection.run(sql, ...values))
      },
      prepared(sql, ...values) {
        // counted at once, in the command that prepares it: it runs at the end of the group, which it must not fail
        const kept = count(values)
        const run = connection.prepared(sql, ...values)
        return () => add(sql, kept, run())
      },
      exec(sql) {
        try {
          connection.exec(sql)
        } finally {
          // after an error SQLite may have rolled back itself, so that no ROLLBACK follows
          for (const one of sql.split(';')) list.control(one.trim())
        }
      },
    },
    statements: list.all,
  }
}

/** Statements of the open transaction, without those rolled back with a savepoint. */
function statementList(largest: number) {
  let statements: LoggedStatement[] = []
  let size = 0
  const marks: { readonly name: string; readonly at: number; readonly size: number }[] = []
  const backTo = (name: string) => {
    const mark = marks.findLast((one) => one.name === name)
    statements.length = mark?.at ?? 0
    size = mark?.size ?? 0
  }
  return {
    all: (): readonly LoggedStatement[] => statements,
    /** Counts a statement before it runs. @throws {StorageFailure} 403 — the transaction is too large */
    count(values: readonly Value[]): void {
      size += sizeOf(values)
      if (size > largest) throw tooMuch()
    },
    add: (statement: LoggedStatement) => void statements.push(statement),
    /** Handles the statements that begin, end or roll back a transaction or savepoint. Ignores others. */
    control(sql: string): void {
      const [word, , name = ''] = sql.split(' ')
      if (word === 'BEGIN' || word === 'COMMIT' || sql === 'ROLLBACK') {
        statements = []
        size = 0
        marks.length = 0
      } else if (word === 'SAVEPOINT')
        marks.push({ name: sql.slice('SAVEPOINT '.length), at: statements.length, size })
      else if (word === 'ROLLBACK') backTo(name)
      else if (word === 'RELEASE') marks.pop()
    },
  }
}

/** Approximate bytes in the entry; a character may take two. */
function sizeOf(values: readonly Value[]): number {
  let size = STATEMENT
  for (const value of values)
    size += typeof value === 'string' || value instanceof Uint8Array ? value.length : NUMBER
  return size
}

const STATEMENT = 16
const NUMBER = 8

function tooMuch(): StorageFailure {
  return new StorageFailure(
    403,
    'limitExceeded',
    'This changes more files at once than a shared store allows: change fewer at a time.',
  )
}

/** Tells whether a statement inserts into a table with its own keys. Others leave the key of an earlier statement. */
function keyMaker({ get }: Pick<Connection, 'get'>): (sql: string) => boolean {
  const known = new Map<string, boolean>()
  return (sql) => {
    let found = known.get(sql)
    if (found !== undefined) return found
    const table = /^\s*INSERT INTO (\w+)/.exec(sql)?.[1]
    const made =
      table === undefined || /\bON CONFLICT\b/.test(sql)
        ? undefined
        : get<{ sql: string }>(`SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?`, table)?.sql
    found = made !== undefined && made.startsWith('CREATE TABLE') && !/WITHOUT ROWID\s*$/.test(made)
    if (known.size < MAX_KNOWN) known.set(sql, found)
    return found
  }
}

const MAX_KNOWN = 1000
const CONTROLS = /^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/
