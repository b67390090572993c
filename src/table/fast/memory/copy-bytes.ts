/** Copies between the memory of a thread and the memory that threads share. */

/**
 * `set` moves the bytes of shared memory word by word, lest another thread see half of one. Nobody else reads or writes
 * these meanwhile, and `fill`, with a value as long as its place, copies them in one piece: twice as fast. Its value may not
 * overlap its place, as what is left of a block does that moves to the begin of its own memory.
 */
export function copyBytes(to: Buffer, at: number, from: Uint8Array): void {
  if (from.buffer === to.buffer) to.set(from, at)
  else if (from.length > 0) to.fill(from, at, at + from.length)
}
