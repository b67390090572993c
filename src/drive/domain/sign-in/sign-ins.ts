/** Tokens given at a sign-in with a password; they end when the password changes. */
import type { Transaction } from '../../persistence/database/database.ts'
import { endTokenByDigest } from '../accounts/end-tokens.ts'

/** Source of tokens given at a sign-in of the user. */
export function signInSource(user: number): string {
  return `sign-in:${user}`
}

/** Ends these tokens, and the channels and uploads begun with them. */
export function endSignIns(tx: Transaction, user: number): void {
  const sql = 'SELECT digest FROM tokens WHERE source = ?'
  for (const { digest } of tx.all<{ digest: string }>(sql, signInSource(user))) endTokenByDigest(tx, digest)
}
