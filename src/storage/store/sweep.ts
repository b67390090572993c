/** Commands of the store itself: they forget contents that nothing names, and uploads that nobody goes on with. */
import type { Caller } from '../model/caller.ts'
import type { BlobRow } from './blob-rows.ts'
import type { Commands } from './command.ts'
import type { Transaction } from './database.ts'

export interface SweepInput {
  /** What was made later stays: milliseconds since 1970. */
  readonly before: number
  /** Keys up to here have been looked at. */
  readonly after: number
}

export interface SweepResult {
  readonly forgotten: readonly BlobRow[]
  /** Where to go on; undefined at the end. */
  readonly next: number | undefined
}

export interface ExpireInput {
  readonly before: number
}

export interface ExpireResult {
  readonly count: number
}

/** Their names cannot be those of others. */
export const SWEEP = 'store: sweep'
export const EXPIRE = 'store: expire'

export const STORE_COMMANDS: Commands = { [SWEEP]: sweep, [EXPIRE]: expire }

/** Few enough that others need not wait. */
const SLICE = 2000

/** A content is wanted while a revision names it; one whose revision is about to be written is younger than `before`. */
function sweep(transaction: Transaction, _caller: Caller, { before, after }: SweepInput): SweepResult {
  const last = transaction.get<{ pk: number | null }>(
    'SELECT max(pk) AS pk FROM (SELECT pk FROM blobs WHERE pk > ? ORDER BY pk LIMIT ?)',
    after,
    SLICE,
  )
  const end = last?.pk ?? undefined
  if (end === undefined) return { forgotten: [], next: undefined }
  const forgotten = transaction.all<BlobRow>(UNWANTED, after, end, before)
  for (const { pk } of forgotten) {
    transaction.run('DELETE FROM blob_data WHERE blob = ?', pk)
    transaction.run('DELETE FROM blobs WHERE pk = ?', pk)
  }
  return { forgotten, next: end }
}

const UNWANTED = `SELECT pk, sha256, size, place FROM blobs
WHERE pk > ? AND pk <= ? AND created < ? AND NOT EXISTS (SELECT 1 FROM revisions WHERE blob = blobs.pk)`

/** A finished upload is kept as long again, so that late requests still get its result. */
function expire(transaction: Transaction, _caller: Caller, { before }: ExpireInput): ExpireResult {
  const life = transaction.now - before
  const { changes } = transaction.run(
    `UPDATE uploads SET state = 'cancelled', touched = ? WHERE state = 'open' AND touched < ?`,
    transaction.now,
    before,
  )
  transaction.run(`DELETE FROM uploads WHERE state <> 'open' AND touched < ?`, before - life)
  return { count: changes }
}
