/** Counts and times, in the text format of Prometheus. */

export interface Metrics {
  /** A request is answered; `seconds` since it began. */
  countRequest(request: { method: string; route: string; status: number }, seconds: number): void
  countLine(): void
  toText(facts: MetricFacts): string
}

export interface MetricFacts {
  readonly dataId: string
  readonly version: string
}

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 10]

interface Times {
  readonly counts: number[]
  sum: number
  total: number
}

export function metricsOf(worker: number): Metrics {
  const requests = new Map<string, number>()
  const times = new Map<string, Times>()
  let lines = 0
  const label = `worker="${worker}"`
  return {
    countRequest({ method, route, status }, seconds) {
      const key = `method="${method}",route="${route}",status="${status}",${label}`
      requests.set(key, (requests.get(key) ?? 0) + 1)
      const place = `route="${route}",${label}`
      const known = times.get(place) ?? { counts: BUCKETS.map(() => 0), sum: 0, total: 0 }
      times.set(place, known)
      addTime(known, seconds)
    },
    countLine() {
      lines += 1
    },
    toText: ({ dataId, version }) =>
      [
        ...head('hla_info', 'gauge', 'What answers.'),
        `hla_info{version="${version}",data="${dataId}",${label}} 1`,
        ...head('hla_requests_total', 'counter', 'Requests answered.'),
        ...[...requests].map(([key, count]) => `hla_requests_total{${key}} ${count}`),
        ...head('hla_batch_lines_total', 'counter', 'Lines of batches answered.'),
        `hla_batch_lines_total{${label}} ${lines}`,
        ...head(
          'hla_request_seconds',
          'histogram',
          'Time from the first byte of a request to the last of its answer.',
        ),
        ...[...times].flatMap(([place, known]) => histogram(place, known)),
        ...processLines(label),
        '',
      ].join('\n'),
  }
}

function addTime(times: Times, seconds: number): void {
  const at = BUCKETS.findIndex((bound) => seconds <= bound)
  if (at >= 0) times.counts[at] = (times.counts[at] ?? 0) + 1
  times.sum += seconds
  times.total += 1
}

function histogram(place: string, { counts, sum, total }: Times): string[] {
  let below = 0
  const buckets = BUCKETS.map((bound, at) => {
    below += counts[at] ?? 0
    return `hla_request_seconds_bucket{${place},le="${bound}"} ${below}`
  })
  return [
    ...buckets,
    `hla_request_seconds_bucket{${place},le="+Inf"} ${total}`,
    `hla_request_seconds_sum{${place}} ${sum}`,
    `hla_request_seconds_count{${place}} ${total}`,
  ]
}

function processLines(label: string): string[] {
  return [
    ...head('process_resident_memory_bytes', 'gauge', 'Memory of the process.'),
    `process_resident_memory_bytes{${label}} ${process.memoryUsage.rss()}`,
    ...head('process_uptime_seconds', 'gauge', 'Seconds since the process began.'),
    `process_uptime_seconds{${label}} ${process.uptime()}`,
  ]
}

function head(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}
