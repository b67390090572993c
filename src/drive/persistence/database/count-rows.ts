/** The number that a statement of the form `SELECT count(*) AS count` gives: it has one row, always. */
import { assured } from '../../../errors.ts'
import type { Database, Value } from './database.ts'

export function countRows(db: Pick<Database, 'get'>, sql: string, ...values: readonly Value[]): number {
  return assured(db.get<{ count: number }>(sql, ...values), 'a count has a row').count
}
