/** Cuts a stream into blocks of whole lines, in shared memory that is used again. */
import { copyBytes } from '../../batch/fast/copy-bytes.ts'
import { LONGEST_ROW } from '../../batch/record-cutter.ts'

export interface Block {
  /** In shared memory, from its begin. */
  readonly bytes: SharedArrayBuffer
  readonly length: number
  /** For what it becomes. */
  readonly room: SharedArrayBuffer
}

export interface SharedBlocks {
  readonly blocks: () => AsyncGenerator<Block>
  /** Gives the memory of a block back; its output had this many bytes. */
  readonly release: (block: Block, written: number) => void
  /** What is behind the last line feed, when all blocks were read. */
  readonly tail: () => Buffer
}

/** The first blocks are small: something is to be seen soon. */
const FIRST = 8 * 1024
const BLOCK = 512 * 1024
const LF = 10

export function sharedBlocks(chunks: AsyncIterable<Buffer>): SharedBlocks {
  const free: Pick<Block, 'bytes' | 'room'>[] = []
  let filling = newFilling(free)
  const cut = (end: number): Block => {
    const block = { ...filling, length: end }
    const rest = Buffer.from(filling.bytes, end, filling.length - end)
    filling = newFilling(free)
    append(filling, rest)
    return block
  }
  return {
    async *blocks() {
      let least = FIRST
      for await (const chunk of chunks) {
        append(filling, chunk)
        if (filling.length < least) continue
        const end = endOf(filling)
        if (end === 0 && filling.length <= LONGEST_ROW) continue
        yield cut(end === 0 ? filling.length : end)
        least = Math.min(least * 2, BLOCK)
      }
      const end = endOf(filling)
      if (end > 0) yield cut(end)
    },
    release({ bytes, room }, written) {
      // the next ones will be like this one
      const enough = written <= room.byteLength ? room : new SharedArrayBuffer(written * 1.25)
      free.push({ bytes, room: enough })
    },
    tail: () => Buffer.from(filling.bytes, 0, filling.length),
  }
}

interface Filling {
  bytes: SharedArrayBuffer
  readonly room: SharedArrayBuffer
  length: number
}

function newFilling(free: Pick<Block, 'bytes' | 'room'>[]): Filling {
  const memory = free.pop() ?? {
    bytes: new SharedArrayBuffer(BLOCK * 2),
    room: new SharedArrayBuffer(BLOCK * 3),
  }
  return { ...memory, length: 0 }
}

function append(filling: Filling, more: Uint8Array): void {
  const { bytes, length } = filling
  const end = length + more.length
  if (end > bytes.byteLength) {
    filling.bytes = new SharedArrayBuffer(end * 2)
    copyBytes(Buffer.from(filling.bytes), 0, new Uint8Array(bytes, 0, length))
  }
  copyBytes(Buffer.from(filling.bytes), length, more)
  filling.length = end
}

/** Behind the last line feed. */
function endOf({ bytes, length }: Filling): number {
  return Buffer.from(bytes, 0, length).lastIndexOf(LF) + 1
}
