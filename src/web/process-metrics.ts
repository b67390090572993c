/** Resource use of a process in the Prometheus text format.  [disk] */
import { readdirSync, readFileSync } from 'node:fs'
import { type LoopDelay, loopDelay } from './loop-delay.ts'
import { head, type Series } from './request-metrics.ts'

/** Numbers in a form that can be sent between processes. */
export interface ProcessUse {
  /** Resident memory in bytes. */
  readonly memory: number
  /** Processor time in seconds. */
  readonly processor: number
  readonly uptime: number
  /** Start time in seconds since 1970. */
  readonly started: number
  /** Number of open files, including sockets, and its maximum; undefined where the system does not report them. */
  readonly files: number | undefined
  readonly mostFiles: number | undefined
  readonly delay: LoopDelay
}

export function processUse(): ProcessUse {
  const { user, system } = process.cpuUsage()
  return {
    memory: process.memoryUsage.rss(),
    processor: (user + system) / 1e6,
    uptime: process.uptime(),
    started: performance.timeOrigin / 1000,
    files: tryReadNumber(() => readdirSync('/proc/self/fd').length),
    mostFiles: tryReadNumber(() =>
      Number(/Max open files +(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]),
    ),
    delay: loopDelay(),
  }
}

/** Reads a number from a file of Linux; undefined on other systems. */
function tryReadNumber(read: () => number): number | undefined {
  try {
    const value = read()
    return Number.isFinite(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function processMetrics(series: readonly Series<ProcessUse>[]): string[] {
  const each = (name: string, value: (use: ProcessUse) => number | undefined) =>
    series.flatMap(([labels, use]) => {
      const number = value(use)
      return number === undefined ? [] : [`${name}${labels === '' ? '' : `{${labels}}`} ${number}`]
    })
  return [
    ...head('process_resident_memory_bytes', 'gauge', 'Memory of the process.'),
    ...each('process_resident_memory_bytes', ({ memory }) => memory),
    ...head('process_cpu_seconds_total', 'counter', 'Processor time of the process.'),
    ...each('process_cpu_seconds_total', ({ processor }) => processor),
    ...head('process_uptime_seconds', 'gauge', 'Seconds since the process began.'),
    ...each('process_uptime_seconds', ({ uptime }) => uptime),
    ...head('process_start_time_seconds', 'gauge', 'When the process began: seconds since 1970.'),
    ...each('process_start_time_seconds', ({ started }) => started),
    ...head('process_open_fds', 'gauge', 'Open files, including sockets.'),
    ...each('process_open_fds', ({ files }) => files),
    ...head('process_max_fds', 'gauge', 'Maximum number of open files.'),
    ...each('process_max_fds', ({ mostFiles }) => mostFiles),
    ...head(
      'nodejs_eventloop_lag_mean_seconds',
      'gauge',
      'Mean delay of the event loop since the metrics were last read.',
    ),
    ...each('nodejs_eventloop_lag_mean_seconds', ({ delay }) => delay.mean),
    ...head('nodejs_eventloop_lag_p99_seconds', 'gauge', '99th percentile of the event-loop delay.'),
    ...each('nodejs_eventloop_lag_p99_seconds', ({ delay }) => delay.p99),
    ...head(
      'nodejs_eventloop_lag_max_seconds',
      'gauge',
      'Longest delay of the event loop since the metrics were last read.',
    ),
    ...each('nodejs_eventloop_lag_max_seconds', ({ delay }) => delay.max),
  ]
}
