/** How many items a folder or a shared drive may have (spec 23), without counting them for every one that is added. */
import { StorageFailure } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'
import { limitsOf } from '../limits.ts'

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

/** Under the limit that is set: key of the row -> how many more may be put there before the items have to be counted again. */
interface Rooms {
  readonly most: number
  readonly known: Map<number, number>
}

const folderRooms = new WeakMap<Database, Rooms>()
const driveRooms = new WeakMap<Database, Rooms>()
const MOST_KNOWN = 10_000

/** Before each item that is put into the folder: what leaves it, or is taken back, only makes it count sooner. @throws 403 */
export function checkRoom(db: Database, folder: number): void {
  take(db, folder, OF_FOLDER, folderRooms)
}

/** As of folders. @throws 403 */
export function checkDriveRoom(db: Database, drive: number): void {
  take(db, drive, OF_DRIVE, driveRooms)
}

function take(
  db: Database,
  key: number,
  { limit, count, reason, what }: Kind,
  all: WeakMap<Database, Rooms>,
): void {
  const { most, known } = roomsOf(all, db, limitsOf(db)[limit])
  const room = known.get(key) || most - (db.get<{ count: number }>(count, key)?.count ?? 0)
  if (room <= 0)
    throw new StorageFailure(403, reason, `The limit of ${most} items in ${what} has been exceeded.`)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(key, room - 1)
}

function roomsOf(all: WeakMap<Database, Rooms>, db: Database, most: number): Rooms {
  let rooms = all.get(db)
  if (rooms?.most !== most) all.set(db, (rooms = { most, known: new Map<number, number>() }))
  return rooms
}
