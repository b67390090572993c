/** The DRBX answer for a DRB1 genotype. */
import { describe, expect, test } from 'vitest'
import { blendDrbx, carriedGenes, findMisfits } from '../../src/engine/blend.ts'
import { errorOf } from '../support/errors.ts'

function blend(...[drb1 = '', DRB3 = '', DRB4 = '', DRB5 = '']: readonly string[]) {
  return blendDrbx(drb1, { DRB3, DRB4, DRB5 })
}

describe('blendDrbx', () => {
  test.for([
    [['HLA-DRB1*03:01+DRB1*04:01', 'DRB3*01:01', 'DRB4*01:03'], 'DRB3*01:01+DRB4*01:03'],
    [['DRB1*03:01+DRB1*01:01', 'DRB3*01:01+DRB3*01:01'], 'DRB3*01:01'],
    [['DRB1*04:01+DRB1*09:01', '', 'DRB4*01:03+DRB4*01:01'], 'DRB4*01:03+DRB4*01:01'],
    [['DRB1*03:01+DRB1*15:01', 'DRB3*01:01', '', 'DRB5*01:01'], 'DRB3*01:01+DRB5*01:01'],
    [['DRB1*15:01+DRB1*03:01', 'DRB3*01:01', '', ''], 'DRB3*01:01'], // a missing expected gene is not an error
    [['DRB1*01:01+DRB1*08:01'], ''],
    [['DRB1*03:01', 'DRB3*01:01'], ''],
    [['DRB1*03:01+DR4', 'DRB3*01:01'], ''],
    [['DRB1*03/DRB1*13+DRB1*15', 'DRB3*01:01', '', 'DRB5*01:01'], 'DRB3*01:01+DRB5*01:01'],
    [['DRB1*03:01+DRB1*01:01', 'a+b+c'], 'a+b+c'],
    [['DRB1*03:01+DRB1*04:01', 'a+b+c', 'DRB4*01:03'], 'DRB4*01:03'],
  ] as const)('%j is %s', ([input, expected]) => {
    expect(blend(...input).text).toBe(expected)
  })

  test.for([
    [['DRB1*01:01+DRB1*08:01', 'DRB3*01:01'], 'DRB3', 'none'],
    [['DRB1*03:01+DRB1*01:01', 'DRB3*01:01+DRB3*02:02'], 'DRB3 het', 'hom'],
    [['DRB1*03:01+DRB1*04:01', 'DRB3*01:01+DRB3*02:02', 'DRB4*01:03'], 'DRB3 het', 'hom'],
    [['DRB1*03:01+DRB1*04:01', 'DRB3*01:01+DRB3*02:02', '', 'DRB5*01:01'], 'DRB5', 'none'],
  ] as const)('%j does not fit', ([input, found, expected]) => {
    expect(errorOf(() => blend(...input))).toMatchObject({
      code: 'blend-mismatch',
      facts: { found, expected },
    })
  })

  test('says what was expected', () => {
    const error = errorOf(() => blend('DRB1*03:01+DRB1*04:01', 'DRB3*01:01+DRB3*02:02', 'DRB4*01:03'))
    expect(error?.message).toBe('DRB3 het where hom is expected')
    expect(error?.hint).toBe('DRB1*03 carries DRB3, DRB1*04 carries DRB4: at most one DRB3 allele')
  })

  test('warns about what it leaves out', () => {
    expect(blend('DRB1*03:01+DRB1*04:01', 'a+b+c').notes).toMatchObject([{ code: 'three-copies' }])
    expect(blend('DRB1*03:01', 'DRB3*01:01').notes).toMatchObject([{ code: 'untyped' }])
  })
})

describe('findMisfits', () => {
  test.for([
    ['DRB1*03:01+DRB1*04:01', { DRB3: 'DRB3*01:01', DRB4: '', DRB5: '' }, []],
    ['DRB1*03:01', { DRB3: 'DRB3*01:01', DRB4: 'DRB4*01:03', DRB5: '' }, []],
    ['DRB1*01:01+DRB1*08:01', { DRB3: 'DRB3*01:01', DRB4: '', DRB5: 'DRB5*01:01' }, ['DRB3', 'DRB5']],
    ['DRB1*03:01+DRB1*04:01', { DRB3: 'a+b', DRB4: 'c+d', DRB5: 'e' }, ['DRB5', 'DRB3', 'DRB4']],
  ] as const)('%s %j', ([drb1, typings, genes]) => {
    expect(findMisfits(drb1, typings).map(({ gene }) => gene)).toEqual(genes)
  })
})

describe('carriedGenes', () => {
  test.for([
    ['DRB1*03:01+HLA-DRB1*04:01', ['DRB3', 'DRB4']],
    ['DRB1*01:01+DRB1*15', [undefined, 'DRB5']],
    ['DRB1*03:01/DRB1*13:02+DRB1*01:01/DRB1*08:01', ['DRB3', undefined]],
    ['DRB1*03:01/DRB1*04:01+DRB1*01:01', undefined],
    ['DRB1*03:01/DRB1*01:01+DRB1*01:01', undefined],
    ['DR17+DR4', undefined],
    ['DR17/DRB1*03:01+DRB1*04:01', undefined],
    ['DRB1*03:01', undefined],
    ['DRB1*03:01+DRB1*04:01+DRB1*04:01', undefined],
    ['', undefined],
  ] as const)('%s carries %j', ([drb1, expected]) => {
    expect(carriedGenes(drb1)).toEqual(expected)
  })
})
