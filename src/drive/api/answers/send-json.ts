/** JSON answers: their headers, and gzip for those it is worth for. */
import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { acceptsGzip } from '../../protocol/media-type.ts'
import { stringifyJson } from './json-text.ts'

const JSON_TYPE = 'application/json; charset=UTF-8'

/** Of every answer with metadata. */
const HEADERS = {
  'cache-control': 'private, max-age=0, must-revalidate',
  'x-content-type-options': 'nosniff',
}

/** Characters: shorter ones are sent as they are; up to the second, packing takes less than handing it to another thread. */
const WORTH_IT = 1024
const AT_ONCE = 32 * 1024

/** Level 1 makes JSON four times smaller in a third of the time of the usual level. */
const LEVEL = { level: 1 }

const gzipLater = promisify(gzip)

export function sendJson(reply: FastifyReply, body: unknown): FastifyReply {
  return sendText(reply, formatJson(body))
}

export function formatJson(body: unknown, isPretty = false): string {
  return isPretty ? JSON.stringify(body, undefined, 2) : stringifyJson(body)
}

export function sendText(reply: FastifyReply, text: string | Buffer): FastifyReply {
  reply.headers(HEADERS).type(JSON_TYPE)
  if (text.length <= WORTH_IT) return reply.send(text)
  reply.header('vary', 'accept-encoding')
  if (!acceptsGzip(readIfNoneMatch(reply))) return reply.send(text)
  reply.header('content-encoding', 'gzip')
  if (text.length <= AT_ONCE) return reply.send(gzipSync(text, LEVEL))
  gzipLater(text, LEVEL).then(
    (bytes) => reply.send(bytes),
    (error: Error) => reply.removeHeader('content-encoding').send(error),
  )
  return reply
}

function readIfNoneMatch({ request }: FastifyReply): string | undefined {
  // Node joins repeated ones, which its types do not say
  return request.headers['accept-encoding']?.toString()
}
