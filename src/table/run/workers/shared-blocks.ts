/** Cuts a stream into blocks of whole lines, in shared memory that is used again. */
import { giveBack } from '../../../io/file-port.ts'
import { copyBytes } from '../../fast/memory/byte-buffers.ts'
import { LONGEST_ROW } from '../../input/record-cutter.ts'

export interface Block {
  /** In shared memory, from its begin. */
  readonly bytes: SharedArrayBuffer
  readonly length: number
  /** For what it becomes. */
  readonly room: SharedArrayBuffer
}

export interface SharedBlocks {
  readonly blocks: () => AsyncGenerator<Block>
  /** Gives the memory of a block back, each byte of which became so many. */
  readonly release: (block: Block, growth: number) => void
  /** What is behind the last line feed, when all blocks were read. */
  readonly tail: () => Buffer
}

/** The first blocks are small: something is to be seen soon. */
const FIRST = 8 * 1024
const BLOCK = 512 * 1024
const SMALLEST = 2 * 1024
/** What a block becomes: as many blocks wait for each other, it is what the memory is needed for. */
const AIM = 512 * 1024
const LF = 10

export function sharedBlocks(chunks: AsyncIterable<Buffer>): SharedBlocks {
  const free: Pick<Block, 'bytes' | 'room'>[] = []
  let filling = newFilling(free)
  let least = FIRST
  /** Bytes that one byte becomes: as the last blocks had it, less and less of those before. */
  let growth = 0
  const cut = (end: number): Block => {
    const block = { ...filling, length: end }
    const rest = Buffer.from(filling.bytes, end, filling.length - end)
    filling = newFilling(free)
    append(filling, rest)
    least = Math.min(least * 2, BLOCK, Math.max(SMALLEST, Math.floor(AIM / growth)))
    return block
  }
  return {
    async *blocks() {
      for await (const chunk of chunks) {
        for (let at = 0; at < chunk.length;) {
          // what has no line end yet is looked at again only when there is twice as much
          const wanted = filling.length < least ? least : Math.min(filling.length * 2, LONGEST_ROW + 1)
          const more = chunk.subarray(at, at + wanted - filling.length)
          append(filling, more)
          at += more.length
          if (filling.length < wanted) continue
          const end = blockEnd(filling)
          if (end > 0) yield cut(end)
          else if (filling.length > LONGEST_ROW) yield cut(filling.length)
        }
        giveBack(chunk)
      }
      const end = blockEnd(filling)
      if (end > 0) yield cut(end)
    },
    release({ bytes, room }, last) {
      growth = Math.max(growth * KEPT, last)
      // a long row has its memory for itself
      if (bytes.byteLength === BYTES) free.push({ bytes, room })
    },
    tail: () => Buffer.from(filling.bytes, 0, filling.length),
  }
}

const KEPT = 0.9
const BYTES = BLOCK * 2
const ROOM = BLOCK * 3

interface Filling {
  bytes: SharedArrayBuffer
  readonly room: SharedArrayBuffer
  length: number
}

function newFilling(free: Pick<Block, 'bytes' | 'room'>[]): Filling {
  const memory = free.pop() ?? { bytes: new SharedArrayBuffer(BYTES), room: new SharedArrayBuffer(ROOM) }
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
function blockEnd({ bytes, length }: Filling): number {
  return Buffer.from(bytes, 0, length).lastIndexOf(LF) + 1
}
