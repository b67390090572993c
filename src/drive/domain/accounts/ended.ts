/** Ends the access of a user, a program or a key at once: tokens, and what was begun with them. */
import type { Transaction, Value } from '../../persistence/database/database.ts'

/** Of a user, with whatever program, and of others through the user's keys; of a program, for whomever. */
export function endTokens(tx: Transaction, who: 'user' | 'client', pk: number): void {
  tx.run(`DELETE FROM tokens WHERE ${who} = ?`, pk)
  endBegunBy(tx, who, pk)
  const keys = tx.all<{ kid: string }>(`SELECT kid FROM account_keys WHERE ${who} = ?`, pk)
  for (const { kid } of keys) endTokensFor(tx, kid)
}

/** Those that were given for assertions signed with the key. */
export function endTokensFor(tx: Transaction, kid: string): void {
  const source = keySource(kid)
  tx.run('DELETE FROM tokens WHERE source = ?', source)
  endBegunWith(tx, source)
}

/** What a token names as what it was given for, where that is no refresh token: digests have no colon. */
export function keySource(kid: string): string {
  return `key:${kid}`
}

/** With the access tokens that were given for it, and the channels and uploads that were begun with any of them. */
export function endTokenNamed(tx: Transaction, digest: string): void {
  tx.run('DELETE FROM tokens WHERE digest = ?1 OR source = ?1', digest)
  // also with an access token that has expired since
  endBegunWith(tx, digest)
}

/** Nothing more is sent, what was waiting included. */
export function endChannel(tx: Transaction, channel: number): void {
  tx.run('UPDATE channels SET expires = 0, waiting = 0, due = NULL WHERE pk = ?', channel)
  tx.run('DELETE FROM deliveries WHERE channel = ?', channel)
}

/** With a token, or with one that was given for it. */
function endBegunWith(tx: Transaction, token: string): void {
  end(tx, 'EXISTS (SELECT 1 FROM json_each(via) WHERE value = ?2)', token)
}

/** By a user, with whatever program; by a program, for whomever. */
function endBegunBy(tx: Transaction, who: 'user' | 'client', pk: number): void {
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
