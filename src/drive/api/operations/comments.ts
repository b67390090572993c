/** The operations on comments. */
import type { ListCall } from '../requests/list-call.ts'
import { command } from '../../domain/commands.ts'
import { type CommentView, type ReplyView, commentHtml } from '../../domain/comments/comment-rows.ts'
import {
  type CommentPosition,
  type ReplyName,
  getComment,
  getReply,
  listComments,
  listReplies,
} from '../../domain/comments/comments.ts'
import { readLimits } from '../../domain/settings.ts'
import { invalidParameter } from '../../contract/failure.ts'
import { readMethodBody } from '../../protocol/bodies/body.ts'
import { formatDate, parseDate } from '../../protocol/dates.ts'
import { type Selection, selectFields } from '../../protocol/answers/fields.ts'
import { type Call, type CallAnswer, NOTHING, pathId, resource } from '../requests/call.ts'
import { pageItems } from '../lists/light-lists.ts'
import { readLastKey, requestUrl, listAnswer, nextMembers, readPosition } from '../answers/paging.ts'
import type { ResourceContext } from '../resources/file-access.ts'
import { userResource } from '../resources/user.ts'

export function getOneComment(call: Call): CallAnswer {
  const withDeleted = call.parameters.includeDeleted ?? false
  return commentAnswer(
    getComment(call.drive.store.read, call.caller, { ...readCommentName(call), withDeleted }),
    call,
  )
}

export function listAllComments(call: ListCall, selection?: Selection): CallAnswer {
  const { drive, caller, parameters } = call
  const search = {
    id: pathId(call, 'fileId'),
    most: parameters.maxResults ?? 20,
    withDeleted: parameters.includeDeleted ?? false,
    after: dateIn(parameters.updatedMin),
    // position tokens of this list hold a time and the key of a row
    position: readPosition(call) as CommentPosition | undefined,
  }
  const most = readLimits(drive.store.read)['page-bytes']
  const page = pageItems(most, selection, (comment: CommentView, inner) =>
    selectFields(commentResource(comment, call), inner),
  )
  const { next } = drive.store.snapshot((db) => listComments(db, caller, search, page.fits))
  const envelope = { kind: 'drive#commentList', selfLink: requestUrl(call), ...nextMembers(call, next) }
  return listAnswer({
    etag: undefined,
    envelope,
    items: () => page.items,
  })
}

/** @throws 400 */
function dateIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const date = parseDate(text)
  if (date === undefined) throw invalidParameter('updatedMin', 'updatedMin must be a date-time of RFC 3339')
  return date
}

export async function insertComment(call: Call): Promise<CallAnswer> {
  const { drive, caller, method } = call
  const body = readMethodBody(method, 'Comment', call.body)
  return commentAnswer(
    await command(drive.store, 'addComment', caller, { id: pathId(call, 'fileId'), body }),
    call,
  )
}

/** PUT and PATCH mean the same (spec 1). */
export async function updateComment(call: Call): Promise<CallAnswer> {
  const { drive, caller, method } = call
  const change = { ...readCommentName(call), body: readMethodBody(method, 'Comment', call.body) }
  return commentAnswer(await command(drive.store, 'changeComment', caller, change), call)
}

export async function deleteComment(call: Call): Promise<CallAnswer> {
  await command(call.drive.store, 'removeComment', call.caller, readCommentName(call))
  return NOTHING
}

function readCommentName(call: ListCall): { readonly id: string; readonly comment: string } {
  return { id: pathId(call, 'fileId'), comment: pathId(call, 'commentId') }
}

function commentAnswer(comment: CommentView, call: Call): CallAnswer {
  return resource(undefined, (selection) => selectFields(commentResource(comment, call), selection))
}

function commentResource(view: CommentView, seeing: ResourceContext) {
  const { id, file, fileTitle, anchor, context, isResolved, replies } = view
  return {
    kind: 'drive#comment',
    selfLink: seeing.links.to(`files/${file}/comments/${id}`),
    commentId: id,
    fileId: file,
    fileTitle,
    ...saidMembers(view, seeing),
    ...(anchor === undefined ? {} : { anchor }),
    ...(context === undefined ? {} : { context }),
    status: isResolved ? 'resolved' : 'open',
    replies: replies.map((reply) => replyResource(reply, seeing)),
  }
}

function replyResource(view: ReplyView, seeing: ResourceContext) {
  return {
    kind: 'drive#commentReply',
    replyId: view.id,
    ...saidMembers(view, seeing),
    ...(view.verb === undefined ? {} : { verb: view.verb }),
  }
}

function saidMembers(
  { author, content, created, modified, isDeleted }: ReplyView | CommentView,
  { caller }: ResourceContext,
) {
  return {
    createdDate: formatDate(created),
    modifiedDate: formatDate(modified),
    ...(author === undefined ? {} : { author: userResource(author, caller) }),
    ...(content === undefined ? {} : { content, htmlContent: commentHtml(content) }),
    deleted: isDeleted,
  }
}

export function getOneReply(call: Call): CallAnswer {
  const withDeleted = call.parameters.includeDeleted ?? false
  return replyAnswer(getReply(call.drive.store.read, call.caller, { ...replyName(call), withDeleted }), call)
}

export function listAllReplies(call: ListCall, selection?: Selection): CallAnswer {
  const { drive, caller, parameters } = call
  const search = {
    ...readCommentName(call),
    most: parameters.maxResults ?? 20,
    withDeleted: parameters.includeDeleted ?? false,
    after: readLastKey(call),
  }
  const most = readLimits(drive.store.read)['page-bytes']
  const page = pageItems(most, selection, (reply: ReplyView, inner) =>
    selectFields(replyResource(reply, call), inner),
  )
  const { next } = drive.store.snapshot((db) => listReplies(db, caller, search, page.fits))
  const more = nextMembers(call, next === undefined ? undefined : [next])
  return listAnswer({
    etag: undefined,
    envelope: { kind: 'drive#commentReplyList', selfLink: requestUrl(call), ...more },
    items: () => page.items,
  })
}

export async function insertReply(call: Call): Promise<CallAnswer> {
  const { drive, caller, method } = call
  const input = { ...readCommentName(call), body: readMethodBody(method, 'CommentReply', call.body) }
  return replyAnswer(await command(drive.store, 'addReply', caller, input), call)
}

/** PUT and PATCH mean the same (spec 1). */
export async function updateReply(call: Call): Promise<CallAnswer> {
  const { drive, caller, method } = call
  const change = { ...replyName(call), body: readMethodBody(method, 'CommentReply', call.body) }
  return replyAnswer(await command(drive.store, 'changeReply', caller, change), call)
}

export async function deleteReply(call: Call): Promise<CallAnswer> {
  await command(call.drive.store, 'removeReply', call.caller, replyName(call))
  return NOTHING
}

function replyName(call: Call): ReplyName {
  return { ...readCommentName(call), reply: pathId(call, 'replyId') }
}

function replyAnswer(reply: ReplyView, call: Call): CallAnswer {
  return resource(undefined, (selection) => selectFields(replyResource(reply, call), selection))
}
