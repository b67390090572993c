/** Validation: every problem with its position, and warnings on valid texts, on release 3.58.0. */
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import { DEFAULT_OPTIONS } from '../../src/engine/options.ts'
import { METHOD_NAMES } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { findMixedLoci, findOddities } from '../../src/engine/validate/oddities.ts'
import { validateGlString, type ValidationLevel } from '../../src/engine/validate/validate.ts'
import { parseGlString } from '../../src/nomenclature/gl-string.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared)('validateGlString', () => {
  const engine = () => makeEngine(realRelease('3580'), realMacs())

  function problemsOf(text: string, level?: ValidationLevel): string[] {
    return validateGlString(engine(), text, level).problems.map(
      ({ code, offending, position }) => `${code} ${offending} ${position?.join('-')}`,
    )
  }

  test.for([
    ['A*01:01+A*99:99', ['unknown-allele A*99:99 8-15']],
    ['A*99:99+A*99:99', ['unknown-allele A*99:99 0-7', 'unknown-allele A*99:99 8-15']],
    ['HLA-A*01:01/HLA-ZZ*01:01', ['unknown-locus HLA-ZZ*01:01 12-24']],
    ['A*01:01+A*02:01^B*07:02/07:06+B*08:01^', ['bad-syntax 07:06 24-29', 'empty-part ^ 37-38']],
    ['', ['empty-part  0-0']],
    ['^A*01:01', ['empty-part ^ 0-1']],
    ['A*01:01++A*02:01', ['empty-part + 7-8']],
    // every leaf is checked, even after a malformed one
    ['A*01:01 /A*99:99', ['bad-character A*01:01  0-8', 'unknown-allele A*99:99 9-16']],
    ['A*04:AB', ['unknown-allele A*04:AB 0-7']],
    ['A*43:BLAH', ['unknown-mac A*43:BLAH 0-9']],
    ['A*43BLAH', ['unknown-mac A*43BLAH 0-8']],
    ['A*43:DHAV/A*01:AB', ['mac-empty-expansion A*43:DHAV 0-9']],
    ['MICA*167:HYPG', ['mac-empty-expansion MICA*167:HYPG 0-13']],
    ['FOO*01:AB', ['unknown-locus FOO*01:AB 0-9']],
    ['A*32:CFFGM', ['mac-invalid-group A*32:CFFGM 0-10']],
    ['A*01:XX:99', ['unknown-allele A*01:XX:99 0-10']],
    ['A99', ['unknown-antigen A99 0-3']],
    ['A*01:01:999', []], // a note says that it is not in the catalogue
    ['MICA*002:01', []],
    ['Bw4', []],
    ['A*0101', []],
  ] as const)('%s', ([text, expected]) => {
    expect(problemsOf(text)).toEqual(expected)
  })

  test.for([
    ['A*01:01:999', true],
    ['DQB1*05:03:26:99', true],
    ['A*02:01:999N', true],
    ['A*01:01+A*02:01:77:77', true],
    ['MICA*002:01:99', true],
    // in the catalogue
    ['A*01:01:01', false],
    ['B*07:02:01N', false],
    // names that are not public in a release, and groups, have other notes
    ['A*01:01:01G', false],
  ] as const)('%s is valid, and unlisted: %s', ([text, unlisted]) => {
    const validation = validateGlString(engine(), text)
    expect(validation).toMatchObject({ valid: true, unlisted })
    expect(validation.warnings.some(({ code }) => code === 'unlisted-fields')).toBe(unlisted)
  })

  test.for([
    // a letter of none of the names below it
    'A*02:01:01:01N',
    'A*02:01:01N',
    'A*02:01:01:01A',
    'A*01:04:01:01Q',
    'MICA*002:01N',
    // the letter of the only name with these fields is missing
    'A*01:01:01:02',
    'A*24:02:01:02',
    'B*44:02:01:02',
    'A*01:52:01',
    // a fifth field, and fields that are not numbers
    'A*01:01:01:01:01',
    'A*01:01:01:01:01N',
    'A*01:01:99:99:99',
    'A*01:01:FOO',
    'A*01:01:01g',
    'A*01:04N:01',
    // fields that no release could list
    'A*02:01:0101',
    'A*02:01:001',
    'A*02:01:0Q',
    'A*02:01:9',
    'A*02:01:1234567890123456789012',
    'MICA*008:01:001',
  ])('%s is contradicted by the release, and never read by its first two fields', (text) => {
    expect(validateGlString(engine(), text)).toMatchObject({
      valid: false,
      malformed: false,
      unlisted: false,
    })
    for (const method of METHOD_NAMES)
      expect(() => redux(engine(), text, method)).toThrow(`${text} is not in IPD-IMGT/HLA 3.58.0`)
  })

  test('letters that a method drops by definition stay as they are', () => {
    expect(redux(engine(), 'A*01:04N', 'lgx').text).toBe('A*01:01')
    expect(redux(engine(), 'A*01:04:01:01N', 'lgx').text).toBe('A*01:01')
  })

  test('short nulls stay names, also as answers', () => {
    const release = realRelease('3580')
    const shortNulls: string[] = []
    const answers = { exon: new Set<string>(), U2: new Set<string>() }
    for (let id = 0; id < release.size; id += 1) {
      const name = release.nameOf(id)
      if (release.listOf('shortNull', name) !== undefined) shortNulls.push(name)
      if (!release.is('who', name)) continue
      for (const method of ['exon', 'U2'] as const)
        for (const part of redux(engine(), name, method).text.split('/')) answers[method].add(part)
    }
    expect(shortNulls).toContain('B*07:02:01N')
    expect(shortNulls).toHaveLength(200)
    const wrong = shortNulls.filter((name) => {
      const { valid, unlisted, warnings } = validateGlString(engine(), name)
      return !valid || unlisted || warnings.length > 0
    })
    expect(wrong).toEqual([])
    const areAnswers = (method: 'exon' | 'U2') =>
      shortNulls.filter((name) => answers[method].has(name)).length
    expect([areAnswers('exon'), areAnswers('U2')]).toEqual([72, 101])
  })

  test.for([
    ['DRB3*NNNN', []],
    ['HLA-DRB3*NNNN', []],
    ['DRB1*01:01+DRB1*03:01^DRB3*NNNN+DRB3*01:01', []],
    ['ZZ*NNNN', ['unknown-locus ZZ*NNNN 0-7']],
    ['DRB3*NNN', ['unknown-allele DRB3*NNN 0-8']],
  ] as const)('what stands for an absent gene: %s', ([text, expected]) => {
    expect(problemsOf(text)).toEqual(expected)
    const codes = validateGlString(engine(), text).warnings.map(({ code }) => code)
    expect(codes).toEqual(expected.length === 0 ? ['absent-gene'] : [])
  })

  test.for([
    ['B*07:02/07:06', ['B*07:06']],
    ['HLA-B*07:02/*07:06', ['HLA-B*07:06']],
    // not a name of the release
    ['HLA-B*07:02/*07:06N', []],
    ['07:06', []],
    ['B*07:02/06', []],
  ] as const)('%s: the locus is that of the name before', ([text, suggestions]) => {
    expect(validateGlString(engine(), text).problems[0]?.suggestions).toEqual(suggestions)
  })

  test('exact asks for the third and fourth field too, grammar for none', () => {
    const exact = makeEngine(realRelease('3580'), realMacs(), { ...DEFAULT_OPTIONS, exact: true })
    for (const text of ['A*01:01:999', 'DQB1*05:03:26:99'])
      expect(validateGlString(exact, text).problems).toMatchObject([
        { code: 'unknown-allele', offending: text },
      ])
    expect(problemsOf('A*99:99', 'grammar')).toEqual([])
    expect(problemsOf('A*99:99+', 'grammar')).toEqual(['empty-part + 7-8'])
  })

  test('a kind that is switched off stays valid', () => {
    const off = makeEngine(realRelease('3580'), realMacs(), {
      ...DEFAULT_OPTIONS,
      off: ['serology', 'xx', 'mac'],
    })
    for (const text of ['A1', 'A*01:XX', 'A*01:AB']) expect(validateGlString(off, text).valid).toBe(true)
  })

  test('leniency adds a letter, and no more', () => {
    const lenient = makeEngine(realRelease('3580'), realMacs(), { ...DEFAULT_OPTIONS, strict: false })
    expect(validateGlString(lenient, 'A*24:329').valid).toBe(true)
    expect(validateGlString(lenient, 'A*99:99').valid).toBe(false)
  })

  test('more names than the limit are refused', () => {
    const small = makeEngine(realRelease('3580'), realMacs(), { ...DEFAULT_OPTIONS, limit: 2 })
    expect(() => validateGlString(small, 'A*01:01/A*01:02/A*01:03')).toThrow('the limit is 2')
  })

  test.for([
    ['A*01:01+A*01:01', []],
    ['A*01:01~B*08:01+A*02:01~B*07:02', []],
    ['DRB3*01:01+DRB4*01:03', []],
    ['DR52+DR53', []],
    ['A*01:01+A*02:01|B*07:02+B*08:01', ['mixed-loci 0-31']],
    ['A*01:01+B*07:02', ['mixed-loci 0-15']],
    ['A*01:01/HLA-B*07:02', ['mixed-loci 0-19']],
    ['DR15/DRB1*01:01', []],
    ['A*01:01+A*02:01+A*03:01', ['three-copies 0-23']],
    ['A*01:01/A*02:01/HLA-A*01:01', ['duplicate-allele 16-27']],
    ['A*01:01+A*02:01|A*02:01+A*01:01', ['duplicate-allele 16-31']],
    ['A*01:01+A*02:01^A*01:01+A*02:01', ['duplicate-allele 16-31', 'three-copies 24-31']],
    ['A*01:01+HLA-A*01:01:999', ['unlisted-fields 8-23']],
  ] as const)('warnings of %s', ([text, expected]) => {
    const { valid, warnings } = validateGlString(engine(), text)
    expect(valid).toBe(true)
    expect(warnings.map(({ code, position }) => `${code} ${position?.join('-')}`)).toEqual(expected)
  })

  test('says which loci are mixed', () => {
    const [warning] = validateGlString(engine(), 'A*01:01+A*02:01|B*07:02+B*08:01').warnings
    expect(warning?.message).toBe(
      'a "|" list mixes loci A and B; "|" separates alternative genotypes of one locus, "^" separates loci',
    )
  })
})

test.for([
  [60, ''],
  [61, '…'],
] as const)('a text of %d characters that occurs twice is shown up to 60', ([length, end]) => {
  const text = `A*01:${'0'.repeat(length - 5)}`
  expect(findOddities(parseGlString(`${text}|${text}`))).toEqual([
    {
      level: 'warning',
      code: 'duplicate-allele',
      message: `${text.slice(0, 60)}${end} occurs twice around "|"; the reduced typing has it once`,
      offending: text,
      position: [length + 1, 2 * length + 1],
    },
  ])
})

test.for([
  ['A*01:01/A*02:01', []],
  ['A*01:01+A*02:01~B*07:02', []],
  // copies of one typing, on both chromosomes
  ['A*01:01+A*01:01', []],
  ['A*01:01~A*01:01', []],
  ['DRB3*01:01/DRB4*01:01', []],
  ['DRB1*03:01~DRB3*01:01+DRB1*04:01~DRB4*01:01', []],
  ['A*01:01~B*07:02|A*02:01~B*08:01|A*03:01', []],
  ['A*01:01|A*02:01~B*07:02', []],
  [
    'A*01:01|A*02:01|B*07:02',
    [
      [
        'mixed-loci',
        [0, 23],
        'a "|" list mixes loci A and B; "|" separates alternative genotypes of one locus, "^" separates loci',
      ],
    ],
  ],
  [
    'A*01:01+HLA-B*07:02',
    [
      [
        'mixed-loci',
        [0, 19],
        'a "+" pair mixes loci A and B; "+" joins the two copies of one locus, "^" separates loci',
      ],
    ],
  ],
  [
    'A*01:01/B*07:02/C*01:02',
    [
      [
        'mixed-loci',
        [0, 23],
        'a "/" list mixes loci A, B and C; "/" separates alternative alleles of one locus',
      ],
    ],
  ],
  [
    'A*01:01+A*02:01+A*03:01',
    [['three-copies', [0, 23], '"+" joins 3 copies; a person has two of each locus']],
  ],
  [
    'A*01:01/A*02:01/HLA-A*01:01',
    [
      [
        'duplicate-allele',
        [16, 27],
        'HLA-A*01:01 occurs twice around "/"; the reduced typing has it once',
        'HLA-A*01:01',
      ],
    ],
  ],
  // the order of alternatives, and of copies, says nothing; that of a haplotype does
  [
    'A*01:01/A*02:01|A*02:01/A*01:01',
    [
      [
        'duplicate-allele',
        [16, 31],
        'A*02:01/A*01:01 occurs twice around "|"; the reduced typing has it once',
        'A*02:01/A*01:01',
      ],
    ],
  ],
  [
    'A*01:01~B*07:02+A*02:01|A*02:01+A*01:01~B*07:02',
    [
      [
        'duplicate-allele',
        [24, 47],
        'A*02:01+A*01:01~B*07:02 occurs twice around "|"; the reduced typing has it once',
        'A*02:01+A*01:01~B*07:02',
      ],
    ],
  ],
  ['A*01:01~B*07:02|B*07:02~A*01:01', []],
] as const)('what is odd in %s', ([text, expected]) => {
  const notes = expected.map(([code, position, message, offending]) => ({
    level: 'warning',
    code,
    message,
    ...(offending === undefined ? {} : { offending }),
    position,
  }))
  expect(findOddities(parseGlString(text))).toEqual(notes)
})

test.for([
  // told by a reduction, which mixes them too
  ['A*01:01/B*07:02', true],
  ['A*01:01+B*07:02', true],
  ['A*01:01|B*07:02', true],
  ['C*01:02^A*01:01+A*02:01|B*07:02+B*08:01', true],
  ['A*01:01+A*02:01+B*07:02', true],
  ['A*01:01/B7', true],
  ['A1+B*07:02', true],
  ['HLA-A1/HLA-B*07:02', true],
  ['A1/B7', true],
  ['A*01:01/A*02:01^B*07:02+B*08:01', false],
  ['HLA-A*01:01+HLA-A*02:01', false],
  ['A*01:01~B*07:02', false],
  ['A*01:01+A*01:01+A*02:01', false],
  ['A1+A*02:01', false],
] as const)('a reduction of %s tells of mixed loci: %s', ([text, told]) => {
  expect(findMixedLoci(text).map(({ code }) => code)).toEqual(told ? ['mixed-loci'] : [])
})
