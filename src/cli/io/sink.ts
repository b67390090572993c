/** Where results go: standard output, or a file that appears only when it is complete. */
import { packerOf } from '../../batch/packing.ts'
import { onInterrupt } from './interrupt.ts'
import { inMembers } from './members.ts'
import { openPart, type PartFile } from './part-file.ts'
import { writeAll } from './stdout.ts'

export interface Sink {
  write(text: string): void
  /** As they are, behind the texts so far; they are free again when this is done. */
  writeBytes(bytes: Uint8Array): void
  /** Whatever is still held back. */
  flush(): void
  /** Waits until what was written is on the disk; a run that ends can go on from there. */
  mark(): SinkMark
  /** All that belongs into the file is in it; only its name is missing. */
  complete(): void
  /** The end of a complete run: the file gets its name. */
  finish(): void
  /** The end of an incomplete one that will be resumed. */
  keep(): void
  /** The end of an incomplete one: nothing that looks finished is left. */
  abandon(): void
}

export interface SinkMark {
  /** Bytes of the file. */
  readonly length: number
  /** Content behind them that is not packed yet. */
  readonly held: Uint8Array
}

/** How text becomes bytes. */
type Encode = (text: string) => Uint8Array

const utf8: Encode = (text) => Buffer.from(text, 'utf8')

/** Opens a sink for `run`, which finishes it; whatever else ends the run abandons it. */
export async function intoSink<T>(output: string, run: (sink: Sink) => Promise<T> | T): Promise<T> {
  const sink = await openSink(output)
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

export interface SinkOptions {
  readonly encode?: Encode
  /** Goes on from there with the file of an earlier run. */
  readonly from?: SinkMark | undefined
}

/** `-` is standard output. A name ending in `.gz` or `.zst` is compressed. */
export async function openSink(output: string, { encode = utf8, from }: SinkOptions = {}): Promise<Sink> {
  if (output === '-') return holdingBack(STDOUT, encode)
  const pack = await packerOf(output)
  const part = openPart(output, from?.length)
  return holdingBack(pack === undefined ? plain(part) : packed(part, pack, from), encode)
}

/** A sink for bytes. */
type Ends = Pick<Sink, 'mark' | 'complete' | 'finish' | 'keep' | 'abandon'> & {
  readonly emit: (bytes: Uint8Array) => void
}

const NOTHING = new Uint8Array(0)

const STDOUT: Ends = {
  emit: (bytes) => writeAll(1, bytes),
  mark: () => ({ length: 0, held: NOTHING }),
  complete: nothing,
  finish: nothing,
  keep: nothing,
  abandon: nothing,
}

function plain({ write, sync, finish, keep, remove }: PartFile): Ends {
  const mark = () => ({ length: sync(), held: NOTHING })
  return { emit: write, mark, complete: () => void sync(), finish, keep, abandon: remove }
}

function packed(part: PartFile, pack: (bytes: Uint8Array) => Buffer, from: SinkMark | undefined): Ends {
  const begun = { held: from?.held ?? NOTHING, isEmpty: (from?.length ?? 0) === 0 }
  const members = inMembers((bytes) => part.write(pack(bytes)), begun)
  const complete = () => {
    members.finish()
    part.sync()
  }
  return {
    emit: members.write,
    mark: () => ({ length: part.sync(), held: members.held() }),
    complete,
    finish() {
      complete()
      part.finish()
    },
    keep: part.keep,
    abandon: part.remove,
  }
}

const HOLD = 64 * 1024

function holdingBack({ emit, mark, complete, finish, keep, abandon }: Ends, encode: Encode): Sink {
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
