/** Those who wait until this server's copy of a shared store has come to an entry of its log. */
import { notWriting } from './not-writing.ts'

export interface Followers {
  /** Number of the entry that the copy has come to. */
  readonly reached: () => number
  /** Another number when it has followed what others did. It is told here before it can be seen by `reached`. */
  readonly follows: () => bigint
  readonly followed: (number: number) => Promise<void>
  /** The copy may have come further; `why`: it does not. */
  readonly settle: (why?: Error) => void
}

/** `position`: number of the entry that it has come to, and how often it has followed others; `ask`: has it go on. */
export function followers(position: BigInt64Array, ask: (number: number) => void): Followers {
  let waiting: {
    readonly number: number
    readonly resolve: () => void
    readonly reject: (why: Error) => void
  }[] = []
  const reached = () => Number(Atomics.load(position, 0))
  return {
    reached,
    follows: () => Atomics.load(position, 1),
    followed(number) {
      if (reached() >= number) return Promise.resolve()
      return new Promise((resolve, reject) => {
        waiting.push({ number, resolve, reject })
        ask(number)
      })
    },
    settle(why) {
      if (waiting.length === 0) return
      const number = reached()
      const due = waiting.filter((one) => why !== undefined || one.number <= number)
      waiting = waiting.filter((one) => !due.includes(one))
      for (const one of due) {
        if (one.number <= number || why === undefined) one.resolve()
        else one.reject(notWriting(why, 'The database of the service is out of reach.'))
      }
    },
  }
}
