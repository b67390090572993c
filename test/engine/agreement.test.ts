/** diff, validate and explain agree with redux: random typings of every installed release. */
import { describe, expect, test } from 'vitest'
import { diffReductions } from '../../src/engine/explain/diff.ts'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { explain } from '../../src/engine/explain/explain.ts'
import type { Method } from '../../src/engine/reduce/methods.ts'
import { CONTRACT_METHODS } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { validateGlString } from '../../src/engine/validate/validate.ts'
import { type ErrorCode, isHlaError } from '../../src/errors.ts'
import { NO_CITATIONS } from '../../src/reference/citations.ts'
import { historyOfToday, smallHistory } from '../support/history.ts'
import { randomTypings } from '../support/random-typings.ts'
import { realMacs, realRelease, releasesAtHand } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

const RELEASES = releasesAtHand()
/** Typings a release; 200,000 in all with HLA_LONG=1. */
const EACH = process.env['HLA_LONG'] === undefined ? 2500 : 50_000

/** The name is valid, but has no answer by this method. */
const NO_ANSWER: readonly ErrorCode[] = ['no-serology', 'no-alleles']

const history = hasShared ? historyOfToday() : smallHistory()

describe.skipIf(!hasShared).for(RELEASES)('random typings of %s', (compact) => {
  const seed = Number(compact)
  const engine = () => makeEngine(realRelease(compact), realMacs())

  test('diff says the same only of texts that are the same', () => {
    const later = RELEASES[RELEASES.indexOf(compact) + 1] ?? '3290'
    const releases = {
      from: engine(),
      to: makeEngine(realRelease(later), realMacs()),
      history,
    }
    const wrong = unlessHolds(engine(), seed, (typing, method) => {
      const { from, to, reasons } = diffReductions(releases, typing, method)
      return reasons.length > 0 || from.ard === to.ard
    })
    expect(wrong).toEqual([])
  })

  test('what is valid is what is reduced', () => {
    const wrong = unlessHolds(engine(), seed + 1, (typing, method) => {
      const { valid } = validateGlString(engine(), typing)
      return valid === (answerOf(engine(), typing, method) !== undefined)
    })
    expect(wrong).toEqual([])
  })

  test('the steps of explain end in the answer', () => {
    const wrong = unlessHolds(engine(), seed + 2, (typing, method) => {
      const answer = answerOf(engine(), typing, method) ?? ''
      if (answer === '') return true
      const { text, leaves } = explain(engine(), NO_CITATIONS, typing, method)
      return text === answer && leaves.every(({ result, steps }) => endsIn(steps.at(-1)?.text, result))
    })
    expect(wrong).toEqual([])
  })
})

/** Typings for which `holds` is false. */
function unlessHolds(
  engine: Engine,
  seed: number,
  holds: (typing: string, method: Method) => boolean,
): string[] {
  const next = randomTypings(engine.release, realMacs(), seed)
  const wrong: string[] = []
  for (let at = 0; at < EACH; at += 1) {
    const typing = next()
    const method = CONTRACT_METHODS[at % CONTRACT_METHODS.length] ?? 'lgx'
    if (!holds(typing, method)) wrong.push(`${method} ${typing}`)
  }
  return wrong
}

/** Empty if the method has no answer; undefined if the typing is refused. */
function answerOf(engine: Engine, typing: string, method: Method): string | undefined {
  try {
    return redux(engine, typing, method).text
  } catch (error) {
    if (!isHlaError(error)) throw error
    return NO_ANSWER.includes(error.code) ? '' : undefined
  }
}

/** Whether the last step names the first name of the answer, or says that nothing is left. */
function endsIn(step = '', result: string): boolean {
  const [first = ''] = result.split('/')
  return step.includes(first === '' ? 'nothing' : first)
}
