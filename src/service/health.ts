/** What machines ask: alive, ready, counts, and the description of everything else. */
import type { FastifyInstance } from 'fastify'
import type { Current } from './current.ts'
import { metricsText, type Snapshot } from './metrics.ts'
import { openApi } from './openapi/openapi.ts'

export interface ServiceHealth {
  readonly current: Current
  /** The counts of all processes of the service. */
  readonly gather: () => Promise<readonly Snapshot[]>
  readonly isDraining: () => boolean
}

export function addHealth(app: FastifyInstance, { current, gather, isDraining }: ServiceHealth): void {
  const open = { config: { isOpen: true } }
  let description: ReturnType<typeof openApi> | undefined
  app.get('/healthz', open, (_request, reply) => reply.send({ status: 'ok' }))
  app.get('/readyz', open, (_request, reply) => {
    const { dataId } = current.served
    if (!isDraining()) return reply.send({ status: 'ready', data: dataId })
    return reply.code(503).send({ status: 'draining', message: 'the service is shutting down' })
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(metricsText(await gather())),
  )
  app.get('/openapi.json', open, (_request, reply) => reply.send((description ??= openApi())))
}
