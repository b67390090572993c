/** Errors -> answers in the form that clients of the interface read (spec 2). */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type FailureDetails, isStorageFailure, StorageFailure } from '../../contract/failure.ts'
import { hasChanged } from './committed.ts'
import { sendJson } from './json.ts'

export function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => answerError(error, request, reply))
  app.setNotFoundHandler((_request, reply) => sendFailure(reply, unknownRoute()))
}

/** @returns the reply that was sent */
export function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toFailure(error, request)
  // the change is on disk, whatever became of its answer: whoever reads that it failed makes it again
  if (!isStorageFailure(error) && hasChanged(request)) return reply.code(204).send()
  return sendFailure(reply, failure)
}

function toFailure(
  error: Error & { statusCode?: number; code?: string },
  request: FastifyRequest,
): StorageFailure {
  if (isStorageFailure(error)) {
    if (error.status >= 500 && error.status !== 503)
      request.log.error({ reqId: request.id, err: error }, 'failure')
    return error
  }
  const { statusCode: status = 500, code = '' } = error
  if (status < 500) return new StorageFailure(status, statusReason(status), FAULTS[code] ?? 'Bad Request')
  request.log.error({ reqId: request.id, err: error }, 'internal error')
  return new StorageFailure(500, 'internalError', 'Internal Error')
}

/** What a parser says may repeat what it parsed: our own words do not. */
const FAULTS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body of the request is too large.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as its length says.',
  FST_ERR_BAD_URL: 'The address is not percent-encoded UTF-8.',
}

function statusReason(status: number): string {
  if (status === 413) return 'uploadTooLarge'
  return status === 404 || status === 414 ? 'notFound' : 'badRequest'
}

function unknownRoute(): StorageFailure {
  return new StorageFailure(404, 'notFound', 'Not Found')
}

/** What was said of a content before it was found that it cannot be sent: the error is no such content. */
const OF_CONTENT = [
  'etag',
  'last-modified',
  'x-goog-hash',
  'accept-ranges',
  'content-disposition',
  'content-length',
  'content-range',
  'content-security-policy',
  'cache-control',
]

function sendFailure(reply: FastifyReply, failure: StorageFailure): FastifyReply {
  const { status, details } = failure
  for (const name of OF_CONTENT) reply.removeHeader(name)
  for (const [name, value] of Object.entries(details.headers ?? {})) reply.header(name, value)
  if (details.retryAfter !== undefined) reply.header('retry-after', String(details.retryAfter))
  return sendJson(reply.code(status), failureBody(failure))
}

export function failureBody({ status, reason, message, details }: StorageFailure) {
  const entry = { domain: details.domain ?? 'global', reason, message, ...failurePlace(details) }
  return { error: { errors: [entry], code: status, message } }
}

function failurePlace({ location, locationType }: FailureDetails) {
  if (location === undefined) return {}
  return { locationType: locationType ?? 'parameter', location }
}
