/** How many requests a second one address may make, with a second's worth at once. */
import type { FastifyInstance } from 'fastify'

interface Bucket {
  left: number
  at: number
}

/** Addresses that are remembered; beyond them, all begin anew. */
const MOST_CLIENTS = 100_000

export function limitRate(app: FastifyInstance, perSecond: number): void {
  if (perSecond === 0) return
  const buckets = new Map<string, Bucket>()
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isOpen || take(buckets, request.ip, perSecond)) return done()
    return reply
      .code(429)
      .header('retry-after', '1')
      .send({ message: `more than ${perSecond} requests a second`, code: 'too-many-requests' })
  })
}

function take(buckets: Map<string, Bucket>, client: string, perSecond: number): boolean {
  const now = performance.now()
  const { left, at } = buckets.get(client) ?? { left: perSecond, at: now }
  const filled = Math.min(perSecond, left + ((now - at) / 1000) * perSecond)
  if (buckets.size >= MOST_CLIENTS) buckets.clear()
  buckets.set(client, { left: filled < 1 ? filled : filled - 1, at: now })
  return filled >= 1
}
