/** files.export: a document in a download format (spec 21).  [disk, network] */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ByteBlocks } from '../../../byte-blocks.ts'
import { packageVersion } from '../../../package-root.ts'
import { badRequest, invalidParameter } from '../../contract/failure.ts'
import {
  BYTES_MIME,
  EXPORTS,
  exportStem,
  IMPORTS,
  isNativeDocument,
  TEXT_MIME,
  TYPES_BY_SUFFIX,
} from '../../contract/kinds.ts'
import { type DocumentContent, findDocument } from '../../domain/revisions/file-contents.ts'
import { type MediaType, parseMediaType } from '../../protocol/bodies/multipart-upload.ts'
import { formatDisposition } from '../answers/download.ts'
import { isKnown } from '../answers/json.ts'
import { countByLink } from '../requests/link-callers.ts'
import { type Call, type CallAnswer, type DriveContext, pathId, refuseInBatch } from '../requests/call.ts'
import { bodyOf } from '../requests/parts.ts'
import {
  type GivenTable,
  type TableConverter,
  type TypingVerdicts,
  type WantedDocument,
  contentBytes,
  withRequestFailures,
  tooLarge,
} from './conversions.ts'
import { type VisibleFile, findVisibleFile } from '../../domain/access/access.ts'
import type { FileBody } from '../../contract/bodies.ts'
import { errorMessage, isHlaError } from '../../../errors.ts'

/** Accepts `revisionId`, which the links of revisions contain. */
export function exportFile(call: Call): CallAnswer {
  const { drive, caller, parameters, query } = call
  refuseInBatch(call.request)
  const { revisionId: revision } = query
  const id = pathId(call, 'fileId')
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
    throw badRequest(`This document can only be exported as: ${known.join(', ')}.`, 'mimeType')
  const isText = document.native === TEXT_MIME
  return {
    kind: 'own',
    send: (reply) => (isText ? sendText(reply, call, document) : sendTable(reply, call, document, type)),
  }
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Adds a byte order mark, as the public service does. */
async function sendText(reply: FastifyReply, call: Call, document: DocumentContent): Promise<FastifyReply> {
  const { drive } = call
  const { blob, title } = document
  if (isSent(reply, call, etagFor(document, 'text'))) return reply.code(304).send()
  await countByLink(call)
  const head = await drive.store.blobs.open({ ...blob }, { start: 0, end: Math.min(2, blob.size - 1) })
  const first = head instanceof Uint8Array ? head : Buffer.concat(await head.toArray())
  const hasMark = MARK.equals(first.subarray(0, 3))
  reply.headers(answerHeaders('text/plain; charset=utf-8', `${exportStem(title)}.txt`))
  reply.header('content-length', blob.size + (hasMark ? 0 : MARK.length))
  const bytes = contentBytes(drive.store, blob)
  return reply.send(Readable.from(hasMark ? bytes : marked(bytes), { objectMode: false }))
}

async function* marked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield MARK
  yield* bytes
}

/** Writes the whole output before sending the first byte, so that a failure becomes an error and not a truncated download. */
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
      // the client may have left while the conversion waited
      if (reply.raw.destroyed) return reply
      await sendWritten(reply, call, document, { converter, table, type })
      // keeps the slot until the bytes in memory are sent
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
  call: Call,
  document: DocumentContent,
  { converter, table, type }: Writing,
): Promise<void> {
  const { body, contentType, suffix, dataId } = await withRequestFailures('mimeType', () =>
    converter.write(table, type),
  )
  const pieces = body[Symbol.asyncIterator]()
  if (isSent(reply, call, etagFor(document, contentType, dataId))) {
    await pieces.return?.()
    return void reply.code(304).send()
  }
  const bytes = await withRequestFailures('mimeType', () => allOf(pieces, table.most, reply))
  await countByLink(call)
  reply.headers(answerHeaders(contentType, `${exportStem(document.title)}${suffix}`))
  if (dataId !== undefined) reply.header('x-hla-data', dataId)
  reply.send(bytes)
}

/** @throws 403 — longer than the export limit */
async function allOf(pieces: AsyncIterator<Uint8Array>, most: number, reply: FastifyReply): Promise<Buffer> {
  const all = new ByteBlocks()
  for await (const piece of { [Symbol.asyncIterator]: () => pieces }) {
    all.add(piece)
    if (all.size > most) throw tooLarge(403, most)
    // the client has left
    if (reply.raw.destroyed) break
  }
  return all.joined()
}

/** Etag of the same document, format, data and program version. */
function etagFor({ blob }: DocumentContent, format: string, dataId = ''): string {
  const made = createHash('sha256').update(`${format}\n${dataId}\n${packageVersion()}`).digest('hex')
  return `"${blob.sha256.slice(0, 32)}-${made.slice(0, 16)}"`
}

function isSent(reply: FastifyReply, { request }: Call, etag: string): boolean {
  reply.header('etag', etag).header('cache-control', 'private, max-age=0, must-revalidate')
  return isKnown(request, etag)
}

function answerHeaders(contentType: string, name: string): Record<string, string> {
  return {
    'content-type': contentType,
    'content-disposition': formatDisposition(name),
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
  }
}

interface GivenContent {
  readonly body: FileBody
  /** MIME type of the content, without parameters. */
  readonly type: string | undefined
  /** File name of the content. */
  readonly name?: string | undefined
}

/** Document that a new file becomes; undefined to keep the content unconverted. @throws 400 */
export function newDocument({ parameters }: Call, given: GivenContent): WantedDocument | undefined {
  const { mimeType = '' } = given.body
  const asked = isNativeDocument(mimeType) && isConvertible(mimeType) ? mimeType : undefined
  return parameters.convert === true || asked !== undefined ? chooseDocument(given, asked) : undefined
}

/** Document that a file's new content must become: a document keeps its type. @throws 400 */
export function changedDocument(call: Call, given: GivenContent): WantedDocument | undefined {
  const file = documentAt(call)
  if (file !== undefined) return chooseDocument({ ...given, name: given.name ?? file.title }, file.mime)
  refuseConversion(call)
  return undefined
}

/** @throws 400 — `convert` was requested, for a new file without content or for an existing file */
export function refuseConversion(call: Call): void {
  if (call.parameters.convert !== true || documentAt(call) !== undefined) return
  const isNew = call.method.id === 'files.insert'
  const message = isNew
    ? 'There is no content to convert.'
    : 'An existing file cannot be converted in place; convert a copy (files.copy).'
  throw badRequest(message, 'convert')
}

/** Drops the type from the body if it is the document's present type. */
export function withoutOwnType(call: Call, { mimeType, ...body }: FileBody): FileBody {
  if (mimeType === undefined) return body
  return isNativeDocument(mimeType) && documentAt(call)?.mime === mimeType ? body : { ...body, mimeType }
}

function documentAt({ drive, caller, path }: Call): VisibleFile | undefined {
  const id = path['fileId']
  const file = id === undefined ? undefined : findVisibleFile(drive.store.read, caller, id)
  return file !== undefined && isConvertible(file.mime) ? file : undefined
}

function isConvertible(native: string): boolean {
  return [...IMPORTS.values()].some((all) => all.includes(native))
}

/** Chooses `asked`, or the first document type for the content. @throws 400 */
export function chooseDocument(given: GivenContent, asked?: string): WantedDocument {
  const type = typeOf(given)
  const all = IMPORTS.get(type)
  const native = asked ?? all?.[0]
  if (native !== undefined && all?.includes(native) === true) return { native, type }
  const can = [...IMPORTS].flatMap(([one, to]) => (asked === undefined || to.includes(asked) ? [one] : []))
  throw badRequest(
    `Content of type ${type} cannot be converted; supported types: ${can.join(', ')}.`,
    'convert',
  )
}

/** Types without information, and the one that Windows gives CSV files. */
const ANY: ReadonlySet<string> = new Set([BYTES_MIME, 'application/vnd.ms-excel'])

function typeOf({ body, type, name }: GivenContent): string {
  // a document type in the body names the target, not the content
  const said = [body.mimeType, type].find((one) => one && !isNativeDocument(one)) ?? BYTES_MIME
  const plain = (said.split(';')[0] ?? '').trim().toLowerCase()
  const title = body.title ?? name ?? ''
  const suffix = title.slice(title.lastIndexOf('.') + 1).toLowerCase()
  return ANY.has(plain) ? (TYPES_BY_SUFFIX.get(suffix) ?? plain) : plain
}

/** Maximum bytes: as much as the page shows of a table. */
const MAX_PREVIEW_BYTES = 256 * 1024

/** `why` gives the reason if no cell was checked. */
type LookedAt = TypingVerdicts | { readonly why: string }

/** Route of the typing check, which stores nothing. */
export function addTypings(app: FastifyInstance, { conversions }: DriveContext): void {
  app.post('/drive/typings/v1/check', { bodyLimit: MAX_PREVIEW_BYTES }, async (request, reply) => {
    refuseInBatch(request)
    const bytes = bodyOf(request) ?? new Uint8Array()
    const looked = await lookAt(() => conversions.verdicts('table.csv', bytes))
    return reply.header('cache-control', 'no-store').send(looked)
  })
}

/** A table without typings is not an error of the request. */
async function lookAt(look: () => Promise<TypingVerdicts>): Promise<LookedAt> {
  try {
    return await look()
  } catch (error) {
    if (isHlaError(error)) return { why: errorMessage(error) }
    throw error
  }
}
