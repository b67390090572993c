/** Counts and times of requests, in the text format of Prometheus. */

export interface RequestMetrics {
  /** A request is answered; `seconds` since it began. */
  count(request: { method: string; route: string; status: number }, seconds: number): void
  totals(): string[]
  histograms(): string[]
}

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 10]

interface RouteCounts {
  readonly statuses: Map<number, number>
  readonly buckets: number[]
  sum: number
  total: number
}

/** `prefix` begins every name, `labels` (`,worker="1"`) end the labels of each line. */
export function requestMetrics(prefix: string, labels: string): RequestMetrics {
  // by method and then by route: to make one key of both would cost every request
  const methods = new Map<string, Map<string, RouteCounts>>()
  return {
    count({ method, route, status }, seconds) {
      const counts = countsOf(methods, method, route)
      counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
      const at = BUCKETS.findIndex((bound) => seconds <= bound)
      if (at >= 0) counts.buckets[at] = (counts.buckets[at] ?? 0) + 1
      counts.sum += seconds
      counts.total += 1
    },
    totals: () => [
      ...head(`${prefix}requests_total`, 'counter', 'Requests answered.'),
      ...eachRoute(methods, labels).flatMap(([place, { statuses }]) =>
        [...statuses].map(
          ([status, count]) => `${prefix}requests_total{${place},status="${status}"} ${count}`,
        ),
      ),
    ],
    histograms: () => [
      ...head(
        `${prefix}request_seconds`,
        'histogram',
        'Time from the first byte of a request to the last of its answer.',
      ),
      ...eachRoute(methods, labels).flatMap(([place, counts]) =>
        histogram(`${prefix}request_seconds`, place, counts),
      ),
    ],
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
  labels: string,
): [place: string, RouteCounts][] {
  return [...methods].flatMap(([method, routes]) =>
    [...routes].map(([route, counts]): [string, RouteCounts] => [
      `method="${method}",route="${route}"${labels}`,
      counts,
    ]),
  )
}

function histogram(name: string, place: string, { buckets: counts, sum, total }: RouteCounts): string[] {
  let below = 0
  const buckets = BUCKETS.map((bound, at) => {
    below += counts[at] ?? 0
    return `${name}_bucket{${place},le="${bound}"} ${below}`
  })
  return [
    ...buckets,
    `${name}_bucket{${place},le="+Inf"} ${total}`,
    `${name}_sum{${place}} ${sum}`,
    `${name}_count{${place}} ${total}`,
  ]
}

/** `labels` as they stand between the braces: `worker="1"`, or nothing. */
export function processMetrics(labels: string): string[] {
  return [
    ...head('process_resident_memory_bytes', 'gauge', 'Memory of the process.'),
    `process_resident_memory_bytes{${labels}} ${process.memoryUsage.rss()}`,
    ...head('process_uptime_seconds', 'gauge', 'Seconds since the process began.'),
    `process_uptime_seconds{${labels}} ${process.uptime()}`,
  ]
}

export function head(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}
