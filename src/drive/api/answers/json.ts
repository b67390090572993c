/** JSON responses: text written without objects, headers, and gzip where it pays. */
import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsGzip } from '../../protocol/bodies/multipart-upload.ts'
import { matchesWeakly, parseEntityTags } from '../../protocol/etags.ts'

/** JSON text that stands in for an object. */
export interface JsonText {
  readonly jsonText: string
  /** Used by JSON.stringify. */
  readonly toJSON: () => unknown
}

export function jsonText(text: string): JsonText {
  return { jsonText: text, toJSON: () => JSON.parse(text) as unknown }
}

export function isJsonText(value: object): value is JsonText {
  return 'jsonText' in value && typeof value.jsonText === 'string'
}

/** Equals JSON.stringify, but inserts the `JsonText` values unchanged. */
export function stringifyJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (isJsonText(value)) return value.jsonText
  if (Array.isArray(value)) return `[${value.map(stringifyJson).join(',')}]`
  const members = Object.entries(value)
  // `JsonText` values are fields of a response or of its items
  if (!members.some(([, member]) => typeof member === 'object' && member !== null))
    return JSON.stringify(value)
  const texts = members.flatMap(([name, member]) =>
    member === undefined ? [] : [`${JSON.stringify(name)}:${stringifyJson(member)}`],
  )
  return `{${texts.join(',')}}`
}

/** JSON string of any text. */
export function quoted(text: string): string {
  return JSON.stringify(text)
}

/** JSON string of an etag of this service, which has nothing to escape between its quotes. */
export function quotedEtag(etag: string): string {
  return `"\\"${etag.slice(1, -1)}\\""`
}

let lastDate = Number.NaN
let lastText = ''

/** JSON string of a date, ms since 1970. Caches the last, because the dates of an item are often equal. */
export function dateText(date: number): string {
  if (date !== lastDate) {
    lastText = `"${new Date(date).toISOString()}"`
    lastDate = date
  }
  return lastText
}

/** ISO date of ms since 1970; null stays null. */
export function dateOrNone(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

const JSON_TYPE = 'application/json; charset=UTF-8'

/** Of every response with metadata that says nothing else. */
const REVALIDATED = 'private, max-age=0, must-revalidate'

/**
 * Limits in characters. Up to `MIN_COMPRESSED_LENGTH` text is sent uncompressed; up to `MAX_SYNC_LENGTH` compressing costs less than a
 * hand-over to another thread.
 */
const MIN_COMPRESSED_LENGTH = 1024
const MAX_SYNC_LENGTH = 32 * 1024

/** Level 1 makes JSON four times smaller in a third of the default level's time. */
const LEVEL = { level: 1 }

const gzipLater = promisify(gzip)

export function sendJson(reply: FastifyReply, body: unknown): FastifyReply {
  return sendText(reply, formatJson(body))
}

export function formatJson(body: unknown, isPretty = false): string {
  return isPretty ? JSON.stringify(body, undefined, 2) : stringifyJson(body)
}

export function sendText(reply: FastifyReply, text: string): FastifyReply {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', REVALIDATED)
  reply.header('x-content-type-options', 'nosniff').type(JSON_TYPE)
  if (text.length <= MIN_COMPRESSED_LENGTH) return reply.send(text)
  reply.header('vary', 'accept-encoding')
  if (!acceptsGzip(readAcceptEncoding(reply))) return reply.send(text)
  reply.header('content-encoding', 'gzip')
  if (text.length <= MAX_SYNC_LENGTH) return reply.send(gzipSync(text, LEVEL))
  gzipLater(text, LEVEL).then(
    (bytes) => reply.send(bytes),
    (error: Error) => reply.removeHeader('content-encoding').send(error),
  )
  return reply
}

function readAcceptEncoding({ request }: FastifyReply): string | undefined {
  // Node joins repeated headers, which its types do not express
  return request.headers['accept-encoding']?.toString()
}

/** URLs for one request. */
export interface Links {
  /** Base URL, such as `https://drive.example.org`. */
  readonly base: string
  file(id: string): string
  /** The store's page, opened at this item. */
  page(kind: 'file' | 'folder', id: string): string
  /** URL of the content; it needs the same credentials. */
  content(id: string): string
  /** URL of a path below `/drive/v2/`. */
  to(path: string): string
}

const known = new Map<string, Links>()
const MAX_KNOWN = 1000

export function makeLinks(base: string): Links {
  let links = known.get(base)
  if (links !== undefined) return links
  const root = `${base}/drive/v2/`
  links = {
    base,
    file: (id) => `${root}files/${id}`,
    page: (kind, id) => `${base}/#${kind}/${id}`,
    content: (id) => `${root}files/${id}?alt=media&source=downloadUrl`,
    to: (path) => `${root}${path}`,
  }
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(base, links)
  return links
}

export function isKnown({ method, headers }: FastifyRequest, etag: string | undefined): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const tags = parseEntityTags(headers['if-none-match'])
  return tags !== undefined && matchesWeakly(tags, etag)
}
