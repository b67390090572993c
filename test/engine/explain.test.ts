/** explain gives the answer of redux, and cites the line of every fact. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { explain, type Step } from '../../src/engine/explain/explain.ts'
import { METHOD_NAMES } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { twoFields } from '../../src/nomenclature/allele.ts'
import { sortNames } from '../../src/nomenclature/order.ts'
import { type Citations, readCitations } from '../../src/reference/citations.ts'
import { errorOf } from '../support/errors.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { realSources } from '../support/sources.ts'

/** Names and antigens of a step and of the steps before it, as cells of the published files spell them. */
function cellsOf(leaf: string, steps: readonly Step[]): Set<string> {
  const text = [leaf, ...steps.map((step) => step.text)].join(' ')
  const names = text.match(/[A-Z][A-Z0-9]*\*\d[\d:]*\d[A-Z]?|[A-Z]+w?\d+|[A-Z]{2,}/g) ?? []
  return new Set(names.flatMap((name) => [name, name.replace(/^.*\*|^[A-Z]+w?(?=\d)/, '')]))
}

function expectCitations(leaf: string, steps: readonly Step[]): void {
  const cells = cellsOf(leaf, steps)
  for (const { text, citation } of steps) {
    if (citation === undefined) continue
    const line = citation.text.split(/[;,/\t]/)
    expect(
      line.some((cell) => cells.has(cell)),
      `${leaf}: ${text}\n${citation.text.slice(0, 200)}`,
    ).toBe(true)
    expect(text).toContain(`${citation.file}:${citation.line}`)
  }
}

describe.skipIf(!hasShared)('explain, on 3.58.0', () => {
  let engine: Engine
  let citations: Citations
  let names: readonly string[]
  // inside beforeAll, because the body of a skipped suite still runs
  beforeAll(() => {
    engine = makeEngine(realRelease('3580'), realMacs())
    citations = readCitations(realSources('3580'), '3.58.0')
    names = sample(2000)
  })

  test.for(['G', 'P', 'lgx', 'S'] as const)(
    '%s of 2,000 names: the answer is that of redux, every line holds its name',
    (method) => {
      for (const name of names) {
        if (errorOf(() => redux(engine, name, method))?.code === 'no-serology') continue
        const { text, leaves } = explain(engine, citations, name, method)
        expect(text).toBe(redux(engine, name, method).text)
        const steps = leaves[0]?.steps ?? []
        expectCitations(name, steps)
        const result = (steps.at(-1)?.text ?? '').replace(/^.*: /, '')
        if (!result.includes('…')) expect(result.replaceAll(' ', '/')).toBe(text)
        const found = steps.find(({ title }) => title === `${method} group`)?.text ?? 'none'
        if (!found.startsWith('none')) expect(`${found} `).toContain(text.split('/', 4).join(' '))
      }
    },
  )

  test('the rule of lgx leads to the answer', () => {
    for (const name of names) {
      const { text, leaves } = explain(engine, citations, name, 'lgx')
      const rule = leaves[0]?.steps.find(({ title }) => title === 'rule')?.text ?? ''
      const [, groups] = / -> ([^:,]*(?::[^ :,]+)*)/.exec(rule) ?? []
      if (groups === undefined || rule.includes('then the same')) continue
      const [lowest] = sortNames(new Set(groups.split(' ').map(twoFields)))
      expect(`${name} ${lowest}`).toBe(`${name} ${text}`)
    }
  })

  test('codes, antigens and old names: every line holds its name', () => {
    for (const method of METHOD_NAMES.filter((one) => one !== 'hats')) {
      for (const input of [
        'A*02:AB',
        'A*69:CFFGM',
        'A*02:XX',
        'C*10:XX',
        'A10',
        'B15',
        'DR51',
        'Cw3',
        'A*01101',
        'B*44:23N',
      ]) {
        if (errorOf(() => redux(engine, input, method)) !== undefined) continue
        const { leaves, text } = explain(engine, citations, input, method)
        expect(text).toBe(redux(engine, input, method).text)
        for (const { leaf, steps } of leaves) expectCitations(leaf, steps)
        expect(leaves[0]?.steps.length).toBeLessThan(12)
      }
    }
  })

  /** Valid input names from a seeded generator, the same in each run. */
  function sample(count: number): string[] {
    const { release } = engine
    const found: string[] = []
    for (let seed = 26; found.length < count;) {
      seed = (seed * 16_807) % 2_147_483_647
      const id = seed % release.size
      if (release.isKind('allele', id)) found.push(release.nameOf(id))
    }
    return found
  }
})
