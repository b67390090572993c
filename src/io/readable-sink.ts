/** A sink read piece by piece: the producer waits until its last output was taken. */
import { type ByteSink, bufferedSink, type Sink, type SinkOptions } from './sink.ts'

export interface ReadableSink {
  readonly open: (options?: SinkOptions) => Sink
  /** Yields the output of `make` and returns its result. When the reader stops, `make` fails at its next wait. */
  readonly pieces: <T>(make: () => Promise<T>) => AsyncGenerator<Uint8Array, T>
}

export function readableSink(): ReadableSink {
  const chunks: Uint8Array[] = []
  let hasStopped = false
  /** Continuations of the waiting producer. */
  let waiting: { readonly resume: () => void; readonly fail: (error: Error) => void } | undefined
  let wakeReader = () => {}
  const ends: ByteSink = {
    // a copy: the memory is reused
    emit: (bytes) => void chunks.push(new Uint8Array(bytes)),
    ready() {
      if (hasStopped) throw new ReaderStopped()
      return new Promise((resume, fail) => {
        waiting = { resume, fail }
        wakeReader()
      })
    },
    complete: nothing,
    identity: nothing,
    finish: nothing,
    abandon: nothing,
  }
  return {
    open: ({ encode } = {}) => bufferedSink(ends, encode),
    async *pieces(make) {
      let isOver = false
      const result = make().finally(() => {
        isOver = true
        wakeReader()
      })
      // the reader sees an error after the pieces that precede it
      result.catch(nothing)
      try {
        for (;;) {
          yield* chunks.splice(0)
          if (isOver && chunks.length === 0) break
          if (waiting === undefined) await new Promise<void>((wake) => (wakeReader = wake))
          else {
            const { resume } = waiting
            waiting = undefined
            // lets other work run
            setImmediate(resume)
          }
        }
        return await result
      } finally {
        hasStopped = true
        waiting?.fail(new ReaderStopped())
      }
    },
  }
}

class ReaderStopped extends Error {
  override readonly name = 'ReaderStopped'

  constructor() {
    super('the reader of the output has stopped')
  }
}

function nothing(): undefined {
  return undefined
}
