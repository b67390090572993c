/** Token buckets: a rate limit per client, with bursts of one second's requests. */

interface Bucket {
  left: number
  at: number
}

/** Maximum number of clients remembered; beyond it all buckets are reset. */
const MAX_CLIENTS = 100_000

/** @returns a function that tells whether a client may send one more request */
export function tokenBuckets(perSecond: number): (client: string | number) => boolean {
  const buckets = new Map<string | number, Bucket>()
  // a rate below 1 would never fill a whole token
  const most = Math.max(1, perSecond)
  return (client) => {
    const now = performance.now()
    const { left, at } = buckets.get(client) ?? { left: most, at: now }
    const filled = Math.min(most, left + ((now - at) / 1000) * perSecond)
    if (buckets.size >= MAX_CLIENTS) buckets.clear()
    buckets.set(client, { left: filled < 1 ? filled : filled - 1, at: now })
    return filled >= 1
  }
}
