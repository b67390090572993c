/** Quota: the bytes of all kept revisions of the files a user owns, and their limit. */
import { StorageFailure } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'

/** Bytes left; undefined: no limit. */
export function quotaLeft(db: Database, owner: number): number | undefined {
  const sql = 'SELECT quota - used AS left FROM principals WHERE pk = ?'
  return db.get<{ left: number | null }>(sql, owner)?.left ?? undefined
}

/** @throws 403 storageQuotaExceeded */
export function charge(tx: Transaction, owner: number, bytes: number): void {
  if (bytes === 0) return
  if (tx.run(CHARGE, owner, bytes).changes === 0) throw quotaExceeded()
}

const CHARGE = `UPDATE principals SET used = used + ?2
  WHERE pk = ?1 AND (?2 < 0 OR quota IS NULL OR used + ?2 <= quota)`

export function quotaExceeded(): StorageFailure {
  return new StorageFailure(403, 'storageQuotaExceeded', "The user's storage quota has been exceeded.")
}
