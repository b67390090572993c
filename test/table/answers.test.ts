/**
 * A cell does not affect the answers of others: any content, and any release of a GL String Code, fails only the cell
 * itself.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  answerCell,
  type AnswerRequest,
  MAX_KEPT_LENGTH,
  makeAnswers,
} from '../../src/table/answers/answers.ts'
import { makeNameFacts } from '../../src/table/cells/name-facts.ts'
import { pastNames } from '../../src/table/cells/past-names.ts'
import type { PlannedGroup } from '../../src/table/plan/plan.ts'
import { makeTokens } from '../../src/table/cells/tokens.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { convertsCells } from '../../src/operations/operation.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { OPERATIONS } from '../../src/operations/registry.ts'
import { encodeHistory, readHistory } from '../../src/reference/history/history.ts'
import { readFixture, smallMacs, smallRelease } from '../support/small-release.ts'
import { atTheLimit } from '../support/at-the-limit.ts'
import { rounds } from '../support/rounds.ts'

const names = readFixture('small-release.tsv').map(({ allele = '' }) => allele)
const rows = names.map((name, at) => [`HLA${String(at).padStart(5, '0')}`, name] as [string, string])
const history = readHistory(encodeHistory([{ release: '3.57.0', rows }, { release: '3.58.0', rows }], [])) // prettier-ignore

const facts = makeNameFacts(smallRelease())
const group = (locus: string | undefined): PlannedGroup => ({
  subject: '',
  locus,
  columns: [0],
  context: { locus, digits: 'error', tokens: makeTokens({}), accept: [], facts },
  contextKey: '',
  hasDigits: false,
  values: [],
  faults: [],
  tokensSeen: [],
  words: [],
})

const COMPLETE = makeKnowledge({ release: smallRelease(), mac: smallMacs(), history: () => history })
/** Installed without the MAC list and without the names of other releases. */
const BARE = makeKnowledge({ release: smallRelease() })

const operations = OPERATIONS.filter(convertsCells)
const WIDEST = 3

function requestFor(operation: (typeof operations)[number], knowledge = COMPLETE, input = {}): AnswerRequest {
  const inputs = [input]
  return { executor: localExecutor(knowledge), operation, inputs, width: WIDEST, release: '3.58.0' }
}

const CODES = [
  'hla#2018-06#A*01:01',
  'hla#3.66.0#A*01:01',
  'hla#9999#A*01:01',
  'hla#LGX#A*01:01',
  'hla#active#A*01:01',
  'hla#__proto__#A*01:01',
  'hla#../../x#A*01:01',
  'hla# #A*01:01',
  'kir#2.7#KIR2DL1*001',
]

/** lift looks up the names of other releases for every cell: without them no table starts. */
const bareFor = ({ name }: (typeof operations)[number]) => (name === 'lift' ? COMPLETE : BARE)

describe.each(operations.map((operation) => [operation.name, operation] as const))('%s', (_, operation) => {
  test.for(CODES)('fails the cell %s alone', (cell) => {
    for (const knowledge of [COMPLETE, bareFor(operation)]) {
      const answer = answerCell(cell, group(undefined), requestFor(operation, knowledge))
      expect(answer).toMatchObject({ status: 'error', error: { name: 'HlaError' } })
      // an unknown release has no results
      if (answer.error?.code === 'unknown-release') expect(answer.results.join('')).toBe('')
    }
  })

  test.skipIf(operation.name === 'lift')(
    'without a list of codes a code fails, and other cells are answered',
    () => {
      const request = requestFor(operation, BARE)
      const answers = ['A*01:AB', 'hla#3.57.0#A*01:01'].map((cell) =>
        answerCell(cell, group(undefined), request),
      )
      for (const { status, error } of answers) expect([status, error?.code]).toEqual(['error', 'no-data'])
      expect(answerCell('A*01:01', group(undefined), request).status).toBe('ok')
    },
  )

  test('whatever a cell holds ends no table', () => {
    const unit = fc.constantFrom('A', 'B', '*', '0', '1', '2', ':', '/', '+', '^', '|', '~', '#', 'hla#', '3.57.0', 'XX', 'AB', 'N', 'G', 'P', 'g', 'HLA-', ' ', '\u00e9', 'A*01:01', 'DRB1', '__proto__', 'constructor') // prettier-ignore
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 12 }),
        fc.constantFrom(undefined, 'A', 'DRB1'),
        fc.constantFrom(COMPLETE, bareFor(operation)),
        (cell, locus, knowledge) => {
          const { status, error } = answerCell(cell, group(locus), requestFor(operation, knowledge))
          expect(status === 'error').toBe(error !== undefined)
        },
      ),
      { numRuns: rounds(2000) },
    )
  })
})

test('what every cell would say ends the table', () => {
  const [redux] = operations.filter(({ name }) => name === 'redux')
  if (redux === undefined) throw new Error('redux converts cells')
  for (const [cell, input, code] of [
    ['A*01:01', { reduction_method: 'hats' }, 'no-hats'],
    ['A*01:AB', { reduction_method: 'hats' }, 'no-hats'],
    ['A*01:01', { from: '2018-06' }, 'unknown-release'],
    ['A*01:01', { options: { limit: -1 } }, 'bad-request'],
  ] as const) {
    const request = requestFor(redux, COMPLETE, input)
    expect(() => answerCell(cell, group(undefined), request)).toThrow(expect.objectContaining({ code }))
  }
})

describe('answers that are kept', () => {
  const { operation } = { operation: operations.find(({ name }) => name === 'redux') }
  const asked = (texts: readonly string[], threads?: number) => {
    if (operation === undefined) throw new Error('there is no redux')
    const answers = makeAnswers(requestFor(operation), threads)
    for (const text of texts) answers.of(text, group('A'))
    return answers.distinct()
  }
  const [longest, tooLong] = atTheLimit((size) => 'A*01:01/'.repeat(1000).slice(0, size), MAX_KEPT_LENGTH)

  test.for([
    ['are counted once', ['A*01:01', 'A*02:01', 'A*01:01'], { count: 2, isExact: true }],
    ['are as long as may be', [longest, longest], { count: 1, isExact: true }],
    ['are not longer: those are asked again', [tooLong, tooLong], { count: 2, isExact: false }],
  ] as const)('%s', ([, texts, expected]) => {
    expect(asked(texts)).toEqual(expected)
  })

  test('make room for others, and then their number is not exact', () => {
    // the cache is divided among so many threads that each has room for only one
    expect(asked(['A*01:01', 'A*02:01', 'A*01:01'], 8 * 1024 * 1024)).toEqual({ count: 3, isExact: false })
    expect(asked(['A*01:01', 'A*01:01'], 8 * 1024 * 1024)).toEqual({ count: 1, isExact: true })
  })
})

describe('a release that a file states', () => {
  const known = (...releases: readonly string[]) => {
    const lists = releases.map((release) => ({ release, rows }))
    const all = readHistory(encodeHistory(lists, []))
    return pastNames({ release: smallRelease(), history: () => all })
  }

  test.for([
    ['3.57.0', true],
    ['3.58.0', true],
    ['3.59.0', false],
    ['3.56.0', false],
    ['3.57.0.0', false],
  ] as const)('%s is translated from: %s', ([release, isKnown]) => {
    expect(known('3.57.0', '3.58.0', '3.59.0').isKnown(release)).toBe(isKnown)
  })

  test('is not translated from where the history lacks ours, or there is none', () => {
    expect(known('3.57.0').isKnown('3.57.0')).toBe(false)
    expect(pastNames({ release: smallRelease(), history: () => undefined }).isKnown('3.57.0')).toBe(false)
  })
})
