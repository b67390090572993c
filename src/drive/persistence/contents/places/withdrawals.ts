/**
 * Withdrawals: records of contents that a clean-up is about to remove from a bucket. They are written first, so that no
 * command adds a row for a content being removed (docs/adr/store.md#removing-from-a-bucket).  [disk]
 */
import type { Commands, Database, Transaction } from '../../database/database.ts'
import type { Caller } from '../../../contract/failure.ts'
import { isNamed } from '../blob-files.ts'
import { removedMeanwhile } from '../../writer/not-writing.ts'

/** Key of the latest withdrawal of any content. @throws {StorageFailure} 503 — this content is being withdrawn */
export function lastWithdrawal(read: Database, sha256: string): number {
  if (isUnderWay(read, sha256)) throw removedMeanwhile()
  return read.get<{ pk: number | null }>('SELECT max(pk) AS pk FROM withdrawals')?.pk ?? 0
}

/** `known` is the latest withdrawal before the content was put. */
export function isWithdrawn(transaction: Transaction, sha256: string, known: number): boolean {
  const sql = 'SELECT 1 FROM withdrawals WHERE sha256 = ? AND (pk > ? OR is_over = 0)'
  return transaction.get(sql, sha256, known) !== undefined
}

/** Names of commands. The prefix "store: " keeps them apart from all others. */
export const BEGIN_WITHDRAWALS = 'store: begin withdrawals'
export const END_WITHDRAWALS = 'store: end withdrawals'

export const WITHDRAWAL_COMMANDS: Commands = { [BEGIN_WITHDRAWALS]: begin, [END_WITHDRAWALS]: end }

export interface BeginWithdrawals {
  readonly contents: readonly string[]
}

export interface Withdrawal {
  readonly pk: number
  readonly sha256: string
}

/** Begins withdrawals of contents that no row names and that are not being withdrawn already. */
function begin(tx: Transaction, _caller: Caller, { contents }: BeginWithdrawals): readonly Withdrawal[] {
  const begun: Withdrawal[] = []
  for (const sha256 of contents) {
    if (isNamed(tx, sha256) || isUnderWay(tx, sha256)) continue
    const { lastKey } = tx.run('INSERT INTO withdrawals(sha256, at) VALUES (?, ?)', sha256, tx.now)
    begun.push({ pk: lastKey, sha256 })
  }
  return begun
}

function isUnderWay(read: Database, sha256: string): boolean {
  return read.get('SELECT 1 FROM withdrawals WHERE sha256 = ? AND is_over = 0', sha256) !== undefined
}

export interface EndWithdrawals {
  /** Keys of withdrawals that the bucket confirmed. */
  readonly ended: readonly number[]
}

/** ms for which ended withdrawals are kept: by then every content put earlier has its row or never gets one. */
const KEEP_MS = 7 * 86_400_000

function end(tx: Transaction, _caller: Caller, { ended }: EndWithdrawals): void {
  for (const pk of ended) tx.run('UPDATE withdrawals SET is_over = 1 WHERE pk = ?', pk)
  tx.run('DELETE FROM withdrawals WHERE is_over = 1 AND at < ?', tx.now - KEEP_MS)
}

/** ms for which a request to remove the content may still be on its way. */
const DOUBTFUL_MS = 3_600_000

/** Withdrawals that began but have not ended, because the bucket's answer never came. */
export function listDoubtful(read: Database, now: number): readonly Withdrawal[] {
  return read.all<Withdrawal>(
    'SELECT pk, sha256 FROM withdrawals WHERE is_over = 0 AND at < ?',
    now - DOUBTFUL_MS,
  )
}
