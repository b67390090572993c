/** What people say about a file. */
import { button, element } from '../../../web/page/elements.ts'
import type { Comment, PageItem, Reply } from '../answers.ts'
import { call, callAll } from '../service.ts'
import { attempt, dateText } from '../talk.ts'

export async function comments(item: PageItem, reload: () => Promise<void>): Promise<Node[]> {
  const path = `files/${encodeURIComponent(item.id)}/comments`
  const mayComment = item.capabilities['canComment'] === true
  const all = await callAll<Comment>(path, { maxResults: 100 })
  const list = all.map((comment) => showComment(comment, mayComment ? path : undefined, reload))
  return [
    ...(all.length === 0 ? [element('p', { class: 'hint' }, 'No comments yet.')] : list),
    ...(mayComment
      ? [
          sayForm({
            id: 'say',
            verb: 'Comment',
            label: 'Your comment',
            send: (content) => call(path, {}, { content }),
            reload,
          }),
        ]
      : []),
  ]
}

/** `path` is undefined where one may only read. */
function showComment(comment: Comment, path: string | undefined, reload: () => Promise<void>): HTMLElement {
  const { commentId, status, replies, content = '' } = comment
  const isResolved = status === 'resolved'
  const reply = (body: object) => call(`${path}/${encodeURIComponent(commentId)}/replies`, {}, body)
  const verb = isResolved ? 'reopen' : 'resolve'
  const turn = () => void attempt(isResolved ? 'Reopened.' : 'Resolved.', () => reply({ verb }).then(reload))
  const beginning = content.length > 40 ? `${content.slice(0, 40)}…` : content
  return element(
    'article',
    { class: isResolved ? 'comment resolved' : 'comment' },
    ...saying(comment, isResolved ? ' · resolved' : ''),
    element('div', { class: 'replies' }, ...replies.flatMap((one) => saying(one, verbText(one)))),
    ...(path === undefined
      ? []
      : [
          sayForm({
            id: `say-${commentId}`,
            verb: 'Reply',
            label: `Reply to “${beginning}”`,
            send: (content) => reply({ content }),
            reload,
          }),
          button(isResolved ? 'Reopen' : 'Resolve', turn, {
            'aria-label': `${isResolved ? 'Reopen' : 'Resolve'} “${beginning}”`,
          }),
        ]),
  )
}

function saying({ author, createdDate, content }: Comment | Reply, more: string): Node[] {
  return [
    element(
      'p',
      { class: 'hint' },
      `${author?.displayName ?? 'Unknown user'} · ${dateText(createdDate)}${more}`,
    ),
    ...(content === undefined || content === '' ? [] : [element('p', { class: 'said' }, content)]),
  ]
}

function verbText({ verb }: Reply): string {
  return verb === undefined ? '' : verb === 'resolve' ? ' · resolved' : ' · reopened'
}

interface Saying {
  readonly id: string
  readonly verb: string
  readonly label: string
  readonly send: (text: string) => Promise<unknown>
  readonly reload: () => Promise<void>
}

function sayForm({ id, verb, label, send, reload }: Saying): HTMLElement {
  const rows = verb === 'Reply' ? '1' : '2'
  const text = element('textarea', { id, rows, 'aria-label': label, placeholder: label, required: true })
  const form = element('form', { class: 'say' }, text, element('button', {}, verb))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void attempt('Posted.', async () => {
      await send(text.value)
      text.value = ''
      await reload()
    })
  })
  return form
}
