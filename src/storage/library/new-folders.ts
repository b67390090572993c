/** The folders that a new item goes into. */
import type { Caller } from '../model/caller.ts'
import type { Transaction } from '../store/database.ts'
import type { SeenFile } from './access.ts'
import { foldersToFill } from './parents.ts'

/** Of inserts that follow each other in a group. */
const roots = new WeakMap<object, Map<string, readonly SeenFile[]>>()

/** Most go to the caller's root, which no insert changes, nor what the caller may do there. @throws as `foldersToFill` */
export function foldersOfNew(tx: Transaction, caller: Caller, ids: readonly string[]): readonly SeenFile[] {
  if (ids.length > 0 || tx.alike === undefined) return foldersToFill(tx, caller, ids)
  const known = roots.get(tx.alike) ?? new Map<string, readonly SeenFile[]>()
  roots.set(tx.alike, known)
  // what is asked of the caller there
  const key = `${caller.user} ${caller.scopes.join(' ')}`
  const folders = known.get(key) ?? foldersToFill(tx, caller, ids)
  known.set(key, folders)
  return folders
}
