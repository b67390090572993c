/** A run that goes on until somebody asks it to end, and then ends with what it has in hand. */
import { awaitInterrupt } from '../io/interrupt.ts'

export interface Ending {
  readonly isAsked: () => boolean
  /** So many ms, or until it is asked. */
  readonly within: (ms: number) => Promise<void>
  readonly stop: () => void
}

/** The second signal does not wait. */
export function untilEnding(): Ending {
  let wake: () => void = () => undefined
  const interrupts = awaitInterrupt(
    () => undefined,
    () => wake(),
  )
  return {
    isAsked: () => interrupts.asked() !== undefined,
    within: (ms) =>
      new Promise((over) => {
        const timer = setTimeout(over, ms)
        wake = () => {
          clearTimeout(timer)
          over()
        }
      }),
    stop: interrupts.stop,
  }
}
