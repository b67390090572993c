/** Access to the comments of a file, and the bookkeeping of every change to them (spec 13). */
import type { Caller } from '../../contract/caller.ts'
import { invalid, noPermission } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { fileToRead, type SeenFile } from '../access/access.ts'
import { recordChange } from '../changes/change-log.ts'
import type { CommentRow } from './comment-rows.ts'
import { fileFor, mustBeAble } from '../access/powers.ts'

/** Bytes of the content of a comment or reply, and of a comment's anchor and context. */
const LONGEST = 32 * 1024

/** Everyone who may read a file may read its comments. @throws 404; 403 — folders have no comments */
export function discussedFile(db: Database, caller: Caller, id: string): SeenFile {
  const file = fileToRead(db, caller, id)
  if (file.kind === 'folder') throw noPermission(id)
  return file
}

/** @throws 404; 403 — the role is too weak, the item is a folder, or a content restriction is set */
export function fileToDiscuss(db: Database, caller: Caller, id: string): SeenFile {
  return fileFor(db, caller, id, 'canComment')
}

/** @throws 403 — the caller is not the author */
export function mustBeAuthor(caller: Caller, file: SeenFile, author: number): void {
  if (author !== caller.user) throw noPermission(file.id)
}

/** @throws 403 — the caller is neither the author nor owner or organizer */
export function mayDelete(db: Database, caller: Caller, file: SeenFile, author: number): void {
  if (author !== caller.user) mustBeAble(db, file, 'canDelete')
}

/** @throws 400 */
export function checkLength(text: string | undefined, location: string): void {
  if (text !== undefined && Buffer.byteLength(text) > LONGEST)
    throw invalid(`Invalid value for ${location}: it is longer than ${LONGEST} bytes.`, location)
}

/** Every change to a comment or a reply moves `modifiedDate`, so that `updatedMin` finds the comment again. */
export function discussed(tx: Transaction, file: SeenFile, comment: Pick<CommentRow, 'pk'>): void {
  tx.run('UPDATE comments SET modified = ? WHERE pk = ?', tx.now, comment.pk)
  tx.run('UPDATE files SET version = version + 1 WHERE pk = ?', file.pk)
  recordChange(tx, file)
}
