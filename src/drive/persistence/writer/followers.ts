/** Those who wait until this server's copy of a shared store has come to an entry of its log. */
import { notWriting } from './not-writing.ts'

export interface Followers {
  readonly followed: (number: number) => Promise<void>
  /** The copy may have come further; `why`: it does not. */
  readonly settle: (why?: Error) => void
}

/** `position`: number of the entry that it has come to; `ask`: has it go on. */
export function followers(position: BigInt64Array, ask: () => void): Followers {
  let waiting: {
    readonly number: number
    readonly resolve: () => void
    readonly reject: (why: Error) => void
  }[] = []
  const reached = () => Number(Atomics.load(position, 0))
  return {
    followed(number) {
      if (reached() >= number) return Promise.resolve()
      return new Promise((resolve, reject) => {
        waiting.push({ number, resolve, reject })
        ask()
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
