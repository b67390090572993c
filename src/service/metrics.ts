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
      const key = `${method} ${status} ${route}`
      requests.set(key, (requests.get(key) ?? 0) + 1)
      const known = times.get(route)
      if (known === undefined)
        times.set(route, addTime({ counts: BUCKETS.map(() => 0), sum: 0, total: 0 }, seconds))
      else addTime(known, seconds)
    },
    countLine() {
      lines += 1
    },
    toText: ({ dataId, version }) =>
      [
        ...head('hla_info', 'gauge', 'What answers.'),
        `hla_info{version="${version}",data="${dataId}",${label}} 1`,
        ...head('hla_requests_total', 'counter', 'Requests answered.'),
        ...[...requests].map(([key, count]) => `hla_requests_total{${requestLabels(key)},${label}} ${count}`),
        ...head('hla_batch_lines_total', 'counter', 'Lines of batches answered.'),
        `hla_batch_lines_total{${label}} ${lines}`,
        ...head(
          'hla_request_seconds',
          'histogram',
          'Time from the first byte of a request to the last of its answer.',
        ),
        ...[...times].flatMap(([route, known]) => histogram(`route="${route}",${label}`, known)),
        ...processLines(label),
        '',
      ].join('\n'),
  }
}

/** `POST 200 /redux`: a route may hold anything but a method and a status never a space. */
function requestLabels(key: string): string {
  const [method = '', status = '', ...route] = key.split(' ')
  return `method="${method}",route="${route.join(' ')}",status="${status}"`
}

function addTime(times: Times, seconds: number): Times {
  const at = BUCKETS.findIndex((bound) => seconds <= bound)
  if (at >= 0) times.counts[at] = (times.counts[at] ?? 0) + 1
  times.sum += seconds
  times.total += 1
  return times
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
