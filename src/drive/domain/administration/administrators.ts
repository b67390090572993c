/** Who administers a store over HTTP: users who may, on its page or with a token of its own program; no other program in their name. */
import type { Caller } from '../../contract/caller.ts'
import { StorageFailure } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'
import { findClient, OWN_CLIENT } from '../accounts/clients.ts'
import { signInSource } from '../sign-in/sign-ins.ts'

const MAY = `kind = 'user' AND is_admin = 1 AND is_known = 1 AND is_disabled = 0`

export function isAdministrator(db: Database, caller: Caller): boolean {
  const { user } = caller
  return isOwn(db, caller) && db.get(`SELECT 1 FROM principals WHERE pk = ? AND ${MAY}`, user) !== undefined
}

/** @throws 403 */
export function mustAdminister(db: Database, caller: Caller): void {
  if (isAdministrator(db, caller)) return
  throw new StorageFailure(403, 'forbidden', 'A store is administered on its page, by its administrators.')
}

/** Made by the operator or an administrator for the store's own program, or given to who signed in on the page. */
function isOwn(db: Database, { user, client, scopes, via = [] }: Caller): boolean {
  const source = via[1]
  if (source !== undefined && source !== signInSource(user)) return false
  return scopes.includes('drive') && findClient(db, OWN_CLIENT)?.pk === client
}

export function hasAdministrator(db: Database): boolean {
  return db.get(`SELECT 1 FROM principals WHERE ${MAY} LIMIT 1`) !== undefined
}
