/** What a request to an upload under way wants, by `Content-Range` or by `X-Goog-Upload-Command` (spec 6.3, 6.4). */
import type { FastifyRequest } from 'fastify'
import { invalid, required } from '../../contract/failure.ts'
import { parseContentRange } from '../../protocol/bodies/content-range.ts'
import { lengthIn, uploadCommands } from '../../protocol/bodies/upload-headers.ts'

export type Step =
  | { readonly kind: 'cancel' }
  /** How many bytes are there? */
  | { readonly kind: 'ask' }
  /** The same; all of them, if they are as many. */
  | { readonly kind: 'compare'; readonly total: number | undefined }
  /** There will be no more. */
  | { readonly kind: 'end' }
  | Bytes

export interface Bytes {
  readonly kind: 'bytes'
  readonly start: number
  /** Undefined: as many as come. */
  readonly length: number | undefined
  readonly total: number | undefined
  /** They end the content. */
  readonly isLast: boolean
}

/** @throws 400 */
export function stepByRange({ method, headers }: FastifyRequest): Step {
  if (method === 'DELETE') return { kind: 'cancel' }
  const sent = lengthIn(headers, 'content-length')
  const range = parseContentRange(headers['content-range'])
  if (range === undefined)
    return { kind: 'bytes', start: 0, length: bodyLength(headers, sent), total: undefined, isLast: true }
  const { total } = range
  if (range.kind === 'query' || range.length === 0) return { kind: 'compare', total }
  const { start, length } = range
  if (sent !== undefined && sent !== length)
    throw invalid(`The body has ${sent} bytes, its Content-Range ${length}.`, 'Content-Range')
  return { kind: 'bytes', start, length, total, isLast: start + length === total }
}

/** @throws 400 */
export function stepByCommand({ headers }: FastifyRequest): Step {
  const commands = uploadCommands(headers)
  if (commands.includes('cancel')) return { kind: 'cancel' }
  if (commands.includes('query')) return { kind: 'ask' }
  if (!commands.includes('upload')) return { kind: 'end' }
  const start = lengthIn(headers, 'x-goog-upload-offset')
  if (start === undefined) throw required('X-Goog-Upload-Offset')
  const length = bodyLength(headers, lengthIn(headers, 'content-length'))
  return { kind: 'bytes', start, length, total: undefined, isLast: commands.includes('finalize') }
}

/** Without a length and without chunks there is no body. */
function bodyLength(headers: FastifyRequest['headers'], sent: number | undefined): number | undefined {
  return headers['transfer-encoding'] === undefined ? (sent ?? 0) : undefined
}
