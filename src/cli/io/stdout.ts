/** Standard output and error, written synchronously: a slow reader slows us down, and nothing is lost at exit.  [disk] */
import { writeSync } from 'node:fs'

/** Thrown when whoever read our output stopped: not an error, the exit status says it. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe'
}

/** @throws {BrokenPipe} */
export function writeAll(descriptor: number, text: string | Uint8Array): void {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'utf8') : text
  for (let at = 0; at < bytes.length;) at += writeSome(descriptor, bytes, at)
}

function writeSome(descriptor: number, bytes: Uint8Array, at: number): number {
  try {
    return writeSync(descriptor, bytes, at)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') throw new BrokenPipe('the reader of our output is gone', { cause: error })
    if (code !== 'EAGAIN') throw error
    // a pipe that does not block is full: wait for its reader
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    return 0
  }
}
