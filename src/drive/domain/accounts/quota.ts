/** Quota: which bytes count against a user's limit, and which user pays for a shared drive. */
import { StorageFailure } from '../../contract/failure.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { cacheInGroup } from '../settings.ts'

/** Location of an item: it has an owner in My Drive, and none in a shared drive. */
export interface ChargedItem {
  readonly owner: number | null
  readonly drive: number | null
}

/** Key of the user who pays for an item: its owner, or the payer of its shared drive. Null if neither exists. */
export function payerFor(
  db: Database & Pick<Transaction, 'groupCache'>,
  { owner, drive }: ChargedItem,
): number | null {
  if (owner !== null || drive === null) return owner
  return cacheInGroup(db, `payer ${drive}`, () => {
    const sql = 'SELECT payer FROM drives WHERE root = ?'
    return db.get<{ payer: number | null }>(sql, drive)?.payer ?? null
  })
}

/** Bytes of metadata that each open upload has free. */
const FREE_FACTS_BYTES = 4096

/**
 * Bytes on disk of the user's open uploads, and of removed contents that a backup still reads: an expression over a row
 * of `principals`, backed by indexes. `octet_length` does not read the text.
 */
const ON_DISK = `((SELECT coalesce(sum(u.received + max(0, octet_length(u.facts) - ${FREE_FACTS_BYTES})), 0)
  FROM uploads u WHERE u.user = principals.pk AND u.state = 'open')
  + (SELECT coalesce(sum(size), 0) FROM removals WHERE payer = principals.pk AND is_held = 1))`

/** Free bytes of metadata, from the store's limits. */
const FREE = `coalesce((SELECT json_extract(value, '$."free-metadata-bytes"') FROM settings WHERE name = 'limits'),
  ${LIMITS['free-metadata-bytes'].standard})`

/** Bytes that count against the quota: an expression over a row of `principals`. */
export const COUNTED = `(used + max(0, metadata - ${FREE}) + ${ON_DISK})`

/** Bytes left; undefined: no limit. */
export function quotaLeft(db: Database, payer: number): number | undefined {
  const sql = `SELECT CASE WHEN quota IS NOT NULL THEN quota - ${COUNTED} END AS left FROM principals WHERE pk = ?`
  return db.get<{ left: number | null }>(sql, payer)?.left ?? undefined
}

/** @throws 403 storageQuotaExceeded */
export function charge(tx: Transaction, payer: number | null, bytes: number): void {
  if (bytes === 0 || payer === null) return
  if (tx.run(CHARGE, payer, bytes).changes === 0) throw quotaExceeded()
}

const CHARGE = `UPDATE principals SET used = used + ?2
  WHERE pk = ?1 AND (?2 < 0 OR quota IS NULL OR ${COUNTED} + ?2 <= quota)`

/** Charges a new item in one statement. @throws 403 storageQuotaExceeded */
export function chargeNew(
  tx: Transaction,
  payer: number | null,
  { bytes, metadata }: { readonly bytes: number; readonly metadata: number },
): void {
  if (payer !== null && tx.run(CHARGE_NEW, payer, bytes, metadata).changes === 0) throw quotaExceeded()
}

/** An item without bytes and with only free metadata is never refused. */
const CHARGE_NEW = `UPDATE principals SET used = used + ?2, metadata = metadata + ?3 WHERE pk = ?1
  AND (quota IS NULL OR used + ?2 + max(0, metadata + ?3 - ${FREE}) + ${ON_DISK} <= quota
  OR (?2 = 0 AND metadata + ?3 <= ${FREE}))`

/** Checks the quota after a write whose bytes the database counts. @throws 403 storageQuotaExceeded */
export function requireQuota(db: Database, payer: number): void {
  if ((quotaLeft(db, payer) ?? 0) < 0) throw quotaExceeded()
}

/** Runs work whose bytes the database counts, and refuses it only if it makes an overrun larger. @throws 403 storageQuotaExceeded */
export function withinQuota<T>(tx: Transaction, payer: number | null, work: () => T): T {
  const before = payer === null ? undefined : quotaLeft(tx, payer)
  const result = work()
  if (payer === null || before === undefined) return result
  const after = quotaLeft(tx, payer) ?? 0
  if (after < 0 && after < before) throw quotaExceeded()
  return result
}

export function quotaExceeded(): StorageFailure {
  return new StorageFailure(403, 'storageQuotaExceeded', "The user's storage quota has been exceeded.")
}
