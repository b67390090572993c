/** Measures the delay of the event loop: every long task makes all requests wait. */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'

/** Delays in seconds. */
export interface LoopDelay {
  readonly mean: number
  readonly p99: number
  readonly max: number
}

/** Sampling interval in ms: shorter delays may go unnoticed. */
const RESOLUTION = 20

/** Histogram of the process, started at the first call; servers call at their start. */
let histogram: IntervalHistogram | undefined

/** Delays since the last call. */
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

/** The histogram contains the whole time between two samples, in ns. */
function late(nanoseconds: number): number {
  return Math.max(0, Math.round(nanoseconds / 1000 - RESOLUTION * 1000) / 1e6)
}
