/** Counters and durations of requests, in the Prometheus text format. */

export interface RequestMetrics {
  /** Counts an answered request that took `seconds`. */
  count(request: { method: string; route: string; status: number }, seconds: number): void
  totals(): string[]
  histograms(): string[]
}

/** Metrics of one process: `prefix` starts every name, `labels` (`worker="1"`, or empty) is on each line. */
export function requestMetrics(prefix: string, labels: string): RequestMetrics {
  const counters = routeCounters()
  const series = (): Series<readonly RouteCounts[]>[] => [[labels, counters.counts()]]
  return {
    count: ({ method, route, status }, seconds) => counters.counter(method, route).count(status, seconds),
    totals: () => requestTotals(prefix, series()),
    histograms: () => requestHistograms(prefix, series()),
  }
}

/** Bounds of the buckets in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 10]

export interface RouteCounter {
  count(status: number, seconds: number): void
}

/** Counts in a form that can be sent between processes. */
export interface RouteCounts {
  readonly method: string
  readonly route: string
  readonly statuses: Readonly<Record<number, number>>
  /** One count per bound; not cumulative. */
  readonly buckets: readonly number[]
  readonly sum: number
  readonly total: number
}

export interface RouteCounters {
  /** Returns the same counter for the same route. */
  counter(method: string, route: string): RouteCounter
  /** Counts of routes with requests. */
  counts(): RouteCounts[]
}

export function routeCounters(): RouteCounters {
  // nested maps: building a combined key would cost every request
  const methods = new Map<string, Map<string, Counter>>()
  return {
    counter(method, route) {
      const routes = methods.get(method) ?? new Map<string, Counter>()
      methods.set(method, routes)
      const counter = routes.get(route) ?? newCounter(method, route)
      routes.set(route, counter)
      return counter
    },
    counts: () =>
      [...methods.values()]
        .flatMap((routes) => [...routes.values()].map((counter) => counter.counts()))
        .filter(({ total }) => total > 0),
  }
}

interface Counter extends RouteCounter {
  counts(): RouteCounts
}

function newCounter(method: string, route: string): Counter {
  const statuses = new Map<number, number>()
  const buckets = BOUNDS.map(() => 0)
  let [sum, total] = [0, 0]
  return {
    count(status, seconds) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const at = BOUNDS.findIndex((bound) => seconds <= bound)
      if (at >= 0) buckets[at] = (buckets[at] ?? 0) + 1
      sum += seconds
      total += 1
    },
    counts() {
      return { method, route, statuses: Object.fromEntries(statuses), buckets: [...buckets], sum, total }
    },
  }
}

/** Label text between the braces, or empty, with the counts under it. */
export type Series<T> = readonly [labels: string, counted: T]

export function requestTotals(prefix: string, series: readonly Series<readonly RouteCounts[]>[]): string[] {
  const name = `${prefix}requests_total`
  const lines = eachRoute(series, (place, { statuses }) =>
    Object.entries(statuses).map(([status, count]) => `${name}{${place},status="${status}"} ${count}`),
  )
  return [...head(name, 'counter', 'Requests answered.'), ...lines]
}

export function requestHistograms(
  prefix: string,
  series: readonly Series<readonly RouteCounts[]>[],
): string[] {
  const name = `${prefix}request_seconds`
  const help = 'Time from the first byte of a request to the last of its answer.'
  const lines = eachRoute(series, (place, counts) => histogram(name, place, counts))
  return [...head(name, 'histogram', help), ...lines]
}

function eachRoute(
  series: readonly Series<readonly RouteCounts[]>[],
  lines: (place: string, counts: RouteCounts) => string[],
): string[] {
  return series.flatMap(([labels, routes]) =>
    routes.flatMap((counts) => {
      const place = `method="${counts.method}",route="${counts.route}"`
      return lines(labels === '' ? place : `${place},${labels}`, counts)
    }),
  )
}

function histogram(name: string, place: string, { buckets: counts, sum, total }: RouteCounts): string[] {
  let below = 0
  const buckets = BOUNDS.map((bound, at) => {
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

export function head(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}
