/** Token buckets: a rate limit per client, with bursts of one second's requests. */

type Client = string | number

export interface TokenBuckets {
  /** Takes a token for one more request; false when the client has none. */
  readonly take: (client: Client) => boolean
  /** Takes tokens for work already done. The client is refused until it has earned them. */
  readonly owe: (client: Client, count: number) => void
  /** Seconds until the client has a token. */
  readonly wait: (client: Client) => number
}

interface Bucket {
  /** Negative while the client owes tokens. */
  readonly left: number
  readonly at: number
}

/** Maximum number of clients remembered; beyond it all buckets are reset. */
const MAX_CLIENTS = 100_000

export function tokenBuckets(perSecond: number): TokenBuckets {
  const buckets = new Map<Client, Bucket>()
  // a rate below 1 would never fill a whole token
  const most = Math.max(1, perSecond)
  const leftOf = (client: Client) => {
    const bucket = buckets.get(client)
    if (bucket === undefined) return most
    return Math.min(most, bucket.left + ((performance.now() - bucket.at) / 1000) * perSecond)
  }
  const keep = (client: Client, left: number) => {
    if (buckets.size >= MAX_CLIENTS) buckets.clear()
    buckets.set(client, { left, at: performance.now() })
  }
  return {
    take(client) {
      const left = leftOf(client)
      keep(client, left < 1 ? left : left - 1)
      return left >= 1
    },
    owe: (client, count) => keep(client, leftOf(client) - count),
    wait: (client) => Math.max(0, 1 - leftOf(client)) / perSecond,
  }
}
