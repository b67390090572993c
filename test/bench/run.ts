/**
 * `npm run bench -- [name…] [--json FILE] [--node PATH]…`: runs benchmarks and prints the results beside their goals.
 * `npm run bench goals -- [--output FILE] [--minutes N] [--node PATH]…`: runs those with goals, and writes the table of
 * docs/performance.md.
 * The script is first bundled into node_modules/.cache.
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { hasShared } from '../support/shared.ts'
import { type BenchRow, formatRows } from './bench-row.ts'
import { benchBatch } from './batch.ts'
import { benchBeside, benchFaster } from './beside.ts'
import { benchCells } from './batch-cells.ts'
import { benchDrive } from './drive.ts'
import { benchBucket } from './drive-bucket.ts'
import { benchEngine } from './engine.ts'
import { benchExchange } from './exchange.ts'
import { benchFlood } from './flood.ts'
import { GOALS, measureGoals } from './goals.ts'
import { benchMac } from './mac.ts'
import { benchMatch } from './match.ts'
import { benchPages } from './pages.ts'
import { benchRelease } from './release.ts'
import { benchService, benchServiceAlone, benchServiceBatch } from './service.ts'
import { benchStartup } from './startup.ts'
import { benchWorst } from './worst.ts'
import { benchMillion, benchStorage } from './storage.ts'
import { benchOneServer } from './one-server.ts'

interface Benchmark {
  /** `nodes`: Node executables to measure. */
  readonly run: (nodes?: readonly string[]) => BenchRow[] | Promise<BenchRow[]>
  readonly needsShared: boolean
  /** Benchmark that includes this one; a part alone runs only by name. */
  readonly partOf?: string
}

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  startup: { run: benchStartup, needsShared: true },
  engine: { run: () => benchEngine(), needsShared: true },
  release: { run: () => benchRelease(), needsShared: true },
  mac: { run: () => benchMac(), needsShared: false },
  match: { run: () => benchMatch(), needsShared: true },
  batch: { run: () => benchBatch(), needsShared: true },
  cells: { run: () => benchCells(), needsShared: true },
  exchange: { run: () => benchExchange(), needsShared: true },
  storage: { run: () => benchStorage(), needsShared: false },
  million: { run: () => benchMillion(), needsShared: false },
  'one-server': { run: () => benchOneServer(), needsShared: false, partOf: 'million' },
  drive: { run: () => benchDrive(), needsShared: false },
  'drive-inserts': { run: () => benchDrive('inserts'), needsShared: false, partOf: 'drive' },
  'drive-reads': { run: () => benchDrive('reads'), needsShared: false, partOf: 'drive' },
  'drive-uploads': { run: () => benchDrive('uploads'), needsShared: false, partOf: 'drive' },
  'drive-downloads': { run: () => benchDrive('downloads'), needsShared: false, partOf: 'drive' },
  'drive-bucket': { run: () => benchBucket(), needsShared: false },
  service: { run: () => benchService(), needsShared: true },
  'service-alone': { run: () => benchServiceAlone(), needsShared: true, partOf: 'service' },
  'service-batch': { run: () => benchServiceBatch(), needsShared: true, partOf: 'service' },
  flood: { run: () => benchFlood(), needsShared: true },
  worst: { run: () => benchWorst(), needsShared: false },
  pages: { run: () => benchPages(), needsShared: false },
  beside: { run: () => benchBeside(), needsShared: true },
  faster: { run: () => benchFaster(), needsShared: true, partOf: 'beside' },
}

/** Default time limit of all goals together. */
const MINUTES = 25

const { values: asked, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    output: { type: 'string' },
    minutes: { type: 'string' },
    node: { type: 'string', multiple: true },
  },
})
process.exitCode = positionals.join() === 'goals' ? await runGoals() : await runBenchmarks(positionals)

/** The exit status: 1 when a goal is missed. */
async function runGoals(): Promise<number> {
  const { page, met } = await measureGoals(GOALS, {
    command: [process.execPath, process.argv[1] ?? ''],
    options: (asked.node ?? []).flatMap((node) => ['--node', node]),
    minutes: Number(asked.minutes ?? MINUTES),
  })
  if (asked.output !== undefined) writeFileSync(asked.output, page)
  process.stdout.write(`\n${page}`)
  return met ? 0 : 1
}

/** The exit status: 1 when a goal is missed, 2 for an unknown name. */
async function runBenchmarks(names: readonly string[]): Promise<number> {
  const known = Object.keys(BENCHMARKS)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    process.stderr.write(`no benchmark ${unknown}; benchmarks are goals, ${known.join(', ')}\n`)
    return 2
  }
  describeMachine()
  const all = known.filter((name) => BENCHMARKS[name]?.partOf === undefined)
  const rows: BenchRow[] = []
  for (const name of names.length === 0 ? all : names) rows.push(...(await runOne(name)))
  if (asked.json !== undefined) writeFileSync(asked.json, JSON.stringify(rows))
  process.stdout.write(`\n${formatRows(rows)}`)
  return rows.some(({ met }) => met === false) ? 1 : 0
}

async function runOne(name: string): Promise<BenchRow[]> {
  const benchmark = BENCHMARKS[name]
  if (benchmark === undefined) return []
  if (benchmark.needsShared && !hasShared) {
    process.stderr.write(`${name}: skipped, the published files are not here\n`)
    return []
  }
  process.stdout.write(`${name} …\n`)
  return benchmark.run(asked.node)
}

function describeMachine(): void {
  const [processor] = cpus()
  process.stdout.write(`Node ${process.version}, ${cpus().length} × ${processor?.model ?? 'unknown'}\n`)
  if (process.env['NODE_EXTRA_CA_CERTS'])
    process.stdout.write(
      'NODE_EXTRA_CA_CERTS is unset for every timed process: Node 20 starts 38 ms slower with it\n',
    )
}
