/** A commit as the shared log has it: the statements that wrote something, in order, with what each is known to have done. */
import { deserialize, serialize } from 'node:v8'
import { StorageFailure } from '../../contract/failure.ts'
import type { Connection } from '../database/connection.ts'
import type { Value } from '../database/database.ts'

export interface LoggedStatement {
  readonly sql: string
  readonly values: readonly Value[]
  /** Rows it changed, where it was run first: another number elsewhere is another database. */
  readonly changes: number
  /** Key of the row that it inserted; -1: it is not known to have made one. */
  readonly key: number
}

/** Another number: entries of this program cannot be read by others. */
const FORM = 1

/** Statements repeat: each is written once. */
export function encodeEntry(statements: readonly LoggedStatement[]): Buffer {
  const known = new Map<string, number>()
  const rows = statements.map(({ sql, values, changes, key }) => {
    const at = known.get(sql) ?? known.size
    known.set(sql, at)
    return [at, changes, key, values]
  })
  return serialize([FORM, [...known.keys()], rows])
}

export function decodeEntry(bytes: Uint8Array): readonly LoggedStatement[] {
  // as `encodeEntry` writes it
  const [form, texts, rows] = deserialize(bytes) as [
    number,
    readonly string[],
    readonly [number, number, number, readonly Value[]][],
  ]
  if (form !== FORM) throw new Error(`an entry of the log has form ${form}, this program reads ${FORM}`)
  return rows.map(([at, changes, key, values]) => {
    const sql = texts[at]
    if (sql === undefined) throw new Error('an entry of the log names a statement that it has not')
    return { sql, values, changes, key }
  })
}

/** In place of the number of rows: several statements without values, as a migration has them. */
export const SCRIPT = -1

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
  let statements: LoggedStatement[] = []
  let size = 0
  const marks: { readonly name: string; readonly at: number; readonly size: number }[] = []
  /** @returns whether it was one of those */
  const control = (sql: string): boolean => {
    const [word, , name = ''] = sql.split(' ')
    if (word === 'BEGIN' || word === 'COMMIT' || sql === 'ROLLBACK') {
      statements = []
      size = 0
      marks.length = 0
    } else if (word === 'SAVEPOINT')
      marks.push({ name: sql.slice('SAVEPOINT '.length), at: statements.length, size })
    else if (word === 'ROLLBACK') {
      const mark = marks.findLast((one) => one.name === name)
      statements.length = mark?.at ?? 0
      size = mark?.size ?? 0
    } else if (word === 'RELEASE') marks.pop()
    else return false
    return true
  }
  const makesKeys = keyMaker(connection)
  const add = (
    sql: string,
    values: readonly Value[],
    { changes, lastKey }: ReturnType<Connection['run']>,
  ) => {
    size += sizeOf(values)
    if (size > largest) throw tooMuch()
    statements.push({ sql, values, changes, key: changes > 0 && makesKeys(sql) ? lastKey : -1 })
    return { changes, lastKey }
  }
  return {
    connection: {
      ...connection,
      run(sql, ...values) {
        if (CONTROLS.test(sql)) {
          const done = connection.run(sql, ...values)
          control(sql)
          return done
        }
        // binding changes the values that it is given
        return add(sql, [...values], connection.run(sql, ...values))
      },
      prepared(sql, ...values) {
        const kept = [...values]
        const run = connection.prepared(sql, ...values)
        return () => add(sql, kept, run())
      },
      exec(sql) {
        try {
          connection.exec(sql)
        } finally {
          // SQLite has taken a transaction back by itself, perhaps: then there is none to roll back
          for (const one of sql.split(';')) control(one.trim())
        }
      },
    },
    statements: () => statements,
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

/** Within a transaction of `connection`. @throws what it does here is not what it did there */
export function replay(connection: Connection, statements: readonly LoggedStatement[]): void {
  for (const { sql, values, changes, key } of statements) {
    if (changes === SCRIPT) {
      connection.exec(sql)
      continue
    }
    const done = connection.run(sql, ...values)
    if (done.changes !== changes || (key >= 0 && done.lastKey !== key))
      throw new Error(
        `a statement of the log changed ${done.changes} rows and made key ${done.lastKey}, where it changed ${changes} and made ${key}: ${sql}`,
      )
  }
}
