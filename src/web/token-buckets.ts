/** Token buckets: so many requests a second of each client, with a second's worth at once. */

interface Bucket {
  left: number
  at: number
}

/** Clients that are remembered; beyond them, all begin anew. */
const MOST_CLIENTS = 100_000

/** `perSecond`: as it is now. @returns whether a client may ask once more */
export function tokenBuckets(perSecond: () => number): (client: string | number) => boolean {
  const buckets = new Map<string | number, Bucket>()
  return (client) => {
    const now = performance.now()
    const rate = perSecond()
    // of less than one a second there would never be one
    const most = Math.max(1, rate)
    const { left, at } = buckets.get(client) ?? { left: most, at: now }
    const filled = Math.min(most, left + ((now - at) / 1000) * rate)
    if (buckets.size >= MOST_CLIENTS) buckets.clear()
    buckets.set(client, { left: filled < 1 ? filled : filled - 1, at: now })
    return filled >= 1
  }
}
