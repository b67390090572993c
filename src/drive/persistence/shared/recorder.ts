/** What a group of commands has run, for the log: recorded beside a connection that runs it. */
import { StorageFailure } from '../../contract/failure.ts'
import type { Connection } from '../database/connection.ts'
import type { Value } from '../database/database.ts'
import type { LoggedStatement } from './commit-entry.ts'

/** What a group has run since its transaction began. */
export interface Recorder {
  readonly connection: Connection
  /** Of the transaction that is open. */
  readonly statements: () => readonly LoggedStatement[]
}

/** As `sizeOf` counts. An entry is a text of twice its bytes on its way from PostgreSQL, and a text of 512 MiB cannot be read. */
const LARGEST = 96 << 20

/**
 * Statements that begin and end transactions are not part of what they write. What runs when they are more than `largest` together fails:
 * no server could follow an entry of any size.
 */
export function recording(connection: Connection, largest = LARGEST): Recorder {
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
    // binding changes the values that it is given
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
        // by the command that asks for it: it runs at the end of its group, which it must not take with it
        const kept = count(values)
        const run = connection.prepared(sql, ...values)
        return () => add(sql, kept, run())
      },
      exec(sql) {
        try {
          connection.exec(sql)
        } finally {
          // SQLite has taken a transaction back by itself, perhaps: then there is none to roll back
          for (const one of sql.split(';')) list.control(one.trim())
        }
      },
    },
    statements: list.all,
  }
}

/** Of the transaction that is open, without what its savepoints took back. */
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
    /** Of a statement that will be added. @throws {StorageFailure} 403 — they are too many */
    count(values: readonly Value[]): void {
      size += sizeOf(values)
      if (size > largest) throw tooMuch()
    },
    add: (statement: LoggedStatement) => void statements.push(statement),
    /** What begins, ends or takes back a transaction or a part of it; nothing else counts. */
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

/** Bytes in the entry, about: a character may have two. */
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
    'This changes more files at once than a store of several servers can: change a part of them first.',
  )
}

/** Whether a statement inserts into a table with keys of its own: others leave the key of an earlier statement. */
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
    if (known.size < MOST_KNOWN) known.set(sql, found)
    return found
  }
}

const MOST_KNOWN = 1000
const CONTROLS = /^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/
