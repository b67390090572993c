/** A `multipart/related` upload: metadata, then content (spec 6.2). */
import { ByteBlocks } from '../../../byte-blocks.ts'
import {
  type BodyPart,
  type PartHeaders,
  type PartStep,
  badContent,
  partSteps,
  readParts,
} from './multipart.ts'
import { StorageFailure, invalid, invalidParameter } from '../../contract/failure.ts'

export interface MultipartUpload<Content> {
  /** Unparsed JSON. */
  readonly metadata: Buffer
  readonly contentType: string | undefined
  /** Can be read once. Fails if further parts follow or the body breaks off. */
  readonly content: Content
}

/**
 * Reads a body with streaming content. `longest` is the maximum bytes of the metadata.
 * @throws {StorageFailure} 400 badContent, uploadBrokenConnection
 */
export async function readMultipartUpload(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string | undefined,
  longest: number,
): Promise<MultipartUpload<AsyncIterable<Buffer>>> {
  const parts = readParts(chunks, boundary)
  const tooLong = `the metadata are longer than ${longest} bytes`
  const metadata = await collectContent(await nextPart(parts), longest, tooLong)
  const part = await nextPart(parts)
  return { metadata, contentType: partType(part.headers), content: lastContent(part, parts) }
}

/** Parses a small, complete body synchronously. */
export function parseMultipartUpload(
  body: Buffer,
  boundary: string | undefined,
): MultipartUpload<() => Buffer> {
  const steps = partSteps({ buffer: body }, boundary)
  const metadata = wholeContent(steps, wholePart(steps))
  const headers = wholePart(steps)
  return {
    metadata,
    contentType: partType(headers),
    content() {
      const bytes = wholeContent(steps, headers)
      if (nextStep(steps) !== undefined) throw partCountError()
      return bytes
    },
  }
}

function partType(headers: PartHeaders): string | undefined {
  return headers.get('content-type') || undefined
}

function partCountError() {
  return badContent('it must have two parts')
}

async function nextPart(parts: AsyncGenerator<BodyPart>): Promise<BodyPart> {
  const { done, value } = await parts.next()
  if (done === true) throw partCountError()
  return value
}

async function* lastContent(part: BodyPart, parts: AsyncGenerator<BodyPart>): AsyncGenerator<Buffer> {
  yield* decodedContent(part)
  const { done } = await parts.next()
  if (done !== true) throw partCountError()
}

/** Reads a whole part. @throws {StorageFailure} 400 badContent with the reason `tooLong` */
export async function collectContent(part: BodyPart, longest: number, tooLong: string): Promise<Buffer> {
  const bytes = new ByteBlocks()
  for await (const piece of decodedContent(part)) {
    bytes.add(piece)
    if (bytes.size > longest) throw badContent(tooLong)
  }
  return bytes.joined()
}

type Steps = Generator<PartStep, void, boolean>

/** Runs the parser to its next step, without further bytes. */
function nextStep(steps: Steps): PartStep | undefined {
  let step = steps.next(false)
  while (step.done !== true && step.value.kind === 'more') step = steps.next(false)
  return step.done === true ? undefined : step.value
}

function wholePart(steps: Steps): PartHeaders {
  const step = nextStep(steps)
  if (step?.kind !== 'part') throw partCountError()
  return step.headers
}

function wholeContent(steps: Steps, headers: PartHeaders): Buffer {
  const decoder = chooseDecoder(headers)
  const pieces: Buffer[] = []
  for (let step = nextStep(steps); step?.kind === 'bytes'; step = nextStep(steps))
    pieces.push(decoder === undefined ? step.piece : decoder.decode(step.piece))
  if (decoder !== undefined) pieces.push(decoder.end())
  const [first = Buffer.alloc(0)] = pieces
  return pieces.length > 1 ? Buffer.concat(pieces) : first
}

const PLAIN = new Set(['', 'binary', '8bit', '7bit'])
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

interface Decoder {
  readonly decode: (bytes: Buffer) => Buffer
  /** Returns the remaining bytes. */
  readonly end: () => Buffer
}

/** Decodes the transfer encoding of a part. @throws as `chooseDecoder` and its decoder */
function decodedContent({ headers, content }: BodyPart): AsyncIterable<Buffer> {
  const decoder = chooseDecoder(headers)
  return decoder === undefined ? content : decodeAll(content, decoder)
}

/** Returns undefined if the part is not encoded. @throws {StorageFailure} 400 badContent — another encoding; the decoder: not base64 */
function chooseDecoder(headers: PartHeaders): Decoder | undefined {
  const encoding = (headers.get('content-transfer-encoding') ?? '').toLowerCase()
  if (PLAIN.has(encoding)) return undefined
  if (encoding !== 'base64') throw badContent('the transfer encoding of a part is not supported')
  return base64Decoder()
}

async function* decodeAll(content: AsyncIterable<Buffer>, { decode, end }: Decoder): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    const bytes = decode(chunk)
    if (bytes.length > 0) yield bytes
  }
  const rest = end()
  if (rest.length > 0) yield rest
}

/** Accepts lines of any length. Final padding may be missing. */
function base64Decoder(): Decoder {
  let held = ''
  let isPadded = false
  return {
    decode(chunk) {
      const text = held + chunk.toString('latin1').replace(/\s/g, '')
      if (!BASE64.test(text) || (isPadded && text !== '')) throw badContent('a part is not base64')
      const whole = text.length - (text.length % 4)
      held = text.slice(whole)
      isPadded ||= text.endsWith('=') && held === ''
      return Buffer.from(text.slice(0, whole), 'base64')
    },
    end() {
      if (!/^(?:[^=]{2,3})?$/.test(held)) throw badContent('a part is not base64')
      return Buffer.from(held, 'base64')
    },
  }
}

/** Headers by lower-case name. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

export interface UploadQuery {
  readonly upload_id?: string | undefined
  readonly uploadType?: string | undefined
  readonly upload_protocol?: string | undefined
}

/** `commands`: controlled by `X-Goog-Upload-Command`, as in Ruby's client; otherwise by `Content-Range`. */
export type UploadKind =
  | { readonly kind: 'media' | 'multipart' }
  | { readonly kind: 'start' | 'session'; readonly by: 'ranges' | 'commands' }

type UploadCommand = 'start' | 'upload' | 'finalize' | 'query' | 'cancel'

const COMMANDS: readonly UploadCommand[] = ['start', 'upload', 'finalize', 'query', 'cancel']

/** @throws {StorageFailure} 400 invalidParameter — unknown type of upload; 404 — batches of uploads */
export function uploadKind(headers: Headers, query: UploadQuery): UploadKind {
  const protocol = header(headers, 'x-goog-upload-protocol')?.toLowerCase()
  const commands = uploadCommands(headers)
  if (protocol === 'batch') throw new StorageFailure(404, 'notFound', 'Batches of uploads are not supported')
  if (protocol === 'resumable' && commands.includes('start')) return { kind: 'start', by: 'commands' }
  if (query.upload_id !== undefined && query.upload_id !== '') {
    return { kind: 'session', by: commands.length > 0 ? 'commands' : 'ranges' }
  }
  const type = (protocol ?? (query.uploadType || query.upload_protocol || '')).toLowerCase()
  switch (type) {
    case 'media':
    case 'raw':
      return { kind: 'media' }
    case 'multipart':
      return { kind: 'multipart' }
    case 'resumable':
      return { kind: 'start', by: 'ranges' }
    case '':
      return { kind: isMultipart(headers) ? 'multipart' : 'media' }
    default:
      throw invalidParameter('uploadType', `Invalid upload type: ${type.slice(0, MAX_SHOWN_LENGTH)}`)
  }
}

/** `upload, finalize`. @throws {StorageFailure} 400 invalid */
export function uploadCommands(headers: Headers): readonly UploadCommand[] {
  const text = header(headers, 'x-goog-upload-command')
  if (text === undefined || text.length > MAX_SHOWN_LENGTH) return []
  return text.split(',').map((word) => {
    const command = COMMANDS.find((known) => known === word.trim().toLowerCase())
    if (command === undefined) throw invalid(`Invalid upload command: ${text}`, 'X-Goog-Upload-Command')
    return command
  })
}

/** Length in bytes, or undefined if the header is absent. @throws {StorageFailure} 400 invalid */
export function readLength(headers: Headers, name: string): number | undefined {
  const text = header(headers, name)
  if (text === undefined || text === '') return undefined
  const length = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(length)) throw invalid(`Invalid ${name}: a number of bytes expected`, name)
  return length
}

/** Expected MD5 of the content as hex, from `Content-MD5` or `md5=` in `X-Goog-Hash`. @throws {StorageFailure} 400 invalid */
export function expectedMd5(headers: Headers): string | undefined {
  const hashes = header(headers, 'x-goog-hash')?.split(',') ?? []
  const hash = hashes.map((part) => part.trim()).find((part) => part.startsWith('md5='))
  const text = header(headers, 'content-md5') ?? hash?.slice('md5='.length)
  if (text === undefined) return undefined
  if (!/^[A-Za-z0-9+/]{22}==$/.test(text.trim()))
    throw invalid('Invalid MD5: 16 bytes of base64 expected', 'Content-MD5')
  return Buffer.from(text, 'base64').toString('hex')
}

/** Title from percent-encoded UTF-8 (RFC 5023, 9.7). Malformed text is returned unchanged. */
export function readSlug(headers: Headers): string | undefined {
  // not trimmed, because the last byte may look like a blank: `voilà` ends in C3 A0
  const text = header(headers, 'slug')
  if (text === undefined || text === '') return undefined
  // Node gives header values with one character for each byte
  const escaped = text.replace(/[\u0080-\u00FF]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
  const bytes = escaped.replace(/%(?![\dA-Fa-f]{2})/g, '%25')
  try {
    return decodeURIComponent(bytes).replaceAll('\0', '')
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return text
  }
}

const MAX_SHOWN_LENGTH = 100

function isMultipart(headers: Headers): boolean {
  return parseMediaType(header(headers, 'content-type'))?.type === 'multipart/related'
}

function header(headers: Headers, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return typeof value === 'object' ? value[0] : value
}

export interface MediaType {
  /** Lower case, without parameters: `multipart/related`. */
  readonly type: string
  /** Parameters by lower-case name. The first of repeated ones counts. */
  readonly parameters: ReadonlyMap<string, string>
}

const MAX_HEADER_LENGTH = 1000
const TOKEN = "[!#$%&'*+.^_`|~\\w-]+"
const TYPE = new RegExp(`^\\s*(${TOKEN}/${TOKEN})\\s*(?=;|$)`)
const PARAMETER = new RegExp(
  `;\\s*(?:(${TOKEN})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]*))\\s*(?=;|$))?`,
  'y',
)

/**
 * Returns undefined if the header is absent or malformed. Accepts unquoted boundaries with characters that need quotes,
 * such as `=` and `:`.
 */
export function parseMediaType(header: string | undefined): MediaType | undefined {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return undefined
  const found = TYPE.exec(header)
  if (found === null) return undefined
  const parameters = new Map<string, string>()
  PARAMETER.lastIndex = found[0].length
  for (let match = PARAMETER.exec(header); match !== null; match = PARAMETER.exec(header)) {
    const [, name, quoted, plain = ''] = match
    const value = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1')
    if (name !== undefined && !parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value)
  }
  return { type: (found[1] ?? '').toLowerCase(), parameters }
}

const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[ \t]*;[ -~]*)?$/
const MAX_MIME_TYPE_LENGTH = 255

/** Tells whether a text is a MIME type that is valid in a header. Node throws on other characters when it writes the header. */
export function isMimeType(text: string): boolean {
  return text.length <= MAX_MIME_TYPE_LENGTH && MIME_TYPE.test(text)
}

/** Tells whether `Accept-Encoding` allows gzip. Without the header it does not. */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = new Map<string, number>()
  for (const part of (header ?? '').slice(0, MAX_HEADER_LENGTH).toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((piece) => piece.startsWith('q='))?.slice(2) ?? '1'
    weights.set(coding, Number(weight))
  }
  const weight = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0
  return weight > 0
}
