/** Where results go: standard output, or a file that appears only when it is complete.  [disk] */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { HlaError } from '../../errors.ts'
import { onInterrupt } from './interrupt.ts'
import { reasonOf } from './reason.ts'
import { writeAll } from './stdout.ts'

export interface Sink {
  write(text: string): void
  /** As they are, behind the texts so far; they are free again when this is done. */
  writeBytes(bytes: Uint8Array): void
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
    return holdingBack((bytes) => writeAll(1, bytes), { finish: nothing, abandon: nothing }, encode)
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
  if (!output.endsWith('.gz')) return holdingBack(write, ends, encode)
  const { gzipSync } = await import('node:zlib')
  const members = inMembers((bytes) => write(gzipSync(bytes)))
  const finish = () => {
    members.finish()
    ends.finish()
  }
  return holdingBack((bytes) => members.write(bytes), { ...ends, finish }, encode)
}

type Ends = Pick<Sink, 'finish' | 'abandon'>

function holdingBack(emit: (bytes: Uint8Array) => void, { finish, abandon }: Ends, encode: Encode): Sink {
  let held: string[] = []
  let size = 0
  const flush = () => {
    if (size > 0) emit(encode(held.join('')))
    held = []
    size = 0
  }
  return {
    flush,
    abandon,
    write(text) {
      held.push(text)
      size += text.length
      if (size >= HOLD) flush()
    },
    writeBytes(bytes) {
      flush()
      emit(bytes)
    },
    finish() {
      flush()
      finish()
    },
  }
}

/** Of plain bytes; however they come, a member holds as many, so that the same content gives the same file. */
const MEMBER = 1024 * 1024

/** The concatenation of gzip members is a gzip file; there is at least one, maybe of nothing. */
function inMembers(emit: (bytes: Uint8Array) => void) {
  let held: Uint8Array[] = []
  let size = 0
  let isEmpty = true
  const emitOne = (bytes: Uint8Array) => {
    isEmpty = false
    emit(bytes)
  }
  return {
    write(bytes: Uint8Array) {
      held.push(Buffer.from(bytes))
      size += bytes.length
      if (size < MEMBER) return
      const all = Buffer.concat(held)
      let at = 0
      for (; size - at >= MEMBER; at += MEMBER) emitOne(all.subarray(at, at + MEMBER))
      held = [all.subarray(at)]
      size -= at
    },
    finish() {
      if (size > 0 || isEmpty) emitOne(Buffer.concat(held))
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
