/** Who may talk about a file, and what every change of what is said leaves behind (spec 13). */
import type { Caller } from '../model/caller.ts'
import { invalid, noPermission } from '../model/failure.ts'
import type { Database, Transaction } from '../store/database.ts'
import { fileToRead, type SeenFile } from './access.ts'
import { recordChange } from './change-log.ts'
import type { CommentRow } from './comment-rows.ts'
import { fileFor, mustBeAble } from './powers.ts'

/** Bytes of a comment's or a reply's words, and of what a comment hangs on. */
const LONGEST = 32 * 1024

/** Whoever sees a file reads what is said about it. @throws 404; 403 — about folders nothing is said */
export function discussedFile(db: Database, caller: Caller, id: string): SeenFile {
  const file = fileToRead(db, caller, id)
  if (file.kind === 'folder') throw noPermission(id)
  return file
}

/** @throws 404; 403 — he may not comment, it is a folder, or a restriction keeps the file as it is */
export function fileToDiscuss(db: Database, caller: Caller, id: string): SeenFile {
  return fileFor(db, caller, id, 'canComment')
}

/** @throws 403 — somebody else said it */
export function mustBeAuthor(caller: Caller, file: SeenFile, author: number): void {
  if (author !== caller.user) throw noPermission(file.id)
}

/** @throws 403 — somebody else said it, and the caller is not who keeps the file in order */
export function mayDelete(db: Database, caller: Caller, file: SeenFile, author: number): void {
  if (author !== caller.user) mustBeAble(db, file, 'canDelete')
}

/** @throws 400 */
export function checkLength(text: string | undefined, location: string): void {
  if (text !== undefined && Buffer.byteLength(text) > LONGEST)
    throw invalid(`Invalid value for ${location}: it is longer than ${LONGEST} bytes.`, location)
}

/** Whoever asks for what is new since a time finds the comment again, by whatever was done to it or to a reply. */
export function discussed(tx: Transaction, file: SeenFile, comment: Pick<CommentRow, 'pk'>): void {
  tx.run('UPDATE comments SET modified = ? WHERE pk = ?', tx.now, comment.pk)
  tx.run('UPDATE files SET version = version + 1 WHERE pk = ?', file.pk)
  recordChange(tx, file)
}
