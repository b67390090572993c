/** Ends the access of a user, a client or a key at once: its tokens, and the channels and uploads begun with them. */
import type { Transaction, Value } from '../../persistence/database/database.ts'

/** For a user: tokens of all its clients, and tokens of other users given for its keys. For a client: tokens of all users. */
export function endTokens(tx: Transaction, who: 'user' | 'client', pk: number): void {
  tx.run(`DELETE FROM tokens WHERE ${who} = ?`, pk)
  endBegunBy(tx, who, pk)
  const keys = tx.all<{ kid: string }>(`SELECT kid FROM account_keys WHERE ${who} = ?`, pk)
  for (const { kid } of keys) endTokensFor(tx, kid)
}

/** Ends tokens given for assertions signed with the key. */
export function endTokensFor(tx: Transaction, kid: string): void {
  const source = keySource(kid)
  tx.run('DELETE FROM tokens WHERE source = ?', source)
  endBegunWith(tx, source)
}

/** Source of a token given for a key. Digests have no colon, so it cannot clash with a refresh token. */
export function keySource(kid: string): string {
  return `key:${kid}`
}

/** Source of tokens given at a sign-in of the user with a password. */
export function signInSource(user: number): string {
  return `sign-in:${user}`
}

/** Ends these tokens, because the password changes. */
export function endSignIns(tx: Transaction, user: number): void {
  const sql = 'SELECT digest FROM tokens WHERE source = ?'
  for (const { digest } of tx.all<{ digest: string }>(sql, signInSource(user))) endTokenByDigest(tx, digest)
}

/** Ends a token, the access tokens given for it, and the channels and uploads begun with any of them. */
export function endTokenByDigest(tx: Transaction, digest: string): void {
  tx.run('DELETE FROM tokens WHERE digest = ?1 OR source = ?1', digest)
  // covers access tokens that have expired since
  endBegunWith(tx, digest)
}

/** Ends a channel and drops its waiting messages. */
export function endChannel(tx: Transaction, channel: number): void {
  tx.run('UPDATE channels SET expires = 0, waiting = 0, due = NULL WHERE pk = ?', channel)
  tx.run('DELETE FROM deliveries WHERE channel = ?', channel)
}

/** Ends what was begun with a token, or with a token given for it. */
function endBegunWith(tx: Transaction, token: string): void {
  endDependents(tx, 'EXISTS (SELECT 1 FROM json_each(via) WHERE value = ?2)', token)
}

/** Ends what was begun by a user with any client, or by a client for any user. */
function endBegunBy(tx: Transaction, who: 'user' | 'client', pk: number): void {
  endDependents(tx, `${who} = ?2`, pk)
}

/** Cancels finished uploads too: their address still returns the file's metadata. */
function endDependents(tx: Transaction, where: string, value: Value): void {
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
