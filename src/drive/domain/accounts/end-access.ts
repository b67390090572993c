/** Ends the access of a user, a program or a key at once: tokens, and what was begun with them. */
import type { Transaction } from '../../persistence/database/database.ts'
import { endBegunBy, endBegunWith } from './end-begun.ts'

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
