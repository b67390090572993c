/** Completes an upload: a new file, or new content of an existing one (spec 6.5). */
import type { Caller } from '../../contract/caller.ts'
import type { Staged } from '../../persistence/contents/blob-rows.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { findSeen } from '../access/access.ts'
import { clearNotes } from '../changes/change-notes.ts'
import { NO_CONTENT } from '../revisions/content.ts'
import type { FileView } from '../items/file-view.ts'
import { listParentIds, type InsertFile, insertFile } from '../files/insert-file.ts'
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

/** A user who pays, and how many bytes there is room for; undefined: any number. */
export interface Room {
  readonly user: number
  readonly bytes: number | undefined
}

/**
 * Of everybody who has to have room. `received` bytes count already, against the quota of the caller, who has to have room for the
 * others, too, until they are a file.
 */
export function roomsFor(db: Database, caller: Caller, target: UploadTarget, received?: number): Room[] {
  const { payer, replaced } = paidFor(db, caller, target)
  const room = (user: number, own: number): Room => {
    const left = quotaLeft(db, user)
    return { user, bytes: left === undefined ? undefined : left + own }
  }
  const isCallers = payer === caller.user
  const rooms = payer === null ? [] : [room(payer, replaced + (isCallers ? (received ?? 0) : 0))]
  return received === undefined || isCallers ? rooms : [...rooms, room(caller.user, received)]
}

interface Paid {
  readonly payer: number | null
  /** Bytes that these take the place of. */
  readonly replaced: number
}

function paidFor(db: Database, caller: Caller, target: UploadTarget): Paid {
  if (target.kind === 'insert') {
    const [folder] = listParentIds(target.file.body)
    const drive = folder === undefined ? null : (findSeen(db, caller, folder)?.drive ?? null)
    return { payer: payerFor(db, { owner: drive === null ? caller.user : null, drive }), replaced: 0 }
  }
  const { owner = null, drive = null, size = 0 } = findSeen(db, caller, target.file.id) ?? {}
  return { payer: payerFor(db, { owner, drive }), replaced: target.content.isNewRevision ? 0 : size }
}
