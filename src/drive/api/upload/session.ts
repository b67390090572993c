/** Continues an upload session; reports only bytes that are on disk (spec 6.3).  [disk, network] */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { command } from '../../domain/commands.ts'
import { type FileView, findView } from '../../domain/items/file-view.ts'
import { type UploadSession, findUpload, uploadGone } from '../../domain/uploads/upload-sessions.ts'
import { StorageFailure, invalid, isStorageFailure, notFound, required } from '../../contract/failure.ts'
import { expectedMd5, readLength, uploadCommands } from '../../protocol/bodies/multipart-upload.ts'
import type { Admit } from '../../persistence/contents/staging.ts'
import type { DriveContext } from '../requests/call.ts'
import { askForBody } from '../requests/expectations.ts'
import {
  openAdmission,
  readContent,
  requireConvertible,
  requireMd5,
  requireRoom,
  skipBytes,
} from './target.ts'
import { GRANULE } from '../../contract/upload-granule.ts'
import { parseContentRange } from '../../protocol/ranges.ts'

export type UploadOutcome =
  | { readonly kind: 'file'; readonly view: FileView }
  /** Bytes on disk; more have to follow. */
  | { readonly kind: 'held'; readonly received: number }
  | { readonly kind: 'cancelled' }

/** One request of an upload session. */
export interface UploadInProgress {
  readonly drive: DriveContext
  readonly session: UploadSession
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly by: 'ranges' | 'commands'
}

/** @throws 410, 400, 403, 412, 413 */
export async function continueUpload(going: UploadInProgress, step: UploadStep): Promise<UploadOutcome> {
  const { drive, session } = going
  if (session.state === 'cancelled') throw uploadGone()
  if (session.state === 'done') return { kind: 'file', view: readResult(going) }
  const held = await drive.store.blobs.uploads.held(session.staged, session.received)
  switch (step.kind) {
    case 'cancel':
      await endUpload(going)
      return { kind: 'cancelled' }
    case 'ask':
      return { kind: 'held', received: held }
    case 'compare':
      return compare(going, held, step.total)
    case 'end':
      requireSameTotal(session, held)
      return completeUpload(going, held)
    case 'bytes':
      return append(going, held, step)
  }
}

/** Present state of the file that the upload became. */
function readResult({ drive, session }: UploadInProgress): FileView {
  const { caller, result = '' } = session
  const view = findView(drive.store.read, caller, result)
  if (view === undefined) throw notFound('File', result)
  return view
}

async function compare(
  going: UploadInProgress,
  held: number,
  said: number | undefined,
): Promise<UploadOutcome> {
  requireSameTotal(going.session, said)
  // a total of 0 completes the upload only if the request states it
  const total = said ?? (going.session.total || undefined)
  if (said !== undefined && said < held)
    throw invalid(
      `${held} bytes have been received already, more than the stated total ${said}.`,
      'Content-Range',
    )
  return total === held ? completeUpload(going, held) : { kind: 'held', received: held }
}

/** A stated total cannot change. @throws 400 */
function requireSameTotal({ total }: UploadSession, said: number | undefined): void {
  if (said !== undefined && total !== undefined && said !== total)
    throw invalid(`The upload was announced with ${total} bytes, now with ${said}.`, 'Content-Range')
}

/**
 * Error for a gap in an upload by commands. That protocol has no response that asks for other bytes, and success
 * would claim that the bytes arrived. @returns 400
 */
function gap(held: number): StorageFailure {
  return new StorageFailure(
    400,
    'invalid',
    `Bytes are missing before this chunk; bytes received so far: ${held}.`,
    {
      location: 'X-Goog-Upload-Offset',
      locationType: 'header',
      headers: { 'x-goog-upload-status': 'active', 'x-goog-upload-size-received': String(held) },
    },
  )
}

async function append(going: UploadInProgress, held: number, bytes: Bytes): Promise<UploadOutcome> {
  const { drive, session, request, reply } = going
  const { uploads } = drive.store.blobs
  const end = bytes.length === undefined ? undefined : bytes.start + bytes.length
  const total = bytes.total ?? (bytes.isLast ? end : undefined)
  if (bytes.isLast && end === 0 && held > 0) return { kind: 'held', received: held }
  requireSameTotal(session, total)
  requireFit(going, { held, end, total: total ?? session.total }, bytes)
  if (bytes.start > held) {
    if (going.by === 'commands') throw gap(held)
    return { kind: 'held', received: held }
  }
  if (end !== undefined && end <= held)
    return total === held ? completeUpload(going, held) : { kind: 'held', received: held }
  askForBody(reply)
  const content = skipBytes(readContent(request), held - bytes.start)
  const { length, broken } = await admitted(going, end, (admit) =>
    uploads.append(session.staged, held, content, admit),
  )
  const isWhole = broken === undefined && (end === undefined || length === end)
  if (length === (total ?? session.total) || (isWhole && bytes.isLast)) return settle(going, length)
  const received = Math.max(held, length - (length % GRANULE))
  const { digest, caller, received: from } = session
  await command(drive.store, 'noteUpload', caller, { digest, from, received, total: bytes.total })
  if (broken !== undefined) throw broken
  if (end !== undefined && !isWhole)
    throw invalid('The body has fewer bytes than its Content-Range.', 'Content-Range')
  return { kind: 'held', received }
}

interface Extent {
  readonly held: number
  readonly end: number | undefined
  readonly total: number | undefined
}

/** Checks that need no bytes. @throws 400, 403, 413 */
function requireFit(
  { drive, session }: UploadInProgress,
  { held, end, total }: Extent,
  { start, isLast }: Bytes,
): void {
  if (end !== undefined && total !== undefined && end > total)
    throw invalid(`The upload was announced with ${total} bytes.`, 'Content-Range')
  requireRoom(drive, session.caller, session, total ?? end ?? 0)
  const isFirst = held === 0 && start === 0
  if (isFirst && !isLast && end !== undefined && end < GRANULE && end !== total)
    throw invalid(`Every chunk except the last must be a multiple of ${GRANULE} bytes.`, 'Content-Range')
}

/** `end` is where the bytes of this request end, if stated. More bytes than stated are refused. */
async function admitted<T>(
  { drive, session }: UploadInProgress,
  end: number | undefined,
  take: (admit: Admit) => Promise<T>,
): Promise<T> {
  const most = end ?? session.total
  const letIn = openAdmission(drive, session.caller, session)
  try {
    letIn.admit(end ?? 0)
    return await take((size) => {
      if (most !== undefined && size > most)
        throw invalid(`More bytes arrived than the announced ${most}.`, 'Content-Range')
      letIn.admit(size)
    })
  } finally {
    // `noteProgress` counts the received bytes next
    letIn.end()
  }
}

/** Bytes: larger uploads are recorded before they are digested and stored, in case the server stops meanwhile. */
const LARGE_BYTES = 8 * 1024 * 1024

async function settle(going: UploadInProgress, length: number): Promise<UploadOutcome> {
  const { drive, session } = going
  requireSameTotal(session, length)
  if (length >= LARGE_BYTES) {
    const { digest, caller, received: from } = session
    await command(drive.store, 'noteUpload', caller, { digest, from, received: length, total: length })
  }
  return completeUpload(going, length)
}

/** Completes the upload. A refusal would be repeated, so it ends the session. */
async function completeUpload(going: UploadInProgress, length: number): Promise<UploadOutcome> {
  const { drive, session } = going
  const { digest, caller, target } = session
  const { uploads } = drive.store.blobs
  try {
    const view = await uploads.complete(session.staged, length, async (staged) => {
      requireMd5(staged, readHash(going))
      await requireConvertible(drive, target, staged)
      return command(drive.store, 'finishUpload', caller, { digest, target, staged })
    })
    await uploads.discard(session.staged)
    return { kind: 'file', view }
  } catch (error) {
    if (!isStorageFailure(error) || error.status >= 500) throw error
    await endUpload(going)
    // another request has completed the upload
    const now = findUpload(drive.store.read, digest, Date.now())
    if (error.status === 410 && now?.state === 'done')
      return { kind: 'file', view: readResult({ ...going, session: now }) }
    throw error
  }
}

/** `Content-MD5` describes the body; it applies to the content only if that came in one body. */
function readHash({ session, request: { headers } }: UploadInProgress): string | undefined {
  const hash = { 'x-goog-hash': headers['x-goog-hash'] }
  return (
    expectedMd5(session.received === 0 ? { ...hash, 'content-md5': headers['content-md5'] } : hash) ??
    session.md5
  )
}

async function endUpload({ drive, session }: UploadInProgress): Promise<void> {
  await command(drive.store, 'cancelUpload', session.caller, { digest: session.digest })
  await drive.store.blobs.uploads.discard(session.staged)
}

type UploadStep =
  | { readonly kind: 'cancel' }
  /** Asks how many bytes are on disk. */
  | { readonly kind: 'ask' }
  /** Asks the same; completes the upload if `total` equals the bytes on disk. */
  | { readonly kind: 'compare'; readonly total: number | undefined }
  /** Completes the upload with the bytes on disk. */
  | { readonly kind: 'end' }
  | Bytes

interface Bytes {
  readonly kind: 'bytes'
  readonly start: number
  /** Undefined if the body has no declared length. */
  readonly length: number | undefined
  readonly total: number | undefined
  /** True if the content ends with these bytes. */
  readonly isLast: boolean
}

/** @throws 400 */
export function stepByRange({ method, headers }: FastifyRequest): UploadStep {
  if (method === 'DELETE') return { kind: 'cancel' }
  const sent = readLength(headers, 'content-length')
  const range = parseContentRange(headers['content-range'])
  if (range === undefined)
    return { kind: 'bytes', start: 0, length: bodyLength(headers, sent), total: undefined, isLast: true }
  const { total } = range
  if (range.kind === 'query' || range.length === 0) return { kind: 'compare', total }
  const { start, length } = range
  if (sent !== undefined && sent !== length)
    throw invalid(`The body has ${sent} bytes, its Content-Range ${length}.`, 'Content-Range')
  return { kind: 'bytes', start, length, total, isLast: start + length === total }
}

/** @throws 400 */
export function stepByCommand({ headers }: FastifyRequest): UploadStep {
  const commands = uploadCommands(headers)
  if (commands.includes('cancel')) return { kind: 'cancel' }
  if (commands.includes('query')) return { kind: 'ask' }
  if (!commands.includes('upload')) return { kind: 'end' }
  const start = readLength(headers, 'x-goog-upload-offset')
  if (start === undefined) throw required('X-Goog-Upload-Offset')
  const length = bodyLength(headers, readLength(headers, 'content-length'))
  return { kind: 'bytes', start, length, total: undefined, isLast: commands.includes('finalize') }
}

/** A request with neither a length nor chunks has no body. */
function bodyLength(headers: FastifyRequest['headers'], sent: number | undefined): number | undefined {
  return headers['transfer-encoding'] === undefined ? (sent ?? 0) : undefined
}
