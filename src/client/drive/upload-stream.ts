/** An upload of bytes as they come: pieces of one size go out while the next is filled, and the last one when all is well. [network] */
import { createHash } from 'node:crypto'
import type { DriveFile } from './resource.ts'
import { GRANULE } from '../../upload-granule.ts'
import { cancelUpload, type UploadState, sendPiece, type Session } from './upload.ts'

export interface UploadStream {
  /** Asks the store whether it will take it. @throws what it refuses */
  readonly begin: () => Promise<void>
  /** The bytes are free again when this is done. */
  readonly write: (bytes: Uint8Array) => void
  /** Undefined: more may be written at once. @throws what prevents the upload */
  readonly ready: () => Promise<void> | undefined
  /** All that was written is with the store, except for the last piece. @throws as `ready` */
  readonly complete: () => Promise<void>
  /** The content is there now. @throws as `ready` */
  readonly finish: () => Promise<DriveFile>
  /** Nothing will be. */
  readonly cancel: () => Promise<void>
  /** Of all that was written. */
  readonly identity: () => { readonly bytes: number; readonly sha256: string }
}

/** Bytes in memory: this much under way, this much being filled. */
const PIECE = 16 * GRANULE

/** `start` is called by `begin`, or for the first piece. */
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
      // who cancelled it does not wait for its end
      if (ended === undefined) return new Promise(() => undefined)
      if ('file' in ended) return ended.file
      throw new Error('an upload without an end')
    },
    cancel: () => sender.cancel(),
    identity: () => ({ bytes: total, sha256: sha256.copy().digest('hex') }),
  }
}

/** One piece after the other. What fails fails all that come behind it. */
function pieceSender(start: () => Promise<Session>) {
  let session: Promise<Session> | undefined
  const begin = () => (session ??= start())
  let last: Promise<UploadState | undefined> = Promise.resolve(undefined)
  let before = last
  let [sent, waiting, isCancelled] = [0, 0, false]
  return {
    begin: async () => void (await begin()),
    last: () => last,
    // one is under way while the next is filled
    ready: () => (waiting <= 1 ? undefined : before.then(() => undefined)),
    /** `md5`, of the whole: this piece is the last. Undefined: it was cancelled. */
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
      // whoever waits for it hears of it
      last.catch(() => undefined)
      return last
    },
    async cancel() {
      isCancelled = true
      if (session !== undefined) await cancelUpload(await session)
    },
  }
}

/** Gives pieces of one size, each in memory of its own. */
function pieceCutter(emit: (piece: Buffer) => void) {
  let filling: Buffer | undefined
  let used = 0
  return {
    write(bytes: Uint8Array) {
      for (let at = 0; at < bytes.length;) {
        filling ??= Buffer.allocUnsafe(PIECE)
        const part = bytes.subarray(at, at + PIECE - used)
        filling.set(part, used)
        used += part.length
        at += part.length
        if (used < PIECE) continue
        emit(filling)
        filling = undefined
        used = 0
      }
    },
    rest: () => filling?.subarray(0, used) ?? Buffer.alloc(0),
  }
}
