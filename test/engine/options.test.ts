/** The limit that holds when none is set. */
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import { CONTRACT_METHODS } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { readNameLocus } from '../../src/nomenclature/antigen.ts'
import type { Release } from '../../src/reference/release.ts'
import { errorOf } from '../support/errors.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared)('the limit when nothing is set', () => {
  const GENES = ['A', 'B', 'C', 'DRB1', 'DRB3', 'DRB4', 'DRB5', 'DQA1', 'DQB1', 'DPA1', 'DPB1']

  /** The XX code or antigen of a gene that covers the most alleles. */
  function coarsest(release: Release, gene: string): string {
    let found = { text: '', count: 0 }
    for (let id = 0; id < release.size; id += 1) {
      const name = release.nameOf(id)
      if (readNameLocus(name) !== gene) continue
      const isAntigen = release.isKind('antigen', id)
      const text = isAntigen ? name : `${name}:XX`
      const names = isAntigen ? [] : (release.listOf('xx', name) ?? [])
      const alleles = names.flatMap((two) => release.listOf('who', two) ?? [two])
      const count = alleles.length + (release.listOf('antigenAlleles', name)?.length ?? 0)
      if (count > found.count) found = { text, count }
    }
    return found.text
  }

  test('leaves every typing of one person its answer, by W too', () => {
    const release = realRelease('3580')
    const engine = makeEngine(release, realMacs())
    const genotypes = GENES.map((gene) => coarsest(release, gene)).map((one) => `${one}+${one}`)
    const person = genotypes.join('^')
    for (const method of CONTRACT_METHODS) expect(redux(engine, person, method).text).not.toBe('')
    expect(redux(engine, person, 'W').text.split(/[/+^]/).length).toBeGreaterThan(17_000)
    const alternatives = `${person}|HLA-${person}`
    expect(errorOf(() => redux(engine, alternatives, 'W'))?.code).toBe('too-ambiguous')
  })
})
