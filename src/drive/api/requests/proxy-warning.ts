/** Warns the operator of a proxy in front whose word about clients is not taken: all of them have its address then. */
import type { FastifyInstance } from 'fastify'

/** Once per process: when one address forwards requests for two clients. A single forwarded client may have written the header itself. */
export function warnOfProxy(app: FastifyInstance, trustsProxy: boolean): void {
  if (trustsProxy) return
  let last: { readonly address: string; readonly client: string } | undefined
  let isTold = false
  app.addHook('onRequest', ({ headers, ip }, _reply, done) => {
    const client = isTold ? undefined : (headers['x-forwarded-for'] ?? headers.forwarded)?.toString()
    if (client !== undefined) {
      if (last?.address === ip && last.client !== client) {
        isTold = true
        app.log.warn(
          `${ip} forwards requests of several clients: limits by address count all of them as one; with a proxy in front, start with --trust-proxy`,
        )
      }
      last = { address: ip, client }
    }
    done()
  })
}
