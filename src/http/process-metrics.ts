/** What a process uses, in the text format of Prometheus. */
import { head, type Series } from './request-metrics.ts'

/** As it is sent from one process to another. */
export interface ProcessUse {
  /** Bytes. */
  readonly memory: number
  /** Seconds. */
  readonly processor: number
  readonly uptime: number
}

export function processUse(): ProcessUse {
  const { user, system } = process.cpuUsage()
  return { memory: process.memoryUsage.rss(), processor: (user + system) / 1e6, uptime: process.uptime() }
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
  ]
}
