/** What is done around every request: identity of the data, count, access log, the end of a connection. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Connections, LoadCounter } from '../web/connections.ts'
import type { RouteCounter } from '../web/request-metrics.ts'
import type { Current } from './current.ts'
import type { Metrics } from './metrics.ts'
import type { ServiceLog } from './options.ts'

export interface ObservedRequests {
  readonly current: Current
  readonly metrics: Metrics
  readonly connections: Connections
  readonly load: LoadCounter
  readonly log: ServiceLog
}

/** One hook before and one after, the latter made for its route: what is done here is done for every request. */
export function watchRequests(app: FastifyInstance, watched: ObservedRequests): void {
  const { current, metrics, connections, load } = watched
  app.addHook('onRequest', (request, reply, done) => {
    load.begin(reply.raw)
    if (watched.log.access) sentBefore.set(request, request.raw.socket.bytesWritten)
    reply.header('x-hla-data', current.served.dataId).header('x-request-id', request.id)
    connections.begin(request, reply, 'short')
    if (request.is404) watchUnknown(request, reply, watched)
    done()
  })
  app.addHook('onRoute', (route) => {
    const methods = typeof route.method === 'string' ? [route.method] : route.method
    const counter = metrics.counter(methods.join(' '), route.url)
    const isStreamed = route.config?.isStreamed === true
    route.onResponse = (request, reply, done) => {
      answered({ request, reply, route: route.url, isStreamed }, counter, watched)
      done()
    }
  })
}

/** All that went over the connection for an answer, its head too. */
function bytesSent(request: FastifyRequest): number {
  return request.raw.socket.bytesWritten - (sentBefore.get(request) ?? 0)
}

/** Bytes that had gone over the connection when the request came; for the log. */
const sentBefore = new WeakMap<FastifyRequest, number>()

/** A request for which there is no route. */
function watchUnknown(request: FastifyRequest, reply: FastifyReply, watched: ObservedRequests): void {
  const route = 'unknown'
  const counter = watched.metrics.counter(request.method, route)
  reply.raw.once('finish', () => answered({ request, reply, route, isStreamed: false }, counter, watched))
}

interface Answered {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly route: string
  readonly isStreamed: boolean
}

function answered(
  { request, reply, route, isStreamed }: Answered,
  counter: RouteCounter,
  { connections, log }: ObservedRequests,
): void {
  connections.end(request)
  counter.count(reply.statusCode, reply.elapsedTime / 1000)
  if (log.access) {
    const { id: reqId, ip, method, url, body } = request
    const ms = Math.round(reply.elapsedTime * 100) / 100
    const line = { reqId, ip, method, route, status: reply.statusCode, bytes: bytesSent(request), ms }
    request.log.info(log.inputs ? { ...line, url, body: isStreamed ? undefined : body } : line)
  }
}
