/** Reductions on a small release: the table in test/fixtures/redux.tsv, notes, limits. */
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import { DEFAULT_OPTIONS } from '../../src/engine/options.ts'
import { type Method, parseMethod } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { validateGlString } from '../../src/engine/validate/validate.ts'
import { answerOf, refusalOf } from '../support/reductions.ts'
import { readFixture, smallMacs, smallRelease } from '../support/small-release.ts'

const ROWS = readFixture('redux.tsv').map(({ method = '', given = '', expected = '' }) => ({
  method: parseMethod(method),
  given,
  expected,
}))
const small = makeEngine(smallRelease(), smallMacs())

describe('the small release', () => {
  test.for(ROWS)('$method of "$given" is $expected', ({ method, given, expected }) => {
    expect(answerOf(small, given, method)).toBe(expected)
  })
})

describe('parts of a result', () => {
  test.for([
    // a genotype keeps both copies, and a haplotype its order too
    ['A*01:01+A*01:01', 'A*01:01+A*01:01'],
    ['A*02:01+A*01:01', 'A*01:01+A*02:01'],
    ['B*07:02~A*01:01', 'B*07:02~A*01:01'],
    ['A*01:01~A*01:01', 'A*01:01~A*01:01'],
    ['A*02:01/A*01:01/A*02:01', 'A*01:01/A*02:01'],
    ['A*02:01+A*01:01|A*01:01+A*02:01', 'A*01:01+A*02:01'],
    ['B*07:02^A*01:01', 'A*01:01^B*07:02'],
    ['A*01:01^A*01:01', 'A*01:01'],
    ['A*02:01?A*01:01', 'A*01:01?A*02:01'],
    ['A*01:01?A*01:01', 'A*01:01'],
    // of two that differ in HLA- only, the one with more of it stays, in lists only
    ['HLA-A*01:01/A*01:01', 'HLA-A*01:01'],
    ['A*01:01/HLA-A*01:01', 'HLA-A*01:01'],
    ['HLA-A*01:01|A*01:01', 'HLA-A*01:01'],
    ['HLA-A*01:01^A*01:01', 'HLA-A*01:01'],
    ['HLA-A*01:01+A*01:01', 'A*01:01+HLA-A*01:01'],
    ['A*01:01~HLA-A*01:01', 'A*01:01~HLA-A*01:01'],
    ['A*01:01+A*02:01|HLA-A*01:01+HLA-A*02:01', 'HLA-A*01:01+HLA-A*02:01'],
    ['HLA-A*01:01+A*02:01|A*01:01+HLA-A*02:01', 'A*01:01+HLA-A*02:01'],
    ['A*01:01+HLA-A*02:01|HLA-A*01:01+A*02:01', 'A*01:01+HLA-A*02:01'],
  ] as const)('%s is %s', ([given, expected]) => {
    expect(redux(small, given, 'lgx').text).toBe(expected)
  })
})

describe('redux', () => {
  test.for([
    ['S', 'A*01:01~B*13:07N', 'warning', 'no-serology', [8, 16]],
    ['S', 'HLA-A*01:01+HLA-A*01:04N', 'warning', 'no-serology', [12, 24]],
    ['lgx', 'A*02:01+A*01:22N', 'note', 'expression-lost', [8, 16]],
    ['lgx', 'A*02:01+A*01:04N', 'note', 'expression-lost', [8, 16]],
    ['lgx', 'A*01:01^MICA*002:01', 'detail', 'no-groups', [8, 19]],
    ['lgx', 'A*01:01^MICA*002:AB', 'detail', 'no-groups', [8, 19]],
    ['G', 'A*01:01^MICA*002:XX', 'detail', 'no-groups', [8, 19]],
    ['1F', 'A*01:01^C*10:XX', 'note', 'c10', [8, 15]],
    ['lgx', 'A*02:01+A*01:01:999', 'note', 'unlisted-fields', [8, 19]],
    ['G', 'A*02:01+HLA-A*01:01:99:99', 'note', 'unlisted-fields', [8, 25]],
  ] as const)('%s of %s says a %s %s', ([method, given, level, code, position]) => {
    expect(redux(small, given, method).notes).toEqual([expect.objectContaining({ level, code, position })])
  })

  test.for([
    ['A*01:01:999', 'lgx', 'it is read by its first two fields, A*01:01'],
    ['A*01:01:999', 'lg', 'it is read by its first two fields, A*01:01'],
    ['A*01:01:999', 'U2', 'it is read by its first two fields, A*01:01'],
    ['A*01:01:999', '1F', 'it is read by its first two fields, A*01:01'],
    ['A*01:01:999', 'G', 'its first two fields, A*01:01, are, but method G leaves it unchanged'],
    ['A*01:01:999', 'P', 'its first two fields, A*01:01, are, but method P leaves it unchanged'],
    ['A*01:01:01:999', 'W', 'its first two fields, A*01:01, are, but method W leaves it unchanged'],
    ['A*01:01:01:999', 'exon', 'its first two fields, A*01:01, are, but method exon leaves it unchanged'],
  ] as const)('%s is not listed: by %s %s', ([given, method, reading]) => {
    const { notes } = redux(small, given, method)
    expect(notes.map(({ message }) => message)).toEqual([`${given} is not listed in 3.58.0; ${reading}`])
  })

  test('an antigen is not known of what is not listed', () => {
    const message = 'A*01:01:999 has no known antigen: it is not listed in 3.58.0'
    expect(() => redux(small, 'A*01:01:999', 'S')).toThrow(message)
    const { text, notes } = redux(small, 'A*01:01:999+A*02:01', 'S')
    expect(text).toBe('A2')
    expect(notes).toEqual([expect.objectContaining({ level: 'warning', code: 'no-serology', message })])
  })

  test('a letter that is lost is said of what is not listed, too', () => {
    const { notes } = redux(small, 'A*01:01:01:999N', 'lgx')
    expect(notes.map(({ code }) => code)).toEqual(['unlisted-fields', 'expression-lost'])
  })

  test.for(['A*01:01', 'A*01:01:01', 'A*01:01:01G', 'A*01:01P', 'A*01:04N', 'A*01:AB'])(
    'finds nothing unlisted in %s',
    (given) => {
      expect(redux(small, given, 'lgx').notes.map(({ code }) => code)).not.toContain('unlisted-fields')
    },
  )

  test('says the same of a typing each time, where it stands', () => {
    const { notes } = redux(small, 'A*01:22N+A*01:22N', 'lgx')
    expect(notes.map(({ position }) => position)).toEqual([
      [0, 8],
      [9, 17],
    ])
  })

  test.for([
    ['A*01:01+', 'empty-part', [8, 8]],
    ['A*01:01/ A*01:02', 'bad-character', [8, 16]],
    ['A*01:01/A*01:\ud83d', 'bad-character', [13, 14]],
    ['A*01:01^B*07:02+B*99:99', 'unknown-allele', [16, 23]],
    ['A*02:01/HLA-A*01:XYZ', 'unknown-mac', [8, 20]],
    ['A*02:01/HLA-A*01XYZ', 'unknown-mac', [8, 19]],
    ['A*01:01+Dw1', 'no-alleles', [8, 11]],
  ] as const)('%s: %s at %s', ([given, code, position]) => {
    const found = code === 'no-alleles' ? redux(small, given, 'lgx').notes[0] : refusalOf(small, given, 'lgx')
    expect(found).toMatchObject({ code, position })
  })

  test('refuses inputs and answers over the limit', () => {
    const engine = makeEngine(smallRelease(), smallMacs(), { ...DEFAULT_OPTIONS, limit: 3 })
    expect(redux(engine, 'A*01:01/A*01:02/A*01:03', 'lgx').text).toBe('A*01:01/A*01:02/A*01:03')
    expect(refusalOf(engine, 'A*01:01/A*01:02/A*01:03/A*02:01', 'lgx').code).toBe('too-ambiguous')
    expect(refusalOf(engine, 'A*01:02P', 'W').code).toBe('too-ambiguous')
  })

  test.for([
    ['A*01:01:00', 'excel-artifact', ['A*01:01']],
    ['HLA-A*01:01:00', 'excel-artifact', ['A*01:01']],
    ['A*01:01:01:00', 'excel-artifact', ['A*01:01:01']],
    ['A*01:01:00:01', 'unknown-allele', []],
    ['A*01:00', 'unknown-allele', []],
  ] as const)('%s: %s, as no field is 0', ([given, code, suggestions]) => {
    for (const strict of [true, false]) {
      const engine = makeEngine(smallRelease(), smallMacs(), { ...DEFAULT_OPTIONS, strict })
      if (!strict && code === 'unknown-allele') continue
      expect(refusalOf(engine, given, 'W')).toMatchObject({ code, suggestions })
      expect(validateGlString(engine, given).problems[0]?.code).toBe(code)
    }
  })

  test('refuses codes without a list of codes', () => {
    expect(refusalOf(makeEngine(smallRelease()), 'A*01:AB', 'lgx').code).toBe('no-data')
    expect(redux(makeEngine(smallRelease()), 'A*43:XX', 'lgx').text).toBe('A*43:01/A*43:03')
  })
})

test('what is remembered of a name is counted: a list more than one name', () => {
  const held = (method: Method) => {
    const engine = makeEngine(smallRelease(), smallMacs())
    // its parts are known
    redux(engine, 'A*01:01', 'W')
    redux(engine, 'A*01:01', 'lgx')
    const { heldByNames } = engine.memory
    redux(engine, 'A*01:01:01', method)
    return engine.memory.heldByNames - heldByNames
  }
  expect(redux(small, 'A*01:01:01', 'lgx').text).toBe('A*01:01')
  expect(redux(small, 'A*01:01:01', 'W').text).toContain('/')
  expect(held('W')).toBeGreaterThan(held('lgx'))
})
