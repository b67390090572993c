/** Cuts a stream into blocks of whole lines, in reusable shared memory. */
import { recyclePiece } from '../../../io/file-port.ts'
import { MAX_ROW_BYTES } from '../../input/record-cutter.ts'

export interface Block {
  /** Shared memory; the block is at its beginning. */
  readonly bytes: SharedArrayBuffer
  readonly length: number
  /** Memory for the output. */
  readonly room: SharedArrayBuffer
}

export interface SharedBlocks {
  readonly blocks: () => AsyncGenerator<Block>
  /** Returns a block's memory for reuse; `growth` is the output bytes per input byte. */
  readonly release: (block: Block, growth: number) => void
  /** Rest after the last line feed, when all blocks were read. */
  readonly tail: () => Buffer
}

/** The first blocks are small, so that output appears soon. */
const FIRST = 8 * 1024
const BLOCK = 512 * 1024
const SMALLEST = 2 * 1024
/** Target output size of a block: as many blocks wait for each other, output dominates memory. */
const AIM = 512 * 1024
const LF = 10

export function sharedBlocks(chunks: AsyncIterable<Buffer>): SharedBlocks {
  const free: Pick<Block, 'bytes' | 'room'>[] = []
  let filling = newFilling(free)
  let least = FIRST
  /** Output bytes per input byte, a decaying average over the last blocks. */
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
          // an incomplete line is scanned again only when doubled
          const wanted = filling.length < least ? least : Math.min(filling.length * 2, MAX_ROW_BYTES + 1)
          const more = chunk.subarray(at, at + wanted - filling.length)
          append(filling, more)
          at += more.length
          if (filling.length < wanted) continue
          const end = blockEnd(filling)
          if (end > 0) yield cut(end)
          else if (filling.length > MAX_ROW_BYTES) yield cut(filling.length)
        }
        recyclePiece(chunk)
      }
      const end = blockEnd(filling)
      if (end > 0) yield cut(end)
    },
    release({ bytes, room }, last) {
      growth = Math.max(growth * KEPT, last)
      // a long row has memory of its own, which is not reused
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
    Buffer.from(filling.bytes).set(new Uint8Array(bytes, 0, length))
  }
  Buffer.from(filling.bytes).set(more, length)
  filling.length = end
}

/** Offset after the last line feed. */
function blockEnd({ bytes, length }: Filling): number {
  return Buffer.from(bytes, 0, length).lastIndexOf(LF) + 1
}
