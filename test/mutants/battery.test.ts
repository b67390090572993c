/** Puts some of the faults of mutants.ts into the program, and catches them; `npm run mutants` runs all of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasShared } from '../support/shared.ts'
import { MUTANTS } from './mutants.ts'
import { type Battery, makeBattery } from './run.ts'

/** Two that no test had noticed, and one each of two other kinds. */
const SOME = [
  'S of every DQB1 allele is DQ9',
  'G of DRB1 and B loses its second group',
  'the second copy of a homozygote is lost',
  'diff always says same',
]

describe.skipIf(!hasShared)('a battery in a process of its own', () => {
  let battery: Battery
  beforeAll(() => {
    battery = makeBattery()
  })
  afterAll(() => battery.end())

  test('passes as the program is', async () => {
    expect(await battery.run()).toBe('')
  })

  test.for(SOME)('fails when %s', async (name) => {
    const mutant = MUTANTS.find((one) => one.name === name)
    expect(mutant).toBeDefined()
    expect(await battery.run(mutant)).not.toBe('')
  })
})
