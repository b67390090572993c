/** `Expect: 100-continue`: asks the client for the body once the request has been accepted.  [network] */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { parse } from 'node:querystring'
import { queryOf, readAtMost } from './parts.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the operation asks for the body itself. */
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

/** Does nothing unless the client is waiting. */
export function askForBody({ request, raw }: FastifyReply): void {
  if (waiting.delete(request.raw)) raw.writeContinue()
}

export function isAwaitingContinue({ raw }: FastifyReply['request']): boolean {
  return waiting.has(raw)
}

/** Requests whose body holds the query. */
const forms = new WeakSet<IncomingMessage>()

const OVERRIDES = new Set(['GET', 'PUT', 'PATCH', 'DELETE'])

/** Runs before routing. @returns the unchanged URL */
export function overrideMethod(request: IncomingMessage): string {
  const { method, headers, url = '/' } = request
  const asked = headers['x-http-method-override']
  if (method !== 'POST' || typeof asked !== 'string') return url
  const override = asked.toUpperCase()
  if (!OVERRIDES.has(override)) return url
  request.method = override
  if (override === 'GET' && isForm(headers['content-type'])) forms.add(request)
  return url
}

function isForm(type = ''): boolean {
  return type.toLowerCase().startsWith('application/x-www-form-urlencoded')
}

/** Reads the form before other hooks use the query. */
export function readFormQueries(app: FastifyInstance, most: number): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!forms.has(request.raw)) return done()
    // no encoding is set, so chunks are bytes
    readAtMost(request.raw as AsyncIterable<Uint8Array>, most).then(
      (bytes) => {
        request.query = { ...queryOf(request), ...parse(bytes.toString('utf8')) }
        done()
      },
      (error: Error) => done(error),
    )
  })
}
