/** How many items a folder or a shared drive may have (spec 23), without counting them for every one that is added. */
import { countRows } from '../../persistence/database/count-rows.ts'
import { StorageFailure } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'
import type { Remembered } from '../../persistence/database/memory.ts'
import { readLimits } from '../limits.ts'

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
  most: number
  readonly known: Map<number, number>
}

const FOLDERS: Remembered<Rooms> = { make: noRooms }
const DRIVES: Remembered<Rooms> = { make: noRooms }
const MOST_KNOWN = 10_000

/** Before each item that is put into the folder: what leaves it, or is taken back, only makes it count sooner. @throws 403 */
export function checkRoom(db: Database, folder: number): void {
  take(db, folder, OF_FOLDER, db.memory.recall(FOLDERS))
}

/** As of folders. @throws 403 */
export function checkDriveRoom(db: Database, drive: number): void {
  take(db, drive, OF_DRIVE, db.memory.recall(DRIVES))
}

function take(db: Database, key: number, { limit, count, reason, what }: Kind, rooms: Rooms): void {
  const { known } = rooms
  const most = readLimits(db)[limit]
  // another limit
  if (rooms.most !== most) known.clear()
  rooms.most = most
  const room = known.get(key) || most - countRows(db, count, key)
  if (room <= 0)
    throw new StorageFailure(403, reason, `The limit of ${most} items in ${what} has been exceeded.`)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(key, room - 1)
}

function noRooms(): Rooms {
  return { most: 0, known: new Map() }
}
