/** A sink whose bytes somebody takes, a piece at a time: nothing more is made before what was made is taken. */
import { type Ends, holdingBack, type Sink, type SinkOptions } from './sink.ts'

export interface TakenSink {
  readonly open: (options?: SinkOptions) => Sink
  /** What `make` writes, and at the end what it gives. Who stops taking ends it: it hears so where it waits. */
  readonly pieces: <T>(make: () => Promise<T>) => AsyncGenerator<Uint8Array, T>
}

export function takenSink(): TakenSink {
  const made: Uint8Array[] = []
  let isGone = false
  /** Of who makes them. */
  let waiting: { readonly goOn: () => void; readonly giveUp: (error: Error) => void } | undefined
  let wakeTaker = () => {}
  const ends: Ends = {
    // the memory is used again
    emit: (bytes) => void made.push(new Uint8Array(bytes)),
    ready() {
      if (isGone) throw new NobodyTakes()
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
    open: ({ encode } = {}) => holdingBack(ends, encode),
    async *pieces(make) {
      let isOver = false
      const result = make().finally(() => {
        isOver = true
        wakeTaker()
      })
      // whoever takes hears of an error behind the pieces before it
      result.catch(nothing)
      try {
        for (;;) {
          yield* made.splice(0)
          if (isOver && made.length === 0) break
          if (waiting === undefined) await new Promise<void>((wake) => (wakeTaker = wake))
          else {
            const { goOn } = waiting
            waiting = undefined
            // others get their turn
            setImmediate(goOn)
          }
        }
        return await result
      } finally {
        isGone = true
        waiting?.giveUp(new NobodyTakes())
      }
    },
  }
}

class NobodyTakes extends Error {
  override readonly name = 'NobodyTakes'

  constructor() {
    super('nobody takes what is made any more')
  }
}

function nothing(): undefined {
  return undefined
}
