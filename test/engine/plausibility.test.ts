/**
 * Warnings on genotypes that are unlikely to be of one person, against a second implementation of the published rule.
 */
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import { validateGlString } from '../../src/engine/validate/validate.ts'
import { realRelease } from '../support/releases.ts'
import { DRB1, expectedCodes, OTHERS } from '../support/independent/plausibility.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { hasShared } from '../support/shared.ts'

const CODES = ['three-copies', 'drb1-mismatch']

describe.skipIf(!hasShared)('warnings on genotypes', () => {
  const engine = hasShared ? makeEngine(realRelease('3580')) : undefined
  const codesOf = (text: string, options?: { plausibility: boolean }): string[] => {
    if (engine === undefined) return []
    const { warnings } = validateGlString(engine, text, 'strict', options)
    return warnings.map(({ code }) => code).filter((code) => CODES.includes(code)).sort() // prettier-ignore
  }

  test.for([
    ['DRB1*03:01+DRB1*15:01^DRB3*01:01^DRB5*01:01', []],
    ['DRB1*03:01+DRB1*15:01^DRB4*01:03', ['drb1-mismatch']],
    ['DRB1*01:01+DRB1*08:01^DRB3*01:01', ['drb1-mismatch']],
    ['DRB1*03:01+DRB1*01:01^DRB3*01:01+DRB3*02:02', ['drb1-mismatch']],
    // a repeated name is one copy
    ['DRB1*03:01+DRB1*01:01^DRB3*01:01+DRB3*01:01', []],
    ['DRB1*15:01~DRB5*01:01+DRB1*04:01~DRB4*01:03', []],
    ['DRB1*15:01~DRB4*01:03+DRB1*01:01', ['drb1-mismatch']],
    // DRB1 is ambiguous
    ['DRB1*03:01^DRB4*01:03', []],
    ['DRB1*03:01/DRB1*04:01+DRB1*01:01^DRB5*01:01', []],
    ['DRB1*03:01+DRB1*01:01|DRB1*04:01+DRB1*01:01^DRB3*01:01', []],
    ['DRB1*04:01+DRB1*01:01|DRB1*03:01+DRB1*01:01^DRB3*01:01', []],
    ['DR17+DR1^DRB4*01:03', []],
    // other spellings of a name
    ['HLA-DRB1*0301+HLA-DRB1*0101^HLA-DRB3*01:01', []],
    ['DRB1*0301+DRB1*0101^DRB4*01:03', ['drb1-mismatch']],
    // the same copy in two spellings
    ['DRB1*03:01+DRB1*01:01^DRB3*0101+HLA-DRB3*01:01', []],
    ['DRB1*03:XX+DRB1*01:XX^DRB4*01:03', ['drb1-mismatch']],
    ['DRB1*03:01+DRB1*01:01^DRB4*NNNN', []],
    ['A*01:01+A*02:01^A*03:01', ['three-copies']],
    ['A*01:01+A*02:01|A*01:02+A*02:06^A*03:01', ['three-copies']],
    ['A*01:01+A*02:01+A*03:01', ['three-copies']],
    ['DRB3*01:01^DRB4*01:03+DRB4*01:01', ['three-copies']],
    ['DRB3*01:01+DRB3*01:01^DRB4*01:03+DRB4*01:03', []],
    ['A*01:01+A*02:01^B*07:02+B*08:01', []],
  ] as const)('%s: %j', ([text, expected]) => {
    expect(codesOf(text)).toEqual(expected)
    expect(codesOf(text, { plausibility: false })).toEqual([])
  })

  test('of 10,000 random genotypes as a second implementation has them', () => {
    const random = randomNumbers(46)
    const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const others: string[] = []
    for (let round = 0; round < 10_000; round += 1) {
      const drb1 = [any(DRB1), any(DRB1)]
      const typed = Object.keys(OTHERS).flatMap((gene) => {
        const count = Math.floor(random() * 4)
        return count === 0 ? [] : [Array.from({ length: count }, () => any(OTHERS[gene] ?? []))]
      })
      const text = [drb1, ...typed].map((copies) => copies.join('+')).sort(() => random() - 0.5).join('^') // prettier-ignore
      const [found, expected] = [codesOf(text).join(' '), expectedCodes(drb1, typed).join(' ')]
      if (found !== expected) others.push(`${text}: ${found}, not ${expected}`)
    }
    expect(others).toEqual([])
  })
})
