/** Some of the faults of docs/mutants.md are put into the program and caught; `npm run mutants` takes all of them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packagePath } from '../../src/package-root.ts'
import { hasShared } from '../support/shared.ts'
import { MUTANTS } from './mutants.ts'
import { mutantsPage } from './page.ts'
import { type Battery, makeBattery, mutated } from './run.ts'

/** Two that no test had noticed, and one of another kind each. */
const SOME = [
  'S of every DQB1 allele is DQ9',
  'G of DRB1 and B loses its second group',
  'the second copy of a homozygote is lost',
  'diff always says same',
]

test('each changes one place of the program', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(40)
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
  for (const mutant of MUTANTS) expect(mutated(mutant)).toContain(mutant.instead)
})

test('docs/mutants.md lists them', () => {
  const file = packagePath('docs', 'mutants.md')
  if (process.env['HLA_UPDATE_DOCS'] !== undefined) writeFileSync(file, mutantsPage())
  expect(readFileSync(file, 'utf8')).toBe(mutantsPage())
})

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
