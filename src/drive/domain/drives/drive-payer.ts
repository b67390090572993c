/** Another user pays for a shared drive, and for all that is in it already. */
import type { Transaction } from '../../persistence/database/database.ts'
import { charge, withinQuota } from '../accounts/quota.ts'

/** Whoever takes the role of organizer from a user takes over what the user pays for. @throws 403 storageQuotaExceeded */
export function payInstead(tx: Transaction, payer: number, root: number, to: number): void {
  if (to === payer || tx.get('SELECT 1 FROM drives WHERE root = ? AND payer = ?', root, payer) === undefined)
    return
  const sql = 'SELECT coalesce(sum(used), 0) AS used FROM files WHERE drive = ?'
  const { used = 0 } = tx.get<{ used: number }>(sql, root) ?? {}
  withinQuota(tx, to, () => {
    charge(tx, payer, -used)
    charge(tx, to, used)
    tx.run('UPDATE drives SET payer = ? WHERE root = ?', to, root)
  })
}
