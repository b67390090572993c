/** Marks an item as viewed: state of the caller alone, which changes nothing for others. */
import type { Caller } from '../../contract/caller.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import { fileToRead } from '../access/access.ts'
import { recordChange } from '../changes/change-log.ts'
import { type FileView, viewFile } from '../items/file-view.ts'
import { changeState } from '../items/user-state.ts'

/** @throws 404, 403 */
export function markViewed(tx: Transaction, caller: Caller, { id }: { readonly id: string }): FileView {
  const file = fileToRead(tx, caller, id)
  if (changeState(tx, caller.user, file.pk, { viewedAt: tx.now })) recordChange(tx, file, [caller.user])
  return viewFile(tx, caller, file.pk)
}
