/** Search for the worst request: random requests and variations of the worst so far, until the time is over. */
import { randomNumbers } from '../random-numbers.ts'
import { type Genes, KINDS, neighbourOf, randomGenes } from './genes.ts'
import type { Cost, MeasuredService } from './measured-service.ts'
import { requestOf } from './requests.ts'

export interface Found {
  readonly genes: Genes
  readonly cost: Cost
}

export const ASPECTS = ['delay', 'memory', 'time'] as const
export type Aspect = (typeof ASPECTS)[number]

export interface SearchResult {
  readonly worst: Readonly<Record<Aspect, Found>>
  readonly count: number
}

export interface Search {
  /** Starts a new service. Leftovers in the old one must not hide the cost of the next request. */
  readonly start: () => Promise<MeasuredService>
  readonly seconds: number
  readonly largest: number
  readonly seed: number
  readonly progress: (result: SearchResult) => void
}

/** MiB of leftovers after which a new service is started. */
const MOST_LEFT = 64

/** Costs above these are measured again, and the lowest counts: a single high value is not caused by the request. */
const ODD: Readonly<Record<Aspect, number>> = { delay: 50, memory: 64, time: Infinity }
const AGAIN = 4

export async function searchWorst({
  start,
  seconds,
  largest,
  seed,
  progress,
}: Search): Promise<SearchResult> {
  const random = randomNumbers(seed)
  const until = performance.now() + seconds * 1000
  let service = await warm(start, random)
  let idle = service.memory()
  const worst = new Map<Aspect, Found>()
  const result = (count: number) => ({ worst: Object.fromEntries(worst) as SearchResult['worst'], count })
  let count = 0
  for (; performance.now() < until || worst.size === 0; count += 1) {
    if (service.memory() > idle + MOST_LEFT) {
      service.stop()
      service = await warm(start, random)
      idle = service.memory()
    }
    const genes = nextGenes(count, worst, random, largest)
    const cost = await measured(service, genes)
    for (const aspect of ASPECTS)
      if (cost[aspect] > (worst.get(aspect)?.cost[aspect] ?? -Infinity)) worst.set(aspect, { genes, cost })
    progress(result(count + 1))
  }
  service.stop()
  return result(count)
}

/** Starts a service and sends a request of each kind, to fill its caches. */
async function warm(start: () => Promise<MeasuredService>, random: () => number): Promise<MeasuredService> {
  const service = await start()
  for (const kind of KINDS) await service.cost(requestOf({ ...randomGenes(random, 10_000), kind, query: {} }))
  await service.cost(
    requestOf({ ...randomGenes(random, 10_000), kind: 'table-rows', unit: '01:01', query: {} }),
  )
  return service
}

/** Every second request is a variation of the worst in one aspect. */
function nextGenes(
  count: number,
  worst: ReadonlyMap<Aspect, Found>,
  random: () => number,
  largest: number,
): Genes {
  const aspect = ASPECTS[(count >> 1) % ASPECTS.length]
  const near = aspect === undefined ? undefined : worst.get(aspect)
  return count % 2 === 0 || near === undefined
    ? randomGenes(random, largest)
    : neighbourOf(near.genes, random, largest)
}

async function measured(service: MeasuredService, genes: Genes): Promise<Cost> {
  const request = requestOf(genes)
  let cost = await service.cost(request)
  for (let again = 0; again < AGAIN && (cost.delay > ODD.delay || cost.memory > ODD.memory); again += 1) {
    const other = await service.cost(request)
    const [delay, memory] = [Math.min(cost.delay, other.delay), Math.min(cost.memory, other.memory)]
    cost = { ...cost, delay, memory }
  }
  return cost
}
