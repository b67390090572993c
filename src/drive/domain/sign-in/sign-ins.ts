/** What somebody who signed in with a password has come by: tokens, which end when the password is another one. */
import type { Transaction } from '../../persistence/database/database.ts'
import { endTokenNamed } from '../accounts/ended.ts'

/** What such a token names as what it was given for. */
export function signInSource(user: number): string {
  return `sign-in:${user}`
}

/** With what was begun with them. */
export function endSignIns(tx: Transaction, user: number): void {
  const sql = 'SELECT digest FROM tokens WHERE source = ?'
  for (const { digest } of tx.all<{ digest: string }>(sql, signInSource(user))) endTokenNamed(tx, digest)
}
