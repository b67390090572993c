/** What a stranger sends holds nobody up: requests that once did, and a few that a search makes (all of it: `npm run bench worst`). */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cost, measuredService, type MeasuredService } from '../support/measured-service.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { tempFolder } from '../support/temp.ts'
import { type Genes, randomGenes, requestOf } from '../support/worst-requests.ts'

const temp = tempFolder()
let service: MeasuredService
beforeAll(async () => {
  service = await measuredService(join(import.meta.dirname, '../..'), temp('.'))
  // the first of a kind opens what the others find open
  for (const kind of ['redux', 'explain', 'table'])
    await service.cost(requestOf({ kind, unit: 'A*01:01', joint: '+', size: 100, option: '' }))
})
afterAll(() => service.stop())

/** The least of some: other work of the machine is none of the service. */
async function leastCost(genes: Genes): Promise<Cost> {
  let least = await service.cost(requestOf(genes))
  for (let again = 0; again < 5 && least.delay > 100; again += 1) {
    const cost = await service.cost(requestOf(genes))
    if (cost.delay < least.delay) least = cost
  }
  return least
}

test.for([
  { kind: 'explain', unit: 'DPA1*99:01', joint: '/', size: 50_000, option: 'g' },
  { kind: 'cwd-redux', unit: 'B*57:XX', joint: '/', size: 1_000_000, option: '' },
  { kind: 'explain', unit: '', joint: '^', size: 1_000_000, option: 'U2' },
  { kind: 'accept', unit: '', joint: '/', size: 1_000_000, option: 'all' },
  { kind: 'table-columns', unit: 'A', joint: '', size: 40_000, option: '' },
  { kind: 'table-columns', unit: 'A_______', joint: '', size: 100_000, option: 'W' },
  { kind: 'table-row', unit: '', joint: '', size: 400_000, option: '' },
  { kind: 'table-unknown', unit: '', joint: '', size: 200_000, option: '' },
  { kind: 'table', unit: '', joint: '\n', size: 200_000, option: '' },
])('%j does not hold the event loop', async (genes) => {
  expect((await leastCost(genes)).delay).toBeLessThan(100)
})

test('nor does any of a few made at random', async () => {
  const random = randomNumbers(25)
  for (let at = 0; at < 25; at += 1) {
    const genes = randomGenes(random, 100_000)
    const { delay, memory } = await leastCost(genes)
    expect({ genes, isHeld: delay > 100, isLarge: memory > 256 + 128 }).toEqual({
      genes,
      isHeld: false,
      isLarge: false,
    })
  }
})
