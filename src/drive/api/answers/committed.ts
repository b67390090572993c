/** Tracks whether a request has changed the store. If its response then fails, the service must not report a failed change. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CommandName } from '../../domain/commands.ts'
import type { Store } from '../../persistence/store.ts'
import type { DriveContext } from '../requests/call.ts'
import { type FailureDetails, StorageFailure, isStorageFailure } from '../../contract/failure.ts'
import { sendJson } from './json.ts'

/** Commands that are only steps of an upload, not the requested change. */
const STEPS: ReadonlySet<string> = new Set<CommandName>([
  'tryUpload',
  'openUpload',
  'noteUpload',
  'cancelUpload',
])

const changed = new WeakSet<FastifyRequest>()

/** Wraps the store to record that this request has changed it. */
export function trackChanges<Context extends Pick<DriveContext, 'store'>>(
  drive: Context,
  request: FastifyRequest,
): Context {
  const { write } = drive.store
  const note = (command: string) => {
    if (!STEPS.has(command)) changed.add(request)
  }
  // a later command failed, and the response reports that failure
  const failed = (error: unknown): never => {
    changed.delete(request)
    throw error
  }
  const store: Store = {
    ...drive.store,
    write: <Result>(command: string, ...rest: readonly [Parameters<Store['write']>[1], unknown]) =>
      write<Result>(command, ...rest).then((result) => {
        note(command)
        return result
      }, failed),
  }
  return { ...drive, store }
}

export function answerFailures(app: FastifyInstance, answer: AnswerError = answerError): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => answer(error, request, reply))
  app.setNotFoundHandler((_request, reply) =>
    sendFailure(reply, new StorageFailure(404, 'notFound', 'Not Found')),
  )
}

/** @returns the reply that was sent */
type AnswerError = (error: Error, request: FastifyRequest, reply: FastifyReply) => FastifyReply

export function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toFailure(error, request)
  // the change is on disk, so no error is sent: a client would repeat the change
  if (!isStorageFailure(error) && changed.has(request)) return reply.code(204).send()
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

/** Fixed messages, because a parser's message may repeat the input. */
const FAULTS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body of the request is too large.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as its Content-Length says.',
  FST_ERR_BAD_URL: 'The address is not percent-encoded UTF-8.',
}

function statusReason(status: number): string {
  if (status === 413) return 'uploadTooLarge'
  return status === 404 || status === 414 ? 'notFound' : 'badRequest'
}

/** Headers of a content, removed when an error is sent instead. */
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
  const entry = { domain: details.domain ?? 'global', reason, message, ...failureLocation(details) }
  return { error: { errors: [entry], code: status, message } }
}

function failureLocation({ location, locationType }: FailureDetails) {
  if (location === undefined) return {}
  return { locationType: locationType ?? 'parameter', location }
}
