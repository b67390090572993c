/** Every recorded py-ard reduction: equal to ours, or both computed from the published files and the rules. */
import { describe, expect, test } from 'vitest'
import { KINDS_OF_REDUX, sampledQuestions, RELEASES, shown } from './corpus-rows.ts'
import { answersOf } from './engines.ts'
import { judge } from './judge.ts'
import { isMisdeclared, reasonsFor } from './reasons.ts'
import { readDeviations } from '../support/corpus.ts'
import { IS_LONG } from '../support/rounds.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared)('redux beside py-ard 2.3.1', () => {
  const used = new Set<string>()

  describe.for(RELEASES)('release %s', (release) => {
    test.for(KINDS_OF_REDUX)('%s', { timeout: 600_000 }, (kind) => {
      const wrong: unknown[] = []
      const declared = readDeviations(release)
      let compared = 0
      for (const question of sampledQuestions(release, kind, (op) => op === 'redux')) {
        compared += 1
        const given = answersOf(question)
        const { reasons, faults } = judge(question, given)
        for (const reason of reasons) used.add(reason)
        if (faults.length > 0) wrong.push(shown(question, given, faults))
        if (isMisdeclared(question.row, declared, reasons))
          wrong.push({ reasons, ...shown(question, given, []) })
      }
      expect(compared).toBeGreaterThan(IS_LONG ? 100 : 10)
      expect(wrong).toEqual([])
    })
  })

  test.runIf(IS_LONG)('has no reason that nothing needs', () => {
    expect([...used].sort()).toEqual([...reasonsFor('redux')].sort())
  })
})
