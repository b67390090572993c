/** Ctrl-C and requests to end: nothing half-finished is left, and the exit status says how it ended. */
import { EXIT } from '../exit-status.ts'

/** Until the function it returns is called. */
export function onInterrupt(cleanUp: () => void): () => void {
  return listen((status) => {
    cleanUp()
    // everything is written synchronously: nothing waits to be printed, only stdin may still be open
    process.exit(status)
  })
}

/** Thrown when a run ends because it was asked to, with all in order; its message is for people. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

export interface Interrupts {
  /** The exit status that was asked for, if one was. */
  readonly asked: () => number | undefined
  readonly stop: () => void
}

/** The first signal is for the run to look at where it can stop; the second ends at once, after `cleanUp`. */
export function awaitInterrupt(cleanUp: () => void): Interrupts {
  let asked: number | undefined
  const stop = listen((status) => {
    if (asked !== undefined) {
      cleanUp()
      process.exit(status)
    }
    asked = status
  })
  return { asked: () => asked, stop }
}

function listen(end: (status: number) => void): () => void {
  const ends = [
    ['SIGINT', () => end(EXIT.interrupted)],
    ['SIGTERM', () => end(EXIT.terminated)],
  ] as const
  for (const [signal, listener] of ends) process.on(signal, listener)
  return () => {
    for (const [signal, listener] of ends) process.off(signal, listener)
  }
}
