/** Bytes that arrive and that nothing in the store says yet: those who pay have to have room for all of them together. */

export interface UnderWay {
  readonly begin: () => Arriving
}

/** One content that arrives. */
export interface Arriving {
  /** Other than before: what the store says of anybody's room has to be read again. */
  readonly era: () => number
  /** Bytes of others that this user will pay for. */
  readonly ofOthers: (user: number) => number
  /** So many bytes of this one, for these users; never fewer than before. */
  readonly reach: (users: readonly number[], bytes: number) => void
  /** They count no longer: before the store is told of them, so that nobody counts them twice, and when it was. */
  readonly end: () => void
}

export function underWay(): UnderWay {
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
          // what never counted changes nobody's room
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
