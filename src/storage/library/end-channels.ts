/** Push channels that end before their time (spec 16): nothing more is sent, what was waiting included. */
import type { Transaction } from '../store/database.ts'

export function endChannel(tx: Transaction, channel: number): void {
  tx.run('UPDATE channels SET expires = 0, waiting = 0, due = NULL WHERE pk = ?', channel)
  tx.run('DELETE FROM deliveries WHERE channel = ?', channel)
}

/** Those that were opened with a token, or with one that was given for it. */
export function endChannelsOf(tx: Transaction, token: string): void {
  const sql =
    'SELECT pk FROM channels WHERE expires > ? AND EXISTS (SELECT 1 FROM json_each(via) WHERE value = ?)'
  for (const { pk } of tx.all<{ pk: number }>(sql, tx.now, token)) endChannel(tx, pk)
}
