/** Comments on files (spec 13). */
import type { CommentBody, CommentReplyBody } from '../../contract/bodies.ts'
import { type Caller, invalid, required } from '../../contract/failure.ts'
import { requireQuota } from '../accounts/quota.ts'
import { newId } from '../../protocol/ids.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import type { VisibleFile } from '../access/access.ts'
import {
  COMMENT,
  type CommentContext,
  type CommentRow,
  type CommentView,
  REPLY,
  type ReplyRow,
  type ReplyView,
  checkLength,
  commentRow,
  commentViews,
  touchComment,
  requireCommentedFile,
  fileToDiscuss,
  requireDeletable,
  requireAuthor,
  replyRow,
  replyView,
} from './comment-rows.ts'
import { readLimits } from '../settings.ts'
import { type KeyedPage, type PageStart, keyedPage } from '../keyed-page.ts'

interface CommentName {
  /** Id of the file. */
  readonly id: string
  readonly comment: string
}

export interface CommentSearch {
  /** Id of the file. */
  readonly id: string
  readonly most: number
  readonly withDeleted: boolean
  /** Returns only comments modified after this time: ms since 1970. */
  readonly after: number | undefined
  /** Last position of the page before. */
  readonly position: CommentPosition | undefined
}

export type CommentPosition = readonly [modified: number, pk: number]

export interface CommentPage {
  readonly comments: readonly CommentView[]
  /** Undefined on the last page. */
  readonly next: CommentPosition | undefined
}

/** Lists comments, last modified first; the page ends before the first comment that does not fit. @throws 404, 403 */
export function listComments(
  db: Database,
  caller: Caller,
  search: CommentSearch,
  fits: (comment: CommentView) => boolean = () => true,
): CommentPage {
  const { id, most, withDeleted, after, position } = search
  const file = requireCommentedFile(db, caller, id)
  const [modified, pk] = position ?? [Number.MAX_SAFE_INTEGER, 0]
  const sql = `${COMMENT} AND is_deleted <= ? AND modified > ? AND (modified, pk) < (?, ?)
    ORDER BY modified DESC, pk DESC LIMIT ?`
  const earliest = after ?? Number.MIN_SAFE_INTEGER
  const comments: CommentView[] = []
  for (const row of db.each<CommentRow>(
    sql,
    file.pk,
    Number(withDeleted),
    earliest,
    modified,
    pk,
    most + 1,
  )) {
    const [view] = commentViews(db, file, [row], withDeleted)
    const last = comments.at(-1)
    if (view === undefined) continue
    if (last !== undefined && (comments.length === most || !fits(view)))
      return { comments, next: [last.modified, last.pk] }
    if (last === undefined) fits(view)
    comments.push(view)
  }
  return { comments, next: undefined }
}

/** @throws 404, 403 */
export function getComment(
  db: Database,
  caller: Caller,
  { id, comment, withDeleted }: CommentName & { readonly withDeleted: boolean },
): CommentView {
  const file = requireCommentedFile(db, caller, id)
  return viewComment(db, file, commentRow(db, file, comment, withDeleted).id, withDeleted)
}

/** @throws 404, 403, 400 */
export function addComment(
  tx: Transaction,
  caller: Caller,
  { id, body }: { readonly id: string; readonly body: CommentBody },
): CommentView {
  const { content = '', anchor = null, context } = body
  checkLength(content, 'content')
  checkLength(body.anchor, 'anchor')
  checkLength(context?.type, 'context.type')
  checkLength(context?.value, 'context.value')
  const file = fileToDiscuss(tx, caller, id)
  const sql = `INSERT INTO comments(file, id, author, content, anchor, context, created, modified)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)`
  const made = newId()
  const { lastKey } = tx.run(sql, file.pk, made, caller.user, content, anchor, contextText(context), tx.now)
  requireQuota(tx, caller.user)
  touchComment(tx, file, { pk: lastKey })
  return viewComment(tx, file, made)
}

export interface ChangeComment extends CommentName {
  readonly body: CommentBody
}

/** Only the content can be changed. @throws 404, 403, 400 */
export function changeComment(tx: Transaction, caller: Caller, change: ChangeComment): CommentView {
  const { content = '' } = change.body
  checkLength(content, 'content')
  const file = fileToDiscuss(tx, caller, change.id)
  const row = commentRow(tx, file, change.comment)
  requireAuthor(caller, file, row.author)
  tx.run('UPDATE comments SET content = ? WHERE pk = ?', content, row.pk)
  if (Buffer.byteLength(content) > Buffer.byteLength(row.content ?? '')) requireQuota(tx, caller.user)
  touchComment(tx, file, row)
  return viewComment(tx, file, row.id)
}

/** Deletes the content; the anchor and the replies stay. @throws 404, 403 */
export function removeComment(tx: Transaction, caller: Caller, { id, comment }: CommentName): void {
  const file = fileToDiscuss(tx, caller, id)
  const row = commentRow(tx, file, comment)
  requireDeletable(tx, caller, file, row.author)
  tx.run('UPDATE comments SET is_deleted = 1, content = NULL, context = NULL WHERE pk = ?', row.pk)
  touchComment(tx, file, row)
}

function viewComment(db: Database, file: VisibleFile, id: string, withDeleted = false): CommentView {
  const [view] = commentViews(db, file, [commentRow(db, file, id, withDeleted)], withDeleted)
  if (view === undefined) throw new Error(`there is no comment ${id}`)
  return view
}

function contextText(context: CommentContext | undefined): string | null {
  return context === undefined ? null : JSON.stringify({ type: context.type, value: context.value })
}

export interface ReplyName extends CommentName {
  readonly reply: string
}

interface ReplySearch extends CommentName, PageStart {
  readonly withDeleted: boolean
}

/** Lists replies, oldest first. @throws 404, 403 */
export function listReplies(
  db: Database,
  caller: Caller,
  search: ReplySearch,
  fits?: (reply: ReplyView) => boolean,
): KeyedPage<ReplyView> {
  const { id, comment, most, withDeleted, after } = search
  const file = requireCommentedFile(db, caller, id)
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
  const file = requireCommentedFile(db, caller, id)
  return replyView(db, replyRow(db, commentRow(db, file, comment, withDeleted), reply, withDeleted))
}

const VERBS: ReadonlySet<string> = new Set(['resolve', 'reopen'])

/** @throws 404, 403, 400 — neither content nor a verb */
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
  requireFit(tx, row.pk)
  requireQuota(tx, caller.user)
  if (verb !== undefined)
    tx.run('UPDATE comments SET is_resolved = ? WHERE pk = ?', Number(verb === 'resolve'), row.pk)
  touchComment(tx, file, row)
  return replyView(tx, replyRow(tx, row, made))
}

/** Checks the total size of a comment's replies after a write, because a comment is returned with all of them. @throws 400 */
function requireFit(db: Database, comment: number): void {
  const sql = 'SELECT count(*) AS count, sum(octet_length(content)) AS bytes FROM replies WHERE comment = ?'
  const { count = 0, bytes = 0 } = db.get<{ count: number; bytes: number | null }>(sql, comment) ?? {}
  const { 'comment-replies': most, 'page-bytes': mostBytes } = readLimits(db)
  if (count > most) throw invalid(`A comment has at most ${most} replies.`, 'commentId')
  if ((bytes ?? 0) > mostBytes)
    throw invalid(`The replies to a comment have at most ${mostBytes} bytes together.`, 'commentId')
}

interface ChangeReply extends ReplyName {
  readonly body: CommentReplyBody
}

/** Only the content can be changed. @throws 404, 403, 400 */
export function changeReply(tx: Transaction, caller: Caller, change: ChangeReply): ReplyView {
  const { content = '' } = change.body
  checkLength(content, 'content')
  const file = fileToDiscuss(tx, caller, change.id)
  const comment = commentRow(tx, file, change.comment)
  const row = replyRow(tx, comment, change.reply)
  requireAuthor(caller, file, row.author)
  tx.run('UPDATE replies SET content = ?, modified = ? WHERE pk = ?', content, tx.now, row.pk)
  if (Buffer.byteLength(content) > Buffer.byteLength(row.content ?? '')) {
    requireFit(tx, comment.pk)
    requireQuota(tx, caller.user)
  }
  touchComment(tx, file, comment)
  return replyView(tx, replyRow(tx, comment, row.id))
}

/** Deletes the content; the effect of the verb stays. @throws 404, 403 */
export function removeReply(tx: Transaction, caller: Caller, name: ReplyName): void {
  const file = fileToDiscuss(tx, caller, name.id)
  const comment = commentRow(tx, file, name.comment)
  const row = replyRow(tx, comment, name.reply)
  requireDeletable(tx, caller, file, row.author)
  tx.run('UPDATE replies SET is_deleted = 1, content = NULL, modified = ? WHERE pk = ?', tx.now, row.pk)
  touchComment(tx, file, comment)
}
