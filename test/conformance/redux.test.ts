/** Every recorded reduction of the peer: equal to ours, or different for a reason that docs/divergences.md gives. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Engine, engineOf } from '../../src/engine/engine.ts'
import { packagePath } from '../../src/package-root.ts'
import { type CorpusRow, optionsOf, readCorpus, readDeviations } from '../support/corpus.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { answerOf, type Comparison, isEqual } from './comparison.ts'
import { DEVIATIONS, EXCLUSIONS, exclusionsOf } from './exclusions.ts'
import { HABITS } from './peer-answer.ts'

const RELEASES = ['3580', '3440', '3290'] as const
const KINDS = ['alleles', 'codes', 'gl', 'invalid', 'config', 'unstable'] as const
const IDS = new Set([...HABITS, ...EXCLUSIONS.map(({ id }) => id)])

describe.skipIf(!hasShared)('redux beside py-ard 2.3.1', () => {
  const used = new Set<string>()

  describe.for(RELEASES)('release %s', (release) => {
    const engines = new Map<string, Engine>()
    test.for(KINDS)('%s', (kind) => {
      const unordered = kind === 'unstable'
      const file = unordered ? `unstable-${release}.tsv.gz` : `dev/${kind}-${release}.tsv.gz`
      const deviations = readDeviations(release)
      const unexplained: unknown[] = []
      let compared = 0
      for (const row of readCorpus(file).filter(({ op }) => op === 'redux')) {
        compared += 1
        const engine = engineFor(row, release, engines)
        const comparison = { row, ours: answerOf(engine, row), engine, unordered }
        if (isEqual(comparison) || deviations.has(keyOf(row))) continue
        const reasons = exclusionsOf(comparison)
        for (const reason of reasons) used.add(reason)
        if (reasons.length === 0) unexplained.push(shown(comparison))
      }
      expect(compared).toBeGreaterThan(100)
      expect(unexplained).toEqual([])
    })
  })

  test('has no exclusion that nothing needs', () => {
    expect([...used].sort()).toEqual([...IDS].sort())
  })

  test.for(RELEASES)('knows the reason of every declared deviation of %s', (release) => {
    const rows = [...readDeviations(release)].filter(([key]) => key.startsWith('redux\t'))
    const reasons = new Set(rows.map(([, reason]) => reason))
    expect(Object.keys(DEVIATIONS)).toEqual(expect.arrayContaining([...reasons]))
  })
})

test('every reason has a row in docs/divergences.md', () => {
  const document = readFileSync(packagePath('docs', 'divergences.md'), 'utf8')
  for (const id of [...IDS, ...Object.values(DEVIATIONS)]) expect(document).toContain(`| \`${id}\` |`)
})

function engineFor({ config }: CorpusRow, release: string, engines: Map<string, Engine>): Engine {
  const engine = engines.get(config) ?? engineOf(realRelease(release), realMacs(), optionsOf(config))
  engines.set(config, engine)
  return engine
}

function keyOf({ op, method, input }: CorpusRow): string {
  return `${op}\t${method}\t${input}`
}

function shown({ row, ours }: Comparison) {
  const short = (text: string) => text.slice(0, 200)
  return {
    method: row.method,
    input: short(row.input),
    config: row.config,
    theirs: short(`${row.status} ${row.output}`),
    ours: ours.status === 'ok' ? short(ours.text) : `${ours.code}: ${short(ours.message)}`,
  }
}
