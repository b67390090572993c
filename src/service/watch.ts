/** What is done around every request: identity of the data, count, access log, the end of a connection. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Current } from './current.ts'
import type { Deadlines } from './deadlines.ts'
import type { Metrics } from './metrics.ts'
import type { ServiceLog } from './options.ts'

export interface Watched {
  readonly current: Current
  readonly metrics: Metrics
  readonly deadlines: Deadlines
  readonly log: ServiceLog
  readonly isDraining: () => boolean
}

/** One hook before and one after: each costs every request. */
export function watchRequests(
  app: FastifyInstance,
  { current, metrics, deadlines, log, isDraining }: Watched,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-hla-data', current.served.dataId).header('x-request-id', request.id)
    if (isDraining()) reply.header('connection', 'close')
    deadlines.begin(request, reply)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    deadlines.end(request)
    const route = request.routeOptions.url ?? 'unknown'
    metrics.countRequest(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
    if (log.access) request.log.info(accessOf(request, reply, log.inputs))
    // the connection of a request that began before the end was near
    if (isDraining()) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
}

function accessOf(request: FastifyRequest, reply: FastifyReply, inputs: boolean): Record<string, unknown> {
  const { method, routeOptions, url, body } = request
  const ms = Math.round(reply.elapsedTime * 100) / 100
  const line = {
    reqId: request.id,
    method,
    route: routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    ms,
  }
  if (!inputs) return line
  return { ...line, url, body: routeOptions.config.isStreamed ? undefined : body }
}
