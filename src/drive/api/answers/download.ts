/** Responses with bytes: a whole content or a range of it (spec 7).  [disk, network] */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type FileContent, findContent } from '../../domain/revisions/file-contents.ts'
import { BYTES_MIME } from '../../contract/kinds.ts'
import { isMimeType } from '../../protocol/bodies/multipart-upload.ts'
import { type ByteRange, formatContentRange, ifRangeHolds, parseRange } from '../../protocol/ranges.ts'
import { errorMessage } from '../../../errors.ts'
import { LostContent } from '../../../web/log.ts'
import { StorageFailure, isStorageFailure } from '../../contract/failure.ts'
import { findContentUsers } from '../../persistence/upkeep/contents/content-check.ts'
import { isKnown } from './json.ts'
import { countByLink } from '../requests/link-callers.ts'
import { type Call, type CallAnswer, type Handler, pathId, refuseInBatch } from '../requests/call.ts'

/** Sends the content for `alt=media`; calls `handler` otherwise. */
export function withContentDownload(handler: Handler): Handler {
  return (call) => (call.parameters.alt === 'media' ? contentAnswer(call) : handler(call))
}

function contentAnswer(call: Call): CallAnswer {
  refuseInBatch(call.request)
  const revision = call.path['revisionId'] ?? call.parameters.revisionId
  const content = findContent(call.drive.store.read, call.caller, pathId(call, 'fileId'), revision)
  return { kind: 'own', send: (reply) => sendContent(reply, call, content) }
}

async function sendContent(reply: FastifyReply, call: Call, content: FileContent): Promise<FastifyReply> {
  const { headers, method } = call.request
  const { blob, modified } = content
  const etag = `"${blob.sha256.slice(0, 32)}"`
  reply.headers(contentHeaders(content, etag))
  if (call.query['source'] === 'webContentLink')
    reply.header('content-disposition', formatDisposition(content.title))
  if (isKnown(call.request, etag)) return reply.code(304).send()
  const isHeld = ifRangeHolds(headerText(headers['if-range']), { etag, modified })
  const range = isHeld ? parseRange(headers.range, blob.size) : undefined
  const { start, end } = range ?? { start: 0, end: blob.size }
  // stores written before types were checked may hold invalid ones
  const type = isMimeType(content.mime) ? content.mime : BYTES_MIME
  reply.header('content-type', type).header('content-length', end - start)
  await countByLink(call)
  if (range !== undefined) reply.code(206).header('content-range', formatContentRange(range, blob.size))
  return reply.send(method === 'HEAD' ? Readable.from([]) : await openBytes(call, content, { start, end }))
}

/** Opens a range; `end - 1` is its last byte, which for empty content lies before the first. */
async function openBytes({ drive }: Call, { blob }: FileContent, { start, end }: ByteRange) {
  const { blobs, read } = drive.store
  try {
    return await blobs.open(blob, { start, end: end - 1 })
  } catch (cause) {
    // a storage failure means that the content is unreachable; any other error, that it is lost
    if (isStorageFailure(cause)) throw cause
    const failure = new StorageFailure(500, 'backendError', 'The content of this file cannot be read.')
    failure.cause = new LostContent(`${errorMessage(cause)}: ${findContentUsers(read, blob.pk, false)}`)
    throw failure
  }
}

function contentHeaders({ md5, modified }: FileContent, etag: string) {
  return {
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=0, must-revalidate',
    'last-modified': new Date(modified).toUTCString(),
    'x-goog-hash': `md5=${Buffer.from(md5, 'hex').toString('base64')}`,
    // users' content must not run as a page of this service
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
  }
}

/** RFC 8187: percent-encodes characters that the header cannot carry. */
export function formatDisposition(title: string): string {
  const name = encodeURIComponent(title.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename*=UTF-8''${name}`
}

function headerText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value[0] : value
}
