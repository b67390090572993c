/** A run that goes on until somebody asks it to end, and then ends with what it has in hand. */
import { awaitInterrupt } from '../../../io/interrupt.ts'

export interface Ending {
  readonly isAsked: () => boolean
  /** There is something to do: whoever waits, or waits next, does not. */
  readonly wake: () => void
  /** So many ms, or until it is asked, or something rings. */
  readonly within: (ms: number) => Promise<void>
  readonly stop: () => void
}

/** The second signal does not wait. */
export function untilEnding(): Ending {
  let wake: () => void = () => undefined
  let hasRung = false
  const interrupts = awaitInterrupt(
    () => undefined,
    () => wake(),
  )
  return {
    isAsked: () => interrupts.asked() !== undefined,
    wake() {
      hasRung = true
      wake()
    },
    async within(ms) {
      // it may have been asked while something else was done
      if (!hasRung && interrupts.asked() === undefined)
        await new Promise<void>((over) => {
          const timer = setTimeout(over, ms)
          wake = () => {
            clearTimeout(timer)
            over()
          }
        })
      hasRung = false
    },
    stop: interrupts.stop,
  }
}
