/** Searches for the most expensive request: time that it blocks the event loop, and its memory. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasShared } from '../support/shared.ts'
import { measuredService } from '../support/worst/measured-service.ts'
import { ASPECTS, searchWorst, type SearchResult } from '../support/worst/search.ts'
import { atMost, type BenchRow, reported } from './bench-row.ts'
import { installForBench } from './installation.ts'

const SECONDS = 300
const LARGEST = 32_000_000

/** `HLA_WORST_SECONDS`, `HLA_WORST_SEED`: duration, and seed of the search. */
export async function benchWorst(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hla-worst-'))
  // a whole release has more to search than the starter set
  const dataDir = hasShared ? installForBench() : folder
  const seconds = Number(process.env['HLA_WORST_SECONDS'] ?? SECONDS)
  const seed = Number(process.env['HLA_WORST_SEED'] ?? 1)
  try {
    const { worst, count } = await searchWorst({
      start: () => measuredService(process.cwd(), folder, dataDir),
      seconds,
      largest: LARGEST,
      seed,
      progress: tellProgress(seconds),
    })
    for (const aspect of ASPECTS)
      process.stdout.write(`  worst ${aspect}: ${JSON.stringify(shortened(worst[aspect]))}\n`)
    return [
      reported('worst: requests tried', [count, '']),
      atMost('worst: event loop held', [worst.delay.cost.delay, 'ms'], 100),
      atMost('worst: memory beyond its share', [worst.memory.cost.memory, 'MiB'], 128),
      reported('worst: time to the answer', [worst.time.cost.time, 'ms']),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
    if (dataDir !== folder) rmSync(dataDir, { recursive: true, force: true })
  }
}

const EVERY = 10_000

/** Prints progress to stderr, at intervals. */
function tellProgress(seconds: number): (result: SearchResult) => void {
  const started = performance.now()
  let next = EVERY
  return ({ worst, count }) => {
    const past = performance.now() - started
    if (past < next) return
    next = past + EVERY
    const costs = ASPECTS.map((aspect) => `${aspect} ${Math.round(worst[aspect].cost[aspect])}`).join(', ')
    process.stderr.write(`worst: ${Math.round(past / 1000)} of ${seconds} s, ${count} requests: ${costs}\n`)
  }
}

/** Shortens long table options. */
function shortened(found: object): unknown {
  return JSON.parse(
    JSON.stringify(found, (_name, value: unknown) =>
      typeof value === 'string' && value.length > 60 ? `${value.slice(0, 60)}… (${value.length})` : value,
    ),
  )
}
