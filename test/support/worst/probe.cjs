/**
 * Loaded into a measured process: reports on request the longest block of its event loop since the last report, in ms.
 * It measures the time between two timer calls, minus the time in which the thread was ready and other programs ran
 * (`schedstat` of Linux, second number).
 */
const { openSync, readSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

if (isMainThread && process.send !== undefined) {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const bytes = Buffer.alloc(100)
  /** ms that the main thread has waited for a processor. */
  const waited = () =>
    Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, 100, 0)).split(' ')[1]) / 1e6
  const EVERY = 1
  let [at, waitedThen, held] = [performance.now(), waited(), 0]
  const look = () => {
    const [now, waitedNow] = [performance.now(), waited()]
    held = Math.max(held, now - at - (waitedNow - waitedThen) - EVERY)
    at = now
    waitedThen = waitedNow
  }
  setInterval(look, EVERY).unref()
  process.on('message', () => {
    // one more timer call, to include the last block
    setTimeout(() => {
      look()
      process.send({ delay: held })
      // free the memory of this request, so that the next is not charged for it
      globalThis.gc?.()
      look()
      held = 0
    }, 5)
  })
  process.channel.unref()
}
