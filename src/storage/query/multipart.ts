/** Bodies of several parts (RFC 2046, 5.1), as they stream in: nothing is held but the end of a chunk that may begin a delimiter. */
import { StorageFailure } from '../model/failure.ts'
import { advance, type ByteSource, readLine, sourceOf } from './byte-source.ts'

export interface Part {
  /** By name in lower case; of one that is there twice the first. */
  readonly headers: ReadonlyMap<string, string>
  /** What is left of it when the next part is asked for is skipped. */
  readonly content: AsyncIterable<Buffer>
}

/** How the lines of this body end, and what stands between its parts. */
interface Body extends ByteSource {
  readonly ending: string
  /** With the line ending before it, which is not content. */
  readonly delimiter: Buffer
  isLastPart: boolean
}

const LONGEST_PREAMBLE = 65_536
const LONGEST_HEADERS = 16_384
/** Of blanks behind a delimiter. */
const LONGEST_PADDING = 256
/** RFC 2046 allows 70; clients have made longer ones. */
const LONGEST_BOUNDARY = 200

/**
 * Lines may end in CRLF or in a bare LF: the first delimiter tells which, and exactly that ending is taken from the end of each part.
 * What stands before the first part and behind the last is skipped. The stream stays the caller's, to end or to leave.
 * @throws {StorageFailure} 400 badContent — no parts; uploadBrokenConnection — it ends before its last delimiter
 */
export async function* readParts(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string | undefined,
): AsyncGenerator<Part> {
  if (boundary === undefined || boundary === '' || boundary.length > LONGEST_BOUNDARY) {
    throw badContent('the boundary is missing')
  }
  const body = await skipPreamble(sourceOf(chunks), boundary)
  while (!body.isLastPart) {
    const headers = await readHeaders(body)
    const content = readContent(body)
    // without a way to end it: whoever stops in the middle leaves the rest to be skipped
    yield { headers, content: { [Symbol.asyncIterator]: () => ({ next: () => content.next() }) } }
    await drain(content)
  }
  await skipEpilogue(body)
}

export function badContent(why: string): StorageFailure {
  return new StorageFailure(400, 'badContent', `Malformed multipart body: ${why}`)
}

async function drain(content: AsyncIterator<Buffer>): Promise<void> {
  for (let step = await content.next(); step.done !== true;) step = await content.next()
}

async function skipPreamble(source: ByteSource, boundary: string): Promise<Body> {
  const wanted = `--${boundary}`
  for (let skipped = 0; skipped < LONGEST_PREAMBLE;) {
    const line = await readLine(source, LONGEST_HEADERS)
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

async function readHeaders(source: ByteSource): Promise<Map<string, string>> {
  const headers = new Map<string, string>()
  for (let read = 0, last = ''; read < LONGEST_HEADERS;) {
    const line = await readLine(source, LONGEST_HEADERS)
    if (line === undefined) throw ended()
    if (line.text === '') return headers
    last = addHeader(headers, line.text, last)
    read += line.text.length + line.ending.length
  }
  throw badContent('the headers of a part are too long')
}

/** A line that begins with a blank goes on with the one before it. @returns the name of the header */
function addHeader(headers: Map<string, string>, line: string, last: string): string {
  const before = headers.get(last)
  if (/^[ \t]/.test(line) && before !== undefined) {
    headers.set(last, `${before} ${line.trim()}`)
    return last
  }
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
  if (name === '' || headers.has(name)) return ''
  headers.set(name, line.slice(colon + 1).trim())
  return name
}

/** Up to the next delimiter, which is taken too. */
async function* readContent(body: Body): AsyncGenerator<Buffer, void> {
  const { delimiter, ending } = body
  // an empty content may share its line ending with the headers
  body.buffer = Buffer.concat([Buffer.from(ending), body.buffer])
  let shared = ending.length
  for (;;) {
    const at = body.buffer.indexOf(delimiter)
    const end = at < 0 ? beginOfDelimiter(body.buffer, delimiter) : at
    const behind = at < 0 ? undefined : behindDelimiter(body, at + delimiter.length)
    // a line that only begins as the delimiter does is content
    const taken = behind?.kind === 'content' ? end + 1 : end
    const piece = body.buffer.subarray(shared, taken)
    if (piece.length > 0) yield piece
    shared = Math.max(0, shared - taken)
    body.buffer = body.buffer.subarray(taken)
    if (behind === undefined) {
      if (!(await advance(body))) throw ended()
    } else if (behind.kind !== 'content') {
      body.isLastPart = behind.kind === 'last'
      body.buffer = body.buffer.subarray(delimiter.length + behind.length)
      return
    }
  }
}

type Behind = { readonly kind: 'content' } | { readonly kind: 'next' | 'last'; readonly length: number }

/** What follows a delimiter that ends at `at`: `--`, or blanks and a line ending. Undefined: more bytes will tell. */
function behindDelimiter({ buffer }: ByteSource, at: number): Behind | undefined {
  const rest = buffer.toString('latin1', at, at + LONGEST_PADDING)
  if (rest.startsWith('--')) return { kind: 'last', length: 2 }
  const padding = /^[ \t]*\r?\n/.exec(rest)
  if (padding !== null) return { kind: 'next', length: padding[0].length }
  const isOpen = /^(?:-?|[ \t]*\r?)$/.test(rest) && rest.length < LONGEST_PADDING
  return isOpen ? undefined : { kind: 'content' }
}

/** Where the end of the buffer may be the beginning of the delimiter; its length, if it is not. */
function beginOfDelimiter(buffer: Buffer, delimiter: Buffer): number {
  const [first = 0] = delimiter
  let at = buffer.indexOf(first, Math.max(0, buffer.length - delimiter.length + 1))
  while (at >= 0 && buffer.compare(delimiter, 0, buffer.length - at, at) !== 0)
    at = buffer.indexOf(first, at + 1)
  return at < 0 ? buffer.length : at
}

/** Bounded, because these bytes count towards no other limit. */
async function skipEpilogue(source: ByteSource): Promise<void> {
  for (let skipped = source.buffer.length; skipped < LONGEST_PREAMBLE; skipped += source.buffer.length) {
    source.buffer = Buffer.alloc(0)
    if (!(await advance(source))) return
  }
}

function ended(): StorageFailure {
  return new StorageFailure(400, 'uploadBrokenConnection', 'The body ended before its last boundary')
}
