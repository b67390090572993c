/** The search for suggestions is limited for each table and batch, and the limit is reported once. */
import { expect, test } from 'vitest'
import { type AdviceBudget, makeKnowledge, withBudget } from '../../src/operations/knowledge.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { errorOf } from '../support/errors.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

test('after the last advice the errors stay, without suggestions', () => {
  const advice: AdviceBudget = { left: 1, refused: 0 }
  const knowledge = makeKnowledge({ release: smallRelease(), mac: smallMacs() })
  const { execute } = localExecutor(withBudget(knowledge, advice))
  const ask = () => errorOf(() => execute('redux', { gl_string: 'A*01:22', reduction_method: 'lgx' }))
  expect(ask()).toMatchObject({ code: 'missing-suffix', suggestions: ['A*01:22N'] })
  const said = 'suggestions were made only for the first 10,000 unknown names'
  expect(ask()).toMatchObject({ code: 'unknown-allele', suggestions: [], hint: said })
  expect(ask()).toMatchObject({ code: 'unknown-allele', suggestions: [], hint: undefined })
  expect(advice).toEqual({ left: 0, refused: 2 })
})
