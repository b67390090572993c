/** Uploads a local file, and resumes an upload that an earlier run left unfinished.  [disk, network] */
import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Transform } from 'node:stream'
import type { DriveFile } from '../../client/resource.ts'
import {
  SMALL,
  type Session,
  type UploadTarget,
  fetchUploadState,
  sendPiece,
  startUpload,
  uploadSmall,
} from '../../client/upload.ts'
import { HlaError } from '../../../errors.ts'
import type { DriveClient } from './connect.ts'
import { transferProgress } from './transfer-progress.ts'
import { type UnfinishedUpload, unfinishedUpload } from './unfinished-uploads.ts'

export interface LocalFile {
  readonly file: string
  readonly isQuiet: boolean
}

/** A small file is read once. A larger one is read twice: the store gets the digest before the bytes, and rejects bytes with another one. */
export async function sendFile(
  drive: DriveClient,
  target: UploadTarget,
  { file, isQuiet }: LocalFile,
): Promise<DriveFile> {
  const size = statSync(file).size
  const small = size <= SMALL ? await readFile(file) : undefined
  if (small !== undefined && small.length <= SMALL)
    return uploadSmall(drive.connection, target, { bytes: small, md5: md5OfBytes(small) })
  const md5 = await md5Of(file)
  const kept = unfinishedUpload({ url: drive.connection.url, target, size, md5 })
  const opened = await openSession(drive, target, { size, md5 }, kept)
  if ('file' in opened) return opened.file
  const { session, held } = opened
  const progress = transferProgress(file, size, isQuiet)
  let at = held
  const from = (start: number) => {
    at = start
    return counted(createReadStream(file, { start, highWaterMark: READ_BYTES }), (count) =>
      progress.at((at += count)),
    )
  }
  try {
    const sent = await sendPiece(session, { start: held, end: size, total: size, from, md5 })
    if (!('file' in sent)) throw new HlaError('remote', 'the store accepted the upload but created no file')
    kept.forget()
    return sent.file
  } finally {
    progress.end()
  }
}

const READ_BYTES = 256 * 1024

async function openSession(
  { connection, retries }: DriveClient,
  target: UploadTarget,
  { size, md5 }: { readonly size: number; readonly md5: string },
  kept: UnfinishedUpload,
): Promise<{ readonly session: Session; readonly held: number } | { readonly file: DriveFile }> {
  if (kept.path !== undefined) {
    const session = { connection, path: kept.path, retries }
    const held = await fetchUploadState(session)
    kept.forget()
    if (held !== undefined && 'bytes' in held) {
      kept.keep(session.path)
      return { session, held: held.bytes }
    }
    // an earlier run missed the end of the upload
    // the digest of a document is unknown
    if (held !== undefined && (held.file.isDocument || held.file.md5 === md5)) return held
  }
  const session = await startUpload(connection, target, { size, retries })
  kept.keep(session.path)
  return { session, held: 0 }
}

function md5OfBytes(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex')
}

async function md5Of(file: string): Promise<string> {
  const hash = createHash('md5')
  for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES }))
    hash.update(chunk as Buffer)
  return hash.digest('hex')
}

function counted(bytes: NodeJS.ReadableStream, passed: (count: number) => void): Transform {
  const counter = new Transform({
    transform(chunk: Buffer, _, done) {
      passed(chunk.length)
      done(null, chunk)
    },
  })
  bytes.on('error', (error) => counter.destroy(error))
  return bytes.pipe(counter)
}
