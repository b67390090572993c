/** The operations on replies to comments. */
import type { ListCall } from '../requests/list-call.ts'
import { command } from '../../domain/commands.ts'
import type { ReplyView } from '../../domain/comments/comment-rows.ts'
import { getReply, listReplies, type ReplyName } from '../../domain/comments/replies.ts'
import { readLimits } from '../../domain/limits.ts'
import { readMethodBody } from '../../protocol/bodies/body.ts'
import { type Selection, selectFields } from '../../protocol/answers/fields.ts'
import { type CallAnswer, type Call, idIn, NOTHING, resource } from '../requests/call.ts'
import { readCommentName } from './comments.ts'
import { pageItems } from '../lists/page-items.ts'
import { listAnswer } from '../answers/list-answer.ts'
import { keyBefore, linkTo, nextMembers } from '../answers/paging.ts'
import { replyResource } from '../resources/comment.ts'

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
    after: keyBefore(call),
  }
  const most = readLimits(drive.store.read)['page-bytes']
  const page = pageItems(most, selection, (reply: ReplyView, inner) =>
    selectFields(replyResource(reply, call), inner),
  )
  const { next } = drive.store.snapshot((db) => listReplies(db, caller, search, page.fits))
  const more = nextMembers(call, next === undefined ? undefined : [next])
  return listAnswer({
    etag: undefined,
    envelope: { kind: 'drive#commentReplyList', selfLink: linkTo(call), ...more },
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
  return { ...readCommentName(call), reply: idIn(call, 'replyId') }
}

function replyAnswer(reply: ReplyView, call: Call): CallAnswer {
  return resource(undefined, (selection) => selectFields(replyResource(reply, call), selection))
}
