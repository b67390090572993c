/** What happened to an item, and who did it: as far as the interface tells whoever asks, the newest first. */
import { element } from '../../../web/page/elements.ts'
import { sizeText } from '../../../web/page/size.ts'
import { type Comment, filePath, type PageItem, type Revision, type User } from '../answers.ts'
import { call, callAll } from '../service.ts'
import { dateText } from '../talk.ts'

interface Facts {
  readonly createdDate: string
  readonly ownerNames?: readonly string[]
  readonly sharedWithMeDate?: string
  readonly sharingUser?: User
  readonly trashedDate?: string
  readonly trashingUser?: User
}

interface Happening {
  readonly date: string
  readonly who: string | undefined
  readonly what: string
}

const MOST = 100

export async function activity(item: PageItem): Promise<Node[]> {
  const path = filePath(item.id)
  const isFile = item.fileSize !== undefined
  const mayReadVersions = item.capabilities['canReadRevisions'] === true
  const [facts, revisions, comments] = await Promise.all([
    call<Facts>(path, {
      fields:
        'createdDate,ownerNames,sharedWithMeDate,sharingUser(displayName),trashedDate,trashingUser(displayName)',
    }),
    isFile && mayReadVersions ? callAll<Revision>(`${path}/revisions`) : [],
    isFile ? callAll<Comment>(`${path}/comments`, { maxResults: 100 }) : [],
  ])
  const all = [...ofItem(facts), ...ofVersions(revisions), ...ofComments(comments)].toSorted((a, b) =>
    b.date.localeCompare(a.date),
  )
  const list = element(
    'ol',
    { class: 'activity' },
    ...all
      .slice(0, MOST)
      .map(({ date, who, what }) =>
        element(
          'li',
          {},
          element('time', { datetime: date }, dateText(date)),
          ` ${who ?? 'Somebody'} ${what}`,
        ),
      ),
  )
  return [
    list,
    ...(all.length > MOST ? [element('p', { class: 'hint' }, `The last ${MOST} of ${all.length}.`)] : []),
  ]
}

function ofItem(facts: Facts): Happening[] {
  const { createdDate, ownerNames = [], sharedWithMeDate, sharingUser, trashedDate, trashingUser } = facts
  return [
    { date: createdDate, who: ownerNames[0], what: 'made it' },
    ...(sharedWithMeDate === undefined
      ? []
      : [{ date: sharedWithMeDate, who: sharingUser?.displayName, what: 'shared it with you' }]),
    ...(trashedDate === undefined
      ? []
      : [{ date: trashedDate, who: trashingUser?.displayName, what: 'put it into the trash' }]),
  ]
}

/** The first version is what it was made with. */
function ofVersions([, ...later]: readonly Revision[]): Happening[] {
  return later.map(({ modifiedDate, lastModifyingUserName, fileSize }) => ({
    date: modifiedDate,
    who: lastModifyingUserName,
    what: `sent a new version${fileSize === undefined ? '' : ` (${sizeText(Number(fileSize))})`}`,
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
