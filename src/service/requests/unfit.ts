/** Requests that are refused by their head: two hosts, and bodies that are compressed where nobody unpacks them. */
import type { FastifyInstance } from 'fastify'

/** `unpacks`: the address that takes compressed bodies. */
export function refuseUnfit(app: FastifyInstance, unpacks: string): void {
  app.addHook('onRequest', ({ raw, routeOptions }, reply, done) => {
    if (countHosts(raw.rawHeaders) > 1)
      return reply.code(400).send({ message: 'a request has one Host header', code: 'bad-request' })
    const encoding = raw.headers['content-encoding']
    if (encoding === undefined || encoding === 'identity' || routeOptions.url === unpacks) return done()
    return reply
      .code(415)
      .header('accept-encoding', 'identity')
      .send({
        message: `send the body as it is, without Content-Encoding; POST ${unpacks} takes compressed tables`,
        code: 'bad-request',
      })
  })
}

/** Of names and values in turn. */
function countHosts(headers: readonly string[]): number {
  let count = 0
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]?.length === HOST.length && headers[at]?.toLowerCase() === HOST) count += 1
  return count
}

const HOST = 'host'
