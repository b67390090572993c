/** Points in the history of a store: a client that keeps one learns whether the store has gone back since. */
import { largestChange } from './change-log.ts'
import { invalid } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'

interface Era {
  readonly pk: number
  readonly mark: string
}

/** Era and newest change: everything that the store has acknowledged is before this point. */
export function currentPoint(db: Database): string {
  const era = db.get<Era>('SELECT pk, mark FROM eras ORDER BY pk DESC LIMIT 1')
  return `${era?.mark ?? ''}.${largestChange(db)}`
}

/**
 * False if the store was restored to a state before the point. A later era says where the era of the point ended in
 * this history. @throws 400
 */
export function isInHistory(db: Database, point: string): boolean {
  const [, mark, change] = /^([\w-]{1,40})\.(\d{1,15})$/.exec(point) ?? []
  if (mark === undefined || change === undefined) throw invalid('This is not a point of a store.', 'since')
  const era = db.get<Era>('SELECT pk, mark FROM eras WHERE mark = ?', mark)
  if (era === undefined) return false
  const next = db.get<{ seq: number }>('SELECT seq FROM eras WHERE pk > ? ORDER BY pk LIMIT 1', era.pk)
  return Number(change) <= (next?.seq ?? largestChange(db))
}
