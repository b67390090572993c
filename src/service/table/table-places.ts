/** Places for table conversions. They are shared by caller: a table waits for one, and the longest for its caller's own. */
import { sharePlaces } from '../../web/share.ts'
import { MAX_CALLER_TABLES, MAX_TABLES, MAX_TABLE_WAIT_MS, MAX_WAITING_TABLES } from './table-share.ts'

export interface TablePlaces {
  /** Waits for a place, and resolves with the function that frees it; or with the reason for refusal. */
  readonly take: (caller: string) => Promise<(() => void) | PlaceRefusal>
  /** Counts a table refused for lack of memory while it was received. */
  readonly refuse: (why: 'crowded') => void
  readonly use: () => TableUse
}

type PlaceRefusal = 'full' | 'caller'

/** Counts in a form that can be sent between processes. */
export interface TableUse {
  readonly taken: number
  /** Refused tables by reason. */
  readonly refused: Readonly<Record<PlaceRefusal | 'crowded', number>>
}

export function tablePlaces(): TablePlaces {
  const places = sharePlaces(MAX_TABLES)
  /** Tables of each caller, converting or waiting. */
  const tables = new Map<string, number>()
  const refused = { full: 0, caller: 0, crowded: 0 }
  let [taken, waiting] = [0, 0]
  const count = (caller: string, change: 1 | -1) => {
    const number = (tables.get(caller) ?? 0) + change
    if (number === 0) tables.delete(caller)
    else tables.set(caller, number)
  }
  const refusal = (why: PlaceRefusal) => {
    refused[why] += 1
    return why
  }
  return {
    async take(caller) {
      if ((tables.get(caller) ?? 0) >= MAX_CALLER_TABLES) return refusal('caller')
      if (waiting >= MAX_WAITING_TABLES) return refusal('full')
      count(caller, 1)
      waiting += 1
      const free = await inTime(places.take(caller))
      waiting -= 1
      if (free === undefined) {
        count(caller, -1)
        return refusal('full')
      }
      taken += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        taken -= 1
        count(caller, -1)
        free()
      }
    },
    refuse: (why) => (refused[why] += 1),
    use: () => ({ taken, refused: { ...refused } }),
  }
}

/** undefined when no place was free in time; one that comes later is given back. */
async function inTime(place: Promise<() => void>): Promise<(() => void) | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, MAX_TABLE_WAIT_MS, undefined)
  })
  const free = await Promise.race([place, late])
  clearTimeout(timer)
  if (free === undefined) void place.then((giveBack) => giveBack())
  return free
}
