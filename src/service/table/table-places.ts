/** Places in which tables are converted: so many in all, so many of one caller, so that slow readers leave some to others. */
import { MOST_OF_CALLER, MOST_TABLES } from './table-share.ts'

export interface TablePlaces {
  /** Gives the place back when called; or says why there is none. */
  readonly take: (caller: string) => (() => void) | PlaceRefusal
  /** One for which there was no room in memory while it came. */
  readonly refuse: (why: 'crowded') => void
  readonly use: () => TableUse
}

type PlaceRefusal = 'full' | 'caller'

/** As it is sent from one process to another. */
export interface TableUse {
  readonly taken: number
  /** Tables that were refused, by reason. */
  readonly refused: Readonly<Record<PlaceRefusal | 'crowded', number>>
}

export function tablePlaces(): TablePlaces {
  const callers = new Map<string, number>()
  const refused = { full: 0, caller: 0, crowded: 0 }
  let taken = 0
  const refusal = (why: PlaceRefusal) => {
    refused[why] += 1
    return why
  }
  return {
    take(caller) {
      const own = callers.get(caller) ?? 0
      if (own >= MOST_OF_CALLER) return refusal('caller')
      if (taken >= MOST_TABLES) return refusal('full')
      taken += 1
      callers.set(caller, own + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        taken -= 1
        const left = (callers.get(caller) ?? 1) - 1
        if (left === 0) callers.delete(caller)
        else callers.set(caller, left)
      }
    },
    refuse: (why) => (refused[why] += 1),
    use: () => ({ taken, refused: { ...refused } }),
  }
}
