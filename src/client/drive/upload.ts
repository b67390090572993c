/** Uploads in several requests: nothing is there until the last byte is, and a broken connection loses nothing. [network] */
import type { Readable } from 'node:stream'
import { HlaError, isHlaError } from '../../errors.ts'
import { pauseBefore } from '../passing.ts'
import type { DriveConnection, DriveReply, DriveRequest } from './connection.ts'
import { isRefusal } from './failure.ts'
import { ALL_DRIVES, filePath, publicProperties } from './files.ts'
import { type DriveFile, FILE_FIELDS, readFile } from './resource.ts'

export interface Marks {
  /** Seen by every program, and written together with the content. */
  readonly properties?: Readonly<Record<string, string>>
}

/** What the bytes become. */
export type UploadTarget = Marks & {
  readonly mimeType: string
  /** The store keeps what it is, as a document. */
  readonly isConverted?: true
} & (
    | {
        readonly kind: 'new'
        readonly title: string
        /** Id of a folder. */
        readonly parent: string
        /** One that the store generated. */
        readonly id?: string
      }
    | {
        readonly kind: 'revision'
        readonly file: string
        /** It must still be the file as it was then. */
        readonly etag?: string
      }
  )

export interface Session {
  readonly connection: DriveConnection
  /** Address of the upload, which is its credential. */
  readonly path: string
  readonly retries: number
}

/** @throws {HlaError} io, not-found — what can be refused without the bytes */
export async function startUpload(
  connection: DriveConnection,
  target: UploadTarget,
  { size, retries }: { readonly size: number | undefined; readonly retries: number },
): Promise<Session> {
  const isNew = target.kind === 'new'
  const { header } = await connection.send({
    method: isNew ? 'POST' : 'PUT',
    path: `/upload${isNew ? '/drive/v2/files' : filePath(target.file)}`,
    query: {
      uploadType: 'resumable',
      fields: FILE_FIELDS,
      ...(target.isConverted === true ? { convert: true } : {}),
      ...ALL_DRIVES,
    },
    json: targetMetadata(target),
    headers: {
      'x-upload-content-type': target.mimeType,
      ...(size === undefined ? {} : { 'x-upload-content-length': String(size) }),
      ...(target.kind === 'revision' && target.etag !== undefined ? { 'if-match': target.etag } : {}),
    },
  })
  return { connection, path: sessionAddress(header('location')), retries }
}

function targetMetadata(target: UploadTarget): Record<string, unknown> {
  const { mimeType, properties = {} } = target
  const marks = publicProperties(properties)
  const own =
    target.kind === 'new'
      ? {
          title: target.title,
          parents: [{ id: target.parent }],
          ...(target.id === undefined ? {} : { id: target.id }),
        }
      : {}
  return { ...own, mimeType, ...(marks.length === 0 ? {} : { properties: marks }) }
}

/** Below our address of the store: the one it knows of itself may be another. */
function sessionAddress(location: string | undefined): string {
  if (location === undefined || !URL.canParse(location))
    throw new HlaError('remote', 'the store started an upload without saying where to send it')
  const { pathname, search } = new URL(location)
  return `${pathname}${search}`
}

/** A piece of the content. */
export interface UploadPiece {
  readonly start: number
  /** Behind its last byte. */
  readonly end: number
  /** Of the whole content, where this is its last piece. */
  readonly total: number | undefined
  /** Its bytes from there on; asked for anew by each attempt. */
  readonly from: (start: number) => Buffer | Readable
  /** Of the whole content, in hexadecimal: a store that has other bytes keeps nothing. */
  readonly md5?: string
}

/** What a store has of an upload: so many bytes, or the file that it became. */
export type UploadState = { readonly bytes: number } | { readonly file: DriveFile }

/** @throws {HlaError} remote — no way; io — refused; and whatever `from` throws */
export async function sendPiece(session: Session, piece: UploadPiece): Promise<UploadState> {
  let at = piece.start
  let fruitless = 0
  for (;;) {
    const held = (await attemptPiece(session, piece, at)) ?? (await askHeld(session, piece))
    if ('file' in held) return held
    if (piece.total === undefined && held.bytes >= piece.end) return held
    fruitless = held.bytes > at ? 0 : fruitless + 1
    if (held.bytes < piece.start || fruitless > session.retries) throw stuck(session, held.bytes)
    at = held.bytes
    if (fruitless > 0) await new Promise((over) => setTimeout(over, pauseBefore(fruitless, undefined)))
  }
}

/** Undefined: what became of it is not known. */
async function attemptPiece(
  session: Session,
  piece: UploadPiece,
  at: number,
): Promise<UploadState | undefined> {
  const { end, total, from } = piece
  const isEnd = at === end
  const range = isEnd ? `bytes */${total ?? '*'}` : `bytes ${at}-${end - 1}/${total ?? '*'}`
  try {
    return await put(session, {
      headers: { 'content-range': range, 'content-length': String(end - at), ...hashHeader(piece) },
      ...(isEnd ? {} : { body: () => from(at) }),
      retries: 0,
    })
  } catch (error) {
    if (isBreak(error)) return undefined
    throw error
  }
}

/** Of an upload that an earlier run began; undefined: it is over. */
export async function askUpload(session: Session): Promise<UploadState | undefined> {
  try {
    return await put(session, { headers: { 'content-range': 'bytes */*', 'content-length': '0' } })
  } catch (error) {
    if (isRefusal(error, 404) || isRefusal(error, 410)) return undefined
    throw error
  }
}

/** Asking for the end of a content that is all there ends the upload. */
function askHeld(session: Session, piece: UploadPiece): Promise<UploadState> {
  const headers = {
    'content-range': `bytes */${piece.total ?? '*'}`,
    'content-length': '0',
    ...hashHeader(piece),
  }
  return put(session, { headers })
}

function hashHeader({ md5, total }: UploadPiece): Record<string, string> {
  if (md5 === undefined || total === undefined) return {}
  return { 'x-goog-hash': `md5=${Buffer.from(md5, 'hex').toString('base64')}` }
}

/** What is behind the last byte: the store stores it, which takes its time: ms. */
const PATIENCE = 300_000

async function put(
  { connection, path }: Session,
  request: Pick<DriveRequest, 'headers' | 'body' | 'retries'>,
): Promise<UploadState> {
  const reply = await connection.send({ method: 'PUT', path, answers: [308], patience: PATIENCE, ...request })
  return reply.status === 308 ? { bytes: heldIn(reply) } : { file: readFile(reply.body) }
}

function heldIn({ header }: DriveReply): number {
  const [, last] = /^bytes=0-(\d+)$/.exec(header('range') ?? '') ?? []
  return last === undefined ? 0 : Number(last) + 1
}

/** Nobody answered, or with a failure that passes. */
function isBreak(error: unknown): boolean {
  return isHlaError(error) && error.code === 'remote' && error.facts === undefined
}

function stuck({ connection }: Session, held: number): HlaError {
  return new HlaError('remote', `${connection.url} does not accept more than ${held} bytes of the upload`)
}

/** Nothing is left of it. One that has ended by itself is as good. */
export async function cancelUpload({ connection, path }: Session): Promise<void> {
  try {
    await connection.send({ method: 'DELETE', path, answers: [404, 410, 499], retries: 0 })
  } catch (error) {
    // a store that cannot be reached forgets the upload by itself
    if (!isBreak(error) && !isRefusal(error, 401)) throw error
  }
}
