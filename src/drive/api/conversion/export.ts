/** files.export: a document in a format that is downloaded (spec 21).  [disk, network] */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { ByteBlocks } from '../../../byte-blocks.ts'
import { packageVersion } from '../../../package-root.ts'
import { badRequest, invalidParameter } from '../../contract/failure.ts'
import { EXPORTS, TEXT_MIME } from '../../contract/kinds.ts'
import { type DocumentContent, findDocument } from '../../domain/revisions/file-contents.ts'
import { matchesWeakly, parseEntityTags } from '../../protocol/etags.ts'
import { type MediaType, parseMediaType } from '../../protocol/media-type.ts'
import { formatDisposition } from '../answers/download.ts'
import { mustNotBeInBatch } from '../requests/base-url.ts'
import { type CallAnswer, type Call, idIn } from '../requests/call.ts'
import { contentBytes, inWordsOf, tooLarge } from './conversions.ts'
import type { GivenTable, TableConverter } from './converter.ts'

/** `revisionId` is what the links of revisions have. */
export function exportFile(call: Call): CallAnswer {
  const { drive, caller, parameters, query } = call
  mustNotBeInBatch(call.request)
  const { revisionId: revision } = query
  const id = idIn(call, 'fileId')
  const document = findDocument(
    drive.store.read,
    caller,
    id,
    typeof revision === 'string' ? revision : undefined,
  )
  const type = parseMediaType(parameters.mimeType)
  if (type === undefined) throw invalidParameter('mimeType', `Not a MIME type: ${parameters.mimeType}`)
  const known = EXPORTS.get(document.native) ?? []
  if (!known.includes(type.type))
    throw badRequest(`This document is exported as one of: ${known.join(', ')}.`, 'mimeType')
  const isText = document.native === TEXT_MIME
  return {
    kind: 'own',
    send: (reply) => (isText ? sendText(reply, call, document) : sendTable(reply, call, document, type)),
  }
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** With a byte order mark, as by the service whose interface this is. */
async function sendText(
  reply: FastifyReply,
  { drive, request }: Call,
  document: DocumentContent,
): Promise<FastifyReply> {
  const { blob, title } = document
  if (isSent(reply, request.headers, etagFor(document, 'text'))) return reply.code(304).send()
  const head = await drive.store.blobs.open({ ...blob }, { start: 0, end: Math.min(2, blob.size - 1) })
  const first = head instanceof Uint8Array ? head : Buffer.concat(await head.toArray())
  const hasMark = MARK.equals(first.subarray(0, 3))
  reply.headers(answerHeaders('text/plain; charset=utf-8', nameOf(title, '.txt')))
  reply.header('content-length', blob.size + (hasMark ? 0 : MARK.length))
  const bytes = contentBytes(drive.store, blob)
  return reply.send(Readable.from(hasMark ? bytes : marked(bytes), { objectMode: false }))
}

async function* marked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield MARK
  yield* bytes
}

/** All of it is made before its first byte is sent: what cannot be made is refused, and never breaks off. */
function sendTable(
  reply: FastifyReply,
  call: Call,
  document: DocumentContent,
  type: MediaType,
): Promise<FastifyReply> {
  const { conversions } = call.drive
  return conversions.withTable(
    document.blob,
    { title: document.title, type: document.mime, for: 'mimeType' },
    async (converter, table) => {
      // it waited for its turn
      if (reply.raw.destroyed) return reply
      await sendWritten(reply, call, document, { converter, table, type })
      // its bytes are in memory until they are sent
      if (!reply.raw.closed) await new Promise((over) => reply.raw.once('close', over))
      return reply
    },
  )
}

interface Writing {
  readonly converter: TableConverter
  readonly table: GivenTable
  readonly type: MediaType
}

async function sendWritten(
  reply: FastifyReply,
  { request }: Call,
  document: DocumentContent,
  { converter, table, type }: Writing,
): Promise<void> {
  const { body, contentType, suffix, dataId } = await inWordsOf('mimeType', () =>
    converter.write(table, type),
  )
  const pieces = body[Symbol.asyncIterator]()
  if (isSent(reply, request.headers, etagFor(document, contentType, dataId))) {
    await pieces.return?.()
    return void reply.code(304).send()
  }
  const bytes = await inWordsOf('mimeType', () => allOf(pieces, table.most, reply))
  reply.headers(answerHeaders(contentType, nameOf(document.title, suffix)))
  if (dataId !== undefined) reply.header('x-hla-data', dataId)
  reply.send(bytes)
}

/** @throws 403 — it is longer than what may be exported */
async function allOf(pieces: AsyncIterator<Uint8Array>, most: number, reply: FastifyReply): Promise<Buffer> {
  const all = new ByteBlocks()
  for await (const piece of { [Symbol.asyncIterator]: () => pieces }) {
    all.add(piece)
    if (all.size > most) throw tooLarge(403, most)
    // nobody waits for it
    if (reply.raw.destroyed) break
  }
  return all.joined()
}

/** The same document in the same format from the same data, made by the same program. */
function etagFor({ blob }: DocumentContent, format: string, dataId = ''): string {
  const made = createHash('sha256').update(`${format}\n${dataId}\n${packageVersion()}`).digest('hex')
  return `"${blob.sha256.slice(0, 32)}-${made.slice(0, 16)}"`
}

function isSent(reply: FastifyReply, headers: Call['request']['headers'], etag: string): boolean {
  reply.header('etag', etag).header('cache-control', 'private, max-age=0, must-revalidate')
  const known = parseEntityTags(headers['if-none-match'])
  return known !== undefined && matchesWeakly(known, etag)
}

function answerHeaders(contentType: string, name: string): Record<string, string> {
  return {
    'content-type': contentType,
    'content-disposition': formatDisposition(name),
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
  }
}

/** `donors.csv` -> `donors.lgx.xlsx` */
function nameOf(title: string, suffix: string): string {
  return `${title.replace(/\.(?:csv|tsv|tab|xlsx|txt|jsonl)$/i, '')}${suffix}`
}
