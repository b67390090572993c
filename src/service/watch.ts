/** What is done around every request: identity of the data, deadline, count, access log. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Current } from './current.ts'
import type { Metrics } from './metrics.ts'
import type { ServiceOptions } from './options.ts'

export interface Watched {
  readonly current: Current
  readonly metrics: Metrics
  readonly options: ServiceOptions
}

export function watchRequests(app: FastifyInstance, { current, metrics, options }: Watched): void {
  const deadlines = new WeakMap<FastifyRequest, NodeJS.Timeout>()
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-hla-data', current.served.dataId).header('x-request-id', request.id)
    if (hasBody(request) && !request.routeOptions.config.isStreamed) {
      deadlines.set(
        request,
        setTimeout(() => refuseSlow(request, reply), options.requestTimeout),
      )
    }
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    // the body is here
    clearTimeout(deadlines.get(request))
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    clearTimeout(deadlines.get(request))
    const { method } = request
    const route = request.routeOptions.url ?? 'unknown'
    metrics.countRequest({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (options.log.access) {
      const line = { method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 100) / 100 }
      request.log.info(options.log.inputs ? { ...line, url: request.url, body: bodyOf(request) } : line)
    }
    done()
  })
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function bodyOf({ body, routeOptions }: FastifyRequest): unknown {
  return routeOptions.config.isStreamed ? undefined : body
}

/** Says so and hangs up: what still comes in on the connection belongs to nothing. */
function refuseSlow({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent) return
  const message = 'the request did not arrive in time'
  reply.raw.once('finish', () => raw.destroy())
  reply.code(408).header('connection', 'close').send({ message, code: 'timeout' })
}
