/** Access control: bearer tokens, and CORS for pages of other origins. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceOptions } from '../options.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the request's token, the first characters of its SHA-256; undefined when none is required. */
    token: string | undefined
  }
}

/** Identifies the client: by its token, else by its address, which several may share. */
export function identifyClient({ token, ip }: FastifyRequest): string {
  // a connection that has ended has no address, whatever the type says
  const address: string | undefined = ip
  return token ?? address ?? 'ended'
}

/** Reads the tokens of requests; `guard` refuses those without. @returns a function that replaces the accepted tokens */
export function readTokens(
  app: FastifyInstance,
  { tokens }: ServiceOptions,
): (tokens: readonly string[]) => void {
  app.decorateRequest('token', undefined)
  let digests = tokens?.map(digest) ?? []
  if (tokens !== undefined)
    app.addHook('onRequest', (request, _reply, done) => {
      if (request.routeOptions.config.isOpen !== true) request.token = tokenId(request, digests)
      done()
    })
  return (others) => (digests = others.map(digest))
}

export function guard(app: FastifyInstance, { cors, tokens }: ServiceOptions): void {
  if (cors.length > 0) allowOrigins(app, cors)
  if (tokens !== undefined) refuseStrangers(app)
}

function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    // set even when all origins get the same answer, for correct caching
    reply.header('vary', 'origin')
    const origin = allowedOrigin(request, origins)
    if (origin !== undefined) allow(reply, origin)
    done()
  })
  // preflight requests of browsers
  app.options('*', { config: { isOpen: true } }, (_request, reply) =>
    reply
      .code(204)
      .header('access-control-allow-methods', 'GET, POST')
      .header('access-control-allow-headers', 'authorization, content-type, x-request-id')
      .header('access-control-max-age', '600')
      .send(),
  )
}

function allowedOrigin(
  { headers: { origin } }: FastifyRequest,
  origins: readonly string[],
): string | undefined {
  if (origins.includes('*')) return '*'
  return origin !== undefined && origins.includes(origin) ? origin : undefined
}

function allow(reply: FastifyReply, origin: string): void {
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', 'etag, x-hla-data, x-request-id')
}

function refuseStrangers(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isOpen || request.token !== undefined) return done()
    const hasToken = bearerIn(request) !== undefined
    return reply
      .code(401)
      .header('www-authenticate', hasToken ? 'Bearer error="invalid_token"' : 'Bearer')
      .send({ message: hasToken ? UNKNOWN_TOKEN : NO_TOKEN, code: 'unauthorized' })
  })
}

/** Characters that identify a token of a service without revealing it: `printf %s TOKEN | sha256sum | cut -c1-8`. */
const ID_LENGTH = 8

const NO_TOKEN = 'a bearer token is needed: Authorization: Bearer …'
const UNKNOWN_TOKEN = 'the token is not one of this service: ask its operator for a new one'

function bearerIn({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1]
}

function tokenId(request: FastifyRequest, tokens: readonly Buffer[]): string | undefined {
  const token = bearerIn(request)
  if (token === undefined) return undefined
  const print = digest(token)
  // compares every token in constant time
  const [match] = tokens.filter((token) => timingSafeEqual(token, print))
  return match?.toString('hex').slice(0, ID_LENGTH)
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
