/** `drive#comment` and `drive#commentReply`. */
import type { CommentView, ReplyView } from '../../domain/comments/comment-rows.ts'
import { commentHtml } from '../../domain/comments/comment-html.ts'
import { formatDate } from '../../protocol/dates.ts'
import type { Viewing } from './file/field.ts'
import { userResource } from './user.ts'

export function commentResource(view: CommentView, seeing: Viewing) {
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

export function replyResource(view: ReplyView, seeing: Viewing) {
  return {
    kind: 'drive#commentReply',
    replyId: view.id,
    ...saidMembers(view, seeing),
    ...(view.verb === undefined ? {} : { verb: view.verb }),
  }
}

function saidMembers(
  { author, content, created, modified, isDeleted }: ReplyView | CommentView,
  { caller }: Viewing,
) {
  return {
    createdDate: formatDate(created),
    modifiedDate: formatDate(modified),
    ...(author === undefined ? {} : { author: userResource(author, caller) }),
    ...(content === undefined ? {} : { content, htmlContent: commentHtml(content) }),
    deleted: isDeleted,
  }
}
