/** Several requests in one (spec 22): each is answered as if it had come alone, in order. */
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Connections } from '../../http/connections.ts'
import { limitsOf } from '../library/limits.ts'
import { type BatchAnswer, type BatchRequest, formatBatch, LONGEST_BATCH, readBatch } from '../query/batch.ts'
import { parseMediaType } from '../query/media-type.ts'
import { baseUrl, INNER_REQUEST, innerMark, mustNotBeInBatch } from './base-url.ts'
import type { Drive } from './call.ts'
import type { DriveOptions } from './options.ts'

export interface BatchParts extends Pick<Drive, 'store' | 'options'> {
  readonly connections: Connections
}

export function addBatch(app: FastifyInstance, { store, options, connections }: BatchParts): void {
  const onRequest: onRequestHookHandler = (request, reply, done) => {
    connections.begin(request, reply, true)
    done()
  }
  for (const url of ['/batch/drive/v2', '/batch']) {
    // every part shows its own credentials, or has those of the whole
    app.post(
      url,
      { config: { isOpen: true }, bodyLimit: LONGEST_BATCH, onRequest },
      async (request, reply) => {
        mustNotBeInBatch(request)
        const type = parseMediaType(request.headers['content-type'])
        const most = limitsOf(store.read)['batch-requests']
        const parts = await readBatch(bytesOf(request), type?.parameters.get('boundary'), most)
        const answers: BatchAnswer[] = []
        for (const part of parts) answers.push(await answerPart(app, part, request, options))
        const { contentType, body } = formatBatch(answers)
        return reply.type(contentType).send(body)
      },
    )
  }
}

async function* bytesOf({ body }: FastifyRequest): AsyncGenerator<Uint8Array> {
  // as our parser leaves it
  if (body !== undefined) yield body as Uint8Array
}

/** Those that make sense in an inner request. */
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
    // its links are those of the whole
    [INNER_REQUEST]: innerMark(baseUrl(outer, options)),
    'accept-encoding': 'identity',
  }
  // light-my-request takes any method
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
