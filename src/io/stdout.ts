/**
 * Standard output and error, written synchronously: a slow reader slows the program, and nothing is lost at exit. Tells
 * terminals from files.  [disk]
 */
import { fstatSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { errorReason, HlaError } from '../errors.ts'
import { currentRun, type Streams } from './run.ts'
import { visibleText } from './visible-text.ts'

/** Thrown when the reader of our output has closed it: not an error; the exit status tells. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe'
}

/** @throws {BrokenPipe} @throws {HlaError} io — the disk is full */
export function writeOut(text: string | Uint8Array): void {
  writeAll(currentRun().output, text)
}

/**
 * Writes everything; `name` names the descriptor in errors.
 * @throws {BrokenPipe}
 * @throws {HlaError} io — the disk is full
 */
export function writeAll(descriptor: number, text: string | Uint8Array, name = 'the output'): void {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'utf8') : text
  for (let at = 0; at < bytes.length;) at += writeSome({ descriptor, name }, bytes, at)
}

/**
 * Writes a message to stderr. Every message passes here, and text from outside is made visible. Write failures are
 * ignored:
 * results and exit status stay the same. `paint` adds colours.
 */
export function tell(text: string, paint = (visible: string) => visible): void {
  draw(paint(visibleText(text)))
}

/** Writes a redrawn line with its control sequences; its parts must be visible text already. */
export function draw(text: string): void {
  try {
    writeAll(currentRun().messages, text, 'stderr')
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
    // a non-blocking pipe is full: wait for its reader
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    return 0
  }
}

/**
 * True when a standard stream is a terminal. `node:tty` loads 30 parts of Node in 4 ms; files, pipes and /dev/null
 * do not need it.
 */
export function isTerminal(stream: keyof Streams): boolean {
  const { [stream]: descriptor } = currentRun()
  const stats = fstatSync(descriptor)
  return stats.isCharacterDevice() && !isMemory(stats.rdev) && isatty(descriptor)
}

/** `/dev/null`, `/dev/zero`: on Linux such devices have major number 1, in the second byte. */
function isMemory(device: number): boolean {
  return process.platform === 'linux' && device >> 8 === 1
}
