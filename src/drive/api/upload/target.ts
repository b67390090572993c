/** Reads from a request the file that its upload becomes.  [network] */
import { type Room, type UploadTarget, roomsFor } from '../../domain/uploads/upload-sessions.ts'
import { expectedMd5, parseMediaType, readSlug } from '../../protocol/bodies/multipart-upload.ts'
import type { FileBody } from '../../contract/bodies.ts'
import type { Staged } from '../../persistence/contents/blob-rows.ts'
import { type WantedDocument, stagedContent } from '../conversion/conversions.ts'
import { changedDocument, newDocument } from '../conversion/export.ts'
import { type Call, type DriveContext, pathId, readFileBody } from '../requests/call.ts'
import { splitIds, readBehavior } from '../operations/files.ts'
import { quotaExceeded } from '../../domain/accounts/quota.ts'
import { type Caller, StorageFailure, invalid } from '../../contract/failure.ts'
import type { Admit, Incoming } from '../../persistence/contents/staging.ts'
import type { FastifyRequest } from 'fastify'
import { ByteBlocks } from '../../../byte-blocks.ts'

export interface GivenMetadata {
  /** Metadata as JSON. */
  readonly metadata: Uint8Array | undefined
  readonly contentType: string | undefined
}

/** @throws 400 */
export function chooseTarget(call: Call, { metadata, contentType }: GivenMetadata): UploadTarget {
  const { method, parameters, ifMatch, conditions, request } = call
  const given = readFileBody(call, metadata)
  const name = readSlug(request.headers)
  const came = parseMediaType(contentType)?.type
  const wanted = (method.id === 'files.insert' ? newDocument : changedDocument)(call, { body: given, type: came, name }) // prettier-ignore
  const { type = came, native } = wanted ?? {}
  const body = wanted === undefined ? given : withoutType(given)
  const isIndexed = parameters.useContentAsIndexableText
  if (method.id === 'files.insert') {
    const file = {
      body,
      contentType: type,
      name,
      isPinned: parameters.pinned,
      indexesContent: isIndexed,
      native,
      conditions,
    }
    return { kind: 'insert', file }
  }
  return {
    kind: 'update',
    file: {
      id: pathId(call, 'fileId'),
      body,
      ifMatch,
      conditions,
      behavior: readBehavior(call),
      isViewed: parameters.updateViewedDate !== false,
      add: splitIds(parameters.addParents),
      remove: splitIds(parameters.removeParents),
    },
    content: {
      isNewRevision: parameters.newRevision !== false,
      isPinned: parameters.pinned === true,
      type,
      name,
      isIndexed,
      native,
    },
  }
}

function withoutType(given: FileBody): FileBody {
  const { mimeType: _, ...body } = given
  return body
}

/** Document that the content must become; undefined to keep it unconverted. */
export function wantedDocument(
  target: UploadTarget,
): (WantedDocument & { readonly title: string }) | undefined {
  const { native, type, title } =
    target.kind === 'insert'
      ? { ...target.file, type: target.file.contentType, title: target.file.body.title ?? target.file.name }
      : { ...target.content, title: target.file.body.title ?? target.content.name }
  return native === undefined || type === undefined ? undefined : { native, type, title: title ?? 'Untitled' }
}

/** Checks the conversion before the store records the bytes. @throws 400 — the content cannot be converted; 413 */
export async function requireConvertible(
  { conversions }: DriveContext,
  target: UploadTarget,
  staged: Staged,
): Promise<void> {
  const wanted = wantedDocument(target)
  if (wanted !== undefined) await conversions.check(stagedContent(staged), wanted, wanted.title)
}

interface AdmissionRequest {
  readonly target: UploadTarget
  /** Bytes already on disk, for an upload of several requests. */
  readonly received?: number
  readonly few?: number
}

interface Admission {
  readonly admit: Admit
  /** Call before the store counts the bytes, and in any case at the end. */
  readonly end: () => void
}

/**
 * Compares the arriving bytes with the remaining quota, less the bytes of other uploads in progress. Up to `few`
 * bytes it skips the look-up; the transaction that creates the file decides. Admitted bytes are reserved until `end`,
 * so that of two uploads that do not fit together the first succeeds.
 */
export function openAdmission(
  { store, options, arrivals }: DriveContext,
  caller: Caller,
  { target, received, few = -1 }: AdmissionRequest,
): Admission {
  const arriving = arrivals.begin()
  let found: { readonly era: number; readonly rooms: readonly Room[] } | undefined
  const admit = (size: number) => {
    if (size > options.maxUpload)
      throw new StorageFailure(413, 'uploadTooLarge', `A file has at most ${options.maxUpload} bytes.`)
    if (size <= few) return
    const era = arriving.era()
    if (found?.era !== era) found = { era, rooms: roomsFor(store.read, caller, target, received) }
    const isTooMuch = ({ user, bytes }: Room) => bytes !== undefined && size > bytes - arriving.ofOthers(user)
    if (found.rooms.some(isTooMuch)) {
      arriving.end()
      throw quotaExceeded()
    }
    const users = found.rooms.map(({ user }) => user)
    arriving.reach(users, size - (received ?? 0))
  }
  return { admit, end: arriving.end }
}

/** Checks the room once, without reserving it. @throws 413, 403 */
export function requireRoom(
  drive: DriveContext,
  caller: Caller,
  admitting: AdmissionRequest,
  size: number,
): void {
  const { admit, end } = openAdmission(drive, caller, admitting)
  try {
    admit(size)
  } finally {
    end()
  }
}

/** @throws 400 — the received bytes have another MD5 */
export function requireMd5({ md5 }: Staged, wanted: string | undefined): void {
  if (wanted !== undefined && wanted !== md5)
    throw invalid('The bytes that arrived do not have the MD5 that was sent.', 'Content-MD5')
}

/** Expected MD5 for requests whose body is not the content alone. */
export function expectedHash({ request }: Call): string | undefined {
  return expectedMd5({ 'x-goog-hash': request.headers['x-goog-hash'] })
}

/** Body as a stream. Stopping early keeps the connection, because the response must still be sent. @throws 400 uploadBrokenConnection */
export async function* readContent({ raw }: FastifyRequest): Incoming {
  try {
    // no encoding is set, so chunks are bytes
    yield* raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
  } catch {
    throw broken()
  }
}

/** Reads a small body at once: iterating over its chunks costs more than all later work. @throws 400 uploadBrokenConnection */
export function wholeBody({ raw }: FastifyRequest): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const bytes = new ByteBlocks()
    const fail = () => {
      if (!raw.readableEnded) reject(broken())
    }
    // no encoding is set, so chunks are bytes
    raw.on('data', (piece: Buffer) => bytes.add(piece))
    raw.once('end', () => resolve(bytes.joined()))
    raw.once('error', fail)
    raw.once('close', fail)
    if (raw.destroyed) fail()
  })
}

function broken(): StorageFailure {
  return new StorageFailure(400, 'uploadBrokenConnection', 'The connection broke during the upload.')
}

/** Drops the first `count` bytes. */
export async function* skipBytes(content: Incoming, count: number): Incoming {
  let left = count
  for await (const chunk of content) {
    if (chunk.length > left) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}
