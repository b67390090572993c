/** Output sinks: standard output, or a file that appears only when it is complete. */
import { choosePacker } from './packing/packing.ts'
import { onInterrupt } from './interrupt.ts'
import { type PartFile, openPart } from './part-file.ts'
import { writeOut } from './stdout.ts'

export interface Sink {
  write(text: string): void
  /** Writes bytes unchanged, after the text so far; the caller may reuse them on return. */
  writeBytes(bytes: Uint8Array): void
  /** Writes all buffered text. */
  flush(): void
  /**
   * undefined when there is room for more; otherwise resolves when there is.
   * @throws the error that prevents writing
   */
  ready(): Promise<void> | undefined
  /** Writes everything the file will contain; only the rename remains. */
  complete(): Promise<void> | void
  /** Size and digest of the content, for an output that cannot be read back; undefined otherwise. */
  identity(): { readonly bytes: number; readonly sha256: string } | undefined
  /** Ends a complete run: the file gets its name. */
  finish(): Promise<void> | void
  /** Ends an incomplete run: nothing is left. */
  abandon(): Promise<void> | void
}

/** Encoding of text as bytes. */
type Encode = (text: string) => Uint8Array

const utf8: Encode = (text) => Buffer.from(text, 'utf8')

/** Runs with a sink; `run` finishes it, any other end abandons it. */
export async function withSink<T>(sink: Sink, run: (sink: Sink) => Promise<T> | T): Promise<T> {
  const stopListening = onInterrupt(() => sink.abandon())
  try {
    return await run(sink)
  } catch (error) {
    await sink.abandon()
    throw error
  } finally {
    stopListening()
  }
}

export interface SinkOptions {
  readonly encode?: Encode
  /** True when there may be nothing to write. */
  readonly isMaybe?: boolean
}

/** `-` is standard output. A name ending in `.gz` or `.zst` is compressed. */
export async function openSink(output: string, { encode = utf8 }: SinkOptions = {}): Promise<Sink> {
  if (output === '-') return bufferedSink(STDOUT, encode)
  const pack = await choosePacker(output)
  return bufferedSink(packSink(plain(openPart(output)), pack), encode)
}

/** A sink for bytes. */
export type ByteSink = Omit<Sink, 'write' | 'writeBytes' | 'flush'> & {
  readonly emit: (bytes: Uint8Array) => void
}

/** Blocks the writer until the bytes are written. */
const AT_ONCE = { ready: () => undefined, identity: () => undefined }

const STDOUT: ByteSink = {
  ...AT_ONCE,
  emit: (bytes) => writeOut(bytes),
  complete: nothing,
  finish: nothing,
  abandon: nothing,
}

function plain({ write, sync, finish, remove }: PartFile): ByteSink {
  return { ...AT_ONCE, emit: write, complete: sync, finish, abandon: remove }
}

/** Without `pack`, the bytes unchanged. */
export function packSink(ends: ByteSink, pack: ((bytes: Uint8Array) => Buffer) | undefined): ByteSink {
  if (pack === undefined) return ends
  const members = inMembers((bytes) => ends.emit(pack(bytes)))
  return {
    ...ends,
    emit: members.write,
    complete() {
      members.finish()
      return ends.complete()
    },
    finish() {
      members.finish()
      return ends.finish()
    },
  }
}

const HOLD = 64 * 1024

export function bufferedSink(ends: ByteSink, encode: Encode = utf8): Sink {
  const { emit, complete, finish, ready, identity, abandon } = ends
  let held: string[] = []
  let size = 0
  const flush = () => {
    if (size > 0) emit(encode(held.join('')))
    held = []
    size = 0
  }
  const flushed =
    <T>(end: () => T) =>
    () => {
      flush()
      return end()
    }
  return {
    flush,
    ready,
    identity,
    abandon,
    complete: flushed(complete),
    finish: flushed(finish),
    write(text) {
      held.push(text)
      size += text.length
      if (size >= HOLD) flush()
    },
    writeBytes(bytes) {
      flush()
      emit(bytes)
    },
  }
}

function nothing(): void {}

interface Members {
  readonly write: (bytes: Uint8Array) => void
  readonly finish: () => void
}

/** Bytes of content per member. */
const MEMBER = 1024 * 1024

/** Emits at least one member, possibly empty. */
function inMembers(emit: (bytes: Uint8Array) => void): Members {
  let held: Uint8Array[] = []
  let size = 0
  let isEmpty = true
  const emitOne = (bytes: Uint8Array) => {
    isEmpty = false
    emit(bytes)
  }
  return {
    write(bytes) {
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
      size = 0
    },
  }
}
