/** The seventh column of rel_dna_ser.txt, published from 3.64.0 on. */
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../../src/engine/engine.ts'
import { redux } from '../../../src/engine/redux.ts'
import { compileHats } from '../../../src/reference/compile/hats.ts'
import { encodeRelease } from '../../../src/reference/compile/encode.ts'
import { readRelease } from '../../../src/reference/release.ts'
import { parseDnaSerology } from '../../../src/reference/sources/dna-serology.ts'
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
    gGroups: 'A*;01:01:01:01/01:01:01:02N;01:01:01G',
    pGroups: 'A*;01:01:01:01/01:01:02;01:01P',
    serology: 'B;12;44/45;',
  }
  const releaseWith = (rows: readonly string[]) =>
    readRelease(encodeRelease(compileTexts({ ...texts, dnaSerology: rows.join('\r\n') })))

  test('answers hats', () => {
    const release = releaseWith(ROWS)
    expect(release.facts.hasHats).toBe(true)
    const engine = makeEngine(release)
    expect(redux(engine, 'A*01:01:01:01+B*44:450', 'hats').text).toBe('A1+B4402')
    expect(redux(engine, 'HLA-C*03:03/C*03:03', 'hats').text).toBe('Cw9/HLA-Cw9')
    expect(() => redux(engine, 'A*01:01:01:02N', 'hats')).toThrow(
      expect.objectContaining({ code: 'no-serology' }),
    )
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
