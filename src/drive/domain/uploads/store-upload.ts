/** Completes an upload: a new file, or new content of an existing one (spec 6.5). */
import type { Caller } from '../../contract/caller.ts'
import type { Staged } from '../../persistence/contents/blob-rows.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { findSeen } from '../access/access.ts'
import { clearNotes } from '../changes/change-notes.ts'
import { NO_CONTENT } from '../revisions/content.ts'
import type { FileView } from '../items/file-view.ts'
import { idsOf, type InsertFile, insertFile } from '../files/insert-file.ts'
import { payerFor, quotaLeft } from '../accounts/quota.ts'
import type { ContentChange } from '../revisions/update-content.ts'
import { type UpdateFile, updateFile } from '../files/update-file.ts'

/** Everything about an upload except its bytes. Plain data: kept as JSON. */
export type UploadTarget =
  | { readonly kind: 'insert'; readonly file: Omit<InsertFile, 'content'> }
  | {
      readonly kind: 'update'
      readonly file: Omit<UpdateFile, 'content'>
      readonly content: Omit<ContentChange, 'staged'>
    }

export interface StoreUpload {
  readonly target: UploadTarget
  readonly staged: Staged
}

/** @throws what files.insert and files.update do */
export function storeUpload(tx: Transaction, caller: Caller, { target, staged }: StoreUpload): FileView {
  if (target.kind === 'insert') return insertFile(tx, caller, { ...target.file, content: staged })
  return updateFile(tx, caller, { ...target.file, content: { ...target.content, staged } })
}

export interface TryUpload {
  readonly target: UploadTarget
  /** Bytes, as far as it is known. */
  readonly size: number
}

/** Checks everything but the bytes, by storing the upload and rolling back. @throws as `storeUpload` */
export function tryUpload(tx: Transaction, caller: Caller, { target, size }: TryUpload): void {
  tx.trial(() => storeUpload(tx, caller, { target, staged: { ...NO_CONTENT, size } }))
  // watchers must not be told of changes that were rolled back
  clearNotes(tx)
}

/** How many bytes there is room for; undefined: any number. */
export function roomFor(db: Database, caller: Caller, target: UploadTarget): number | undefined {
  if (target.kind === 'insert') {
    const [folder] = idsOf(target.file.body)
    const drive = folder === undefined ? null : (findSeen(db, caller, folder)?.drive ?? null)
    return leftFor(db, payerFor(db, { owner: drive === null ? caller.user : null, drive }))
  }
  const { owner = null, drive = null, size = 0 } = findSeen(db, caller, target.file.id) ?? {}
  const left = leftFor(db, payerFor(db, { owner, drive }))
  return left === undefined || target.content.isNewRevision ? left : left + size
}

function leftFor(db: Database, payer: number | null): number | undefined {
  return payer === null ? undefined : quotaLeft(db, payer)
}
