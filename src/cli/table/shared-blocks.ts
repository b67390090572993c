/** Cuts a stream into blocks of whole lines, each in shared memory that is used again. */

export interface SharedBlocks {
  readonly blocks: () => AsyncGenerator<Buffer>
  /** Gives the memory of a block back. */
  readonly release: (block: Buffer) => void
  /** What is behind the last line feed, when all blocks were read. */
  readonly tail: () => Buffer
}

const BLOCK = 1024 * 1024
const LF = 10

export function sharedBlocks(chunks: AsyncIterable<Buffer>): SharedBlocks {
  const free: SharedArrayBuffer[] = []
  let held: Buffer[] = []
  const take = (bytes: readonly Buffer[], size: number): Buffer => {
    const found = free.findIndex((memory) => memory.byteLength >= size)
    const [memory] = found < 0 ? [] : free.splice(found, 1)
    const block = Buffer.from(memory ?? new SharedArrayBuffer(Math.max(size, BLOCK * 1.5)), 0, size)
    let at = 0
    for (const piece of bytes) {
      block.set(piece, at)
      at += piece.length
    }
    return block
  }
  return {
    async *blocks() {
      let size = 0
      for await (const chunk of chunks) {
        const end = chunk.lastIndexOf(LF) + 1
        if (end === 0 || size + end < BLOCK) {
          held.push(chunk)
          size += chunk.length
          continue
        }
        const block = take([...held, chunk.subarray(0, end)], size + end)
        held = [chunk.subarray(end)]
        size = chunk.length - end
        yield block
      }
    },
    release: (block) => void free.push(block.buffer as unknown as SharedArrayBuffer), // made by `take`
    tail: () => Buffer.concat(held),
  }
}
