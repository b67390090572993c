/** How many items a folder or a shared drive may have (spec 23), without counting them for every one that is added. */
import { StorageFailure } from '../model/failure.ts'
import type { Database } from '../store/database.ts'

interface Limit {
  readonly most: number
  readonly count: string
  readonly reason: string
  readonly what: string
}

const OF_FOLDER: Limit = {
  most: 500_000,
  count: 'SELECT count(*) AS count FROM parents WHERE parent = ?',
  reason: 'numChildrenInNonRootLimitExceeded',
  what: 'a folder',
}
const OF_DRIVE: Limit = {
  most: 400_000,
  count: 'SELECT count(*) AS count FROM files WHERE drive = ?1 AND pk <> ?1',
  reason: 'teamDriveFileLimitExceeded',
  what: 'a shared drive',
}

/** Key of the row -> how many more may be put there before the items have to be counted again. */
type Rooms = Map<number, number>

const folderRooms = new WeakMap<Database, Rooms>()
const driveRooms = new WeakMap<Database, Rooms>()
const MOST_KNOWN = 10_000

/** Before each item that is put into the folder: what leaves it, or is taken back, only makes it count sooner. @throws 403 */
export function checkRoom(db: Database, folder: number, most: number = OF_FOLDER.most): void {
  take(db, folder, { ...OF_FOLDER, most }, roomsOf(folderRooms, db))
}

/** As of folders. @throws 403 */
export function checkDriveRoom(db: Database, drive: number): void {
  take(db, drive, OF_DRIVE, roomsOf(driveRooms, db))
}

function take(db: Database, key: number, { most, count, reason, what }: Limit, known: Rooms): void {
  const room = known.get(key) || most - (db.get<{ count: number }>(count, key)?.count ?? 0)
  if (room <= 0)
    throw new StorageFailure(403, reason, `The limit of ${most} items in ${what} has been exceeded.`)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(key, room - 1)
}

function roomsOf(rooms: WeakMap<Database, Rooms>, db: Database): Rooms {
  let known = rooms.get(db)
  if (known === undefined) rooms.set(db, (known = new Map<number, number>()))
  return known
}
