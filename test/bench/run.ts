/** `npm run bench [name…]`: runs benchmarks and prints what was measured beside the goals. Bundled into node_modules/.cache first. */
import { cpus } from 'node:os'
import { hasShared } from '../support/shared.ts'
import { type BenchRow, formatRows } from './bench-row.ts'
import { benchBatch } from './batch.ts'
import { benchDrive } from './drive.ts'
import { benchEngine } from './engine.ts'
import { benchExchange } from './exchange.ts'
import { benchMac } from './mac.ts'
import { benchRelease } from './release.ts'
import { benchService } from './service.ts'
import { benchStartup } from './startup.ts'
import { benchWorst } from './worst.ts'
import { benchMillion, benchStorage } from './storage.ts'

interface Benchmark {
  readonly run: () => BenchRow[] | Promise<BenchRow[]>
  readonly needsShared: boolean
}

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  startup: { run: benchStartup, needsShared: true },
  engine: { run: benchEngine, needsShared: true },
  release: { run: benchRelease, needsShared: true },
  mac: { run: benchMac, needsShared: false },
  batch: { run: benchBatch, needsShared: true },
  exchange: { run: benchExchange, needsShared: true },
  storage: { run: benchStorage, needsShared: false },
  million: { run: benchMillion, needsShared: false },
  drive: { run: benchDrive, needsShared: false },
  service: { run: benchService, needsShared: true },
  worst: { run: benchWorst, needsShared: false },
}

process.exitCode = await runBenchmarks(process.argv.slice(2))

/** The exit status: 1 when a goal is missed, 2 for a name that is none. */
async function runBenchmarks(asked: readonly string[]): Promise<number> {
  const names = Object.keys(BENCHMARKS)
  const unknown = asked.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    process.stderr.write(`no benchmark ${unknown}; benchmarks are ${names.join(', ')}\n`)
    return 2
  }
  describeMachine()
  const rows: BenchRow[] = []
  for (const name of asked.length === 0 ? names : asked) rows.push(...(await runOne(name)))
  process.stdout.write(`\n${formatRows(rows)}`)
  return rows.some(({ met }) => met === false) ? 1 : 0
}

async function runOne(name: string): Promise<BenchRow[]> {
  const benchmark = BENCHMARKS[name]
  if (benchmark === undefined) return []
  if (benchmark.needsShared && !hasShared) {
    process.stdout.write(`${name}: skipped, the published files are not here\n`)
    return []
  }
  process.stdout.write(`${name} …\n`)
  return benchmark.run()
}

function describeMachine(): void {
  const [processor] = cpus()
  process.stdout.write(`Node ${process.version}, ${cpus().length} × ${processor?.model ?? 'unknown'}\n`)
  if (process.env['NODE_EXTRA_CA_CERTS'])
    process.stdout.write(
      'NODE_EXTRA_CA_CERTS is unset for every timed process: Node 20 starts 38 ms slower with it\n',
    )
}
