/** Counts arriving bytes that the store does not count yet: the payers need room for all of them together. */

export interface Arrivals {
  readonly begin: () => Arrival
}

export interface Arrival {
  /** Changes when room must be read from the store again. */
  readonly era: () => number
  /** Bytes of other uploads that this user will pay for. */
  readonly ofOthers: (user: number) => number
  /** Raises the bytes of this upload for these users; never lowers them. */
  readonly reach: (users: readonly number[], bytes: number) => void
  /** Stops counting the bytes. Call it before the store counts them, so that they never count twice. */
  readonly end: () => void
}

export function countArrivals(): Arrivals {
  const sums = new Map<number, number>()
  let ended = 0
  const add = (user: number, bytes: number) => {
    const sum = (sums.get(user) ?? 0) + bytes
    if (sum === 0) sums.delete(user)
    else sums.set(user, sum)
  }
  return {
    begin() {
      const own = new Map<number, number>()
      return {
        era: () => ended,
        ofOthers: (user) => (sums.get(user) ?? 0) - (own.get(user) ?? 0),
        reach(users, bytes) {
          for (const user of users) {
            const before = own.get(user) ?? 0
            if (bytes <= before) continue
            own.set(user, bytes)
            add(user, bytes - before)
          }
        },
        end() {
          // an upload whose bytes were never counted frees no space
          if (own.size > 0) ended += 1
          for (const [user, bytes] of own) {
            add(user, -bytes)
            own.set(user, 0)
          }
        },
      }
    },
  }
}
