/** Which typing most callers say, and how agreement is counted and told. */
import { describe, expect, test } from 'vitest'
import {
  type ConsensusCounts,
  consensusLines,
  consensusRecord,
  countConsensus,
  findConsensus,
} from '../../src/table/output/consensus/consensus.ts'

/** `a=x b=y c` : callers with what they say; `c` cannot be read. */
function statementsOf(text: string) {
  return text
    .split(' ')
    .filter((one) => one !== '')
    .map((one) => {
      const [caller = '', typing] = one.split('=')
      return { caller, typing }
    })
}

type Said = ReturnType<typeof statementsOf>[number]

const isSame = (one: string, other: string) => one === other

/** A typing says all that it holds: `xy` says `x`. */
const holds = (one: string, other: string) => other.split('').every((part) => one.includes(part))

const namesOf = (said: readonly Said[]) => said.map(({ caller }) => caller).join(' ')

describe('the typing of most callers', () => {
  test.for([
    // callers, rule, who is written, who supports it, votes
    ['', 'majority', undefined, '', 0],
    ['a', 'majority', undefined, '', 0],
    ['a=x', 'majority', 'a', 'a', 1],
    ['a=x', 'all', 'a', 'a', 1],
    ['a=x b', 'all', 'a', 'a', 1],
    ['a=x b=x', 'majority', 'a', 'a b', 2],
    ['a=x b=y', 'majority', undefined, 'a', 2],
    ['a=x b=y c=y', 'majority', 'b', 'b c', 3],
    ['a=x b=y c=y', 'all', undefined, 'b c', 3],
    ['a=y b=y c=y', 'all', 'a', 'a b c', 3],
    ['a=x b=y c=y d=x', 'majority', undefined, 'a d', 4],
    ['a=x b=x c=y d=z', 'majority', undefined, 'a b', 4],
    ['a=x b=x c=x d=y e=z', 'majority', 'a', 'a b c', 5],
    ['a=x b=x c=y d=z e=u', 'majority', undefined, 'a b', 5],
    ['a b=x c=x', 'majority', 'b', 'b c', 2],
  ] as const)('of %j by %s is that of %s, said by %j of %d', ([text, rule, agreed, supporters, voters]) => {
    const found = findConsensus(statementsOf(text), rule, isSame)
    expect([found.agreed?.caller, namesOf(found.supporters), found.voters]).toEqual([
      agreed,
      supporters,
      voters,
    ])
  })

  test.for([
    // c says what a says, and what b says, which do not say the same: two of three each
    ['a=x b=y c=xy', undefined, 'a c'],
    ['a=x b=xy', 'a', 'a b'],
    ['a=xy b=x', 'b', 'a b'],
    // the same callers support both: the first is written
    ['a=xy b=yx', 'a', 'a b'],
  ] as const)('where one may say more than another, of %j it is that of %s', ([text, agreed, supporters]) => {
    const found = findConsensus(statementsOf(text), 'majority', holds)
    expect([found.agreed?.caller, namesOf(found.supporters)]).toEqual([agreed, supporters])
  })
})

describe('agreement', () => {
  function countsOf(loci: Readonly<Record<string, readonly string[]>>): ConsensusCounts {
    const counts: ConsensusCounts = new Map()
    for (const [locus, persons] of Object.entries(loci))
      for (const text of persons) {
        const said = statementsOf(text)
        countConsensus(counts, locus, said, findConsensus(said, 'majority', isSame))
      }
    return counts
  }

  test('is counted by locus and caller', () => {
    const counts = countsOf({
      A: [
        'a=x b=x c=x',
        'a=x b=x c=x',
        'a=x b=x c=y',
        'a=x b=y',
        'a=x b=y c=z',
        'a=x b=y c',
        'a=x',
        'b=x c',
        'a b c',
        '',
      ],
      B: ['a=x', ''],
      C: [''],
      DRB1: ['c'],
    })
    const a = { compared: 6, agree: 3, failed: 1 }
    const b = { compared: 6, agree: 3, failed: 1 }
    const c = { compared: 4, agree: 2, failed: 3 }
    const none = { persons: 0, all: 0, most: 0, none: 0, single: 0 }
    expect(consensusRecord(counts)).toEqual({
      A: { persons: 8, all: 2, most: 1, none: 3, single: 2, callers: { a, b, c } },
      B: { ...none, persons: 1, single: 1, callers: { a: { compared: 0, agree: 0, failed: 0 } } },
      DRB1: { ...none, callers: { c: { compared: 0, agree: 0, failed: 1 } } },
    })
    expect(consensusLines(counts)).toEqual([
      'A: 8 persons, all agree 2, most 1, no majority 3, one caller 2; as written: a 3 of 6 (1 failed), b 3 of 6 (1 failed), c 2 of 4 (3 failed)',
      'B: 1 person, one caller 1',
      'DRB1: 0 persons; as written: c 0 of 0 (1 failed)',
    ])
  })

  test('is told with commas in large numbers', () => {
    const counts = countsOf({ A: [...Array(1200).fill('a=x b=x'), ...Array(1001).fill('a=x b')] as string[] }) // prettier-ignore
    expect(consensusLines(counts)).toEqual([
      'A: 2,201 persons, all agree 1,200, one caller 1,001; as written: a 1,200 of 1,200, b 1,200 of 1,200 (1,001 failed)',
    ])
  })
})
