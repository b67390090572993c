/** Batches: several requests in one (spec 22). Each part is answered in order, as if it came alone, and sent before the next begins. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Connections } from '../../../web/connections.ts'
import { readLimits } from '../../domain/settings.ts'
import { StorageFailure, isStorageFailure } from '../../contract/failure.ts'
import {
  type BatchAnswer,
  type BatchRequest,
  MAX_BATCH_BYTES,
  batchFormat,
  readBatch,
} from '../../protocol/bodies/batch.ts'
import { parseMediaType } from '../../protocol/bodies/multipart-upload.ts'
import { bodyOf } from './parts.ts'
import { type Authenticator, unauthorized } from './authenticate.ts'
import { type DriveContext, INNER_REQUEST, baseUrl, innerMark, refuseInBatch } from './call.ts'
import { failureBody } from '../answers/committed.ts'
import type { DriveOptions } from '../options.ts'

/** Maximum bytes of a batch without credentials in its own headers; its parts may have their own. */
const MAX_OPEN_BATCH_BYTES = 65_536

type Batching = Pick<DriveContext, 'store' | 'options'>

export interface BatchParts extends Batching, Pick<DriveContext, 'callers'> {
  readonly connections: Connections
}

export function addBatch(app: FastifyInstance, { store, options, callers, connections }: BatchParts): void {
  for (const url of ['/batch/drive/v2', '/batch'])
    app.route({
      method: 'POST',
      url,
      // each part has its own credentials, or inherits those of the batch
      config: { isOpen: true },
      bodyLimit: MAX_BATCH_BYTES,
      onRequest(request, reply, done) {
        refuseInBatch(request)
        if (isLong(request)) requireCaller(callers, request)
        connections.begin(request, reply, 'long')
        done()
      },
      handler: (request, reply) => answerBatch(app, { store, options }, request, reply),
    })
}

/** True also if the length is unknown. */
function isLong({ headers }: FastifyRequest): boolean {
  const { 'content-length': length } = headers
  return length === undefined || Number(length) > MAX_OPEN_BATCH_BYTES
}

/** @throws 401 — before the body is read */
function requireCaller(callers: Authenticator, request: FastifyRequest): void {
  try {
    callers.callerOf(request)
  } catch (error) {
    if (!isStorageFailure(error)) throw error
    const text = `A batch of more than ${MAX_OPEN_BATCH_BYTES} bytes needs credentials in its own headers, not only in its parts.`
    throw unauthorized('required', text)
  }
}

async function answerBatch(
  app: FastifyInstance,
  { store, options }: Batching,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const type = parseMediaType(request.headers['content-type'])
  const limits = readLimits(store.read)
  const boundary = type?.parameters.get('boundary')
  const parts = await readBatch(readBytes(request), boundary, limits['batch-requests'])
  const { contentType, part: formatted, end } = batchFormat()
  const until = performance.now() + limits['batch-milliseconds']
  let left = limits['batch-bytes']
  // generated on demand, so that work stops when the client disconnects
  async function* answers(): AsyncGenerator<string> {
    for (const part of parts) {
      const isOver = left <= 0 || performance.now() > until
      const text = formatted(isOver ? usedUp(part) : await answerPart(app, part, request, options))
      left -= text.length
      yield text
    }
    yield end
  }
  return reply.type(contentType).send(Readable.from(answers(), { objectMode: false, highWaterMark: 1 }))
}

/** Answer for a part that was not started; the client must send it again. */
function usedUp({ contentId }: BatchRequest): BatchAnswer {
  const text = 'The batch reached its limit of time or size: send this request again in another batch.'
  const failure = new StorageFailure(429, 'rateLimitExceeded', text, { domain: 'usageLimits' })
  return {
    contentId,
    status: 429,
    reason: 'Too Many Requests',
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    body: JSON.stringify(failureBody(failure)),
  }
}

async function* readBytes(request: FastifyRequest): AsyncGenerator<Uint8Array> {
  const body = bodyOf(request)
  if (body !== undefined) yield body
}

/** Response headers that are meaningful in a part. */
const PASSED = new Set(['etag', 'content-type', 'date', 'cache-control', 'vary', 'www-authenticate'])

async function answerPart(
  app: FastifyInstance,
  part: BatchRequest,
  outer: FastifyRequest,
  options: DriveOptions,
): Promise<BatchAnswer> {
  const { contentId, target } = part
  const { authorization } = outer.headers
  const headers = {
    ...(authorization === undefined ? {} : { authorization }),
    ...Object.fromEntries(part.headers),
    host: outer.host,
    // links in the part use the batch's base URL
    [INNER_REQUEST]: innerMark(baseUrl(outer, options)),
    'accept-encoding': 'identity',
  }
  // light-my-request accepts any method
  const method = part.method as 'GET'
  const reply = await app.inject({ method, url: target, headers, payload: part.body })
  const kept = Object.entries(reply.headers).filter(([name]) => PASSED.has(name))
  return {
    contentId,
    status: reply.statusCode,
    reason: reply.statusMessage,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    body: reply.body,
  }
}
