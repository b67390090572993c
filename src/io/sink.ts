/** Where results go: standard output, or a file that appears only when it is complete. */
import { choosePacker } from './packing/packing.ts'
import { onInterrupt } from './interrupt.ts'
import { inMembers } from './packing/members.ts'
import { openPart, type PartFile } from './part-file.ts'
import { writeAll } from './stdout.ts'

export interface Sink {
  write(text: string): void
  /** As they are, behind the texts so far; they are free again when this is done. */
  writeBytes(bytes: Uint8Array): void
  /** Whatever is still held back. */
  flush(): void
  /** Undefined: there is room for more; else when there is. @throws what prevents that anything arrives */
  ready(): Promise<void> | undefined
  /** Waits until what was written is on the disk; a run that ends can go on from there. */
  mark(): SinkMark
  /** All that belongs into the file is in it; only its name is missing. */
  complete(): Promise<void> | void
  /** Of what is in it then; undefined where it can be read. */
  identity(): { readonly bytes: number; readonly sha256: string } | undefined
  /** The end of a complete run: the file gets its name. */
  finish(): Promise<void> | void
  /** The end of an incomplete one that will be resumed. */
  keep(): void
  /** The end of an incomplete one: nothing that looks finished is left. */
  abandon(): Promise<void> | void
}

export interface SinkMark {
  /** Bytes of the file. */
  readonly length: number
  /** Content behind them that is not packed yet. */
  readonly held: Uint8Array
  /** CRC-32 of the bytes of the file; states of earlier versions have none. */
  readonly sum?: number | undefined
  /** Of a file of a store: how to go on with its upload, in the words of who does. It is a secret. */
  readonly upload?: string | undefined
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
  /** Goes on from there with the file of an earlier run. */
  readonly from?: SinkMark | undefined
  /** Whether there will be anything to write is not known yet. */
  readonly isMaybe?: boolean
  /** There will be marks. */
  readonly isMarked?: boolean
}

/** `-` is standard output. A name ending in `.gz` or `.zst` is compressed. */
export async function openSink(output: string, { encode = utf8, from }: SinkOptions = {}): Promise<Sink> {
  if (output === '-') return holdingBack(STDOUT, encode)
  const pack = await choosePacker(output)
  return holdingBack(packed(plain(openPart(output, from)), pack, from), encode)
}

/** A sink for bytes. */
export type Ends = Omit<Sink, 'write' | 'writeBytes' | 'flush'> & {
  readonly emit: (bytes: Uint8Array) => void
}

export const NOTHING = new Uint8Array(0)

/** Whoever writes waits until it is written. */
const AT_ONCE = { ready: () => undefined, identity: () => undefined }

const STDOUT: Ends = {
  ...AT_ONCE,
  emit: (bytes) => writeAll(1, bytes),
  mark: () => ({ length: 0, held: NOTHING }),
  complete: nothing,
  finish: nothing,
  keep: nothing,
  abandon: nothing,
}

function plain({ write, sync, sum, finish, keep, remove }: PartFile): Ends {
  const mark = () => ({ length: sync(), sum: sum(), held: NOTHING })
  return { ...AT_ONCE, emit: write, mark, complete: () => void sync(), finish, keep, abandon: remove }
}

/** As they are without `pack`. */
export function packed(
  ends: Ends,
  pack: ((bytes: Uint8Array) => Buffer) | undefined,
  from: SinkMark | undefined,
): Ends {
  if (pack === undefined) return ends
  const begun = { held: from?.held ?? NOTHING, isEmpty: (from?.length ?? 0) === 0 }
  const members = inMembers((bytes) => ends.emit(pack(bytes)), begun)
  return {
    ...ends,
    emit: members.write,
    mark: () => ({ ...ends.mark(), held: members.held() }),
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
  const { emit, mark, complete, finish, ready, identity, keep, abandon } = ends
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
    keep,
    abandon,
    mark: flushed(mark),
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
