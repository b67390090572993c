/** What the service counts, in the text format of Prometheus. */
import { head, processMetrics, requestMetrics } from '../http/request-metrics.ts'

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

export function metricsOf(worker: number): Metrics {
  const label = `worker="${worker}"`
  const requests = requestMetrics('hla_', `,${label}`)
  let lines = 0
  return {
    countRequest: (request, seconds) => requests.count(request, seconds),
    countLine() {
      lines += 1
    },
    toText: ({ dataId, version }) =>
      [
        ...head('hla_info', 'gauge', 'What answers.'),
        `hla_info{version="${version}",data="${dataId}",${label}} 1`,
        ...requests.totals(),
        ...head('hla_batch_lines_total', 'counter', 'Lines of batches answered.'),
        `hla_batch_lines_total{${label}} ${lines}`,
        ...requests.histograms(),
        ...processMetrics(label),
        '',
      ].join('\n'),
  }
}
