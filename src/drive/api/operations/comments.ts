/** The operations on comments. */
import type { ListCall } from '../requests/list-call.ts'
import { command } from '../../domain/commands.ts'
import type { CommentView } from '../../domain/comments/comment-rows.ts'
import { type CommentPosition, getComment, listComments } from '../../domain/comments/comments.ts'
import { readLimits } from '../../domain/limits.ts'
import { invalidParameter } from '../../contract/failure.ts'
import { readMethodBody } from '../../protocol/bodies/body.ts'
import { parseDate } from '../../protocol/dates.ts'
import { type Selection, selectFields } from '../../protocol/answers/fields.ts'
import { type CallAnswer, type Call, idIn, NOTHING, resource } from '../requests/call.ts'
import { pageItems } from '../lists/page-items.ts'
import { listAnswer } from '../answers/list-answer.ts'
import { linkTo, nextMembers, readPosition } from '../answers/paging.ts'
import { commentResource } from '../resources/comment.ts'

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
    id: idIn(call, 'fileId'),
    most: parameters.maxResults ?? 20,
    withDeleted: parameters.includeDeleted ?? false,
    after: dateIn(parameters.updatedMin),
    // its own tokens hold a time and the key of a row
    position: readPosition(call) as CommentPosition | undefined,
  }
  const most = readLimits(drive.store.read)['page-bytes']
  const page = pageItems(most, selection, (comment: CommentView, inner) =>
    selectFields(commentResource(comment, call), inner),
  )
  const { next } = drive.store.snapshot((db) => listComments(db, caller, search, page.fits))
  const envelope = { kind: 'drive#commentList', selfLink: linkTo(call), ...nextMembers(call, next) }
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
    await command(drive.store, 'addComment', caller, { id: idIn(call, 'fileId'), body }),
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

export function readCommentName(call: ListCall): { readonly id: string; readonly comment: string } {
  return { id: idIn(call, 'fileId'), comment: idIn(call, 'commentId') }
}

function commentAnswer(comment: CommentView, call: Call): CallAnswer {
  return resource(undefined, (selection) => selectFields(commentResource(comment, call), selection))
}
