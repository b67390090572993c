/** Where results go: standard output, or a file that appears only when it is complete.  [disk] */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { HlaError, messageOf } from '../../errors.ts'
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

/** `-` is standard output. A name ending in `.gz` is compressed. */
export async function openSink(output: string): Promise<Sink> {
  if (output === '-') return holdingBack((bytes) => writeAll(1, bytes), { finish: nothing, abandon: nothing })
  const part = join(dirname(output), `.${basename(output)}.part`)
  const file = openPart(part, output)
  const close = () => closeSync(file)
  const ends = {
    finish() {
      fsyncSync(file)
      close()
      renameSync(part, output)
    },
    abandon() {
      close()
      rmSync(part, { force: true })
    },
  }
  if (!output.endsWith('.gz')) return holdingBack((bytes) => writeAll(file, bytes), ends)
  const { gzipSync } = await import('node:zlib')
  // one gzip member a block: the concatenation of members is a gzip file
  return holdingBack((bytes) => writeAll(file, gzipSync(bytes)), ends, 1024 * 1024)
}

type Ends = Pick<Sink, 'finish' | 'abandon'>

function holdingBack(emit: (bytes: string) => void, { finish, abandon }: Ends, hold = HOLD): Sink {
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
    throw new HlaError('io', `cannot write ${output}: ${messageOf(error)}`, {
      offending: output,
      cause: error,
    })
  }
}

function nothing(): void {}
