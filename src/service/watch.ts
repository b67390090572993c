/** Hooks around every request: data identity, metrics, access log, end of connection. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { breakReason, type BreakReason, type Connections, type LoadCounter } from '../web/connections.ts'
import type { RouteCounter } from '../web/request-metrics.ts'
import type { Current } from './current.ts'
import type { Metrics } from './metrics.ts'
import type { ServiceLog } from './options.ts'

export interface ObservedRequests {
  readonly current: Current
  readonly metrics: Metrics
  readonly connections: Connections
  readonly load: LoadCounter
  /** True when the service is ending and cuts off unfinished answers. */
  readonly isCut: () => boolean
  readonly log: ServiceLog
}

/** Adds a single hook before requests and one after, the latter created per route: every request pays for them. */
export function watchRequests(app: FastifyInstance, watched: ObservedRequests): void {
  const { current, metrics, load } = watched
  app.addHook('onRequest', (request, reply, done) => {
    load.begin(reply.raw)
    reply.raw.once('close', () => recordClose(request, reply, watched))
    if (watched.log.access) sentBefore.set(request, request.raw.socket.bytesWritten)
    reply.header('x-hla-data', current.served.dataId).header('x-request-id', request.id)
    if (request.is404) watchUnknown(request, reply, watched)
    done()
  })
  app.addHook('onRoute', (route) => {
    const methods = typeof route.method === 'string' ? [route.method] : route.method
    const counter = metrics.counter(methods.join(' '), route.url)
    const isStreamed = route.config?.isStreamed === true
    route.onResponse = (request, reply, done) => {
      recordAnswer({ request, reply, route: route.url, isStreamed }, counter, watched)
      done()
    }
  })
}

/** Bytes sent over the connection before the request, for the log. */
const sentBefore = new WeakMap<FastifyRequest, number>()

/** Counts a request without a route. */
function watchUnknown(request: FastifyRequest, reply: FastifyReply, watched: ObservedRequests): void {
  const route = 'unknown'
  const counter = watched.metrics.counter(request.method, route)
  reply.raw.once('finish', () => recordAnswer({ request, reply, route, isStreamed: false }, counter, watched))
}

interface AnsweredRequest {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly route: string
  readonly isStreamed: boolean
}

function recordAnswer(
  { request, reply, route, isStreamed }: AnsweredRequest,
  counter: RouteCounter,
  { connections, log, metrics }: ObservedRequests,
): void {
  connections.end(request)
  counter.count(reply.statusCode, reply.elapsedTime / 1000)
  if (request.token !== undefined) metrics.countToken(request.token)
  if (log.access) request.log.info(logLine({ request, reply, route, isStreamed }, log))
}

function logLine({ request, reply, route, isStreamed }: AnsweredRequest, { inputs }: ServiceLog): object {
  const { id: reqId, ip, token, method, url, body } = request
  const ms = Math.round(reply.elapsedTime * 100) / 100
  const who = token === undefined ? { ip } : { ip, token }
  // for the answer, including its head
  const bytes = request.raw.socket.bytesWritten - (sentBefore.get(request) ?? 0)
  const line = { reqId, ...who, method, route, status: reply.statusCode, bytes, ms }
  return inputs ? { ...line, url, body: isStreamed ? undefined : body } : line
}

/** Counts an incomplete answer by its reason; no other counter includes one whose connection broke. */
function recordClose(
  request: FastifyRequest,
  reply: FastifyReply,
  { connections, log, metrics, isCut }: ObservedRequests,
): void {
  const cause = breakReason(reply.raw)
  if (cause === undefined) return
  const reason = cause === 'client' && isCut() ? 'end' : cause
  const { url: route = 'unknown', config } = request.routeOptions
  metrics.countBroken(request.method, route, reason)
  if (reply.raw.writableFinished) return
  connections.end(request)
  if (!log.access && !OWN_REASONS.has(reason)) return
  const line = {
    ...logLine({ request, reply, route, isStreamed: config.isStreamed === true }, log),
    broken: reason,
  }
  if (OWN_REASONS.has(reason)) request.log.warn(line, BROKEN)
  else request.log.info(line, BROKEN)
}

const BROKEN = 'the answer broke off'

/** Reasons caused by the service itself. */
const OWN_REASONS: ReadonlySet<BreakReason> = new Set(['memory', 'time', 'end', 'failed'])
