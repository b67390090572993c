/** Change log as one caller sees it: the latest entry of each item, in the order written (spec 15). */
import { largestChange } from './change-log.ts'
import { ABOVE } from '../folders/tree.ts'
import type { Caller } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'
import { findVisibleFile, isLimitedToApp, isOpenTo, MY_GROUPS } from '../access/access.ts'
import { type DriveView, driveView } from '../drives/drive-view.ts'
import type { FileRow } from '../items/file-row.ts'
import { type FileView, viewFiles } from '../items/file-view.ts'

export interface ChangeView {
  readonly seq: number
  readonly fileId: string
  /** ms since 1970 */
  readonly at: number
  /** The file; undefined if it is deleted or out of the caller's reach. */
  readonly file: FileView | undefined
  /** Id of the shared drive that held the file. */
  readonly driveId: string | undefined
  /** True if the drive itself changed. */
  readonly isDrive: boolean
  /** The drive as the caller sees it now; undefined if it is gone, or for a change of a file. */
  readonly drive: DriveView | undefined
}

/** Filters of a list of changes. */
export interface ChangeChoice {
  /** Includes removed items. */
  readonly includesGone: boolean
  /** Includes items outside the caller's My Drive. */
  readonly includesOthers: boolean
  readonly spaces: readonly FileRow['space'][]
  /** Shared drives and their items: all, none, or only those of one drive. */
  readonly drives: 'all' | 'none' | number
}

export interface ChangeSearch extends ChangeChoice {
  /** Number of the first entry to read. */
  readonly from: number
  readonly most: number
}

export interface ChangePage {
  readonly changes: readonly ChangeView[]
  readonly largest: number
  /** Number of the first entry of the next page; undefined on the last page for now. */
  readonly next: number | undefined
}

/** Reads one snapshot of the store: later entries get numbers above `largest`. The page ends before the first entry that does not fit. */
export function listChanges(
  db: Database,
  caller: Caller,
  search: ChangeSearch,
  fits: (change: ChangeView) => boolean = () => true,
): ChangePage {
  const changes: ChangeView[] = []
  const largest = largestChange(db)
  const piece = Math.min(search.most + 1, ROWS_AT_ONCE)
  for (let from = search.from; ;) {
    const entries = entriesFrom(db, caller, from, piece)
    for (const change of shown(db, caller, entries, search)) {
      if (changes.length === search.most || !fits(change)) return { changes, largest, next: change.seq }
      changes.push(change)
    }
    if (entries.length < piece) return { changes, largest, next: undefined }
    from = (entries.at(-1)?.seq ?? largest) + 1
  }
}

/** Entries read at once: limits memory, because the metadata of their items may be long. */
const ROWS_AT_ONCE = 100

/** Undefined if a later entry of the item replaced it, or the caller may not see it. */
export function findChange(db: Database, caller: Caller, seq: number): ChangeView | undefined {
  const drives = caller.hidesDrives === true ? 'none' : 'all'
  const choice: ChangeChoice = { includesGone: true, includesOthers: true, spaces: ALL_SPACES, drives }
  const [entry] = entriesFrom(db, caller, seq, 1)
  return entry?.seq === seq ? shown(db, caller, [entry], choice)[0] : undefined
}

const ALL_SPACES = ['drive', 'appDataFolder'] as const

interface Entry {
  readonly seq: number
  readonly item: number
  readonly item_id: string
  readonly at: number
  readonly drive: number | null
  readonly drive_id: string | null
  /** null for an item that left the lists of the principal and was deleted later. */
  readonly client: number | null
  readonly space: FileRow['space'] | null
  /** 1 if the item left the lists of the principal. */
  readonly is_removed: number
}

/** Keeps only the latest entry of an item among the caller's principals. */
const LATEST = `NOT EXISTS (SELECT 1 FROM change_index o
  WHERE o.item = l.item AND o.principal IN ${MY_GROUPS} AND o.seq > l.seq)`

/** Reads the log of one principal (?4) in the order of its index. */
const ENTRIES = `SELECT l.seq, l.item, c.item_id, c.at, c.drive, l.is_removed,
  coalesce(c.client, f.client) AS client, coalesce(c.space, f.space) AS space,
  (SELECT id FROM files WHERE pk = c.drive) AS drive_id FROM change_index l CROSS JOIN changes c ON c.seq = l.seq
  LEFT JOIN files f ON f.pk = l.item
  WHERE l.principal = ?4 AND l.seq >= ?2 AND ${LATEST} ORDER BY l.seq LIMIT ?3`

const PRINCIPALS = `SELECT ?1 AS principal UNION ALL SELECT grp FROM members WHERE member = ?1`

/** Merges the logs of the caller's principals: the first `most` entries of all lie within the first `most` of each. */
function entriesFrom(db: Database, { user }: Caller, from: number, most: number): Entry[] {
  const entries = new Map<number, Entry>()
  for (const { principal } of db.all<{ principal: number }>(PRINCIPALS, user))
    for (const entry of db.all<Entry>(ENTRIES, user, from, most, principal)) {
      // several principals may share one entry
      entries.set(entry.seq, entry)
    }
  return [...entries.values()].toSorted((one, other) => one.seq - other.seq).slice(0, most)
}

function shown(db: Database, caller: Caller, entries: readonly Entry[], search: ChangeChoice): ChangeView[] {
  const keys = entries.map(({ item }) => item)
  const views = new Map(viewFiles(db, caller, keys).map((view) => [view.row.pk, view]))
  return entries.flatMap((entry) => {
    const file = views.get(entry.item)
    if (entry.drive === entry.item) return driveChanges(db, caller, entry, search)
    const drive = file === undefined ? entry.drive : file.row.drive
    if (!isWanted(drive, search)) {
      // a caller that does not see shared drives has lost files moved into one
      return file?.extra.wasOwned === true && drive !== null && search.drives === 'none'
        ? gone(caller, entry, search)
        : []
    }
    if (file === undefined || hasLeft(db, caller, entry, file)) return gone(caller, entry, search)
    return isShown(db, caller, file, search) ? [fileChange(entry, file)] : []
  })
}

function isWanted(drive: number | null, { drives }: ChangeChoice): boolean {
  if (typeof drives === 'number') return drive === drives
  return drives === 'all' || drive === null
}

function isShown(
  db: Database,
  caller: Caller,
  { row }: FileView,
  { includesOthers, spaces }: ChangeChoice,
): boolean {
  if (!spaces.includes(row.space) || !isOpenTo(caller, row)) return false
  return includesOthers || isInMyDrive(db, caller, row.pk)
}

const LISTED = `SELECT 1 FROM acl_entries WHERE acl = ?2 AND is_listed = 1 AND principal IN ${MY_GROUPS}`

/** True if the item left the caller's lists, even if its id still opens it. */
function hasLeft(db: Database, { user }: Caller, entry: Entry, { row }: FileView): boolean {
  return entry.is_removed === 1 && db.get(LISTED, user, row.acl) === undefined
}

/** Leaves out items that the client could never see, so that their ids stay hidden. */
function gone(caller: Caller, entry: Entry, { includesGone, spaces }: ChangeChoice): ChangeView[] {
  const { client, space } = entry
  const was = { client: client ?? 0, space: space ?? 'drive', drive: null }
  const isTold = includesGone && spaces.includes(was.space) && isOpenTo(caller, was)
  return isTold ? [fileChange(entry, undefined)] : []
}

function fileChange(entry: Entry, file: FileView | undefined): ChangeView {
  const { seq, item_id: fileId, at, drive_id: driveId } = entry
  return { seq, fileId, at, file, driveId: driveId ?? undefined, isDrive: false, drive: undefined }
}

/** Clients that are confined to files they made get no entries of shared drives. */
function driveChanges(db: Database, caller: Caller, entry: Entry, search: ChangeChoice): ChangeView[] {
  if (!isWanted(entry.drive, search) || isLimitedToApp(caller, 'read')) return []
  const { seq, item_id: fileId, at } = entry
  const root = findVisibleFile(db, caller, fileId)
  if (root === undefined && !search.includesGone) return []
  const drive = root === undefined ? undefined : driveView(db, caller, root)
  return [{ seq, fileId, at, file: undefined, driveId: fileId, isDrive: true, drive }]
}

const IN_MY_DRIVE = `${ABOVE}
  SELECT 1 FROM above JOIN principals p ON p.pk = ?2 AND p.root = above.pk`

function isInMyDrive(db: Database, { user }: Caller, item: number): boolean {
  return db.get(IN_MY_DRIVE, item, user) !== undefined
}
