/** Required by a process that is measured: says, when it is asked, how long its event loop was held since the last time: ms. */
const { monitorEventLoopDelay } = require('node:perf_hooks')
const { isMainThread } = require('node:worker_threads')

if (isMainThread && process.send !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on('message', () => {
    // one more turn, so that the one before is counted
    setTimeout(() => {
      process.send({ delay: delay.max / 1e6 })
      delay.reset()
    }, 5)
  })
  process.channel.unref()
}
