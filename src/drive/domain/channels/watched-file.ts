/** State of a watched file as its watcher sees it, and the message that describes a difference (spec 16). */
import { digestText } from '../../protocol/etags.ts'
import type { Caller } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'
import { isOpenTo } from '../access/access.ts'
import { type FileView, viewFiles } from '../items/file-view.ts'

export type ResourceState = 'sync' | 'add' | 'remove' | 'update' | 'trash' | 'untrash' | 'change'

export interface NotificationContent {
  readonly state: ResourceState
  /** Comma-separated parts, such as `content,parents`. */
  readonly changed: string | undefined
}

/** Plain data: short texts, each of which changes with the part it stands for. */
export interface WatchedState {
  readonly etag: string
  readonly isTrashed: boolean
  readonly content: string
  readonly properties: string
  readonly parents: string
  readonly permissions: string
}

/** Undefined if the file is deleted or out of the caller's reach. */
export function readWatchedState(db: Database, caller: Caller, item: number): WatchedState | undefined {
  const [view] = viewFiles(db, caller, [item])
  return view === undefined || !isOpenTo(caller, view.row) ? undefined : describeState(view)
}

function describeState({ row, etag, head, parents, properties, mine, role }: FileView): WatchedState {
  const { title, mime, extra, original_name: name } = row
  return {
    etag,
    isTrashed: row.trashed === 1,
    content: `${head?.id} ${head?.sha256}`,
    properties: digestValue([title, mime, extra, name, properties, mine.isStarred, mine.viewedAt]),
    parents: digestValue(parents.map(({ id }) => id).toSorted()),
    permissions: `${row.acl} ${role}`,
  }
}

function digestValue(value: unknown): string {
  return digestText(JSON.stringify(value))
}

const PARTS = ['content', 'properties', 'parents', 'permissions'] as const

/** Undefined if this watcher sees no difference, e.g. after another user starred the file. */
export function describeNotification(
  before: WatchedState | undefined,
  after: WatchedState | undefined,
  hasOtherChildren: boolean,
): NotificationContent | undefined {
  if (after === undefined) return before === undefined ? undefined : { state: 'remove', changed: undefined }
  if (before === undefined) return { state: 'add', changed: undefined }
  if (before.isTrashed !== after.isTrashed)
    return { state: after.isTrashed ? 'trash' : 'untrash', changed: undefined }
  if (before.etag === after.etag && !hasOtherChildren) return undefined
  const parts: string[] = PARTS.filter((part) => before[part] !== after[part])
  if (hasOtherChildren) parts.push('children')
  return { state: 'update', changed: parts.length === 0 ? undefined : parts.join() }
}
