/** Every recorded answer of the peer to an operation other than redux: equal to ours, or different for a reason. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Engine, engineOf } from '../../src/engine/engine.ts'
import { packagePath } from '../../src/package-root.ts'
import { optionsOf, readCorpus, readDeviations } from '../support/corpus.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { type Comparison, isEqual } from './comparison.ts'
import { answerTo, OPS } from './ops-answers.ts'
import { OPS_EXCLUSIONS } from './ops-exclusions.ts'

const RELEASES = ['3580', '3440', '3290'] as const
const KINDS = ['ops', 'invalid', 'config', 'gl', 'unstable'] as const

describe.skipIf(!hasShared)('operations beside py-ard 2.3.1', () => {
  const used = new Set<string>()
  const asked = new Set<string>()

  describe.for(RELEASES)('release %s', (release) => {
    const engines = new Map<string, Engine>()
    test.for(KINDS)('%s', (kind) => {
      const unordered = kind === 'unstable'
      const file = unordered ? `unstable-${release}.tsv.gz` : `dev/${kind}-${release}.tsv.gz`
      const deviations = readDeviations(release)
      const unexplained: unknown[] = []
      for (const row of readCorpus(file).filter(({ op }) => op !== 'redux')) {
        asked.add(row.op)
        const engine =
          engines.get(row.config) ?? engineOf(realRelease(release), realMacs(), optionsOf(row.config))
        engines.set(row.config, engine)
        const comparison = { row, ours: answerTo(row.op, engine, row.input), engine, unordered }
        if (isEqual(comparison) && isSameMismatch(comparison)) continue
        if (deviations.has(`${row.op}\t${row.method}\t${row.input}`)) continue
        const reason = OPS_EXCLUSIONS.find(({ ops, applies }) => ops.includes(row.op) && applies(comparison))
        if (reason === undefined) unexplained.push(shown(comparison))
        else used.add(`${reason.id} ${row.op}`)
      }
      expect(unexplained).toEqual([])
    })
  })

  test('are all asked', () => {
    expect([...asked].sort()).toEqual(Object.keys(OPS).sort())
  })

  test('have no exclusion that nothing needs', () => {
    const declared = OPS_EXCLUSIONS.flatMap(({ id, ops }) => ops.map((op) => `${id} ${op}`))
    expect([...used].sort()).toEqual(declared.sort())
  })
})

test('every reason has a row in docs/divergences.md', () => {
  const document = readFileSync(packagePath('docs', 'divergences.md'), 'utf8')
  for (const { id } of OPS_EXCLUSIONS) expect(document).toContain(`| \`${id}\` |`)
})

/** Of errors only that of a blend has contents to compare: `DRBXBlenderError found=DRB3 expected=none`. */
function isSameMismatch({ row, ours }: Comparison): boolean {
  return (
    row.op !== 'blend' ||
    ours.status === 'ok' ||
    row.output.slice(row.output.indexOf(' ') + 1) === ours.message
  )
}

function shown({ row, ours }: Comparison) {
  const short = (text: string) => text.slice(0, 200)
  return {
    op: row.op,
    input: short(row.input),
    config: row.config,
    theirs: short(`${row.status} ${row.output}`),
    ours: ours.status === 'ok' ? short(ours.text) : `${ours.code}: ${short(ours.message)}`,
  }
}
