/** A commit as the shared log has it: the statements that wrote something, in order, with what each is known to have done. */
import { deserialize, serialize } from 'node:v8'
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
