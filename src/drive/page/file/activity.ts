/** Activity on an item, newest first, as far as the user may see it; and its comments. */
import { button, element, formFor, hint } from '../../../web/page/elements.ts'
import { sizeText } from '../../../web/page/size.ts'
import { type Comment, type PageItem, type Reply, type Revision, type User, filePath } from '../answers.ts'
import { call, callAll, callAt } from '../service.ts'
import { attempt, dateText } from '../panel.ts'

interface Facts {
  readonly createdDate: string
  readonly ownerNames?: readonly string[]
  readonly owners?: readonly { readonly emailAddress?: string }[]
  readonly sharedWithMeDate?: string
  readonly sharingUser?: User
  readonly trashedDate?: string
  readonly trashingUser?: User
}

interface Accesses {
  readonly items: readonly Access[]
}

interface Access {
  readonly date: string
  readonly action: 'open' | 'download' | 'share' | 'change'
  /** Operation; `thumbnail` for a list that showed the image. */
  readonly method: string
  /** Null for a reader without an account. */
  readonly user: string | null
}

interface Happening {
  readonly date: string
  readonly who: string | undefined
  readonly what: string
}

const MAX_SHOWN = 100

export async function activity(item: PageItem): Promise<Node[]> {
  const path = filePath(item.id)
  const isFile = item.fileSize !== undefined
  const mayReadVersions = item.capabilities['canReadRevisions'] === true
  // only owners and organizers may delete, and see who reads
  const maySeeAccesses = item.capabilities['canDelete'] === true
  const query = { file: item.id, maxResults: 1000 }
  const [facts, revisions, comments, accesses] = await Promise.all([
    call<Facts>(path, {
      fields:
        'createdDate,ownerNames,owners(emailAddress),sharedWithMeDate,sharingUser(displayName),trashedDate,trashingUser(displayName)',
    }),
    isFile && mayReadVersions ? callAll<Revision>(`${path}/revisions`) : [],
    isFile ? callAll<Comment>(`${path}/comments`, { maxResults: 100 }) : [],
    // a token without the scope drive is refused; the rest is shown all the same
    maySeeAccesses ? callAt<Accesses>('drive/admin/v1/accesses', query).catch(() => undefined) : undefined,
  ])
  const [owner] = facts.owners ?? []
  const read = ofAccesses(accesses?.items ?? [], owner?.emailAddress)
  const all = [...ofItem(facts), ...ofVersions(revisions), ...ofComments(comments), ...read].toSorted(
    (a, b) => b.date.localeCompare(a.date),
  )
  const list = element(
    'ol',
    { class: 'activity' },
    ...all
      .slice(0, MAX_SHOWN)
      .map(({ date, who, what }) =>
        element(
          'li',
          {},
          element('time', { datetime: date }, dateText(date)),
          ` ${who ?? 'An unknown user'} ${what}`,
        ),
      ),
  )
  return [list, ...(all.length > MAX_SHOWN ? [hint(`The last ${MAX_SHOWN} of ${all.length}.`)] : [])]
}

function ofItem(facts: Facts): Happening[] {
  const { createdDate, ownerNames = [], sharedWithMeDate, sharingUser, trashedDate, trashingUser } = facts
  return [
    { date: createdDate, who: ownerNames[0], what: 'created it' },
    ...(sharedWithMeDate === undefined
      ? []
      : [{ date: sharedWithMeDate, who: sharingUser?.displayName, what: 'shared it with you' }]),
    ...(trashedDate === undefined
      ? []
      : [{ date: trashedDate, who: trashingUser?.displayName, what: 'moved it to the trash' }]),
  ]
}

const DID = { open: 'opened it', download: 'downloaded it', share: 'changed who has access' } as const

/** Every change of sharing, and the last time that each other reader opened or downloaded the item. */
function ofAccesses(accesses: readonly Access[], owner: string | undefined): Happening[] {
  const known = new Set<string>()
  return accesses.flatMap(({ date, action, method, user }) => {
    const key = `${action} ${user ?? ''}`
    if (
      action === 'change' ||
      method === 'thumbnail' ||
      (action !== 'share' && (user === owner || known.has(key)))
    )
      return []
    known.add(key)
    return [{ date, who: user ?? 'Someone with a link', what: DID[action] }]
  })
}

/** Skips the first version, which belongs to the file's creation. */
function ofVersions([, ...later]: readonly Revision[]): Happening[] {
  return later.map(({ modifiedDate, lastModifyingUserName, fileSize }) => ({
    date: modifiedDate,
    who: lastModifyingUserName,
    what: `uploaded a new version${fileSize === undefined ? '' : ` (${sizeText(Number(fileSize))})`}`,
  }))
}

function ofComments(comments: readonly Comment[]): Happening[] {
  return comments.flatMap(({ createdDate, author, content = '', replies }) => [
    { date: createdDate, who: author?.displayName, what: `commented: ${shortened(content)}` },
    ...replies.map((reply) => ({
      date: reply.createdDate,
      who: reply.author?.displayName,
      what:
        reply.verb === 'resolve'
          ? `resolved “${shortened(content)}”`
          : reply.verb === 'reopen'
            ? `opened “${shortened(content)}” again`
            : `replied: ${shortened(reply.content ?? '')}`,
    })),
  ])
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

export async function comments(item: PageItem, reload: () => Promise<void>): Promise<Node[]> {
  const path = `${filePath(item.id)}/comments`
  const mayComment = item.capabilities['canComment'] === true
  const all = await callAll<Comment>(path, { maxResults: 100 })
  const list = all.map((comment) => showComment(comment, mayComment ? path : undefined, reload))
  return [
    ...(all.length === 0 ? [hint('No comments yet.')] : list),
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

/** `path` is undefined for a user who may only read. */
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
    hint(`${author?.displayName ?? 'Unknown user'} · ${dateText(createdDate)}${more}`),
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
  // the label of a reply quotes the comment, and is too long for its box
  const [rows, placeholder] = verb === 'Reply' ? ['1', verb] : ['2', label]
  const text = element('textarea', { id, rows, 'aria-label': label, placeholder, required: true })
  const post = () =>
    attempt('Posted.', async () => {
      await send(text.value)
      text.value = ''
      await reload()
    })
  return formFor(() => void post(), { class: 'say' }, text, element('button', {}, verb))
}
