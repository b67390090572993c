/** Texts that are malformed in any release. */
import { adviceText } from '../../src/operations/faces.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findMalformation, malformedError } from '../../src/nomenclature/grammar.ts'

const JOINED =
  'names are joined with "/" (or), "+" (the two copies) and "^" (loci); for tables, see hla help tables'

describe('malformationOf', () => {
  test.for([
    'A*01:01',
    'A*01:01:01:01N',
    'HLA-A*01:01',
    'A*01',
    'A*0101',
    'A*01:AB',
    'A*01:XX',
    'A*01:01g',
    'MICA*002',
    'DRB1*15:01:01G',
    'A2',
    'Cw10',
    'DR103',
    'HLA-DQ7',
    'DRBX*NNNN',
    'FOO*01:BAR',
  ])('%s is well-formed', (leaf) => {
    expect(findMalformation(leaf)).toBeUndefined()
  })

  test.for([
    ['', 'empty-part', [0, 0], 'a part of the GL String is empty'],
    [`A*${'1'.repeat(999)}`, 'bad-syntax', [0, 1001], 'a name of 1,001 characters; none has more than 1000'],
    ['HLA-', 'bad-syntax', [0, 4], 'nothing after HLA-'],
    ['<?xml version="1.0"?>', 'bad-character', [0, 21], 'this is XML, not a GL String'],
    ['  <ns2:hml xmlns:ns2="x">', 'bad-character', [0, 25], 'this is HML, not a GL String'],
    ['<glstring>HLA-A*01:01', 'bad-character', [0, 21], 'this is HML, not a GL String'],
    ['{"gl_string":"A*01:01', 'bad-character', [0, 21], 'this is JSON, not a GL String'],
    ['["A*01:01"]', 'bad-character', [0, 11], 'this is JSON, not a GL String'],
    ['A**01', 'bad-syntax', [2, 3], 'a name has only one "*"'],
    ['A*01:01*02', 'bad-syntax', [7, 8], 'a name has only one "*"'],
    ['HLA-A*01*02', 'bad-syntax', [8, 9], 'a name has only one "*"'],
    ['*01:01', 'bad-syntax', [0, 6], 'locus missing in "*01:01"'],
    ['01:01', 'bad-syntax', [0, 5], 'locus missing in "01:01"'],
    ['A01:01', 'bad-syntax', [0, 6], 'no "*" between locus and fields in "A01:01"'],
    ['a*01:01', 'bad-syntax', [0, 1], 'loci are written in capitals, not "a"'],
    ['HLA-Cw*01:02', 'bad-syntax', [4, 6], 'the locus Cw has been called C since 2010'],
    ['A*01:', 'bad-syntax', [0, 5], 'a field is empty in "A*01:"'],
    ['A*:01', 'bad-syntax', [0, 5], 'a field is empty in "A*:01"'],
    ['A*01::01', 'bad-syntax', [0, 8], 'a field is empty in "A*01::01"'],
    ['foo', 'bad-syntax', [0, 3], '"foo" is not an allele, group, MAC, XX code or antigen'],
    [' ', 'bad-character', [0, 1], 'a name cannot contain white space'],
    ['A*01:01 ', 'bad-character', [0, 8], 'a name cannot contain white space'],
    ['A*01\u00a0:01', 'bad-character', [0, 8], 'a name cannot contain white space'],
    ['HLA_A*01:01', 'bad-character', [3, 4], 'a name cannot contain "_"'],
    ['hla-A*01:01', 'bad-character', [3, 4], 'a name cannot contain "-"'],
    ['A*01:０1', 'bad-character', [5, 6], 'a name cannot contain "０"'],
    ['\u200fA*01:01', 'bad-character', [0, 1], 'a name cannot contain U+200F, which is not visible'],
    ['A*01:01\u00ad', 'bad-character', [7, 8], 'a name cannot contain U+00AD, which is not visible'],
    ['A*01:01\u200b', 'bad-character', [7, 8], 'a name cannot contain U+200B, which is not visible'],
    ['HLA-A*01:é', 'bad-character', [9, 10], 'a name cannot contain "é"'],
    ['A*01:𝟎𝟏', 'bad-character', [5, 7], 'a name cannot contain "𝟎"'],
    ['A*01:01?', 'bad-character', [7, 8], 'a name cannot contain "?"'],
  ] as const)('"%s" is %s at %s', ([leaf, code, [start, end], message]) => {
    expect(findMalformation(leaf)).toMatchObject({ code, start, end, message })
  })

  test.for([
    ['A*01:01 ', undefined],
    ['DQA1*05:01-DQB1*02:01', '"~" joins genes of one chromosome: DQA1*05:01~DQB1*02:01'],
    ['A*02:01-A*02:05', JOINED],
    ['DQA1*05:01-DQB1', undefined],
    ['hLa*01:01', undefined],
    ['Cw*0102', undefined],
    ['DRB115:01', 'did you mean DRB1*15:01?'],
    ['A*01:01,A*02:01', JOINED],
    ['A*01:01\tA*02:01', JOINED],
    ['A*０１:01', 'in ordinary letters and digits: A*01:01'],
    ['A＊01：01', 'in ordinary letters and digits: A*01:01'],
    ['A*01:𝟎𝟏', 'in ordinary letters and digits: A*01:01'],
    ['A*01:01é', undefined],
    ['A*01.01', undefined],
    ['long_A*０１:01', undefined],
    ['A*０１:01_long', undefined],
    ['A *01 :01', undefined],
    ['foo ', undefined],
    ['Ａ*01:01，A*02:01', JOINED],
    ['ＨＬＡ－Ａ＊０１：０１／Ａ＊０２：０１', 'in ordinary letters and digits: HLA-A*01:01/A*02:01'],
    ['homozygous', 'a homozygous person has the same allele twice: A*01:01+A*01:01'],
    ['HOM', 'a homozygous person has the same allele twice: A*01:01+A*01:01'],
    ['homologous', undefined],
    ['nothom', undefined],
    ['*01:01', 'every allele needs its locus'],
    ['<hml>', 'in HML the GL Strings are the texts of its glstring elements'],
    ['{"a":1}', 'write the GL String without quotes and braces'],
  ] as const)('"%s": %s', ([leaf, hint]) => {
    expect(adviceText(findMalformation(leaf)?.hint, 'command-line')).toBe(hint)
  })

  test('does not repeat a name of any length', () => {
    expect(findMalformation('a'.repeat(5000))?.message.length).toBeLessThan(200)
    expect(findMalformation('a'.repeat(500))?.message).toBe(`"${'a'.repeat(159)}…"`)
    const rest = '" is not an allele, group, MAC, XX code or antigen'
    const longest = 'a'.repeat(160 - rest.length - 1)
    expect(findMalformation(longest)?.message).toBe(`"${longest}${rest}`)
    expect(findMalformation(`${longest}a`)?.message).toBe(`"${longest}a${rest.slice(0, -1)}…"`)
  })

  test('a name of 1000 characters is read, and a hint on it is given', () => {
    expect(findMalformation(`A*${'1'.repeat(998)}`)).toBeUndefined()
    const hintOn = (leaf: string) => adviceText(findMalformation(leaf)?.hint, 'command-line')
    expect(hintOn(`A*01-B*${'1'.repeat(993)}`)).toBe(
      `"~" joins genes of one chromosome: A*01~B*${'1'.repeat(993)}`,
    )
    expect(hintOn(`A*０${'1'.repeat(997)}`)).toBe(`in ordinary letters and digits: A*0${'1'.repeat(997)}`)
    expect([`A*01-B*${'1'.repeat(994)}`, `A*０${'1'.repeat(998)}`].map(hintOn)).toEqual([
      undefined,
      undefined,
    ])
  })

  test.for([
    ['*01:01', 'every allele needs its locus'],
    ['foo', undefined],
  ] as const)('the error of "%s" has the hint %s', ([leaf, hint]) => {
    const found = findMalformation(leaf)
    expect(found && malformedError(found, leaf, 0).hint).toBe(hint)
  })

  test('the place is always inside the leaf', () => {
    const text = fc.string({
      unit: fc.constantFrom('A', 'a', '*', '0', '1', ':', ' ', 'HLA-', '_', 'é', '?', '𝟎'),
    })
    fc.assert(
      fc.property(text, fc.nat({ max: 50 }), (leaf, at) => {
        const found = findMalformation(leaf)
        if (found === undefined) return
        expect(found.start).toBeGreaterThanOrEqual(0)
        expect(found.end).toBeLessThanOrEqual(leaf.length)
        const { offending, position } = malformedError(found, leaf, at)
        expect(offending).toBe(leaf.slice(found.start, found.end))
        expect(position).toEqual([at + found.start, at + found.end])
      }),
    )
  })
})
