/** Ends what was begun with a token and outlives it: push channels (spec 16) and upload sessions (spec 6.3). */
import type { Transaction, Value } from '../../persistence/database/database.ts'

/** Nothing more is sent, what was waiting included. */
export function endChannel(tx: Transaction, channel: number): void {
  tx.run('UPDATE channels SET expires = 0, waiting = 0, due = NULL WHERE pk = ?', channel)
  tx.run('DELETE FROM deliveries WHERE channel = ?', channel)
}

/** With a token, or with one that was given for it. */
export function endBegunWith(tx: Transaction, token: string): void {
  end(tx, 'EXISTS (SELECT 1 FROM json_each(via) WHERE value = ?2)', token)
}

/** By a user, with whatever program; by a program, for whomever. */
export function endBegunBy(tx: Transaction, who: 'user' | 'client', pk: number): void {
  end(tx, `${who} = ?2`, pk)
}

/** Also uploads that are done: who has the address of one reads the file by it. */
function end(tx: Transaction, where: string, value: Value): void {
  const channels = tx.all<{ pk: number }>(
    `SELECT pk FROM channels WHERE expires > ?1 AND ${where}`,
    tx.now,
    value,
  )
  for (const { pk } of channels) endChannel(tx, pk)
  tx.run(
    `UPDATE uploads SET state = 'cancelled', touched = ?1 WHERE state <> 'cancelled' AND ${where}`,
    tx.now,
    value,
  )
}
