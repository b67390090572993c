/** Converts errors to answers. The log of an error contains nothing of the request. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorKind, type HlaError, isHlaError } from '../../errors.ts'
import { isAnswered } from '../../web/coalesce-answers.ts'
import { requestedFace } from '../../operations/faces.ts'
import { addVary } from '../../web/vary.ts'
import { missingPage } from '../../web/pages.ts'
import { isHtmlPreferred } from './accepted-type.ts'
import type { AllowedMethods } from './allowed-methods.ts'
import { errorRecord } from '../../operations/error-record.ts'
import type { Operation } from '../../operations/operation.ts'
import { OPERATIONS } from '../../operations/registry.ts'
import { formatCount } from '../../format-count.ts'

/** Answer to a request whose body does not arrive. */
export const LATE_REQUEST = [408, { message: 'the request did not arrive in time', code: 'timeout' }] as const

export function answerFailures(app: FastifyInstance, allowed: AllowedMethods): void {
  app.setErrorHandler<FastifyError | HlaError>(async (error, request, reply) => {
    if ('statusCode' in error && error.statusCode === 413) await bodyEnd(request)
    // Fastify closes a connection that may carry more of a refused body
    if (request.raw.complete) reply.removeHeader('connection')
    // the request may already have been refused for taking too long
    return isAnswered(reply) ? reply : answerError(error, request, reply)
  })
  const showMissing = missingPage('dist/page', 'missing.html')
  app.setNotFoundHandler((request, reply) => answerUnknown(request, reply, { allowed, showMissing }))
}

/** @returns the reply sent */
export function answerError(
  error: FastifyError | HlaError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (isHlaError(error)) {
    const status = errorStatus(error, request.routeOptions.config.operation)
    if (status >= 500) request.log.warn({ reqId: request.id, code: error.code }, 'cannot answer')
    return reply.code(status).send(errorRecord(error, requestedFace(request)))
  }
  if (isDisconnected(request, error)) return reply.code(499).send()
  const status = isUnreadableTyping(error, request) ? 404 : (error.statusCode ?? 500)
  if (status < 500)
    return reply.code(status).send({ message: requestFault(error, request), code: 'bad-request' })
  request.log.error({ reqId: request.id, err: error }, 'internal error')
  return reply.code(500).send({ message: 'internal error', code: 'internal', request_id: request.id })
}

/** True when the client has left, before its request was complete or while its answer was made. */
function isDisconnected({ raw }: FastifyRequest, { code }: FastifyError): boolean {
  return (raw.destroyed && !raw.complete) || (raw.socket.destroyed && CONNECTION_CODES.has(code))
}

const CONNECTION_CODES: ReadonlySet<string> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'])

/** True for an unreadable typing in a path without status 400: URL decoding fails before routing. */
function isUnreadableTyping({ code }: FastifyError, { url }: FastifyRequest): boolean {
  return code === 'FST_ERR_BAD_URL' && NO_BAD_TYPING.some((start) => url.startsWith(start))
}

const NO_BAD_TYPING = OPERATIONS.filter(({ http }) => http.hasNoBadTyping).map(
  ({ http }) => http.path.split('{')[0] ?? '',
)

export function errorStatus({ code }: HlaError, operation: Operation | undefined): number {
  const { about, status } = errorKind(code)
  return operation?.http.hasNoBadTyping === true && about === 'typing' && status === 400 ? 404 : status
}

/** Maximum bytes of a refused body that are read and discarded. */
const MAX_DISCARDED_BYTES = 16 * 1024 ** 2

/**
 * Reads a moderately oversized body to its end: a client that is still sending would lose the answer with the
 * connection.
 */
function bodyEnd({ raw }: FastifyRequest): Promise<void> {
  return new Promise((resolve) => {
    if (Number(raw.headers['content-length']) > MAX_DISCARDED_BYTES || raw.complete) return resolve()
    let room = MAX_DISCARDED_BYTES
    raw.on('data', (piece: Buffer) => (room -= piece.length) < 0 && resolve())
    raw.once('close', resolve).once('end', resolve).resume()
  })
}

const FAULTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'the body length does not match Content-Length',
    FST_ERR_BAD_URL: 'the address is not percent-encoded UTF-8',
  }),
)

/** Message for a request error. Some messages of Fastify quote the input, so they are replaced. */
function requestFault({ code, message }: FastifyError, request: FastifyRequest): string {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const most = formatCount(request.routeOptions.bodyLimit)
    return `the body is too long: one request is at most ${most} bytes; POST /batch takes many, one a line`
  }
  return FAULTS.get(code) ?? message
}

/** Maximum number of path segments for which the answer is a page. */
const MAX_PAGE_SEGMENTS = 20

function answerUnknown(
  { method, url, headers: { accept = '' } }: FastifyRequest,
  reply: FastifyReply,
  { allowed, showMissing }: { allowed: AllowedMethods; showMissing: ReturnType<typeof missingPage> },
): FastifyReply {
  const [path = ''] = url.split('?')
  if (method === 'GET') addVary(reply, 'accept')
  const methods = allowed(path)
  if (methods.length > 0) reply.header('allow', methods.join(', '))
  if (method === 'GET' && isHtmlPreferred(accept) && path.split('/').length < MAX_PAGE_SEGMENTS)
    return showMissing(reply, methods.length === 0 ? 404 : 405, path)
  const message = `this service has no ${method} ${path.slice(0, 100)}`
  if (methods.length === 0) {
    const hint = 'see /openapi.json for all paths'
    return reply.code(404).send({ message: `${message}; ${hint}`, code: 'not-found' })
  }
  const names = methods.join(', ')
  return reply.code(405).send({ message: `${message}; use ${names}`, code: 'method-not-allowed' })
}
