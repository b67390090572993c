/** Comments and replies: their rows, and the views that readers of the file get (spec 13). */
import { type Caller, invalid, noPermission, notFound } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { type VisibleFile, fileToRead } from '../access/access.ts'
import { type UserView, userView } from '../access/principals.ts'
import { touch } from '../changes/change-log.ts'
import { requireFile, requireCapability } from '../access/rights.ts'

/** Fields shared by comments and replies. Plain data: it comes back from the writer thread. */
interface SaidView {
  readonly id: string
  readonly author: UserView | undefined
  /** Undefined if deleted, or for a reply that has only a verb. */
  readonly content: string | undefined
  /** ms since 1970 */
  readonly created: number
  readonly modified: number
  readonly isDeleted: boolean
}

export interface CommentView extends SaidView {
  readonly pk: number
  /** Id of the file. */
  readonly file: string
  readonly fileTitle: string
  readonly anchor: string | undefined
  readonly context: CommentContext | undefined
  readonly isResolved: boolean
  /** Oldest first. */
  readonly replies: readonly ReplyView[]
}

export interface ReplyView extends SaidView {
  readonly pk: number
  readonly verb: string | undefined
}

export interface CommentContext {
  readonly type?: string
  readonly value?: string
}

interface SaidRow {
  readonly pk: number
  readonly id: string
  readonly author: number
  readonly content: string | null
  readonly created: number
  readonly modified: number
  readonly is_deleted: number
}

export interface CommentRow extends SaidRow {
  readonly anchor: string | null
  readonly context: string | null
  readonly is_resolved: number
}

export interface ReplyRow extends SaidRow {
  readonly comment: number
  readonly verb: string | null
}

const SAID = 'pk, id, author, content, created, modified, is_deleted'
export const COMMENT = `SELECT ${SAID}, anchor, context, is_resolved FROM comments WHERE file = ?`
export const REPLY = `SELECT ${SAID}, comment, verb FROM replies WHERE comment = ?`

/** @throws 404 — no such comment, or it was deleted and `withDeleted` is false */
export function commentRow(db: Database, file: VisibleFile, id: string, withDeleted = false): CommentRow {
  const row = db.get<CommentRow>(`${COMMENT} AND id = ?`, file.pk, id)
  if (row === undefined || (row.is_deleted === 1 && !withDeleted)) throw notFound('Comment', id, 'commentId')
  return row
}

/** @throws 404 — no such reply, or it was deleted and `withDeleted` is false */
export function replyRow(db: Database, comment: CommentRow, id: string, withDeleted = false): ReplyRow {
  const row = db.get<ReplyRow>(`${REPLY} AND id = ?`, comment.pk, id)
  if (row === undefined || (row.is_deleted === 1 && !withDeleted)) throw notFound('Reply', id, 'replyId')
  return row
}

/** Views of comments on one file, with their replies. */
export function commentViews(
  db: Database,
  file: VisibleFile,
  rows: readonly CommentRow[],
  withDeleted: boolean,
): CommentView[] {
  const sql = `SELECT ${SAID}, comment, verb FROM replies WHERE comment IN (SELECT value FROM json_each(?))
    AND is_deleted <= ? ORDER BY pk`
  const replies = new Map<number, ReplyView[]>(rows.map(({ pk }) => [pk, []]))
  const keys = JSON.stringify([...replies.keys()])
  for (const row of db.all<ReplyRow>(sql, keys, Number(withDeleted)))
    replies.get(row.comment)?.push(replyView(db, row))
  return rows.map((row) => ({
    ...contentView(db, row),
    pk: row.pk,
    file: file.id,
    fileTitle: file.title,
    anchor: row.anchor ?? undefined,
    // only comments.ts writes this column
    context: row.context === null ? undefined : (JSON.parse(row.context) as CommentContext),
    isResolved: row.is_resolved === 1,
    replies: replies.get(row.pk) ?? [],
  }))
}

export function replyView(db: Database, row: ReplyRow): ReplyView {
  return { ...contentView(db, row), pk: row.pk, verb: row.verb ?? undefined }
}

function contentView(db: Database, row: SaidRow): SaidView {
  const { id, content, created, modified } = row
  return {
    id,
    author: userView(db, row.author),
    content: content ?? undefined,
    created,
    modified,
    isDeleted: row.is_deleted === 1,
  }
}

/** Maximum bytes of a comment's or reply's content, and of a comment's anchor and context. */
const MAX_TEXT_BYTES = 32 * 1024

/** Everyone who may read a file may read its comments. @throws 404; 403 — folders have no comments */
export function requireCommentedFile(db: Database, caller: Caller, id: string): VisibleFile {
  const file = fileToRead(db, caller, id)
  if (file.kind === 'folder') throw noPermission(id)
  return file
}

/** @throws 404; 403 — the role is too weak, the item is a folder, or a content restriction is set */
export function fileToDiscuss(db: Database, caller: Caller, id: string): VisibleFile {
  return requireFile(db, caller, id, 'canComment')
}

/** @throws 403 — the caller is not the author */
export function requireAuthor(caller: Caller, file: VisibleFile, author: number): void {
  if (author !== caller.user) throw noPermission(file.id)
}

/** @throws 403 — the caller is neither the author nor owner or organizer */
export function requireDeletable(db: Database, caller: Caller, file: VisibleFile, author: number): void {
  if (author !== caller.user) requireCapability(db, file, 'canDelete')
}

/** @throws 400 */
export function checkLength(text: string | undefined, location: string): void {
  if (text !== undefined && Buffer.byteLength(text) > MAX_TEXT_BYTES)
    throw invalid(`Invalid value for ${location}: it is longer than ${MAX_TEXT_BYTES} bytes.`, location)
}

/** Updates `modifiedDate` of the comment after any change to it or a reply, so that `updatedMin` finds it. */
export function touchComment(tx: Transaction, file: VisibleFile, comment: Pick<CommentRow, 'pk'>): void {
  tx.run('UPDATE comments SET modified = ? WHERE pk = ?', tx.now, comment.pk)
  touch(tx, file)
}

export function commentHtml(content: string): string {
  let html = ''
  let done = 0
  for (const { 0: address, index } of content.matchAll(LINK)) {
    html += `${escaped(content.slice(done, index))}<a href="${escaped(address)}" rel="nofollow noopener">${escaped(address)}</a>`
    done = index + address.length
  }
  return html + escaped(content.slice(done))
}

/** Punctuation after an address is not part of it. */
const LINK = /\bhttps?:\/\/[^\s<>"]{1,1999}[^\s<>".,;:!?')\]}]/g

function escaped(text: string): string {
  return text.replace(/\r\n|[&<>"'\r\n]/g, (found) => ENTITIES[found] ?? '<br>')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
