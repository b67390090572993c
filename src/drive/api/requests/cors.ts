/** Pages of other origins may ask: tokens, not cookies, say who they are. */
import type { FastifyInstance } from 'fastify'

const ALLOWED = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-max-age': '3600',
}

const EXPOSED =
  'content-encoding, content-length, content-range, date, etag, location, range, retry-after, www-authenticate, ' +
  'x-goog-hash, x-goog-upload-chunk-granularity, x-goog-upload-control-url, x-goog-upload-size-received, ' +
  'x-goog-upload-status, x-goog-upload-url, x-guploader-uploadid, x-http-status-code-override'

export function allowOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.origin !== undefined)
      reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED)
    done()
  })
  app.options('*', { config: { isOpen: true } }, (request, reply) => {
    const headers = request.headers['access-control-request-headers'] ?? 'authorization, content-type'
    return reply.code(204).headers(ALLOWED).header('access-control-allow-headers', headers).send()
  })
}
