/** `Expect: 100-continue`: the client is told to send the body once the request was not refused.  [network] */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation itself says when the body may come. */
    asksForBody?: boolean
  }
}

const waiting = new WeakSet<IncomingMessage>()

export function answerExpectations(app: FastifyInstance): void {
  app.server.on('checkContinue', (request: IncomingMessage, response) => {
    waiting.add(request)
    app.routing(request, response)
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.routeOptions.config.asksForBody !== true) askForBody(reply)
    done(null, payload)
  })
}

/** Does nothing unless the client waits. */
export function askForBody({ request, raw }: FastifyReply): void {
  if (waiting.delete(request.raw)) raw.writeContinue()
}

export function isWaiting({ raw }: FastifyReply['request']): boolean {
  return waiting.has(raw)
}
