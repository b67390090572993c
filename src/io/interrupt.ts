/** Ctrl-C, termination and closed terminals: incomplete files are removed, and the exit status names the signal. */

/** Exit statuses of a process ended by a signal: 128 + its number. */
export const SIGNAL_STATUS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** Milliseconds allowed for cleaning up; a store that does not answer discards the upload itself. */
const END_TIMEOUT_MS = 3000

/** Listens until the returned function is called. A second signal does not wait for `cleanUp`. */
export function onInterrupt(cleanUp: () => Promise<unknown> | void): () => void {
  let isEnding = false
  return listen((status) => {
    // output is written synchronously; only stdin may still be open
    const end = () => process.exit(status)
    const cleaned = isEnding ? undefined : cleanUp()
    isEnding = true
    if (cleaned === undefined) return end()
    setTimeout(end, END_TIMEOUT_MS)
    return void cleaned.then(end, end)
  })
}

function listen(end: (status: number) => void): () => void {
  const ends = [
    ['SIGINT', () => end(SIGNAL_STATUS.SIGINT)],
    ['SIGTERM', () => end(SIGNAL_STATUS.SIGTERM)],
    // closed terminal or broken connection
    ['SIGHUP', () => end(SIGNAL_STATUS.SIGHUP)],
  ] as const
  for (const [signal, listener] of ends) process.on(signal, listener)
  return () => {
    for (const [signal, listener] of ends) process.off(signal, listener)
  }
}
