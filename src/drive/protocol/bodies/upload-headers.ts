/** What the headers and the query of an upload say: by which protocol it comes, how long it will be, how it is checked (spec 6). */
import { invalid, invalidParameter, StorageFailure } from '../../contract/failure.ts'
import { parseMediaType } from '../media-type.ts'

/** Names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

export interface UploadQuery {
  readonly upload_id?: string | undefined
  readonly uploadType?: string | undefined
  readonly upload_protocol?: string | undefined
}

/** `commands`: steered by `X-Goog-Upload-Command`, as Ruby's client does; else by `Content-Range`. */
export type UploadKind =
  | { readonly kind: 'media' | 'multipart' }
  | { readonly kind: 'start' | 'session'; readonly by: 'ranges' | 'commands' }

export type UploadCommand = 'start' | 'upload' | 'finalize' | 'query' | 'cancel'

const COMMANDS: readonly UploadCommand[] = ['start', 'upload', 'finalize', 'query', 'cancel']

/** @throws {StorageFailure} 400 invalidParameter — no such type of upload; 404 — batches of uploads */
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
      throw invalidParameter('uploadType', `Invalid upload type: ${type.slice(0, LONGEST_SHOWN)}`)
  }
}

/** `upload, finalize`. @throws {StorageFailure} 400 invalid */
export function uploadCommands(headers: Headers): readonly UploadCommand[] {
  const text = header(headers, 'x-goog-upload-command')
  if (text === undefined || text.length > LONGEST_SHOWN) return []
  return text.split(',').map((word) => {
    const command = COMMANDS.find((known) => known === word.trim().toLowerCase())
    if (command === undefined) throw invalid(`Invalid upload command: ${text}`, 'X-Goog-Upload-Command')
    return command
  })
}

/** Bytes; undefined: not said. @throws {StorageFailure} 400 invalid */
export function lengthIn(headers: Headers, name: string): number | undefined {
  const text = header(headers, name)?.trim()
  if (text === undefined || text === '') return undefined
  const length = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(length)) throw invalid(`Invalid ${name}: a number of bytes expected`, name)
  return length
}

/** The MD5 that the content has to have, as hex: `Content-MD5`, or `md5=` of `X-Goog-Hash`. @throws {StorageFailure} 400 invalid */
export function expectedMd5(headers: Headers): string | undefined {
  const hashes = header(headers, 'x-goog-hash')?.slice(0, 1000).split(',') ?? []
  const hash = hashes.map((part) => part.trim()).find((part) => part.startsWith('md5='))
  const text = header(headers, 'content-md5') ?? hash?.slice('md5='.length)
  if (text === undefined) return undefined
  if (!/^[A-Za-z0-9+/]{22}==$/.test(text.trim()))
    throw invalid('Invalid MD5: 16 bytes of base64 expected', 'Content-MD5')
  return Buffer.from(text, 'base64').toString('hex')
}

/** A title that is percent-encoded UTF-8 (RFC 5023, 9.7); as it stands, if it is not. */
export function readSlug(headers: Headers): string | undefined {
  const text = header(headers, 'slug')?.trim()
  if (text === undefined || text === '') return undefined
  // headers come as one character for each byte
  const escaped = text.replace(/[\u0080-\u00FF]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
  const bytes = escaped.replace(/%(?![\dA-Fa-f]{2})/g, '%25')
  try {
    return decodeURIComponent(bytes).replaceAll('\0', '')
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return text
  }
}

const LONGEST_SHOWN = 100

function isMultipart(headers: Headers): boolean {
  return parseMediaType(header(headers, 'content-type'))?.type === 'multipart/related'
}

function header(headers: Headers, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return typeof value === 'object' ? value[0] : value
}
