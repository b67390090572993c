/** Where results go: standard output, or a file that appears only when it is complete.  [disk] */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { HlaError } from '../../errors.ts'
import { onInterrupt } from './interrupt.ts'
import { reasonOf } from './reason.ts'
import { writeAll } from './stdout.ts'

export interface Sink {
  write(text: string): void
  /** Whatever is still held back. */
  flush(): void
  /** The end of a complete run: the file gets its name. */
  finish(): void
  /** The end of an incomplete one: nothing that looks finished is left. */
  abandon(): void
}

const HOLD = 64 * 1024

/** Opens a sink for `run`, which finishes it; whatever else ends the run abandons it. */
export async function intoSink<T>(
  output: string,
  run: (sink: Sink) => Promise<T> | T,
  encode = utf8,
): Promise<T> {
  const sink = await openSink(output, encode)
  const stopListening = onInterrupt(() => sink.abandon())
  try {
    return await run(sink)
  } catch (error) {
    sink.abandon()
    throw error
  } finally {
    stopListening()
  }
}

/** How text becomes bytes. */
type Encode = (text: string) => Uint8Array

const utf8: Encode = (text) => Buffer.from(text, 'utf8')

/** `-` is standard output. A name ending in `.gz` is compressed. */
export async function openSink(output: string, encode = utf8): Promise<Sink> {
  if (output === '-')
    return holdingBack((text) => writeAll(1, encode(text)), { finish: nothing, abandon: nothing })
  const part = join(dirname(output), `.${basename(output)}.part`)
  const file = openPart(part, output)
  let isOpen = true
  const ends = {
    finish() {
      finishPart(file, part, output)
      isOpen = false
    },
    abandon() {
      if (isOpen) closeSync(file)
      isOpen = false
      rmSync(part, { force: true })
    },
  }
  const write = (bytes: Uint8Array) => writeAll(file, bytes, output)
  if (!output.endsWith('.gz')) return holdingBack((text) => write(encode(text)), ends)
  const { gzipSync } = await import('node:zlib')
  // one gzip member a block: the concatenation of members is a gzip file, and so there is at least one
  let isEmpty = true
  const compress = (text: string) => {
    isEmpty = false
    write(gzipSync(encode(text)))
  }
  const finish = () => {
    if (isEmpty) compress('')
    ends.finish()
  }
  return holdingBack(compress, { ...ends, finish }, 1024 * 1024)
}

type Ends = Pick<Sink, 'finish' | 'abandon'>

function holdingBack(emit: (text: string) => void, { finish, abandon }: Ends, hold = HOLD): Sink {
  let held: string[] = []
  let size = 0
  const flush = () => {
    if (size > 0) emit(held.join(''))
    held = []
    size = 0
  }
  return {
    flush,
    abandon,
    write(text) {
      held.push(text)
      size += text.length
      if (size >= hold) flush()
    },
    finish() {
      flush()
      finish()
    },
  }
}

function openPart(part: string, output: string): number {
  try {
    return openSync(part, 'w')
  } catch (error) {
    throw cannotWrite(output, error)
  }
}

function finishPart(file: number, part: string, output: string): void {
  try {
    fsyncSync(file)
    renameSync(part, output)
  } catch (error) {
    throw cannotWrite(output, error)
  }
  closeSync(file)
}

function cannotWrite(output: string, cause: unknown): HlaError {
  return new HlaError('io', `cannot write ${output}: ${reasonOf(cause)}`, { offending: output, cause })
}

function nothing(): void {}
