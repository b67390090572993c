/**
 * Uploads a stream of bytes: sends pieces of one size while the next one fills, and the last one when the stream has
 * ended without errors.  [network]
 */
import { createHash } from 'node:crypto'
import type { DriveFile } from './resource.ts'
import { GRANULE } from '../contract/upload-granule.ts'
import { cancelUpload, type UploadState, sendPiece, type Session } from './upload.ts'

export interface UploadStream {
  /** Starts the upload; the store may refuse it. @throws the refusal */
  readonly begin: () => Promise<void>
  /** Copies the bytes, so the caller may reuse them. */
  readonly write: (bytes: Uint8Array) => void
  /** Promise to await before the next write; undefined when none is needed. @throws the error of the upload */
  readonly ready: () => Promise<void> | undefined
  /** Resolves when the store has everything except the last piece. @throws as `ready` */
  readonly complete: () => Promise<void>
  /** Sends the last piece, after which the file exists. @throws as `ready` */
  readonly finish: () => Promise<DriveFile>
  /** Cancels the upload; no file is created. */
  readonly cancel: () => Promise<void>
  /** Size and checksum of all bytes written. */
  readonly identity: () => { readonly bytes: number; readonly sha256: string }
}

/** Piece size in bytes. Memory holds one piece being sent and one being filled. */
const PIECE_BYTES = 16 * GRANULE

/** `start` is called by `begin`, or before the first piece. */
export function uploadStream(start: () => Promise<Session>): UploadStream {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')]
  const sender = pieceSender(start)
  const cutter = pieceCutter((bytes) => void sender.send(bytes))
  let total = 0
  return {
    begin: sender.begin,
    write(bytes) {
      md5.update(bytes)
      sha256.update(bytes)
      total += bytes.length
      cutter.write(bytes)
    },
    ready: sender.ready,
    complete: async () => void (await sender.last()),
    async finish() {
      const ended = await sender.send(cutter.rest(), md5.digest('hex'))
      // after cancelling, nothing awaits the end
      if (ended === undefined) return new Promise(() => undefined)
      if ('file' in ended) return ended.file
      throw new Error('an upload without an end')
    },
    cancel: () => sender.cancel(),
    identity: () => ({ bytes: total, sha256: sha256.copy().digest('hex') }),
  }
}

/** Sends pieces in sequence. A failed piece fails all later ones. */
function pieceSender(start: () => Promise<Session>) {
  let session: Promise<Session> | undefined
  const begin = () => (session ??= start())
  let last: Promise<UploadState | undefined> = Promise.resolve(undefined)
  let before = last
  let [sent, waiting, isCancelled] = [0, 0, false]
  return {
    begin: async () => void (await begin()),
    last: () => last,
    // one piece may be in transit while the next one fills
    ready: () => (waiting <= 1 ? undefined : before.then(() => undefined)),
    /** `md5` of the whole content marks the last piece. Resolves to undefined after cancelling. */
    send(bytes: Buffer, md5?: string): Promise<UploadState | undefined> {
      const first = sent
      const end = (sent += bytes.length)
      const from = (at: number) => bytes.subarray(at - first)
      const piece = {
        start: first,
        end,
        from,
        ...(md5 === undefined ? { total: undefined } : { total: end, md5 }),
      }
      waiting += 1
      before = last
      last = last.then(async () => {
        if (isCancelled) return undefined
        const held = await sendPiece(await begin(), piece)
        waiting -= 1
        return held
      })
      // callers that await the promise get its error
      last.catch(() => undefined)
      return last
    },
    async cancel() {
      isCancelled = true
      if (session !== undefined) await cancelUpload(await session)
    },
  }
}

/** Cuts the bytes into pieces of one size, each in its own memory. */
function pieceCutter(emit: (piece: Buffer) => void) {
  let filling: Buffer | undefined
  let used = 0
  return {
    write(bytes: Uint8Array) {
      for (let at = 0; at < bytes.length;) {
        filling ??= Buffer.allocUnsafe(PIECE_BYTES)
        const part = bytes.subarray(at, at + PIECE_BYTES - used)
        filling.set(part, used)
        used += part.length
        at += part.length
        if (used < PIECE_BYTES) continue
        emit(filling)
        filling = undefined
        used = 0
      }
    },
    rest: () => filling?.subarray(0, used) ?? Buffer.alloc(0),
  }
}
