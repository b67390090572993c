/** Who may ask: bearer tokens, and pages of other origins. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceOptions } from '../options.ts'

/** @returns what changes the tokens that are asked for */
export function guard(
  app: FastifyInstance,
  { cors, tokens }: ServiceOptions,
): (tokens: readonly string[]) => void {
  if (cors.length > 0) allowOrigins(app, cors)
  let digests = tokens?.map(digest) ?? []
  if (tokens !== undefined) askForToken(app, () => digests)
  return (others) => (digests = others.map(digest))
}

function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    // also where the answer is the same for all of them: caches must not learn otherwise
    reply.header('vary', 'origin')
    const origin = allowedOrigin(request, origins)
    if (origin !== undefined) allow(reply, origin)
    done()
  })
  // asked by browsers before the request proper
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

function askForToken(app: FastifyInstance, tokens: () => readonly Buffer[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isOpen || bringsToken(request, tokens())) return done()
    return reply
      .code(401)
      .header('www-authenticate', 'Bearer')
      .send({ message: 'a bearer token is needed: Authorization: Bearer …', code: 'unauthorized' })
  })
}

function bringsToken(
  { headers: { authorization = '' } }: FastifyRequest,
  tokens: readonly Buffer[],
): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  if (given === undefined) return false
  const print = digest(given)
  // every token is compared, and in the same time whether it fits or not
  return tokens.filter((token) => timingSafeEqual(token, print)).length > 0
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
