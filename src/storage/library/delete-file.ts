/** files.delete: gone at once and for ever, a folder with what its owner has in it (spec 5.7). */
import type { Caller } from '../model/caller.ts'
import { noPermission } from '../model/failure.ts'
import type { EntityTags } from '../query/etags.ts'
import type { Transaction } from '../store/database.ts'
import { fileToChange } from './access.ts'
import { removeItems } from './remove-items.ts'
import { mustMatch } from './conditions.ts'

export interface DeleteFile {
  readonly id: string
  readonly ifMatch?: EntityTags | undefined
}

/** @throws 404, 403, 412 */
export function deleteFile(tx: Transaction, caller: Caller, { id, ifMatch }: DeleteFile): void {
  const file = fileToChange(tx, caller, id, 'owner')
  if (file.is_root === 1) throw noPermission(id)
  mustMatch(tx, caller, file.pk, ifMatch)
  removeItems(tx, [file.pk], file.owner)
}
