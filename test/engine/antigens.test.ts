/** Families of antigens, on release 3.58.0. */
import { describe, expect, test } from 'vitest'
import {
  answeredLevel,
  areRelated,
  atLevel,
  broadOf,
  findAntigen,
  isOf2026,
  listAntigenAlleles,
  narrowest,
  widerAntigens,
} from '../../src/engine/antigen-levels.ts'
import { findSplits, findXxCode } from '../../src/engine/antigens.ts'
import { makeEngine } from '../../src/engine/engine.ts'
import { type AntigenLevel, DEFAULT_OPTIONS } from '../../src/engine/options.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { macOperation } from '../../src/operations/questions/mac.ts'
import { splitsOperation } from '../../src/operations/questions/splits.ts'
import { encodeRelease } from '../../src/reference/compile/encode.ts'
import { readRelease } from '../../src/reference/release.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { errorOf } from '../support/errors.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { compileTexts, smallRelease, smallTexts } from '../support/small-release.ts'

describe.skipIf(!hasShared)('antigens', () => {
  const engine = () => makeEngine(realRelease('3580'))

  test.for([
    ['A10', 'A10', 'A25/A26/A34/A66'],
    ['A25', 'A10', 'A25/A26/A34/A66'],
    ['HLA-A25', 'HLA-A10', 'HLA-A25/HLA-A26/HLA-A34/HLA-A66'],
    ['A*10', 'A*10', 'A*25/A*26/A*34/A*66'],
    ['B14', 'B14', 'B64/B65'],
    ['B71', 'B70', 'B71/B72'],
    ['Cw9', 'Cw3', 'Cw9/Cw10'],
    ['C*03', 'C*10', 'C*03/C*04'],
  ] as const)('%s belongs to %s', ([name, broad, splits]) => {
    const found = findSplits(engine(), name)
    expect([found.broad, found.splits.join('/')]).toEqual([broad, splits])
  })

  test('names associated antigens, and what is known wrong about C*10', () => {
    expect(findSplits(engine(), 'A9').notes).toMatchObject([{ code: 'associated', offending: 'A24' }])
    expect(findSplits(engine(), 'A9').notes[0]?.message).toContain('A2403')
    expect(findSplits(engine(), 'C*04').notes).toMatchObject([{ code: 'c10' }])
  })

  test.for([
    ['A99', 'unknown-antigen', undefined],
    ['A*26:01', 'unknown-antigen', undefined],
    ['A1', 'unknown-antigen', undefined],
    ['A2', 'unknown-antigen', 'antigens associated with A2: A203, A210'],
    ['B2708', 'unknown-antigen', 'B2708 is associated with B27'],
    ['A10/A9', 'bad-character', undefined],
    ['', 'empty-part', undefined],
  ] as const)('%s has no family', ([name, code, hint]) => {
    expect(errorOf(() => findSplits(engine(), name))).toMatchObject({ code, hint })
  })

  test('answers with copies, never with the table itself', () => {
    const answer = splitsOperation.run({ allele: 'A10' }, makeKnowledge({ release: realRelease('3580') }))
    // the type is readonly, but untyped code may still change the answer
    ;(answer.splits as string[]).pop()
    expect(findSplits(engine(), 'A10').splits).toHaveLength(4)
    expect(splitsOperation.toText(answer)).toBe('A10\tA25/A26/A34')
  })

  test.for([
    ['B4005', 'B21', 'B4005'],
    ['A2403', 'A24', 'A2403'],
    ['A2', 'A2', 'A203/A210'],
    ['HLA-A210', 'HLA-A2', 'HLA-A203/HLA-A210'],
  ] as const)('%s is associated with %s', ([antigen, parent, all]) => {
    const { broad, splits, notes } = findSplits(engine(), antigen, true)
    expect([broad, splits.join('/'), notes]).toEqual([parent, all, []])
  })

  test.for(['A1', 'A9', 'A99', 'A*02', 'constructor1'])('%s is associated with none', (antigen) => {
    expect(errorOf(() => findSplits(engine(), antigen, true))?.code).toMatch(
      /^(?:unknown-antigen|bad-syntax)$/,
    )
  })

  test.for([
    ['B62', 'B*15:XX'],
    ['DR17', 'DRB1*03:XX'],
    ['B4005', 'B*21:XX'],
    ['Cw9', 'C*09:XX'],
    ['DR51', 'DRB1*51:XX'],
    ['HLA-A2', 'HLA-A*02:XX'],
  ] as const)('%s is written as %s', ([antigen, code]) => {
    expect(findXxCode(engine(), antigen)).toBe(code)
  })

  test('finds the XX code of an antigen beside those of lists, when XX codes are asked for', () => {
    const knowledge = makeKnowledge({ release: realRelease('3580'), mac: realMacs() })
    const ask = (gl_string: string, xx?: boolean) => macOperation.run({ gl_string, xx }, knowledge)
    expect(ask('B62', true)).toMatchObject({ mac: 'B*15:XX', direction: 'lookup' })
    expect(ask('B62', true).alleles).toEqual(ask('B*15:XX', true).alleles)
    expect(ask('B4005', true).mac).toBe('B*21:XX')
    expect(ask('Cw9', true)).toMatchObject({ mac: 'C*09:XX', alleles: [], notes: [{ code: 'no-alleles' }] })
    expect(macOperation.toText(ask('Cw9', true))).toBe('C*09:XX')
    expect(errorOf(() => ask('B62'))?.code).toBe('no-mac')
    expect(errorOf(() => ask('HLA-A99', true))).toMatchObject({ code: 'unknown-antigen', position: [0, 7] })
  })

  test('knows the antigens of the release only', () => {
    expect(errorOf(() => findXxCode(engine(), 'A99'))?.code).toBe('unknown-antigen')
  })
})

describe('levels of antigens: A2403 is associated with A24, which is a split of A9', () => {
  const release = smallRelease()
  const engineAt = (antigens: AntigenLevel) =>
    makeEngine(release, undefined, { ...DEFAULT_OPTIONS, antigens })

  test.for([
    ['A2403', ['A24', 'A9']],
    ['A24', ['A9']],
    ['A9', []],
    ['A1', []],
  ] as const)('%s belongs to %j', ([antigen, wider]) => {
    expect(widerAntigens(antigen, release)).toEqual(wider)
  })

  test('two are related when one belongs to the other', () => {
    expect(areRelated('A2403', 'A9', release)).toBe(true)
    expect(areRelated('A9', 'A2403', release)).toBe(true)
    expect(areRelated('A23', 'A24', release)).toBe(false)
  })

  test('the narrowest of several', () => {
    expect(narrowest(['A9', 'A2403', 'A24', 'A23', 'A1'], release)).toEqual(['A2403', 'A23', 'A1'])
    expect(narrowest(['A9', 'A1'], release)).toEqual(['A9', 'A1'])
  })

  test.for([
    ['A2403', ['A2403'], ['A24'], ['A9'], ['A24', 'A9']],
    ['A24', ['A24'], ['A24'], ['A9'], ['A24', 'A9']],
    ['A203', ['A203'], ['A2'], ['A2'], ['A2', 'A2']],
  ] as const)('%s at each level', ([antigen, associated, split, broad, both]) => {
    expect(atLevel(antigen, 'associated', release)).toEqual(associated)
    expect(atLevel(antigen, 'split', release)).toEqual(split)
    expect(atLevel(antigen, 'broad', release)).toEqual(broad)
    expect(atLevel(antigen, 'split-and-broad', release)).toEqual(both)
  })

  test.for([
    ['A203', 'A203'],
    ['A0203', 'A203'],
    ['A24(9)', 'A24'],
    ['A24(10)', undefined],
    // it is associated with A24, and not a split of it
    ['A2403(24)', undefined],
    ['A99(9)', undefined],
    ['A0999', undefined],
    ['A*24:02', undefined],
  ] as const)('%s is the antigen %s', ([name, antigen]) => {
    expect(findAntigen(name, release)).toBe(antigen)
  })

  test('a broad antigen is that of a split only', () => {
    expect(['A24', 'A2403', 'A9'].map((antigen) => broadOf(antigen, release))).toEqual(['A9', undefined, undefined]) // prettier-ignore
  })

  test('alleles: at a level those of associated antigens too', () => {
    const own = release.listOf('antigenAlleles', 'A24') ?? []
    expect(own).not.toContain('A*24:03:01:01')
    expect(listAntigenAlleles('A24', engineAt('usual'))).toEqual(own)
    expect(listAntigenAlleles('A24', engineAt('split'))).toEqual([...own, 'A*24:03:01:01'].sort())
    expect(listAntigenAlleles('A2403', engineAt('split'))).toEqual(['A*24:03:01:01'])
    expect(listAntigenAlleles('A99', engineAt('split'))).toEqual([])
  })

  test('the level of an answer is as asked; the release decides otherwise', () => {
    expect(answeredLevel(engineAt('usual'), 'A24')).toBeUndefined()
    expect(answeredLevel(engineAt('broad'), 'A24')).toBe('broad')
    const { release: starter } = openStarter()
    const ofStarter = makeEngine(starter, undefined, { ...DEFAULT_OPTIONS, antigens: 'broad' })
    expect(errorOf(() => answeredLevel(ofStarter, 'A24'))).toMatchObject({
      code: 'starter',
      offending: 'A24',
    })
    expect(answeredLevel(makeEngine(starter), 'A24')).toBeUndefined()
  })

  test('in the form of 2026, where some associated antigens have the new names', () => {
    const texts = smallTexts()
    const { serology } = texts
    const later = readRelease(
      encodeRelease(compileTexts({ ...texts, serology: serology.replace('A;2;;203/210', 'A;2;;0203/0210') })),
    )
    expect([isOf2026(release), isOf2026(later)]).toEqual([false, true])
    const engine = makeEngine(later)
    expect(answeredLevel(engine, 'A24')).toBe('split-and-broad')
    expect(
      listAntigenAlleles('A24', makeEngine(later, undefined, { ...DEFAULT_OPTIONS, antigens: 'split' })),
    ).toEqual(later.listOf('antigenAlleles', 'A24'))
  })
})
