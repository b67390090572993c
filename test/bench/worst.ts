/** The worst request that a search finds: how long it holds the event loop, how much memory it takes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cost, measuredService, type MeasuredService } from '../support/measured-service.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { type Genes, neighbourOf, randomGenes, requestOf } from '../support/worst-requests.ts'
import { atMost, type BenchRow, reported } from './bench-row.ts'

const ROUNDS = Number(process.env['HLA_WORST_ROUNDS'] ?? 300)
const LARGEST = 32_000_000

interface Found {
  readonly genes: Genes
  readonly cost: Cost
}

export async function benchWorst(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hla-worst-'))
  const service = await measuredService(process.cwd(), folder)
  try {
    const { delay, memory, time, count } = await searchWorst(service, ROUNDS, LARGEST)
    for (const [name, { genes, cost }] of Object.entries({ delay, memory, time }))
      process.stdout.write(`  worst ${name}: ${JSON.stringify(genes)} ${JSON.stringify(cost)}\n`)
    return [
      reported('worst: requests tried', [count, '']),
      atMost('worst: event loop held', [delay.cost.delay, 'ms'], 100),
      atMost('worst: memory beyond the table itself', [memory.cost.memory, 'MiB'], 128),
      reported('worst: time to the answer', [time.cost.time, 'ms']),
    ]
  } finally {
    service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A third at random, then near the worst ones. What seems bad is measured again: the machine has other work too. */
export async function searchWorst(service: MeasuredService, rounds: number, largest: number, seed = 1) {
  const random = randomNumbers(seed)
  const none: Found = {
    genes: randomGenes(random, largest),
    cost: { status: 0, delay: 0, memory: 0, time: 0 },
  }
  const worst = { delay: none, memory: none, time: none }
  // the first of each opens what the others find open
  for (let at = 0; at < 20; at += 1) await service.cost(requestOf(randomGenes(random, 100_000)))
  let count = 0
  for (; count < rounds; count += 1) {
    const near = [worst.delay, worst.memory, worst.time][count % 3] ?? none
    const genes = count < rounds / 3 ? randomGenes(random, largest) : neighbourOf(near.genes, random, largest)
    const cost = await measured(service, genes, worst.delay.cost.delay)
    for (const name of ['delay', 'memory', 'time'] as const)
      if (cost[name] > worst[name].cost[name]) worst[name] = { genes, cost }
  }
  return { ...worst, count }
}

async function measured(service: MeasuredService, genes: Genes, worstDelay: number): Promise<Cost> {
  let cost = await service.cost(requestOf(genes))
  for (let again = 0; again < 4 && cost.delay > Math.max(worstDelay, 50); again += 1) {
    const other = await service.cost(requestOf(genes))
    cost = { ...cost, delay: Math.min(cost.delay, other.delay), memory: Math.min(cost.memory, other.memory) }
  }
  return cost
}
