/** The seventh column of rel_dna_ser.txt, published since 3.64.0. */
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../../src/engine/engine.ts'
import { DEFAULT_OPTIONS } from '../../../src/engine/options.ts'
import type { Method } from '../../../src/engine/reduce/methods.ts'
import { redux } from '../../../src/engine/redux.ts'
import { validateGlString } from '../../../src/engine/validate/validate.ts'
import { compileHats } from '../../../src/reference/compile/hats.ts'
import { encodeRelease } from '../../../src/reference/compile/encode.ts'
import { readRelease } from '../../../src/reference/release.ts'
import { parseDnaSerology } from '../../../src/reference/sources/dna-serology.ts'
import { errorOf } from '../../support/errors.ts'
import { compileTexts } from '../../support/small-release.ts'

const NAMES = [
  'A*01:01:01:01',
  'A*01:01:01:02N',
  'A*01:01:02',
  'B*44:450',
  'C*03:03:01:01',
  'DRB1*15:01:01:01',
  'DQA1*05:01:01:01',
  'DPB1*04:01:01:01',
]
const ROWS = [
  'A*;01:01:01:01;1;;;;1',
  'A*;01:01:01:02N;0;;;;',
  'A*;01:01:02;1;;;;101',
  'B*;44:450;;;44;;4402',
  'C*;03:03:01:01;9;;;;9',
  'DRB1*;15:01:01:01;15;;;;15',
  'DQA1*;05:01:01:01;?;;;;5',
  'DPB1*;04:01:01:01;?;;;;DPB0401',
]
const table = compileHats(parseDnaSerology(ROWS.join('\n')))

test.for([
  ['A*01:01:01:01', 'A1'],
  ['A*01:01:01', 'A1'],
  ['A*01:01', 'A101'],
  ['A*01:01:01:02N', undefined],
  ['B*44:450', 'B4402'],
  ['C*03:03', 'Cw9'],
  ['DRB1*15:01', 'DR15'],
  ['DQA1*05:01', 'DQA5'],
  ['DPB1*04:01', 'DPB0401'],
] as const)('%s is %s: a short name takes the value of the last row below it', ([name, antigen]) => {
  expect(table.get(name)).toBe(antigen)
})

describe('a release with the column', () => {
  const texts = {
    alleleList: NAMES.map((name, at) => `HLA${at},${name}`).join('\n'),
    nomenclature: '',
    gGroups: 'A*;01:01:01:01/01:01:01:02N;01:01:01G',
    pGroups: 'A*;01:01:01:01/01:01:02;01:01P',
    serology: 'B;12;44/45;',
  }
  const releaseWith = (rows: readonly string[], serology = texts.serology) =>
    readRelease(encodeRelease(compileTexts({ ...texts, serology, dnaSerology: rows.join('\r\n') })))

  test('answers hats', () => {
    const release = releaseWith(ROWS)
    expect(release.facts.hasHats).toBe(true)
    const engine = makeEngine(release)
    expect(redux(engine, 'A*01:01:01:01+B*44:450', 'hats').text).toBe('A1+B4402')
    expect(redux(engine, 'HLA-C*03:03/C*03:03', 'hats').text).toBe('HLA-Cw9')
    expect(() => redux(engine, 'A*01:01:01:02N', 'hats')).toThrow(
      expect.objectContaining({ code: 'no-serology' }),
    )
  })

  test('knows the antigens that no allele carries, and no others of the column', () => {
    const named = [...ROWS, 'B*;07:02:01:01;;;7;;0736']
    const engine = makeEngine(releaseWith(named, 'A;2;;0201\nB;12;44/45;'))
    const refusal = (typing: string, method: Method) => errorOf(() => redux(engine, typing, method))?.code
    // no name is below it, and none is ever guessed
    for (const antigen of ['B4402', 'B0736', 'B736', 'A101']) {
      const own = antigen === 'B736' ? 'B0736' : antigen
      expect(redux(engine, antigen, 'S').text).toBe(own)
      for (const method of ['lgx', 'W', 'G', 'hats'] as const)
        expect(refusal(antigen, method)).toBe('no-alleles')
      expect(validateGlString(engine, antigen)).toMatchObject({ valid: true, problems: [] })
      for (const antigens of ['associated', 'split', 'broad'] as const) {
        const atLevel = makeEngine(engine.release, undefined, { ...DEFAULT_OPTIONS, antigens })
        expect(redux(atLevel, antigen, 'S').text).toBe(own)
      }
    }
    // for genes without published antigens, HATS antigens are answers but not accepted as input
    for (const name of ['DQA5', 'DPB0401', 'B4499']) expect(refusal(name, 'S')).toBe('unknown-antigen')
  })

  test('reads the other columns as before', () => {
    const engine = makeEngine(releaseWith(ROWS))
    expect(redux(engine, 'B*44:450+DRB1*15:01', 'S').text).toBe('B12/B44+DR15')
  })

  test('is told from one without it', () => {
    const release = releaseWith(ROWS.map((row) => row.split(';').slice(0, 6).join(';')))
    expect(release.facts.hasHats).toBe(false)
    expect(() => redux(makeEngine(release), 'A*01:01', 'hats')).toThrow(
      expect.objectContaining({ code: 'no-hats' }),
    )
  })
})
