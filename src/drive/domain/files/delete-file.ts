/** files.delete: gone at once and for ever, a folder with what its owner has in it (spec 5.7). */
import type { Caller } from '../../contract/caller.ts'
import type { EntityTags } from '../../protocol/etags.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import { removeItems } from './remove-items.ts'
import { mustMatch } from '../conditions.ts'
import { fileFor } from '../access/powers.ts'

export interface DeleteFile {
  readonly id: string
  readonly ifMatch?: EntityTags | undefined
}

/** @throws 404, 403, 412 */
export function deleteFile(tx: Transaction, caller: Caller, { id, ifMatch }: DeleteFile): void {
  const file = fileFor(tx, caller, id, 'canDelete')
  mustMatch(tx, caller, file.pk, ifMatch)
  removeItems(tx, [file.pk], file.owner)
}
