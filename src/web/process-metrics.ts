/** What a process uses, in the text format of Prometheus. */
import { type LoopDelay, loopDelay } from './loop-delay.ts'
import { head, type Series } from './request-metrics.ts'

/** As it is sent from one process to another. */
export interface ProcessUse {
  /** Bytes. */
  readonly memory: number
  /** Seconds. */
  readonly processor: number
  readonly uptime: number
  readonly delay: LoopDelay
}

export function processUse(): ProcessUse {
  const { user, system } = process.cpuUsage()
  return {
    memory: process.memoryUsage.rss(),
    processor: (user + system) / 1e6,
    uptime: process.uptime(),
    delay: loopDelay(),
  }
}

export function processMetrics(series: readonly Series<ProcessUse>[]): string[] {
  const each = (name: string, value: (use: ProcessUse) => number) =>
    series.map(([labels, use]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value(use)}`)
  return [
    ...head('process_resident_memory_bytes', 'gauge', 'Memory of the process.'),
    ...each('process_resident_memory_bytes', ({ memory }) => memory),
    ...head('process_cpu_seconds_total', 'counter', 'Processor time of the process.'),
    ...each('process_cpu_seconds_total', ({ processor }) => processor),
    ...head('process_uptime_seconds', 'gauge', 'Seconds since the process began.'),
    ...each('process_uptime_seconds', ({ uptime }) => uptime),
    ...head(
      'nodejs_eventloop_lag_mean_seconds',
      'gauge',
      'Mean delay of the event loop since it was last asked for.',
    ),
    ...each('nodejs_eventloop_lag_mean_seconds', ({ delay }) => delay.mean),
    ...head('nodejs_eventloop_lag_p99_seconds', 'gauge', 'The delay that one look in a hundred exceeds.'),
    ...each('nodejs_eventloop_lag_p99_seconds', ({ delay }) => delay.p99),
    ...head(
      'nodejs_eventloop_lag_max_seconds',
      'gauge',
      'Longest delay of the event loop since it was last asked for.',
    ),
    ...each('nodejs_eventloop_lag_max_seconds', ({ delay }) => delay.max),
  ]
}
