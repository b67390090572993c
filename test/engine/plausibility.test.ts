/** Warnings on genotypes that hardly are of one person, against the published rule written a second time. */
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import { validateGlString } from '../../src/engine/validate/validate.ts'
import { realRelease } from '../support/releases.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { hasShared } from '../support/shared.ts'

const CODES = ['three-copies', 'drb1-mismatch']

/** DR52, DR53 and DR51 by the first field of DRB1 (Robinson et al. 2003; the antigens' associations in rel_ser_ser.txt). */
const BESIDE: Readonly<Record<string, string>> = {
  '03': 'DRB3', '11': 'DRB3', '12': 'DRB3', '13': 'DRB3', '14': 'DRB3',
  '04': 'DRB4', '07': 'DRB4', '09': 'DRB4',
  '15': 'DRB5', '16': 'DRB5',
} // prettier-ignore

const DRB1 = ['01', '03', '04', '07', '08', '09', '10', '11', '12', '13', '14', '15', '16'].map((field) => `DRB1*${field}:01`) // prettier-ignore
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  DRB3: ['DRB3*01:01', 'DRB3*02:02', 'DRB3*03:01'],
  DRB4: ['DRB4*01:01', 'DRB4*01:03'],
  DRB5: ['DRB5*01:01', 'DRB5*02:02'],
}

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
    // the same twice is one copy
    ['DRB1*03:01+DRB1*01:01^DRB3*01:01+DRB3*01:01', []],
    ['DRB1*15:01~DRB5*01:01+DRB1*04:01~DRB4*01:03', []],
    ['DRB1*15:01~DRB4*01:03+DRB1*01:01', ['drb1-mismatch']],
    // DRB1 is not decided
    ['DRB1*03:01^DRB4*01:03', []],
    ['DRB1*03:01/DRB1*04:01+DRB1*01:01^DRB5*01:01', []],
    ['DRB1*03:01+DRB1*01:01|DRB1*04:01+DRB1*01:01^DRB3*01:01', []],
    ['DR17+DR1^DRB4*01:03', []],
    // the other spellings of a name
    ['HLA-DRB1*0301+HLA-DRB1*0101^HLA-DRB3*01:01', []],
    ['DRB1*0301+DRB1*0101^DRB4*01:03', ['drb1-mismatch']],
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

/** A gene that no chromosome has beside its DRB1; two alleles of a gene that one has; three copies. */
function expectedCodes(drb1: readonly string[], typed: readonly (readonly string[])[]): string[] {
  const beside = drb1.map((name) => BESIDE[name.slice(5, 7)])
  const misfits = typed.filter(([first = '', ...others]) => {
    const chromosomes = beside.filter((gene) => gene === first.slice(0, 4)).length
    const alleles = new Set([first, ...others]).size
    return chromosomes === 0 || (chromosomes === 1 && alleles === 2)
  })
  const written = typed.flatMap((copies) => (copies.length > 2 ? ['three-copies'] : []))
  const all = typed.map((copies) => new Set(copies).size).reduce((sum, count) => sum + count, 0)
  const isSurplus = written.length === 0 && misfits.length === 0 && typed.length > 1 && all > 2
  return [...misfits.map(() => 'drb1-mismatch'), ...written, ...(isSurplus ? ['three-copies'] : [])].sort()
}
