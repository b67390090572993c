/** A file as a stream. An HTTP response is fed from two reused buffers.  [disk, network] */
import type { FileHandle } from 'node:fs/promises'
import { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { ByteRange } from '../blob-rows.ts'

/** Bytes: large enough for a fast connection. A slow one holds two in memory. */
const PIECE = 512 << 10

/**
 * A readable stream of file bytes. A plain pipe allocates memory for each piece, which the system must clear first.
 * Here two buffers alternate: one is filled while the other is sent (docs/adr/store.md#downloads).
 */
export class FileBytes extends Readable {
  readonly #file: FileHandle
  /** Position of the next byte to read. */
  #next: number
  readonly #end: number
  /** Resolves when the preceding pieces have been written to the response. */
  #before: Promise<void> = Promise.resolve()

  /** `file` is closed at the end of the stream. */
  constructor(file: FileHandle, { start, end }: ByteRange) {
    super({ highWaterMark: PIECE })
    this.#file = file
    this.#next = start
    this.#end = end + 1
  }

  override _read(): void {
    if (this.#next >= this.#end) {
      this.push(null)
      return
    }
    this.#fill(Buffer.allocUnsafeSlow(this.#pieceSize())).then(
      (bytes) => this.push(bytes),
      (error: Error) => this.destroy(error),
    )
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#file.close().then(
      () => done(error),
      (failed: Error) => done(error ?? failed),
    )
  }

  /** Reuses buffers only for a response on a socket: only there is it known when the bytes have been sent. */
  override pipe<Into extends NodeJS.WritableStream>(into: Into, options?: { end?: boolean }): Into {
    if (!(into instanceof ServerResponse && into.socket instanceof Socket)) return super.pipe(into, options)
    Promise.all([this.#giveTo(into), this.#giveTo(into)]).then(
      () => {
        if (this.destroyed) return
        this.push(null)
        this.resume()
        if (options?.end !== false) into.end()
      },
      (error: Error) => this.destroy(error),
    )
    return into
  }

  async #giveTo(answer: ServerResponse): Promise<void> {
    const piece = Buffer.allocUnsafeSlow(this.#pieceSize())
    while (this.#next < this.#end && !this.destroyed) {
      const filled = this.#fill(piece)
      const before = this.#before
      let given = () => {}
      this.#before = new Promise((resolve) => (given = resolve))
      const bytes = await filled
      await before
      if (this.destroyed) return
      const left = leaving(answer, bytes)
      given()
      // the response itself reports the reason
      if (!(await left)) this.destroy()
    }
  }

  #pieceSize(): number {
    return Math.max(0, Math.min(PIECE, this.#end - this.#next))
  }

  /** Fills `piece` with the next bytes. @throws if the file ends early */
  async #fill(piece: Buffer): Promise<Buffer> {
    const from = this.#next
    const length = Math.min(piece.length, this.#end - from)
    this.#next += length
    for (let at = 0; at < length;) {
      const { bytesRead } = await this.#file.read(piece, at, length - at, from + at)
      if (bytesRead === 0) throw new Error(`a content ends at ${from + at} before it should`)
      at += bytesRead
    }
    return piece.subarray(0, length)
  }
}

/** Resolves to true when the buffer may be reused, to false if the client has disconnected. */
function leaving(answer: ServerResponse, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    answer.write(bytes, (error) => resolve(!error))
  })
}
