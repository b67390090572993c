/** Ctrl-C, requests to end and terminals that are closed: nothing half-finished is left, and the exit status says how it ended. */

/** Exit statuses of a process that a signal ended: 128 and its number. */
export const SIGNAL_STATUS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** ms that cleaning up may take: a store that does not answer forgets by itself. */
const PATIENCE = 3000

/** Until the function it returns is called. The second signal does not wait for the cleaning up. */
export function onInterrupt(cleanUp: () => Promise<unknown> | void): () => void {
  let isEnding = false
  return listen((status) => {
    // everything is written synchronously: nothing waits to be printed, only stdin may still be open
    const end = () => process.exit(status)
    const cleaned = isEnding ? undefined : cleanUp()
    isEnding = true
    if (cleaned === undefined) return end()
    setTimeout(end, PATIENCE)
    return void cleaned.then(end, end)
  })
}

function listen(end: (status: number) => void): () => void {
  const ends = [
    ['SIGINT', () => end(SIGNAL_STATUS.SIGINT)],
    ['SIGTERM', () => end(SIGNAL_STATUS.SIGTERM)],
    // a terminal that was closed, a connection that broke
    ['SIGHUP', () => end(SIGNAL_STATUS.SIGHUP)],
  ] as const
  for (const [signal, listener] of ends) process.on(signal, listener)
  return () => {
    for (const [signal, listener] of ends) process.off(signal, listener)
  }
}
