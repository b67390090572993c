/** What machines ask: alive, ready, counts, and the description of everything else. */
import type { FastifyInstance } from 'fastify'
import { packageVersion } from '../package-root.ts'
import type { Current } from './current.ts'
import type { Metrics } from './metrics.ts'
import { openApi } from './openapi.ts'

export interface Health {
  readonly current: Current
  readonly metrics: Metrics
  readonly isDraining: () => boolean
}

export function addHealth(app: FastifyInstance, { current, metrics, isDraining }: Health): void {
  const open = { config: { isOpen: true } }
  app.get('/healthz', open, (_request, reply) => reply.send({ status: 'ok' }))
  app.get('/readyz', open, (_request, reply) => {
    const { dataId } = current.served
    if (!isDraining()) return reply.send({ status: 'ready', data: dataId })
    return reply.code(503).send({ status: 'draining', message: 'the service is shutting down' })
  })
  app.get('/metrics', (_request, reply) => {
    const facts = { dataId: current.served.dataId, version: packageVersion() }
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(metrics.toText(facts))
  })
  app.get('/openapi.json', open, (_request, reply) => reply.send(openApi()))
}
