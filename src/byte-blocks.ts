/** Bytes collected in blocks: kept separately, one-byte chunks of a body would cost 400 bytes each. */

const FIRST_BLOCK = 1024
const MAX_BLOCK = 1024 ** 2

export class ByteBlocks {
  size = 0
  readonly #allocate: (size: number) => Buffer
  readonly #keepsFirst: boolean
  /** The only piece so far: most bodies have just one, which is not copied. */
  #first: Uint8Array | undefined
  #blocks: Buffer[] = []
  /** Unused bytes of the last block. */
  #room = 0

  /** `isShared`: blocks lie in memory that another thread reads without a copy. */
  constructor(isShared = false) {
    this.#keepsFirst = !isShared
    this.#allocate = isShared
      ? (size) => Buffer.from(new SharedArrayBuffer(size))
      : (size) => Buffer.allocUnsafeSlow(size)
  }

  add(piece: Uint8Array): void {
    const isFirst = this.size === 0
    this.size += piece.length
    if (isFirst && this.#keepsFirst) {
      this.#first = piece
      return
    }
    if (this.#first !== undefined) this.#copy(this.#first)
    this.#first = undefined
    this.#copy(piece)
  }

  /** All bytes in order. */
  pieces(): Buffer[] {
    if (this.#first !== undefined) return [bufferOver(this.#first)]
    const last = this.#blocks.at(-1)
    return last === undefined
      ? []
      : [...this.#blocks.slice(0, -1), last.subarray(0, last.length - this.#room)]
  }

  joined(): Buffer {
    const [first = Buffer.alloc(0), ...more] = this.pieces()
    return more.length === 0 ? first : Buffer.concat([first, ...more], this.size)
  }

  clear(): void {
    this.size = 0
    this.#first = undefined
    this.#blocks = []
    this.#room = 0
  }

  #copy(piece: Uint8Array): void {
    for (let at = 0; at < piece.length;) {
      const block = this.#blockWithRoom()
      const taken = piece.subarray(at, at + this.#room)
      block.set(taken, block.length - this.#room)
      this.#room -= taken.length
      at += taken.length
    }
  }

  #blockWithRoom(): Buffer {
    const last = this.#blocks.at(-1)
    if (last !== undefined && this.#room > 0) return last
    const block = this.#allocate(last === undefined ? FIRST_BLOCK : Math.min(last.length * 2, MAX_BLOCK))
    this.#blocks.push(block)
    this.#room = block.length
    return block
  }
}

function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
