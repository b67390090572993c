/** Streaming parser of multipart bodies (RFC 2046, 5.1). It buffers only the end of a chunk that may begin a delimiter. */
import { StorageFailure } from '../../contract/failure.ts'

/** Headers by lower-case name. The first of repeated ones counts. */
export type PartHeaders = ReadonlyMap<string, string>

/** Steps of the parser: for each part its headers, pieces of its content, and its end. */
export type PartStep =
  | More
  | { readonly kind: 'part'; readonly headers: PartHeaders }
  | { readonly kind: 'bytes'; readonly piece: Buffer }
  | { readonly kind: 'end' }

/** State of the parser, with the line ending and delimiter of this body. */
interface Body extends ByteSource {
  readonly ending: string
  /** Includes the line ending before it, which is not content. */
  readonly delimiter: Buffer
  isLastPart: boolean
}

const MAX_PREAMBLE_LENGTH = 65_536
const MAX_HEADERS_LENGTH = 16_384
/** Maximum blanks behind a delimiter. */
const MAX_PADDING_LENGTH = 256
/** RFC 2046 allows 70; some clients send longer ones. */
const MAX_BOUNDARY_LENGTH = 200

/**
 * Lines may end in CRLF or a bare LF. The first delimiter determines which, and exactly that ending is removed from the
 * end of each part. Text before the first part and after the last is skipped.
 * @throws {StorageFailure} 400 badContent — no parts; uploadBrokenConnection — it ends before its last delimiter
 */
export function* partSteps(
  source: ByteSource,
  boundary: string | undefined,
): Generator<PartStep, void, boolean> {
  if (boundary === undefined || boundary === '' || boundary.length > MAX_BOUNDARY_LENGTH) {
    throw badContent('the boundary is missing')
  }
  const body = yield* skipPreamble(source, boundary)
  while (!body.isLastPart) {
    yield { kind: 'part', headers: yield* readHeaders(body) }
    yield* readContent(body)
    yield { kind: 'end' }
  }
  yield* skipEpilogue(body)
}

export function badContent(why: string): StorageFailure {
  return new StorageFailure(400, 'badContent', `Malformed multipart body: ${why}`)
}

function* skipPreamble(source: ByteSource, boundary: string): Generator<More, Body, boolean> {
  const wanted = `--${boundary}`
  for (let skipped = 0; skipped < MAX_PREAMBLE_LENGTH;) {
    const line = yield* readLine(source, MAX_HEADERS_LENGTH)
    if (line === undefined) break
    const text = line.text.trimEnd()
    if (text === `${wanted}--`) throw badContent('it has no parts')
    if (text === wanted) {
      const delimiter = Buffer.from(`${line.ending}${wanted}`, 'latin1')
      return Object.assign(source, { ending: line.ending, delimiter, isLastPart: false })
    }
    skipped += line.text.length + line.ending.length
  }
  throw badContent('its boundary does not begin a part')
}

function* readHeaders(source: ByteSource): Generator<More, PartHeaders, boolean> {
  const headers = new Map<string, string>()
  for (let read = 0, last = ''; read < MAX_HEADERS_LENGTH;) {
    const line = yield* readLine(source, MAX_HEADERS_LENGTH)
    if (line === undefined) throw ended()
    if (line.text === '') return headers
    last = addHeader(headers, line.text, last)
    read += line.text.length + line.ending.length
  }
  throw badContent('the headers of a part are too long')
}

/** A line that begins with a blank continues the one before it. @returns the name of the header */
function addHeader(headers: Map<string, string>, line: string, last: string): string {
  const before = headers.get(last)
  if (/^[ \t]/.test(line) && before !== undefined) {
    headers.set(last, `${before} ${line.trim()}`)
    return last
  }
  const colon = line.indexOf(':')
  if (colon < 1) return ''
  const name = line.slice(0, colon).trim().toLowerCase()
  if (headers.has(name)) return ''
  headers.set(name, line.slice(colon + 1).trim())
  return name
}

/** Reads up to the next delimiter and consumes it. */
function* readContent(body: Body): Generator<PartStep, void, boolean> {
  const { delimiter, ending } = body
  // an empty content may share its line ending with the headers
  body.buffer = Buffer.concat([Buffer.from(ending), body.buffer])
  let shared = ending.length
  for (;;) {
    const at = body.buffer.indexOf(delimiter)
    const end = at < 0 ? delimiterStart(body.buffer, delimiter) : at
    const behind = at < 0 ? undefined : behindDelimiter(body, at + delimiter.length)
    // a line that only begins like the delimiter is content
    const taken = behind?.kind === 'content' ? end + 1 : end
    const piece = body.buffer.subarray(shared, taken)
    if (piece.length > 0) yield { kind: 'bytes', piece }
    shared = Math.max(0, shared - taken)
    body.buffer = body.buffer.subarray(taken)
    if (behind === undefined) {
      if (!(yield MORE)) throw ended()
    } else if (behind.kind === 'last') {
      body.isLastPart = true
      return
    } else if (behind.kind === 'next') {
      body.buffer = body.buffer.subarray(delimiter.length + behind.length)
      return
    }
  }
}

type Behind = { readonly kind: 'content' | 'last' } | { readonly kind: 'next'; readonly length: number }

/**
 * Classifies the bytes after a delimiter that ends at `at`: `--`, or blanks and a line ending. Returns undefined if
 * more bytes are needed.
 */
function behindDelimiter({ buffer }: ByteSource, at: number): Behind | undefined {
  const rest = buffer.toString('latin1', at, at + MAX_PADDING_LENGTH)
  if (rest.startsWith('--')) return { kind: 'last' }
  const padding = /^[ \t]*\r?\n/.exec(rest)
  if (padding !== null) return { kind: 'next', length: padding[0].length }
  const isOpen = /^(?:-?|[ \t]*\r?)$/.test(rest) && rest.length < MAX_PADDING_LENGTH
  return isOpen ? undefined : { kind: 'content' }
}

/** Position at which a delimiter may begin at the end of the buffer, or the buffer's length. */
function delimiterStart(buffer: Buffer, delimiter: Buffer): number {
  const first = delimiter.subarray(0, 1)
  let at = buffer.indexOf(first, Math.max(0, buffer.length - delimiter.length + 1))
  while (at >= 0 && buffer.compare(delimiter, 0, buffer.length - at, at) !== 0)
    at = buffer.indexOf(first, at + 1)
  return at < 0 ? buffer.length : at
}

/** Limited, because these bytes count towards no other limit. */
function* skipEpilogue(source: ByteSource): Generator<More, void, boolean> {
  for (let skipped = source.buffer.length; skipped < MAX_PREAMBLE_LENGTH; skipped += source.buffer.length) {
    source.buffer = Buffer.alloc(0)
    if (!(yield MORE)) return
  }
}

function ended(): StorageFailure {
  return new StorageFailure(400, 'uploadBrokenConnection', 'The body ended before its last boundary')
}

interface ByteSource {
  /** Bytes read but not yet consumed. */
  buffer: Buffer
}

/** Requests more bytes. The caller adds them to the buffer and resumes with true, or with false at the end. */
interface More {
  readonly kind: 'more'
}

const MORE: More = { kind: 'more' }

interface HeaderLine {
  /** latin1: each byte is a character. */
  readonly text: string
  readonly ending: '\r\n' | '\n'
}

/** Adds the next chunk to the buffer. @returns whether there was one */
async function advance(source: ByteSource, chunks: AsyncIterator<Uint8Array>): Promise<boolean> {
  const { done, value } = await chunks.next()
  if (done === true) return false
  const chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  source.buffer = source.buffer.length === 0 ? chunk : Buffer.concat([source.buffer, chunk])
  return true
}

/** Returns undefined if there is no line ending within `longest` bytes. */
function* readLine(source: ByteSource, longest: number): Generator<More, HeaderLine | undefined, boolean> {
  let end = source.buffer.indexOf('\n')
  while (end < 0) {
    const searched = source.buffer.length
    if (searched > longest || !(yield MORE)) return undefined
    end = source.buffer.indexOf('\n', searched)
  }
  if (end > longest) return undefined
  const hasReturn = source.buffer[end - 1] === 0x0d
  const text = source.buffer.toString('latin1', 0, hasReturn ? end - 1 : end)
  source.buffer = source.buffer.subarray(end + 1)
  return { text, ending: hasReturn ? '\r\n' : '\n' }
}

export interface BodyPart {
  readonly headers: PartHeaders
  /** Unread content is skipped when the next part is requested. */
  readonly content: AsyncIterable<Buffer>
}

type Next = () => Promise<PartStep | undefined>

/** Does not close the stream, which belongs to the caller. @throws as `partSteps` */
export async function* readParts(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string | undefined,
): AsyncGenerator<BodyPart> {
  const source: ByteSource = { buffer: Buffer.alloc(0) }
  const steps = partSteps(source, boundary)
  const iterator = chunks[Symbol.asyncIterator]()
  const next: Next = async () => {
    let step = steps.next(false)
    while (step.done !== true && step.value.kind === 'more')
      step = steps.next(await advance(source, iterator))
    return step.done === true ? undefined : step.value
  }
  for (let step = await next(); step?.kind === 'part'; step = await next()) {
    const content = partContent(next)
    // no `return` method: when the reader stops early, `drain` skips the rest
    yield {
      headers: step.headers,
      content: { [Symbol.asyncIterator]: () => ({ next: () => content.next() }) },
    }
    await drain(content)
  }
}

async function* partContent(next: Next): AsyncGenerator<Buffer, void> {
  for (let step = await next(); step?.kind === 'bytes'; step = await next()) yield step.piece
}

async function drain(content: AsyncIterator<Buffer>): Promise<void> {
  for (let step = await content.next(); step.done !== true;) step = await content.next()
}
