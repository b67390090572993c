/** Counters of one process, and the totals of all processes in the Prometheus text format. */
import type { BreakReason, Load } from '../web/connections.ts'
import { loopDelay } from '../web/loop-delay.ts'
import { processMetrics, type ProcessUse, processUse } from '../web/process-metrics.ts'
import {
  head,
  requestHistograms,
  requestTotals,
  type RouteCounter,
  routeCounters,
  type RouteCounts,
  type Series,
} from '../web/request-metrics.ts'
import { describeAges } from '../operations/answers/data-age.ts'
import { packageVersion } from '../package-root.ts'
import type { ServedData } from './current.ts'
import type { TableUse } from './table/table-places.ts'
import { MAX_TABLES } from './table/table-share.ts'

export interface Metrics {
  /** Creates the counter of a route, once for all its requests. */
  counter(method: string, route: string): RouteCounter
  countLines(count: number): void
  /** Counts an answer that was not sent completely. */
  countBroken(method: string, route: string, reason: BreakReason): void
  countToken(token: string): void
  snapshot(served: ServedData, tables: TableUse): Snapshot
}

/** Counters of a process, in a form that can be sent to another. */
export interface Snapshot extends ProcessUse {
  /** Number of the process among those of one service. */
  readonly worker: number
  readonly version: string
  readonly dataId: string
  readonly routes: readonly RouteCounts[]
  readonly lines: number
  readonly load: Load
  /** Label text -> count. */
  readonly broken: Readonly<Record<string, number>>
  readonly tokens: Readonly<Record<string, number>>
  readonly tables: TableUse
  readonly ages: DataAges
}

/** Days since publication of the data, where known. */
type DataAges = ReturnType<typeof describeAges>

export function makeMetrics(worker: number, load: () => Load): Metrics {
  const counters = routeCounters()
  let lines = 0
  const broken: Record<string, number> = {}
  const tokens: Record<string, number> = {}
  // starts the measurement of event-loop delay
  loopDelay()
  return {
    counter: (method, route) => counters.counter(method, route),
    countLines(count) {
      lines += count
    },
    countBroken: (method, route, reason) =>
      count(broken, `method="${method}",route="${route}",reason="${reason}"`),
    countToken: (token) => count(tokens, token),
    snapshot: ({ dataId, knowledge }, tables) => ({
      worker,
      version: packageVersion(),
      dataId,
      broken,
      tokens,
      tables,
      ages: describeAges(knowledge),
      routes: counters.counts(),
      lines,
      load: load(),
      ...processUse(),
    }),
  }
}

function count(counts: Record<string, number>, label: string): void {
  counts[label] = (counts[label] ?? 0) + 1
}

/** Prints each process under its own label: Prometheus sums them, and sums survive the end of a process. */
export function metricsText(snapshots: readonly Snapshot[]): string {
  const each = <T>(counted: (snapshot: Snapshot) => T) =>
    snapshots.map((snapshot): Series<T> => [`worker="${snapshot.worker}"`, counted(snapshot)])
  const routes = each((snapshot) => snapshot.routes)
  return [
    ...head('hla_info', 'gauge', 'Version of hla and its data.'),
    ...each(({ version, dataId }) => `version="${version}",data="${dataId}"`).map(
      ([labels, info]) => `hla_info{${info},${labels}} 1`,
    ),
    ...requestTotals('hla_', routes),
    ...ONE_EACH.filter(([, type]) => type === 'counter').flatMap((metric) => oneEach(metric, each)),
    ...requestHistograms('hla_', routes),
    ...BY_LABEL.flatMap((metric) => byLabel(metric, each)),
    ...ONE_EACH.filter(([, type]) => type === 'gauge').flatMap((metric) => oneEach(metric, each)),
    ...processMetrics(each((snapshot) => snapshot)),
    '',
  ].join('\n')
}

type Each = <T>(counted: (snapshot: Snapshot) => T) => Series<T>[]

type OneEach = readonly [
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  value: (snapshot: Snapshot) => number | undefined,
]

const ONE_EACH: readonly OneEach[] = [
  ['hla_batch_lines_total', 'counter', 'Lines of batches answered.', ({ lines }) => lines],
  ['hla_requests_in_flight', 'gauge', 'Requests that are not answered yet.', ({ load }) => load.requests],
  ['hla_connections', 'gauge', 'Connections that are open.', ({ load }) => load.connections],
  ['hla_tables_converting', 'gauge', 'Tables that are being converted.', ({ tables }) => tables.taken],
  ['hla_table_places', 'gauge', 'Maximum number of tables converted at a time.', () => MAX_TABLES],
  [
    'hla_release_age_days',
    'gauge',
    'Days since the release was published.',
    ({ ages }) => ages.release_age_days,
  ],
  ['hla_mac_age_days', 'gauge', 'Days since the MAC list was published.', ({ ages }) => ages.mac_age_days],
]

function oneEach([name, type, help, value]: OneEach, each: Each): string[] {
  const lines = each(value).flatMap(([labels, known]) =>
    known === undefined ? [] : [`${name}{${labels}} ${known}`],
  )
  return [...head(name, type, help), ...lines]
}

type ByLabel = readonly [
  name: string,
  help: string,
  counts: (snapshot: Snapshot) => Readonly<Record<string, number>>,
  label: (key: string) => string,
]

const BY_LABEL: readonly ByLabel[] = [
  [
    'hla_answers_broken_total',
    'Answers that were not sent completely.',
    ({ broken }) => broken,
    (labels) => labels,
  ],
  [
    'hla_tables_refused_total',
    'Tables refused because no conversion slot or no memory was free.',
    ({ tables }) => tables.refused,
    (reason) => `reason="${reason}"`,
  ],
  [
    'hla_token_requests_total',
    'Requests answered, by the first characters of the SHA-256 of their token.',
    ({ tokens }) => tokens,
    (token) => `token="${token}"`,
  ],
]

function byLabel([name, help, counts, label]: ByLabel, each: Each): string[] {
  const lines = each(counts).flatMap(([labels, values]) =>
    Object.entries(values).map(([key, count]) => `${name}{${label(key)},${labels}} ${count}`),
  )
  return [...head(name, 'counter', help), ...lines]
}
