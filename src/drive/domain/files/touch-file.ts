/** files.touch: the file counts as changed now, by the caller (spec 5.6). */
import type { Caller } from '../../contract/caller.ts'
import type { EntityTags } from '../../protocol/etags.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import { recordChange } from '../changes/change-log.ts'
import { mustMatch } from '../conditions.ts'
import { type FileView, viewFile } from '../items/file-view.ts'
import { fileFor } from '../access/powers.ts'
import { keepModifier } from '../items/user-state.ts'

export interface TouchFile {
  readonly id: string
  readonly ifMatch?: EntityTags | undefined
}

/** @throws 404, 403, 412 */
export function touchFile(tx: Transaction, caller: Caller, { id, ifMatch }: TouchFile): FileView {
  const file = fileFor(tx, caller, id, 'canEdit')
  mustMatch(tx, caller, file.pk, ifMatch)
  keepModifier(tx, file, caller.user)
  const sql = 'UPDATE files SET modified = ?, modifier = ?, version = version + 1 WHERE pk = ?'
  tx.run(sql, tx.now, caller.user, file.pk)
  recordChange(tx, file)
  return viewFile(tx, caller, file.pk)
}
