/** Bytes of a file as a stream, which an answer gets out of the same memory again and again.  [disk, network] */
import type { FileHandle } from 'node:fs/promises'
import { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { ByteRange } from '../blob-rows.ts'

/** Large enough that a fast line is not kept waiting. A slow one has two in memory. */
const PIECE = 512 << 10

/**
 * A pipe takes new memory for each piece, which the system must make and clear first. Here two pieces are filled in turn: one is read
 * while the other leaves (docs/adr/store.md#downloads).
 */
export class FileBytes extends Readable {
  readonly #file: FileHandle
  /** Of the byte that nobody has asked for yet. */
  #next: number
  readonly #end: number
  /** Settled when the pieces before have been given to the answer. */
  #before: Promise<void> = Promise.resolve()

  /** Closes the file at the end. */
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

  /** Only of a connection is it known when it has done with the bytes that it was given. */
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
      // the answer itself tells why
      if (!(await left)) this.destroy()
    }
  }

  #pieceSize(): number {
    return Math.max(0, Math.min(PIECE, this.#end - this.#next))
  }

  /** With the bytes that come next. @throws there are fewer */
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

/** Resolves when the memory may be used again; false: the other side has left. */
function leaving(answer: ServerResponse, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    answer.write(bytes, (error) => resolve(!error))
  })
}
