/** Every recorded py-ard answer other than redux: equal to ours, or both computed from the published files. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { packagePath } from '../../src/package-root.ts'
import { readDeviations } from '../support/corpus.ts'
import { IS_LONG } from '../support/rounds.ts'
import { hasShared } from '../support/shared.ts'
import { KINDS, sampledQuestions, RELEASES, shown } from './corpus-rows.ts'
import { answersOf } from './engines.ts'
import { judge } from './judge.ts'
import { OPS } from './ops-answers.ts'
import { DEVIATIONS, isMisdeclared, reasonsFor, SPLIT_REASONS } from './reasons.ts'

/** `operation reason` of every declared difference. */
const DECLARED = Object.keys(OPS).flatMap((op) =>
  reasonsFor(op).flatMap((habit) =>
    (SPLIT_REASONS[`${op} ${habit}`] ?? [habit]).map((reason) => `${op} ${reason}`),
  ),
)

describe.skipIf(!hasShared)('operations beside py-ard 2.3.1', () => {
  const used = new Set<string>()
  const asked = new Set<string>()

  describe.for(RELEASES)('release %s', (release) => {
    test.for(KINDS)('%s', (kind) => {
      const wrong: unknown[] = []
      const declared = readDeviations(release)
      for (const question of sampledQuestions(release, kind, (op) => op !== 'redux')) {
        asked.add(question.row.op)
        const given = answersOf(question)
        const { reasons, faults } = judge(question, given)
        for (const reason of reasons) used.add(`${question.row.op} ${reason}`)
        if (faults.length > 0) wrong.push(shown(question, given, faults))
        if (isMisdeclared(question.row, declared, reasons))
          wrong.push({ reasons, ...shown(question, given, []) })
      }
      expect(wrong).toEqual([])
    })
  })

  test('are all asked', () => {
    expect([...asked].sort()).toEqual(Object.keys(OPS).sort())
  })

  test.runIf(IS_LONG)('have no reason that nothing needs', () => {
    expect([...used].sort()).toEqual(DECLARED.sort())
  })
})

test('every reason has a row in docs/divergences.md', () => {
  const document = readFileSync(packagePath('docs', 'divergences.md'), 'utf8')
  const reasons = [
    ...reasonsFor('redux'),
    ...DECLARED.map((one) => one.split(' ')[1] ?? ''),
    ...Object.values(DEVIATIONS).flat(),
  ]
  for (const id of new Set(reasons)) expect(document).toContain(`| \`${id}\` |`)
})
