/** Token buckets: so many requests a second of each client, with a second's worth at once. */

interface Bucket {
  left: number
  at: number
}

/** Clients that are remembered; beyond them, all begin anew. */
const MOST_CLIENTS = 100_000

/** @returns whether a client may ask once more */
export function tokenBuckets(perSecond: number): (client: string | number) => boolean {
  const buckets = new Map<string | number, Bucket>()
  return (client) => {
    const now = performance.now()
    const { left, at } = buckets.get(client) ?? { left: perSecond, at: now }
    const filled = Math.min(perSecond, left + ((now - at) / 1000) * perSecond)
    if (buckets.size >= MOST_CLIENTS) buckets.clear()
    buckets.set(client, { left: filled < 1 ? filled : filled - 1, at: now })
    return filled >= 1
  }
}
