/** Downloads a file's content in chunks, and resumes after a broken connection.  [network] */
import { createHash } from 'node:crypto'
import { HlaError } from '../../errors.ts'
import { pauseBefore } from '../../remote/temporary-errors.ts'
import type { DriveConnection, OpenReply } from './connection.ts'
import { refusal } from './failure.ts'
import { ALL_DRIVES, filePath } from './files.ts'

/** Content of one revision, so that a resumed download continues the same bytes. */
export interface StoredContent {
  readonly file: string
  readonly revision: string
  readonly size: number
  /** MD5 checksum, hexadecimal. */
  readonly md5: string
  /** Name of the file in error messages. */
  readonly name: string
}

export interface DownloadOptions {
  /** Bytes already present locally, in chunks. */
  readonly begun?: AsyncIterable<Buffer>
  /** Size in bytes of the first request; the rest is requested only when read. undefined requests all at once. */
  readonly head?: number
  /** Maximum number of consecutive attempts without progress. */
  readonly retries: number
}

/**
 * Downloads from the end of `begun`.
 * @throws {HlaError} checksum-mismatch — at the end, if the bytes differ from those of the store; remote, not-found
 */
export async function* download(
  connection: DriveConnection,
  content: StoredContent,
  { begun, head, retries }: DownloadOptions,
): AsyncGenerator<Buffer> {
  const hash = createHash('md5')
  let at = 0
  for await (const bytes of begun ?? []) {
    hash.update(bytes)
    at += bytes.length
  }
  let fruitless = 0
  while (at < content.size) {
    const before = at
    const until = head !== undefined && at < head ? Math.min(head, content.size) : content.size
    try {
      for await (const bytes of await readRange(connection, content, at, until)) {
        hash.update(bytes)
        at += bytes.length
        yield bytes
      }
    } catch (error) {
      const reason = connection.passing(error)
      if (reason === undefined) throw error
      fruitless = at > before ? 1 : fruitless + 1
      if (fruitless > retries) throw broken(connection.url, content.name, reason, error)
      await new Promise((over) => setTimeout(over, pauseBefore(fruitless, undefined)))
    }
  }
  if (hash.digest('hex') !== content.md5) throw damaged(content.name)
}

export interface ExportRequest {
  /** MIME type of the export. */
  readonly type: string
  /** Revision of the document; undefined for the current one. */
  readonly revision?: string | undefined
}

/** Time limit in ms: a store creates the whole export before it sends the first byte. */
const EXPORT_TIMEOUT_MS = 120_000

/** Exports a document in a format that has bytes. @throws {HlaError} io, not-found, remote */
export function openExport(
  connection: DriveConnection,
  file: string,
  { type, revision }: ExportRequest,
): Promise<OpenReply> {
  return connection.open({
    method: 'GET',
    path: filePath(file, 'export'),
    query: { mimeType: type, revisionId: revision },
    headers: { accept: '*/*' },
    patience: EXPORT_TIMEOUT_MS,
  })
}

/** Requests a range of bytes; for the whole content no range, since an empty content has none. */
async function readRange(
  connection: DriveConnection,
  { file, revision, size }: StoredContent,
  start: number,
  end: number,
): Promise<AsyncIterable<Buffer>> {
  const isWhole = start === 0 && end === size
  const reply = await connection.open({
    method: 'GET',
    path: filePath(file),
    query: { alt: 'media', revisionId: revision, ...ALL_DRIVES },
    headers: { accept: '*/*', ...(isWhole ? {} : { range: `bytes=${start}-${end - 1}` }) },
  })
  if (!isWhole && reply.status !== 206) throw await unexpected(connection, reply)
  return bounded(reply.bytes, end - start)
}

async function unexpected({ url }: DriveConnection, { status, bytes }: OpenReply): Promise<HlaError> {
  for await (const _ of bytes) break
  return refusal(url, status, '')
}

/** Passes through exactly `length` bytes; an earlier end counts as a broken connection. */
async function* bounded(bytes: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  let left = length
  for await (const chunk of bytes) {
    left -= chunk.length
    yield chunk
  }
  if (left !== 0) throw Object.assign(new Error('the content was cut off'), { code: 'ECONNRESET' })
}

function broken(url: string, name: string, reason: string, cause: unknown): HlaError {
  return new HlaError('remote', `cannot read ${name} from ${url}: ${reason}`, { offending: name, cause })
}

function damaged(name: string): HlaError {
  return new HlaError(
    'checksum-mismatch',
    `the download of ${name} is damaged: its MD5 differs from that of the store`,
    {
      offending: name,
    },
  )
}
