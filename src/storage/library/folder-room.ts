/** How many items a folder may have (spec 23), without counting them for every one that is added. */
import { StorageFailure } from '../model/failure.ts'
import type { Database } from '../store/database.ts'

const MOST_CHILDREN = 500_000

/** Key of a folder -> how many more may be put there before its items have to be counted again. */
type Rooms = Map<number, number>

const rooms = new WeakMap<Database, Rooms>()
const MOST_KNOWN = 10_000

/** Before each item that is put into the folder: what leaves it, or is taken back, only makes it count sooner. @throws 403 */
export function checkRoom(db: Database, folder: number, most: number = MOST_CHILDREN): void {
  const known = roomsOf(db)
  const room = known.get(folder) || counted(db, folder, most)
  if (room <= 0)
    throw new StorageFailure(
      403,
      'numChildrenInNonRootLimitExceeded',
      `The limit of ${most} items in a folder has been exceeded.`,
    )
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(folder, room - 1)
}

function counted(db: Database, folder: number, most: number): number {
  const row = db.get<{ count: number }>('SELECT count(*) AS count FROM parents WHERE parent = ?', folder)
  return most - (row?.count ?? 0)
}

function roomsOf(db: Database): Rooms {
  let known = rooms.get(db)
  if (known === undefined) rooms.set(db, (known = new Map<number, number>()))
  return known
}
