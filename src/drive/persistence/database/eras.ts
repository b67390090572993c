/**
 * Every opening by a writer begins an era with a random mark, so that a store that has gone back to an earlier state is
 * noticed: eras made since then are unknown, and the era of that state has ended (`domain/changes/points.ts`).
 */
import { randomBytes } from 'node:crypto'
import type { Transaction } from './database.ts'
import { SQLITE, sqliteCode } from './sqlite.ts'

/** Older eras are forgotten: who names one of them starts afresh. */
const MAX_ERAS = 1000

const BEGIN = `INSERT INTO eras(mark, seq)
  VALUES (?, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0))`

/** On a full disk the era before goes on, because a store must open there to be emptied. */
export function beginEra(connection: Pick<Transaction, 'run'>): void {
  try {
    const { lastKey } = connection.run(BEGIN, randomBytes(12).toString('base64url'))
    connection.run('DELETE FROM eras WHERE pk <= ?', lastKey - MAX_ERAS)
  } catch (error) {
    if (sqliteCode(error) !== SQLITE.full) throw error
  }
}
