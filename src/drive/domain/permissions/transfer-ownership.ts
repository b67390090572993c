/** A file of My Drive gets another owner (spec 11.3): of a folder, the folder itself and nothing in it. */
import type { Caller } from '../../contract/caller.ts'
import { noPermission } from '../../contract/failure.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import type { SeenFile } from '../access/access.ts'
import { recordChange } from '../changes/change-log.ts'
import { findHome, unlinkAll } from '../folders/find-folders.ts'
import { unfit } from './grant.ts'
import { link } from '../folders/parents.ts'
import type { Principal } from '../access/principals.ts'
import { charge, withinQuota } from '../accounts/quota.ts'
import { recomputeRights } from '../access/recompute-rights.ts'
import { recomputeTrash } from '../trash/recompute-trash.ts'
import { noteShared } from '../items/user-state.ts'

export interface OwnershipTransfer {
  readonly to: Principal
  /** Replaces all parents by the new owner's root. */
  readonly movesToRoot: boolean
}

/** The old owner becomes a writer. @throws 403 — not the owner, or the new owner's quota; 400 — the grantee cannot own files */
export function transferOwnership(
  tx: Transaction,
  caller: Caller,
  file: SeenFile,
  { to, movesToRoot }: OwnershipTransfer,
): void {
  if (file.owner !== caller.user) throw noPermission(file.id)
  if (to.kind !== 'user' || to.is_known === 0) throw unfit('Files are owned by users who have an account.')
  tx.run('DELETE FROM grants WHERE item = ? AND principal = ?', file.pk, to.pk)
  tx.run(GRANT, file.pk, file.owner, tx.now)
  withinQuota(tx, to.pk, () => {
    tx.run('UPDATE files SET owner = ?, version = version + 1 WHERE pk = ?', to.pk, file.pk)
    charge(tx, file.owner, -file.used)
    charge(tx, to.pk, file.used)
  })
  noteShared(tx, to.pk, file.pk, undefined)
  if (movesToRoot) {
    unlinkAll(tx, file.pk)
    link(tx, findHome(tx, { pk: file.pk, owner: to.pk, drive: null }), file.pk)
    recomputeTrash(tx, file.pk)
  }
  recomputeRights(tx, [file.pk])
  recordChange(tx, file)
}

const GRANT = `INSERT OR REPLACE INTO grants(item, principal, role, created, granter) VALUES (?1, ?2, 'writer', ?3, ?2)`
