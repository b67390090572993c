/** Standard output and error, written synchronously: a slow reader slows us down, and nothing is lost at exit; whether somebody is looking.  [disk] */
import { fstatSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { errorReason, HlaError } from '../errors.ts'
import { visibleText } from './visible-text.ts'

/** Thrown when whoever read our output stopped: not an error, the exit status says it. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe'
}

/**
 * `name` is what the descriptor is called in an error.
 * @throws {BrokenPipe}
 * @throws {HlaError} io — the disk is full
 */
export function writeAll(descriptor: number, text: string | Uint8Array, name = 'the output'): void {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'utf8') : text
  for (let at = 0; at < bytes.length;) at += writeSome({ descriptor, name }, bytes, at)
}

/**
 * Messages, on stderr: the one place where text from outside is made visible text. Failures to write are ignored, results and
 * exit status stay what they are. `paint` adds colours.
 */
export function tell(text: string, paint = (visible: string) => visible): void {
  draw(paint(visibleText(text)))
}

/** The same with sequences that steer the terminal: for lines that are drawn again, whose parts are visible text. */
export function draw(text: string): void {
  try {
    writeAll(2, text, 'stderr')
  } catch (error) {
    if (!(error instanceof BrokenPipe) && !(error instanceof HlaError)) throw error
  }
}

function writeSome(
  { descriptor, name }: { descriptor: number; name: string },
  bytes: Uint8Array,
  at: number,
): number {
  try {
    return writeSync(descriptor, bytes, at)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') throw new BrokenPipe('the reader of our output is gone', { cause: error })
    if (code !== 'EAGAIN')
      throw new HlaError('io', `cannot write ${name}: ${errorReason(error)}`, { cause: error })
    // a pipe that does not block is full: wait for its reader
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    return 0
  }
}

/** Of a descriptor: 0, 1 or 2. Asking node:tty loads 30 parts of Node in 4 ms: files, pipes and /dev/null are told apart without it. */
export function isTerminal(descriptor: number): boolean {
  const found = fstatSync(descriptor)
  return found.isCharacterDevice() && !isMemory(found.rdev) && isatty(descriptor)
}

/** `/dev/null`, `/dev/zero`: Linux gives such devices the major number 1, which stands in the second byte. */
function isMemory(device: number): boolean {
  return process.platform === 'linux' && device >> 8 === 1
}
