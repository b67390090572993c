/** `multipart/mixed` batches: several requests in one body, and their responses in another (spec 22). */
import { newSecret } from '../ids.ts'
import { type BodyPart, badContent, readParts } from './multipart.ts'
import { collectContent } from './multipart-upload.ts'

export interface BatchRequest {
  /** Text between `<` and `>`, including spaces. */
  readonly contentId: string | undefined
  readonly method: string
  /** Path and query. The origin of an absolute URL is removed. */
  readonly target: string
  /** Headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

export interface BatchAnswer {
  readonly contentId: string | undefined
  readonly status: number
  /** `OK` */
  readonly reason: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Bytes. */
export const MAX_BATCH_BYTES = 10 * 1024 * 1024
/** End of the headers, with either kind of line ending. */
const BLANK_LINE = /\r?\n\r?\n/
const REQUEST_LINE = /^([A-Za-z]{1,20})[ \t]+(\S+)(?:[ \t]+HTTP\/[\d.]+)?[ \t]*$/
const WHOLE_ADDRESS = /^https?:\/\/[^/?#]+/i

/** @throws {StorageFailure} 400 badContent — a part is not a request, or there are more than `most`; uploadBrokenConnection */
export async function readBatch(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string | undefined,
  most: number,
): Promise<BatchRequest[]> {
  const requests: BatchRequest[] = []
  let left = MAX_BATCH_BYTES
  for await (const part of readParts(chunks, boundary)) {
    if (requests.length === most) throw badContent(`a batch has at most ${most} parts`)
    const bytes = await collectContent(part, left, 'the batch is too long')
    left -= bytes.length
    requests.push(readRequest(part, bytes))
  }
  return requests
}

export interface BatchFormat {
  readonly contentType: string
  /** Text of one response, with the Content-ID of its request. */
  readonly part: (answer: BatchAnswer) => string
  /** Text after the last part. */
  readonly end: string
}

/** Formats responses in order. */
export function batchFormat(): BatchFormat {
  const boundary = `batch_${newSecret()}`
  return {
    contentType: `multipart/mixed; boundary=${boundary}`,
    part: (answer) => `--${boundary}\r\n${formatAnswer(answer)}\r\n`,
    end: `--${boundary}--\r\n`,
  }
}

function readRequest({ headers: outer }: BodyPart, bytes: Buffer): BatchRequest {
  // latin1, so that positions in the text are positions in the bytes
  const text = bytes.toString('latin1')
  const start = text.length - text.trimStart().length
  const blank = BLANK_LINE.exec(text.slice(start))
  const end = blank === null ? text.length : start + blank.index
  const [first = '', ...lines] = text.slice(start, end).trimEnd().split(/\r?\n/)
  const [, method, address] = REQUEST_LINE.exec(first) ?? []
  if (method === undefined || address === undefined) throw badContent('a part is not a request')
  const headers = readHeaders(lines)
  const body = bytes.subarray(blank === null ? end : end + blank[0].length)
  return {
    contentId: readContentId(outer.get('content-id')),
    method: method.toUpperCase(),
    target: readTarget(address),
    headers,
    body: cutTo(body, headers.get('content-length')),
  }
}

function readHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
    if (name !== '' && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim())
  }
  return headers
}

/** Removes a bare `?` at the end, which some clients send without a query. */
function readTarget(address: string): string {
  const target = address.replace(WHOLE_ADDRESS, '').replace(/#.*/, '').replace(/\?$/, '')
  if (!target.startsWith('/')) throw badContent('a request of a part has no path')
  return target
}

function cutTo(body: Buffer, length: string | undefined): Buffer {
  return length !== undefined && /^\d{1,15}$/.test(length) ? body.subarray(0, Number(length)) : body
}

function readContentId(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  // removes characters that may not appear in our response header
  const id = header.replace(/[^ -~\u0080-\u00FF]/g, '')
  const isBracketed = id.startsWith('<') && id.endsWith('>')
  return isBracketed ? id.slice(1, -1) : id
}

function formatAnswer({ contentId, status, reason, headers, body }: BatchAnswer): string {
  const outer = ['Content-Type: application/http']
  if (contentId !== undefined) outer.push(`Content-ID: <response-${contentId}>`)
  const inner = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return [...outer, '', `HTTP/1.1 ${status} ${reason}`, ...inner, length, '', body].join('\r\n')
}
