/** How late the event loop of this process is: what it does at a time keeps everybody else waiting. */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'

/** Seconds. */
export interface LoopDelay {
  readonly mean: number
  readonly p99: number
  readonly max: number
}

/** ms between two looks: a shorter delay may not be seen. */
const RESOLUTION = 20

/** Of the process, and begun when it is first asked for: a server asks at its start. */
let histogram: IntervalHistogram | undefined

/** Since it was last asked for. */
export function loopDelay(): LoopDelay {
  if (histogram === undefined) {
    histogram = monitorEventLoopDelay({ resolution: RESOLUTION })
    histogram.enable()
  }
  const { count, mean, max } = histogram
  const found =
    count === 0
      ? { mean: 0, p99: 0, max: 0 }
      : { mean: late(mean), p99: late(histogram.percentile(99)), max: late(max) }
  histogram.reset()
  return found
}

/** The histogram holds the whole time between two looks, in nanoseconds. */
function late(nanoseconds: number): number {
  return Math.max(0, Math.round(nanoseconds / 1000 - RESOLUTION * 1000) / 1e6)
}
