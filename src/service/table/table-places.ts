/** Slots for table conversions: a limit for all and one per client, so that slow readers leave some to others. */
import { MAX_CALLER_TABLES, MAX_TABLES } from './table-share.ts'

export interface TablePlaces {
  /** Takes a slot, and returns a function that frees it; or the reason for refusal. */
  readonly take: (caller: string) => (() => void) | PlaceRefusal
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
      if (own >= MAX_CALLER_TABLES) return refusal('caller')
      if (taken >= MAX_TABLES) return refusal('full')
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
