/** Tables, columns, indexes and triggers of a database, as lines for a comparison. */
import type { Connection } from '../../src/drive/persistence/database/connection.ts'

export function schemaShape(db: Connection): string[] {
  const named = (type: string) =>
    db.all<{ name: string; sql: string | null }>(
      'SELECT name, sql FROM sqlite_schema WHERE type = ? ORDER BY name',
      type,
    )
  const values = (row: object) => Object.values(row).join('|')
  const tables = named('table').flatMap(({ name }) => [
    ...db.all<object>(`PRAGMA table_list(${name})`).map((row) => `table ${values(row)}`),
    ...db.all<object>(`PRAGMA table_xinfo(${name})`).map((row) => `column ${name}|${values(row)}`),
    ...db
      .all<{ name: string; unique: number; origin: string }>(`PRAGMA index_list(${name})`)
      .flatMap((index) => [
        `index ${values(index)}`,
        ...db
          .all<object>(`PRAGMA index_xinfo(${index.name})`)
          .map((row) => `key ${index.name}|${values(row)}`),
      ]),
  ])
  const written = [...named('index'), ...named('trigger')].flatMap(({ sql }) =>
    sql === null ? [] : [sql.replace(/\s+/g, ' ')],
  )
  return [...tables, ...written]
}
