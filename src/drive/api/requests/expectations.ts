/** `Expect: 100-continue`: the client is told to send the body once the request was not refused.  [network] */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { parse } from 'node:querystring'
import { ByteBlocks } from '../../../byte-blocks.ts'
import { StorageFailure } from '../../contract/failure.ts'

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

/** Requests whose body is their query. */
const forms = new WeakSet<IncomingMessage>()

/** The address of such a request does not tell what it asks for. */
export function hasFormQuery(request: IncomingMessage): boolean {
  return forms.has(request)
}

const OVERRIDES = new Set(['GET', 'PUT', 'PATCH', 'DELETE'])

/** Before the route is looked up. @returns the address, as it is */
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

/** Before anything looks at the query. */
export function readFormQueries(app: FastifyInstance, most: number): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!forms.has(request.raw)) return done()
    readText(request.raw, most).then(
      (text) => {
        request.query = { ...(request.query as object), ...parse(text) } // as fastify parses it
        done()
      },
      (error: Error) => done(error),
    )
  })
}

async function readText(body: IncomingMessage, most: number): Promise<string> {
  const bytes = new ByteBlocks()
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    bytes.add(piece)
    if (bytes.size > most)
      throw new StorageFailure(413, 'uploadTooLarge', 'The body of the request is too large.')
  }
  return bytes.joined().toString('utf8')
}
