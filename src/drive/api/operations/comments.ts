/** The operations on comments and replies. PUT and PATCH mean the same (spec 1). */
import type { ListCall } from '../requests/parts.ts'
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
import { formatDate, parseDate } from '../../protocol/dates.ts'
import { type Selection, selectFields } from '../../protocol/answers/fields.ts'
import {
  type Call,
  type CallAnswer,
  type Handlers,
  change,
  changeOnly,
  pathId,
  readCallBody,
  shown,
} from '../requests/call.ts'
import { pageItems } from '../lists/light-lists.ts'
import { readLastKey, listAnswer, nextMembers, readPosition } from '../answers/paging.ts'
import { type ResourceContext, userResource } from '../resources/file.ts'

export const COMMENTS: Handlers = {
  'comments.get'(call) {
    const name = { ...readCommentName(call), withDeleted: call.parameters.includeDeleted === true }
    return shown(commentResource(getComment(call.drive.store.read, call.caller, name), call))
  },
  async 'comments.insert'(call) {
    const input = { id: pathId(call, 'fileId'), body: readCallBody(call, 'Comment') }
    return shown(commentResource(await change(call, 'addComment', input), call))
  },
  'comments.patch': updateComment,
  'comments.update': updateComment,
  'comments.delete': (call) => changeOnly(call, 'removeComment', readCommentName(call)),
  'replies.get'(call) {
    const name = { ...readReplyName(call), withDeleted: call.parameters.includeDeleted === true }
    return shown(replyResource(getReply(call.drive.store.read, call.caller, name), call))
  },
  async 'replies.insert'(call) {
    const input = { ...readCommentName(call), body: readCallBody(call, 'CommentReply') }
    return shown(replyResource(await change(call, 'addReply', input), call))
  },
  'replies.patch': updateReply,
  'replies.update': updateReply,
  'replies.delete': (call) => changeOnly(call, 'removeReply', readReplyName(call)),
}

async function updateComment(call: Call): Promise<CallAnswer> {
  const input = { ...readCommentName(call), body: readCallBody(call, 'Comment') }
  return shown(commentResource(await change(call, 'changeComment', input), call))
}

async function updateReply(call: Call): Promise<CallAnswer> {
  const input = { ...readReplyName(call), body: readCallBody(call, 'CommentReply') }
  return shown(replyResource(await change(call, 'changeReply', input), call))
}

export function listAllComments(call: ListCall, selection?: Selection): CallAnswer {
  const { drive, caller, parameters } = call
  const search = {
    id: pathId(call, 'fileId'),
    most: parameters.maxResults ?? 20,
    withDeleted: parameters.includeDeleted === true,
    after: dateIn(parameters.updatedMin),
    // position tokens of this list hold a time and the key of a row
    position: readPosition(call) as CommentPosition | undefined,
  }
  const most = readLimits(drive.store.read)['page-bytes']
  const page = pageItems(most, selection, (comment: CommentView, inner) =>
    selectFields(commentResource(comment, call), inner),
  )
  const { next } = drive.store.snapshot((db) => listComments(db, caller, search, page.fits))
  return listAnswer(call, { kind: 'drive#commentList', ...nextMembers(call, next) }, page.items)
}

/** @throws 400 */
function dateIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const date = parseDate(text)
  if (date === undefined) throw invalidParameter('updatedMin', 'updatedMin must be a date-time of RFC 3339')
  return date
}

export function listAllReplies(call: ListCall, selection?: Selection): CallAnswer {
  const { drive, caller, parameters } = call
  const search = {
    ...readCommentName(call),
    most: parameters.maxResults ?? 20,
    withDeleted: parameters.includeDeleted === true,
    after: readLastKey(call),
  }
  const most = readLimits(drive.store.read)['page-bytes']
  const page = pageItems(most, selection, (reply: ReplyView, inner) =>
    selectFields(replyResource(reply, call), inner),
  )
  const { next } = drive.store.snapshot((db) => listReplies(db, caller, search, page.fits))
  return listAnswer(call, { kind: 'drive#commentReplyList', ...nextMembers(call, next) }, page.items)
}

function readCommentName(call: ListCall): { readonly id: string; readonly comment: string } {
  return { id: pathId(call, 'fileId'), comment: pathId(call, 'commentId') }
}

function readReplyName(call: Call): ReplyName {
  return { ...readCommentName(call), reply: pathId(call, 'replyId') }
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
