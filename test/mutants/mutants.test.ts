/** The faults of docs/mutants.md are places of the program; `npm run mutants` puts each into it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { packagePath } from '../../src/package-root.ts'
import { EQUIVALENT } from './equivalent.ts'
import { MENDS } from './mends.ts'
import { MUTANTS } from './mutants.ts'
import { mutantsPage } from './page.ts'
import { randomFaults } from './random-faults.ts'
import { reasonOf } from './random-run.ts'
import { mutated } from './run.ts'

test('each changes one place of the program', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(40)
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
  for (const mutant of MUTANTS) expect(mutated(mutant)).toContain(mutant.instead)
})

test('those that were mended change one place each, and name a test', () => {
  expect(new Set([...MUTANTS, ...MENDS].map(({ name }) => name)).size).toBe(MUTANTS.length + MENDS.length)
  for (const mend of MENDS) expect(mutated(mend)).not.toBe(readFileSync(packagePath(mend.file), 'utf8'))
  expect(MENDS.filter((mend) => !existsSync(packagePath(mend.test)))).toEqual([])
})

test('random faults are found by a seed, and those that no test can notice are places of the program', () => {
  const take = (seed: number) => randomFaults(packagePath(), 'table/fast', { most: 1000, seed })
  const faults = take(7)
  expect(faults.slice(0, 9)).toEqual(take(7).slice(0, 9))
  expect(faults.slice(0, 9)).not.toEqual(take(8).slice(0, 9))
  for (const { source, from, to, text } of faults)
    expect([source.includes(to), text === '', from === to]).toEqual([true, false, false])
  const named = EQUIVALENT.map(({ file, text, from, to }) => {
    const lines = readFileSync(packagePath(file), 'utf8').split('\n')
    return [
      file,
      lines.filter((line) => line.trim() === text).length,
      reasonOf({ file, text, from, to }) !== undefined,
    ]
  })
  expect(named).toEqual(EQUIVALENT.map(({ file }) => [file, 1, true]))
  expect(reasonOf({ file: 'src/glob.ts', text: '', from: 'some', to: 'every' })).toBeUndefined()
})

test('docs/mutants.md lists them', () => {
  const file = packagePath('docs', 'mutants.md')
  if (process.env['HLA_UPDATE_DOCS'] !== undefined) writeFileSync(file, mutantsPage())
  expect(readFileSync(file, 'utf8')).toBe(mutantsPage())
})
