/** Where results go: standard output, or a file that appears only when it is complete. */
import { choosePacker } from './packing/packing.ts'
import { onInterrupt } from './interrupt.ts'
import { type PartFile, openPart } from './part-file.ts'
import { writeAll } from './stdout.ts'

export interface Sink {
  write(text: string): void
  /** As they are, behind the texts so far; they are free again when this is done. */
  writeBytes(bytes: Uint8Array): void
  /** Whatever is still held back. */
  flush(): void
  /** Undefined: there is room for more; else when there is. @throws what prevents that anything arrives */
  ready(): Promise<void> | undefined
  /** All that belongs into the file is in it; only its name is missing. */
  complete(): Promise<void> | void
  /** Of what is in it then; undefined where it can be read. */
  identity(): { readonly bytes: number; readonly sha256: string } | undefined
  /** The end of a complete run: the file gets its name. */
  finish(): Promise<void> | void
  /** The end of an incomplete one: nothing is left. */
  abandon(): Promise<void> | void
}

/** How text becomes bytes. */
type Encode = (text: string) => Uint8Array

const utf8: Encode = (text) => Buffer.from(text, 'utf8')

/** A sink for `run`, which finishes it; whatever else ends the run abandons it. */
export async function intoSink<T>(sink: Sink, run: (sink: Sink) => Promise<T> | T): Promise<T> {
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
  /** Whether there will be anything to write is not known yet. */
  readonly isMaybe?: boolean
}

/** `-` is standard output. A name ending in `.gz` or `.zst` is compressed. */
export async function openSink(output: string, { encode = utf8 }: SinkOptions = {}): Promise<Sink> {
  if (output === '-') return holdingBack(STDOUT, encode)
  const pack = await choosePacker(output)
  return holdingBack(packed(plain(openPart(output)), pack), encode)
}

/** A sink for bytes. */
export type Ends = Omit<Sink, 'write' | 'writeBytes' | 'flush'> & {
  readonly emit: (bytes: Uint8Array) => void
}

/** Whoever writes waits until it is written. */
const AT_ONCE = { ready: () => undefined, identity: () => undefined }

const STDOUT: Ends = {
  ...AT_ONCE,
  emit: (bytes) => writeAll(1, bytes),
  complete: nothing,
  finish: nothing,
  abandon: nothing,
}

function plain({ write, sync, finish, remove }: PartFile): Ends {
  return { ...AT_ONCE, emit: write, complete: sync, finish, abandon: remove }
}

/** As they are without `pack`. */
export function packed(ends: Ends, pack: ((bytes: Uint8Array) => Buffer) | undefined): Ends {
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

export function holdingBack(ends: Ends, encode: Encode = utf8): Sink {
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

/** Bytes of content. */
const MEMBER = 1024 * 1024

/** There is at least one member, maybe of nothing. */
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
      held = []
      size = 0
    },
  }
}
