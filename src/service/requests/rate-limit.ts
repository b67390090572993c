/** How many requests a second one address may make. */
import type { FastifyInstance } from 'fastify'
import { tokenBuckets } from '../../web/token-buckets.ts'

export function limitRate(app: FastifyInstance, perSecond: number): void {
  if (perSecond === 0) return
  const take = tokenBuckets(() => perSecond)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isOpen || take(request.ip)) return done()
    return reply
      .code(429)
      .header('retry-after', '1')
      .send({ message: `more than ${perSecond} requests a second`, code: 'too-many-requests' })
  })
}
