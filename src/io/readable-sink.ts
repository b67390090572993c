/** A sink read piece by piece: the producer waits until its last output was taken. */
import { type ByteSink, bufferedSink, type Sink, type SinkOptions } from './sink.ts'

export interface ReadableSink {
  readonly open: (options?: SinkOptions) => Sink
  /** Yields the output of `make` and returns its result. When the reader stops, `make` fails at its next wait. */
  readonly pieces: <T>(make: () => Promise<T>) => AsyncGenerator<Uint8Array, T>
}

export function readableSink(): ReadableSink {
  const made: Uint8Array[] = []
  let isGone = false
  /** Continuations of the waiting producer. */
  let waiting: { readonly goOn: () => void; readonly giveUp: (error: Error) => void } | undefined
  let wakeTaker = () => {}
  const ends: ByteSink = {
    // a copy: the memory is reused
    emit: (bytes) => void made.push(new Uint8Array(bytes)),
    ready() {
      if (isGone) throw new ReaderStopped()
      return new Promise((goOn, giveUp) => {
        waiting = { goOn, giveUp }
        wakeTaker()
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
        wakeTaker()
      })
      // the reader sees an error after the pieces that precede it
      result.catch(nothing)
      try {
        for (;;) {
          yield* made.splice(0)
          if (isOver && made.length === 0) break
          if (waiting === undefined) await new Promise<void>((wake) => (wakeTaker = wake))
          else {
            const { goOn } = waiting
            waiting = undefined
            // lets other work run
            setImmediate(goOn)
          }
        }
        return await result
      } finally {
        isGone = true
        waiting?.giveUp(new ReaderStopped())
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
