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

interface RouteCounts {
  readonly statuses: Map<number, number>
  readonly buckets: number[]
  sum: number
  total: number
}

export function metricsOf(worker: number): Metrics {
  // by method and then by route: to make one key of both would cost every request
  const methods = new Map<string, Map<string, RouteCounts>>()
  let lines = 0
  const label = `worker="${worker}"`
  return {
    countRequest({ method, route, status }, seconds) {
      const counts = countsOf(methods, method, route)
      counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
      const at = BUCKETS.findIndex((bound) => seconds <= bound)
      if (at >= 0) counts.buckets[at] = (counts.buckets[at] ?? 0) + 1
      counts.sum += seconds
      counts.total += 1
    },
    countLine() {
      lines += 1
    },
    toText: ({ dataId, version }) =>
      [
        ...head('hla_info', 'gauge', 'What answers.'),
        `hla_info{version="${version}",data="${dataId}",${label}} 1`,
        ...head('hla_requests_total', 'counter', 'Requests answered.'),
        ...eachRoute(methods, label).flatMap(([place, { statuses }]) =>
          [...statuses].map(([status, count]) => `hla_requests_total{${place},status="${status}"} ${count}`),
        ),
        ...head('hla_batch_lines_total', 'counter', 'Lines of batches answered.'),
        `hla_batch_lines_total{${label}} ${lines}`,
        ...head(
          'hla_request_seconds',
          'histogram',
          'Time from the first byte of a request to the last of its answer.',
        ),
        ...eachRoute(methods, label).flatMap(([place, counts]) => histogram(place, counts)),
        ...processLines(label),
        '',
      ].join('\n'),
  }
}

function countsOf(
  methods: Map<string, Map<string, RouteCounts>>,
  method: string,
  route: string,
): RouteCounts {
  const routes = methods.get(method) ?? new Map<string, RouteCounts>()
  methods.set(method, routes)
  const counts = routes.get(route) ?? { statuses: new Map(), buckets: BUCKETS.map(() => 0), sum: 0, total: 0 }
  routes.set(route, counts)
  return counts
}

function eachRoute(
  methods: ReadonlyMap<string, ReadonlyMap<string, RouteCounts>>,
  label: string,
): [place: string, RouteCounts][] {
  return [...methods].flatMap(([method, routes]) =>
    [...routes].map(([route, counts]): [string, RouteCounts] => [
      `method="${method}",route="${route}",${label}`,
      counts,
    ]),
  )
}

function histogram(place: string, { buckets: counts, sum, total }: RouteCounts): string[] {
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
