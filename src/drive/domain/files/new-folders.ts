/** The folders that a new item goes into. */
import type { Caller } from '../../contract/caller.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import type { SeenFile } from '../access/access.ts'
import { readOnce } from '../read-once.ts'
import { foldersToFill } from '../folders/parents.ts'

/** Most go to the caller's root, which no insert changes, nor what the caller may do there. @throws as `foldersToFill` */
export function foldersForNew(tx: Transaction, caller: Caller, ids: readonly string[]): readonly SeenFile[] {
  if (ids.length > 0) return foldersToFill(tx, caller, ids)
  // what is asked of the caller there
  const key = `root ${caller.user} ${caller.scopes.join(' ')}`
  return readOnce(tx, key, () => foldersToFill(tx, caller, ids))
}
