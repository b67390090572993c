/** Links between folders and their items, and the limits on them. */
import { ABOVE_BY_DEPTH } from './tree.ts'
import { type Caller, StorageFailure, badRequest, conditionNotMet } from '../../contract/failure.ts'
import { foldTitle } from '../../contract/kinds.ts'
import {
  type Database,
  type Transaction,
  countRows,
  type CachedValue,
} from '../../persistence/database/database.ts'
import { MY_PRINCIPALS, type VisibleFile, requireAppAccess, requireVisibleFile } from '../access/access.ts'
import { markFolderChanged } from '../changes/change-log.ts'
import { readLimits } from '../settings.ts'
import { requireCapability } from '../access/rights.ts'

/** Folders that the caller may add children to; the caller's root if `ids` is empty. @throws 404, 403, 400 — not a folder */
export function foldersToFill(db: Database, caller: Caller, ids: readonly string[]): VisibleFile[] {
  const named = ids.length === 0 ? ['root'] : [...new Set(ids)]
  const folders = named.map((id) => folderToFill(db, caller, id))
  if (new Set(folders.map(({ space }) => space)).size > 1)
    throw badRequest('Parents must all be in the same space.', 'parents')
  if (folders.length > 1 && folders.some(({ drive }) => drive !== null)) throw parentCountError()
  return [...new Map(folders.map((folder) => [folder.pk, folder])).values()]
}

function folderToFill(db: Database, caller: Caller, id: string): VisibleFile {
  const folder = requireVisibleFile(db, caller, id, 'parents')
  if (folder.kind !== 'folder')
    throw new StorageFailure(403, 'parentNotAFolder', 'The specified parent is not a folder.')
  requireCapability(db, folder, 'canAddChildren')
  // roots are made by no client, so every client may add children to them
  if (folder.is_root === 0) {
    requireAppAccess(caller, folder, 'write')
    checkRoom(db, folder.pk)
  }
  if (folder.drive !== null) checkDriveRoom(db, folder.drive)
  return folder
}

/** An item in a shared drive has exactly one parent (spec 19). */
export function parentCountError(): StorageFailure {
  const message = 'An item in a shared drive must have exactly one parent.'
  return new StorageFailure(403, 'teamDrivesParentLimit', message)
}

export function link(tx: Transaction, parent: number, child: number): void {
  tx.run('INSERT OR IGNORE INTO parents(parent, child) VALUES (?, ?)', parent, child)
  markFolderChanged(tx, parent)
}

/** Items of a folder up to which all their titles are read. */
const MAX_TITLES_READ = 200
const COUNT = 'SELECT count(*) AS count FROM (SELECT 1 FROM parents WHERE parent = ? LIMIT ?)'
const TITLED_IN_FEW = `SELECT 1 FROM parents l CROSS JOIN files f ON f.pk = l.child
  WHERE l.parent = ?2 AND f.title = ?3 AND f.trashed = 0 AND f.pk <> ?4 LIMIT 1`
/** A search by title, as clients make it: a caller who may fill the folder sees all that is in it. */
const TITLED = `SELECT 1 FROM files f INDEXED BY files_titles CROSS JOIN parents l ON l.parent = ?2 AND l.child = f.pk
  WHERE f.acl IN (SELECT acl FROM acl_entries WHERE principal IN ${MY_PRINCIPALS})
  AND substr(f.fold, 1, 300) = substr(?5, 1, 300) AND f.title = ?3 AND f.trashed = 0 AND f.pk <> ?4 LIMIT 1`

/** @throws 412 — another item of the folder has the title */
export function requireFreeTitle(
  tx: Transaction,
  { user }: Caller,
  folder: number,
  { pk = 0, title }: { readonly pk?: number; readonly title: string },
): void {
  const isFew = countRows(tx, COUNT, folder, MAX_TITLES_READ + 1) <= MAX_TITLES_READ
  const found = isFew
    ? tx.get(TITLED_IN_FEW, user, folder, title, pk)
    : tx.get(TITLED, user, folder, title, pk, foldTitle(title))
  if (found !== undefined) throw conditionNotMet('X-Hla-If', 'The folder has an item of this title already.')
}

const DEPTH = `${ABOVE_BY_DEPTH}
  SELECT max(depth) AS depth FROM above`

/** Number of folders on the longest path from a topmost folder to this one, itself included. */
export function measureDepth(db: Database, folder: number): number {
  return db.get<{ depth: number }>(DEPTH, folder, readLimits(db)['folder-depth'])?.depth ?? 0
}

/** @throws 403 */
export function checkDepth(db: Database, depth: number, inDrive: boolean): void {
  const deepest = readLimits(db)['folder-depth']
  if (depth > deepest)
    throw new StorageFailure(
      403,
      inDrive ? 'teamDriveHierarchyTooDeep' : 'myDriveHierarchyDepthLimitExceeded',
      `Folders can be nested ${deepest} levels deep, not more.`,
    )
}

interface Kind {
  readonly limit: 'folder-children' | 'drive-items'
  readonly count: string
  readonly reason: string
  readonly what: string
}

const OF_FOLDER: Kind = {
  limit: 'folder-children',
  count: 'SELECT count(*) AS count FROM parents WHERE parent = ?',
  reason: 'numChildrenInNonRootLimitExceeded',
  what: 'a folder',
}
const OF_DRIVE: Kind = {
  limit: 'drive-items',
  count: 'SELECT count(*) AS count FROM files WHERE drive = ?1 AND pk <> ?1',
  reason: 'teamDriveFileLimitExceeded',
  what: 'a shared drive',
}

/** Remaining room per row, under the limit `most`: key of the row -> items that may be added before the items are counted again. */
interface Rooms {
  most: number
  readonly known: Map<number, number>
}

const FOLDERS: CachedValue<Rooms> = { make: noRooms }
const DRIVES: CachedValue<Rooms> = { make: noRooms }
const MAX_KNOWN = 10_000

/** Checks the limit before an item is added. Removals and rollbacks only cause an earlier recount. @throws 403 */
export function checkRoom(db: Database, folder: number): void {
  takeRoom(db, folder, OF_FOLDER, db.memory.recall(FOLDERS))
}

/** Checks the limit of a shared drive, as `checkRoom` does for folders. @throws 403 */
function checkDriveRoom(db: Database, drive: number): void {
  takeRoom(db, drive, OF_DRIVE, db.memory.recall(DRIVES))
}

function takeRoom(db: Database, key: number, { limit, count, reason, what }: Kind, rooms: Rooms): void {
  const { known } = rooms
  const most = readLimits(db)[limit]
  // the limit was changed
  if (rooms.most !== most) known.clear()
  rooms.most = most
  const room = known.get(key) || most - countRows(db, count, key)
  if (room <= 0)
    throw new StorageFailure(403, reason, `The limit of ${most} items in ${what} has been exceeded.`)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, room - 1)
}

function noRooms(): Rooms {
  return { most: 0, known: new Map() }
}
