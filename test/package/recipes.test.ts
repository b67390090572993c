/**
 * Recipes for package managers contain this version, the given checksum, and a trial command that the program passes.
 */
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { packagePath, packageVersion } from '../../src/package-root.ts'

interface Recipes {
  biocondaRecipe(sha256: string): string
  homebrewFormula(sha256: string): string
  environmentFile(): string
}

const SUM = 'a'.repeat(64)

it('names version, sum and Node, and is tried with an answer that holds', async () => {
  const recipes = (await import(packagePath('.build/packages/recipes.mjs'))) as Recipes
  const bioconda = recipes.biocondaRecipe(SUM)
  const homebrew = recipes.homebrewFormula(SUM)
  for (const recipe of [bioconda, homebrew]) {
    expect(recipe).toContain(SUM)
    // bioconda's bot changes the version in one place
    expect(recipe.replaceAll('{{ version }}', packageVersion())).toContain(
      `v${packageVersion()}/hla-${packageVersion()}.tar.gz`,
    )
    expect(recipe).not.toMatch(/undefined|\[object/)
  }
  expect(bioconda).toContain('nodejs >=20.19')
  // keys that bioconda's linter requires
  for (const key of [
    '{% set version = ',
    'sha256: ',
    'number: 0',
    'run_exports:',
    'commands:',
    'home: ',
    'license: ',
    'license_file: ',
    'summary: ',
  ])
    expect(bioconda).toContain(key)
  expect(recipes.environmentFile()).toContain(`hla=${packageVersion()}`)
  const [, words = '', answer = ''] = /hla (redux .*) \| grep -Fx '(.*)'/.exec(bioconda) ?? []
  expect(homebrew).toContain(`hla ${words}`)
  const script = `${process.execPath} ${packagePath('bin/hla.cjs')} ${words}`
  expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(`${answer}\n`)
})
