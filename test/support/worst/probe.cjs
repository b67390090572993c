/**
 * Required by a process that is measured: says, when it is asked, how long its event loop was held since the last time: ms.
 * What counts is the time between two looks of a timer, without that in which the thread was ready to run and the machine ran
 * something else: Linux tells it (`schedstat`, its second number), so other work of the machine is none of the service.
 */
const { openSync, readSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

if (isMainThread && process.send !== undefined) {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const bytes = Buffer.alloc(100)
  /** ms for which the main thread has waited for a processor. */
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
    // one more turn, so that the one before is counted
    setTimeout(() => {
      look()
      process.send({ delay: held })
      // what is left over of this request is not found again as memory of the next
      globalThis.gc?.()
      look()
      held = 0
    }, 5)
  })
  process.channel.unref()
}
