/** The delay of the event loop, in seconds, behind the time between two samples. */
import { expect, test, vi } from 'vitest'
import { loopDelay } from '../../src/web/loop-delay.ts'

const histogram = vi.hoisted(() => {
  const calls: string[] = []
  return {
    calls,
    count: 0,
    mean: Number.NaN,
    max: 0,
    percentile: (percent: number) => (calls.push(`percentile ${percent}`), 30e6),
    enable: () => calls.push('enable'),
    reset: () => calls.push('reset'),
  }
})
vi.mock('node:perf_hooks', () => ({
  monitorEventLoopDelay: (options: unknown) => (
    histogram.calls.push(`make ${JSON.stringify(options)}`),
    histogram
  ),
}))

test('is measured from the first call, each time since the last', () => {
  expect(loopDelay()).toEqual({ mean: 0, p99: 0, max: 0 })
  expect(histogram.calls).toEqual(['make {"resolution":20}', 'enable', 'reset'])
  Object.assign(histogram, { count: 2, mean: 19e6, max: 1_020_001_600 })
  expect(loopDelay()).toEqual({ mean: 0, p99: 0.01, max: 1.000_002 })
  expect(histogram.calls.slice(3)).toEqual(['percentile 99', 'reset'])
})
