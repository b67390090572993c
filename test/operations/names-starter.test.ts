/** Operations on names with the built-in starter set: the full answer, or an error that says which data to install. */
import { describe, expect, test } from 'vitest'
import { blendOperation } from '../../src/operations/questions/blend.ts'
import { cwdOperation } from '../../src/operations/questions/cwd.ts'
import { type Knowledge, makeKnowledge } from '../../src/operations/knowledge.ts'
import { macOperation } from '../../src/operations/questions/mac.ts'
import { similarOperation } from '../../src/operations/questions/similar.ts'
import { splitsOperation } from '../../src/operations/questions/splits.ts'
import { validateOperation } from '../../src/operations/questions/validate.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { errorOf } from '../support/errors.ts'

const OPERATIONS = {
  validate: (text: string, knowledge: Knowledge) =>
    validateOperation.toText(validateOperation.run({ gl_string: text }, knowledge)),
  mac: (text: string, knowledge: Knowledge) =>
    macOperation.toText(macOperation.run({ gl_string: text }, knowledge)),
  cwd: (text: string, knowledge: Knowledge) =>
    cwdOperation.toText(cwdOperation.run({ gl_string: text }, knowledge)),
  splits: (text: string, knowledge: Knowledge) =>
    splitsOperation.toText(splitsOperation.run({ allele: text }, knowledge)),
  similar: (text: string, knowledge: Knowledge) =>
    similarOperation.toText(similarOperation.run({ prefix: text }, knowledge)),
} as const

describe('operations on the starter set', () => {
  const starter = openStarter()
  const knowledge = makeKnowledge({ release: starter.release, mac: starter.mac })

  test.for([
    ['validate', 'A*01:01+A*02:01', 'valid'],
    ['validate', 'A*01:01+', 'malformed\tnothing after the last "+"'],
    ['mac', 'A*01:AB', 'A*01:01/A*01:02'],
    ['mac', 'A*01:02/A*01:01', 'A*01:AB'],
    ['cwd', 'A*01:01/A*01:02/A*99:99', 'A*01:01/A*01:02\tA*01:AB'],
    ['splits', 'A*25', 'A*10\tA*25/A*26/A*34/A*66'],
  ] as const)('%s %s', ([operation, text, line]) => {
    expect(OPERATIONS[operation](text, knowledge)).toBe(line)
  })

  test.for([
    ['validate', 'A*01:01+A*99:99'],
    ['mac', 'A*01:ZZZZ'],
    ['mac', 'A*43:XX/A*43:01'],
    ['cwd', 'A*99:99:99'],
    ['splits', 'A25'],
    ['similar', 'A*01:0'],
  ] as const)('%s %s is not known', ([operation, text]) => {
    const error = errorOf(() => OPERATIONS[operation](text, knowledge))
    expect(['starter', 'no-mac']).toContain(error?.code)
  })

  test('a malformed text is malformed, whatever else it holds', () => {
    const answer = validateOperation.run({ gl_string: 'A*99:99+' }, knowledge)
    expect(answer).toMatchObject({ malformed: true, dataset: 'starter' })
    expect(answer.problems).toHaveLength(1)
  })

  test('all codes of a list cannot be given', () => {
    const all = () => macOperation.run({ gl_string: 'A*01:02/A*01:01', all_codes: true }, knowledge)
    expect(errorOf(all)?.code).toBe('starter')
  })

  test('warns that a code may be missing', () => {
    const answer = cwdOperation.run({ gl_string: 'A*01:01/A*02:01/A*03:01/A*11:01' }, knowledge)
    expect(answer).toMatchObject({ cwd_mac: '', notes: [{ level: 'warning', code: 'starter' }] })
  })

  test('a blend needs no release', () => {
    const input = { DRB1_SLUG: 'DRB1*03:01+DRB1*01:01', DRB3: 'DRB3*01:01', DRB4: '', DRB5: '' }
    expect(blendOperation.run(input, knowledge).DRBX_blend).toBe('DRB3*01:01')
  })

  test.each([
    [{ DRB3: 'DRB4*01:03', DRB4: 'DRB3*01:01' }, 'the DRB3 input takes typings of DRB3, not "DRB4*01:03"'],
    [{ DRB3: 'DRB3*01:01', DRB4: 'rubbish' }, 'the DRB4 input takes typings of DRB4, not "rubbish"'],
    [{ DRB3: 'DRB3*01:01+DRB5*01:01' }, 'the DRB3 input takes typings of DRB3, not "DRB5*01:01"'],
  ])('a blend of %o takes no other gene for the one asked about', (typings, message) => {
    const input = { DRB1_SLUG: 'DRB1*03:01+DRB1*04:01', ...typings }
    expect(errorOf(() => blendOperation.run(input, knowledge))).toMatchObject({ code: 'bad-syntax', message })
  })

  test.each([
    'DRB1*03:01+A*01:01',
    'A*01:01+DRB1*03:01',
    'DRB1*03:01+DRB3*01:01',
    'DRB1*03:01+',
    'DRB1*03:01',
    'DRB1*03:01+DRB1*04:01+DRB1*07:01',
  ])('a blend takes two typings of DRB1, and not %s', (genotype) => {
    const input = { DRB1_SLUG: genotype, DRB3: 'DRB3*01:01' }
    expect(errorOf(() => blendOperation.run(input, knowledge))).toMatchObject({
      code: 'bad-syntax',
      offending: genotype,
      position: [0, genotype.length],
    })
  })

  test('a blend takes typings with the prefix, and blanks about them', () => {
    const input = { DRB1_SLUG: 'DRB1*03:01+DRB1*01:01', DRB3: ' HLA-DRB3*01:01 ' }
    expect(blendOperation.run(input, knowledge).DRBX_blend).toBe(' HLA-DRB3*01:01 ')
  })
})
