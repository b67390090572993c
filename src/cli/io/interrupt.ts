/** Ctrl-C and requests to end: nothing half-finished is left, and the exit status says how it ended. */
import { EXIT } from '../exit-status.ts'

/** Until the function it returns is called. */
export function onInterrupt(cleanUp: () => void): () => void {
  const end = (status: number) => () => {
    cleanUp()
    // everything is written synchronously: nothing waits to be printed, only stdin may still be open
    process.exit(status)
  }
  const ends = [
    ['SIGINT', end(EXIT.interrupted)],
    ['SIGTERM', end(EXIT.terminated)],
  ] as const
  for (const [signal, listener] of ends) process.once(signal, listener)
  return () => {
    for (const [signal, listener] of ends) process.off(signal, listener)
  }
}
