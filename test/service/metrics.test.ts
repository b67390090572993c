/** Counters of a process, and the text of them that Prometheus reads. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { expect, test, vi } from 'vitest'
import { makeMetrics, metricsText, type Snapshot } from '../../src/service/metrics.ts'
import { processUse } from '../../src/web/process-metrics.ts'
import { requestMetrics, routeCounters } from '../../src/web/request-metrics.ts'

function snapshotOf(worker: number, own: Partial<Snapshot>): Snapshot {
  const counters = routeCounters()
  const ard = counters.counter('GET', '/ard/:allele')
  for (const seconds of [0.001, 0.0011, 0.2, 11]) ard.count(200, seconds)
  counters.counter('GET', '/ard/:allele').count(404, 10)
  counters.counter('POST', '/batch')
  return {
    worker,
    version: '2.0.0',
    dataId: '3.58.0+x',
    routes: counters.counts(),
    lines: 7 * worker,
    load: { requests: 3, connections: 4 },
    broken: { 'method="GET",route="/x",reason="idle"': 2 },
    tokens: { abcdef01: 5 },
    tables: { taken: 1, refused: { full: 6, caller: 8, crowded: 9 } },
    ages: { release_age_days: 30, mac_age_days: 12 },
    memory: 100,
    processor: 1.5,
    uptime: 60,
    started: 1_700_000_000,
    files: 20,
    mostFiles: 1024,
    delay: { mean: 0.001, p99: 0.002, max: 0.003 },
    ...own,
  }
}

test('each process has its own label, and what is not known has no line', () => {
  const other = snapshotOf(2, { routes: [], broken: {}, tokens: {}, ages: {}, files: undefined, mostFiles: undefined }) // prettier-ignore
  expect(metricsText([snapshotOf(1, {}), other])).toMatchInlineSnapshot(`
    "# HELP hla_info Version of hla and its data.
    # TYPE hla_info gauge
    hla_info{version="2.0.0",data="3.58.0+x",worker="1"} 1
    hla_info{version="2.0.0",data="3.58.0+x",worker="2"} 1
    # HELP hla_requests_total Requests answered.
    # TYPE hla_requests_total counter
    hla_requests_total{method="GET",route="/ard/:allele",worker="1",status="200"} 4
    hla_requests_total{method="GET",route="/ard/:allele",worker="1",status="404"} 1
    # HELP hla_batch_lines_total Lines of batches answered.
    # TYPE hla_batch_lines_total counter
    hla_batch_lines_total{worker="1"} 7
    hla_batch_lines_total{worker="2"} 14
    # HELP hla_request_seconds Time from the first byte of a request to the last of its answer.
    # TYPE hla_request_seconds histogram
    hla_request_seconds_bucket{method="GET",route="/ard/:allele",worker="1",le="0.001"} 1
    hla_request_seconds_bucket{method="GET",route="/ard/:allele",worker="1",le="0.0025"} 2
    hla_request_seconds_bucket{method="GET",route="/ard/:allele",worker="1",le="0.005"} 2
    hla_request_seconds_bucket{method="GET",route="/ard/:allele",worker="1",le="0.01"} 2
    hla_request_seconds_bucket{method="GET",route="/ard/:allele",worker="1",le="0.025"} 2
    hla_request_seconds_bucket{method="GET",route="/ard/:allele",worker="1",le="0.05"} 2
    hla_request_seconds_bucket{method="GET",route="/ard/:allele",worker="1",le="0.1"} 2
    hla_request_seconds_bucket{method="GET",route="/ard/:allele",worker="1",le="0.25"} 3
    hla_request_seconds_bucket{method="GET",route="/ard/:allele",worker="1",le="1"} 3
    hla_request_seconds_bucket{method="GET",route="/ard/:allele",worker="1",le="10"} 4
    hla_request_seconds_bucket{method="GET",route="/ard/:allele",worker="1",le="+Inf"} 5
    hla_request_seconds_sum{method="GET",route="/ard/:allele",worker="1"} 21.2021
    hla_request_seconds_count{method="GET",route="/ard/:allele",worker="1"} 5
    # HELP hla_answers_broken_total Answers that were not sent completely.
    # TYPE hla_answers_broken_total counter
    hla_answers_broken_total{method="GET",route="/x",reason="idle",worker="1"} 2
    # HELP hla_tables_refused_total Tables refused because no conversion slot or no memory was free.
    # TYPE hla_tables_refused_total counter
    hla_tables_refused_total{reason="full",worker="1"} 6
    hla_tables_refused_total{reason="caller",worker="1"} 8
    hla_tables_refused_total{reason="crowded",worker="1"} 9
    hla_tables_refused_total{reason="full",worker="2"} 6
    hla_tables_refused_total{reason="caller",worker="2"} 8
    hla_tables_refused_total{reason="crowded",worker="2"} 9
    # HELP hla_token_requests_total Requests answered, by the first characters of the SHA-256 of their token.
    # TYPE hla_token_requests_total counter
    hla_token_requests_total{token="abcdef01",worker="1"} 5
    # HELP hla_requests_in_flight Requests that are not answered yet.
    # TYPE hla_requests_in_flight gauge
    hla_requests_in_flight{worker="1"} 3
    hla_requests_in_flight{worker="2"} 3
    # HELP hla_connections Connections that are open.
    # TYPE hla_connections gauge
    hla_connections{worker="1"} 4
    hla_connections{worker="2"} 4
    # HELP hla_tables_converting Tables that are being converted.
    # TYPE hla_tables_converting gauge
    hla_tables_converting{worker="1"} 1
    hla_tables_converting{worker="2"} 1
    # HELP hla_table_places Maximum number of tables converted at a time.
    # TYPE hla_table_places gauge
    hla_table_places{worker="1"} 4
    hla_table_places{worker="2"} 4
    # HELP hla_release_age_days Days since the release was published.
    # TYPE hla_release_age_days gauge
    hla_release_age_days{worker="1"} 30
    # HELP hla_mac_age_days Days since the MAC list was published.
    # TYPE hla_mac_age_days gauge
    hla_mac_age_days{worker="1"} 12
    # HELP process_resident_memory_bytes Memory of the process.
    # TYPE process_resident_memory_bytes gauge
    process_resident_memory_bytes{worker="1"} 100
    process_resident_memory_bytes{worker="2"} 100
    # HELP process_cpu_seconds_total Processor time of the process.
    # TYPE process_cpu_seconds_total counter
    process_cpu_seconds_total{worker="1"} 1.5
    process_cpu_seconds_total{worker="2"} 1.5
    # HELP process_uptime_seconds Seconds since the process began.
    # TYPE process_uptime_seconds gauge
    process_uptime_seconds{worker="1"} 60
    process_uptime_seconds{worker="2"} 60
    # HELP process_start_time_seconds When the process began: seconds since 1970.
    # TYPE process_start_time_seconds gauge
    process_start_time_seconds{worker="1"} 1700000000
    process_start_time_seconds{worker="2"} 1700000000
    # HELP process_open_fds Open files, including sockets.
    # TYPE process_open_fds gauge
    process_open_fds{worker="1"} 20
    # HELP process_max_fds Maximum number of open files.
    # TYPE process_max_fds gauge
    process_max_fds{worker="1"} 1024
    # HELP nodejs_eventloop_lag_mean_seconds Mean delay of the event loop since the metrics were last read.
    # TYPE nodejs_eventloop_lag_mean_seconds gauge
    nodejs_eventloop_lag_mean_seconds{worker="1"} 0.001
    nodejs_eventloop_lag_mean_seconds{worker="2"} 0.001
    # HELP nodejs_eventloop_lag_p99_seconds 99th percentile of the event-loop delay.
    # TYPE nodejs_eventloop_lag_p99_seconds gauge
    nodejs_eventloop_lag_p99_seconds{worker="1"} 0.002
    nodejs_eventloop_lag_p99_seconds{worker="2"} 0.002
    # HELP nodejs_eventloop_lag_max_seconds Longest delay of the event loop since the metrics were last read.
    # TYPE nodejs_eventloop_lag_max_seconds gauge
    nodejs_eventloop_lag_max_seconds{worker="1"} 0.003
    nodejs_eventloop_lag_max_seconds{worker="2"} 0.003
    "
  `)
})

test('a process counts requests, lines, tokens and answers that broke off', () => {
  const metrics = makeMetrics(3, () => ({ requests: 1, connections: 2 }))
  metrics.counter('GET', '/x').count(200, 0.5)
  metrics.countLines(2)
  metrics.countLines(3)
  metrics.countBroken('GET', '/x', 'idle')
  metrics.countBroken('GET', '/x', 'idle')
  metrics.countToken('abc')
  metrics.countToken('abc')
  metrics.countToken('def')
  const knowledge = { release: { facts: { date: '' } }, mac: undefined }
  const served = { dataId: 'd', knowledge } as unknown as Parameters<typeof metrics.snapshot>[0] // what is read
  const tables = { taken: 0, refused: { full: 0, caller: 0, crowded: 0 } }
  expect(metrics.snapshot(served, tables)).toMatchObject({
    worker: 3,
    dataId: 'd',
    lines: 5,
    broken: { 'method="GET",route="/x",reason="idle"': 2 },
    tokens: { abc: 2, def: 1 },
    load: { requests: 1, connections: 2 },
    tables,
    routes: [{ method: 'GET', route: '/x', statuses: { 200: 1 }, sum: 0.5, total: 1 }],
  })
})

test('a process of its own shows its counts under their names', () => {
  for (const [labels, place] of [
    ['', 'method="GET",route="/x"'],
    ['worker="2"', 'method="GET",route="/x",worker="2"'],
  ] as const) {
    const metrics = requestMetrics('store_', labels)
    metrics.count({ method: 'GET', route: '/x', status: 304 }, 0.5)
    expect(metrics.totals()).toContain(`store_requests_total{${place},status="304"} 1`)
    expect(metrics.histograms()).toContain(`store_request_seconds_sum{${place}} 0.5`)
  }
})

test('the use of this process', () => {
  const { user, system } = process.cpuUsage()
  const { memory, processor, uptime, started, files, mostFiles, delay } = processUse()
  expect(memory).toBeGreaterThan(1e7)
  expect(processor).toBeGreaterThanOrEqual((user + system) / 1e6)
  expect(processor).toBeLessThan((user + system) / 1e6 + 10)
  expect(uptime).toBeGreaterThan(0)
  expect(started).toBeGreaterThan(1e9)
  expect(started).toBeLessThan(1e11)
  if (process.platform === 'linux') expect([Number(files) > 2, Number(mostFiles) >= Number(files)]).toEqual([true, true]) // prettier-ignore
  for (const seconds of Object.values(delay)) expect(seconds).toBeGreaterThanOrEqual(0)
})

test('a process without a limit of open files does not report one', () => {
  const limits = vi
    .spyOn(fs, 'readFileSync')
    .mockReturnValue(
      `Limit                     Soft Limit           Hard Limit           Units\nMax open files            unlimited            unlimited            files\n`,
    )
  syncBuiltinESMExports()
  try {
    expect(processUse().mostFiles).toBe(undefined)
    limits.mockReturnValue(
      'Max processes 7 7 processes\nMax open files            1024                 4096                 files\n',
    )
    expect(processUse().mostFiles).toBe(1024)
  } finally {
    limits.mockRestore()
    syncBuiltinESMExports()
  }
})
