/** What the service counts: in one process, and of all its processes in the text format of Prometheus. */
import type { Load } from '../web/connections.ts'
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
import { packageVersion } from '../package-root.ts'

export interface Metrics {
  /** Made once for a route, used for each of its requests. */
  counter(method: string, route: string): RouteCounter
  countLine(): void
  snapshot(dataId: string): Snapshot
}

/** All counts of a process, as they are sent from one to another. */
export interface Snapshot extends ProcessUse {
  /** Tells the processes of one service apart. */
  readonly worker: number
  readonly version: string
  readonly dataId: string
  readonly routes: readonly RouteCounts[]
  readonly lines: number
  readonly load: Load
}

export function makeMetrics(worker: number, load: () => Load): Metrics {
  const counters = routeCounters()
  let lines = 0
  // what the event loop does is looked at from the start
  loopDelay()
  return {
    counter: (method, route) => counters.counter(method, route),
    countLine() {
      lines += 1
    },
    snapshot: (dataId) => ({
      worker,
      version: packageVersion(),
      dataId,
      routes: counters.counts(),
      lines,
      load: load(),
      ...processUse(),
    }),
  }
}

/** The processes are told apart by a label: who asks makes the sums, and they survive the end of a process. */
export function metricsText(snapshots: readonly Snapshot[]): string {
  const each = <T>(counted: (snapshot: Snapshot) => T) =>
    snapshots.map((snapshot): Series<T> => [`worker="${snapshot.worker}"`, counted(snapshot)])
  const routes = each((snapshot) => snapshot.routes)
  return [
    ...head('hla_info', 'gauge', 'What answers.'),
    ...each(({ version, dataId }) => `version="${version}",data="${dataId}"`).map(
      ([labels, info]) => `hla_info{${info},${labels}} 1`,
    ),
    ...requestTotals('hla_', routes),
    ...head('hla_batch_lines_total', 'counter', 'Lines of batches answered.'),
    ...each(({ lines }) => lines).map(([labels, lines]) => `hla_batch_lines_total{${labels}} ${lines}`),
    ...requestHistograms('hla_', routes),
    ...head('hla_requests_in_flight', 'gauge', 'Requests that are not answered yet.'),
    ...each(({ load }) => load.requests).map(
      ([labels, count]) => `hla_requests_in_flight{${labels}} ${count}`,
    ),
    ...head('hla_connections', 'gauge', 'Connections that are open.'),
    ...each(({ load }) => load.connections).map(([labels, count]) => `hla_connections{${labels}} ${count}`),
    ...processMetrics(each((snapshot) => snapshot)),
    '',
  ].join('\n')
}
