/** Replies to comments, which also resolve and reopen them (spec 13). */
import type { CommentReplyBody } from '../../contract/bodies.ts'
import type { Caller } from '../../contract/caller.ts'
import { invalid, required } from '../../contract/failure.ts'
import { mustHaveRoom } from '../accounts/quota.ts'
import { readLimits } from '../limits.ts'
import { newId } from '../../protocol/ids.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { commentRow, REPLY, type ReplyRow, replyRow, replyView, type ReplyView } from './comment-rows.ts'
import type { CommentName } from './comments.ts'
import { type KeyedPage, keyedPage, type PageStart } from '../keyed-page.ts'
import {
  checkLength,
  discussed,
  discussedFile,
  fileToDiscuss,
  mayDelete,
  mustBeAuthor,
} from './discussion.ts'

export interface ReplyName extends CommentName {
  readonly reply: string
}

export interface ReplySearch extends CommentName, PageStart {
  readonly withDeleted: boolean
}

/** Oldest first. @throws 404, 403 */
export function listReplies(
  db: Database,
  caller: Caller,
  search: ReplySearch,
  fits?: (reply: ReplyView) => boolean,
): KeyedPage<ReplyView> {
  const { id, comment, most, withDeleted, after } = search
  const file = discussedFile(db, caller, id)
  const { pk } = commentRow(db, file, comment, withDeleted)
  const sql = `${REPLY} AND is_deleted <= ? AND pk > ? ORDER BY pk LIMIT ?`
  const rows = db.each<ReplyRow>(sql, pk, Number(withDeleted), after, most + 1)
  return keyedPage(rows, most, (row) => replyView(db, row), fits)
}

/** @throws 404, 403 */
export function getReply(
  db: Database,
  caller: Caller,
  { id, comment, reply, withDeleted }: ReplyName & { readonly withDeleted: boolean },
): ReplyView {
  const file = discussedFile(db, caller, id)
  return replyView(db, replyRow(db, commentRow(db, file, comment, withDeleted), reply, withDeleted))
}

const VERBS: ReadonlySet<string> = new Set(['resolve', 'reopen'])

/** @throws 404, 403, 400 — neither words nor a verb */
export function addReply(
  tx: Transaction,
  caller: Caller,
  { id, comment, body }: CommentName & { readonly body: CommentReplyBody },
): ReplyView {
  const { content, verb } = body
  if (verb !== undefined && !VERBS.has(verb)) throw invalid('The verb must be resolve or reopen.', 'verb')
  if (verb === undefined && (content === undefined || content === '')) throw required('content')
  checkLength(content, 'content')
  const file = fileToDiscuss(tx, caller, id)
  const row = commentRow(tx, file, comment)
  const sql = `INSERT INTO replies(comment, id, author, content, verb, created, modified)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)`
  const made = newId()
  tx.run(sql, row.pk, made, caller.user, content ?? null, verb ?? null, tx.now)
  mustFit(tx, row.pk)
  mustHaveRoom(tx, caller.user)
  if (verb !== undefined)
    tx.run('UPDATE comments SET is_resolved = ? WHERE pk = ?', Number(verb === 'resolve'), row.pk)
  discussed(tx, file, row)
  return replyView(tx, replyRow(tx, row, made))
}

/** A comment is answered with all of its replies: after one was written. @throws 400 */
function mustFit(db: Database, comment: number): void {
  const sql = 'SELECT count(*) AS count, sum(octet_length(content)) AS bytes FROM replies WHERE comment = ?'
  const { count = 0, bytes = 0 } = db.get<{ count: number; bytes: number | null }>(sql, comment) ?? {}
  const { 'comment-replies': most, 'page-bytes': mostBytes } = readLimits(db)
  if (count > most) throw invalid(`A comment has at most ${most} replies.`, 'commentId')
  if ((bytes ?? 0) > mostBytes)
    throw invalid(`The replies to a comment have at most ${mostBytes} bytes together.`, 'commentId')
}

export interface ChangeReply extends ReplyName {
  readonly body: CommentReplyBody
}

/** Only what it says can be changed. @throws 404, 403, 400 */
export function changeReply(tx: Transaction, caller: Caller, change: ChangeReply): ReplyView {
  const { content = '' } = change.body
  checkLength(content, 'content')
  const file = fileToDiscuss(tx, caller, change.id)
  const comment = commentRow(tx, file, change.comment)
  const row = replyRow(tx, comment, change.reply)
  mustBeAuthor(caller, file, row.author)
  tx.run('UPDATE replies SET content = ?, modified = ? WHERE pk = ?', content, tx.now, row.pk)
  if (Buffer.byteLength(content) > Buffer.byteLength(row.content ?? '')) {
    mustFit(tx, comment.pk)
    mustHaveRoom(tx, caller.user)
  }
  discussed(tx, file, comment)
  return replyView(tx, replyRow(tx, comment, row.id))
}

/** Its words are gone; what its verb did stays done. @throws 404, 403 */
export function removeReply(tx: Transaction, caller: Caller, name: ReplyName): void {
  const file = fileToDiscuss(tx, caller, name.id)
  const comment = commentRow(tx, file, name.comment)
  const row = replyRow(tx, comment, name.reply)
  mayDelete(tx, caller, file, row.author)
  tx.run('UPDATE replies SET is_deleted = 1, content = NULL, modified = ? WHERE pk = ?', tx.now, row.pk)
  discussed(tx, file, comment)
}
