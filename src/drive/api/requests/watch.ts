/** What is done around every request: count, access log, the end of a connection. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Connections } from '../../../web/connections.ts'
import type { RequestMetrics } from '../../../web/request-metrics.ts'

export interface ObservedService {
  readonly metrics: RequestMetrics
  /** Whether each request is written to the log. */
  readonly logs: boolean
  readonly connections: Connections
}

export function watchRequests(app: FastifyInstance, { metrics, logs, connections }: ObservedService): void {
  app.addHook('onRequest', (request, reply, done) => {
    connections.begin(request, reply, 'short')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    connections.end(request)
    const { method, routeOptions } = request
    const route = routeOptions.url ?? 'unknown'
    metrics.count({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (logs) request.log.info(logLine(request, reply))
    done()
  })
}

/** The route, not the address: ids of uploads and tokens stand in addresses. */
function logLine({ id, method, routeOptions, caller }: FastifyRequest, reply: FastifyReply) {
  const ms = Math.round(reply.elapsedTime * 100) / 100
  const route = routeOptions.url ?? 'unknown'
  return { reqId: id, method, route, status: reply.statusCode, ms, user: caller?.user }
}
