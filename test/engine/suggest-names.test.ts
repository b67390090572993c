/** Advice on names that a release does not have, on a small history. */
import { adviceText } from '../../src/operations/faces.ts'
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { adviseOnUnknown } from '../../src/engine/suggest/suggest.ts'
import { adviseFromPast } from '../../src/engine/suggest/past.ts'
import { sourceOf } from '../support/name-source.ts'
import { smallHistory } from '../support/history.ts'

/** Advice, with its detail as the command line prints it. */
function said(name: string, history: Parameters<typeof adviseOnUnknown>[2]) {
  const { detail, ...advice } = adviseOnUnknown(name, SMALL, history)
  return detail === undefined ? advice : { ...advice, detail: adviceText(detail, 'command-line') }
}

const SMALL = sourceOf('3.12.0', [
  'A*01:01:01:01', 'A*01:01:01:02N', 'A*01:04:01:01N', 'A*01:09', 'A*02:01:01:01', 'A*02:101', 'A*03:01:01:01', 'A*24:329Q',
  'A*24:09N', 'A*29:99', 'A*30:02:12', 'A*30:100', 'B*07:90', 'B*07:91', 'C*01:169:01', 'C*01:169:02', 'C*07:02:01',
  'DRB1*15:01:01', 'DRB3*01:01', 'MICA*002:01',
]) // prettier-ignore

const history = smallHistory()

test.each([
  ['DRB3*XXXX', 'names of DRB3 begin with a number, such as DRB3*01:01'],
  ['A*w2', 'names of A begin with a number, such as A*01:01'],
  ['K*X', 'no allele of 3.12.0 begins with K*X:'],
  ['A*01:04L', '3.12.0 has A*01:04, A*01:04N, none of which is A*01:04L'],
  ['A*24:329L', '3.12.0 has A*24:329Q, which is not A*24:329L'],
  ['A*01:09Q', '3.12.0 has A*01:09, which is not A*01:09Q'],
])('%s: %s', (name, hint) => {
  expect(said(name, undefined)).toEqual({ code: 'unknown-allele', hint, suggestions: [] })
})

describe('adviseOnUnknown with a history', () => {
  test.for([
    [
      'A*24:329', 'renamed-allele', 'renamed A*24:329Q in 3.11.0: "Sequence renamed A*24:329Q (October 2019)"',
      'use A*24:329Q, or --lift to translate old names', ['A*24:329Q'],
    ],
    [
      'HLA-A*24:329', 'renamed-allele', 'renamed A*24:329Q in 3.11.0: "Sequence renamed A*24:329Q (October 2019)"',
      'use A*24:329Q, or --lift to translate old names', ['HLA-A*24:329Q'],
    ],
    ['HLA00004', 'unknown-allele', 'the number of A*01:04:01:01N', undefined, ['A*01:04:01:01N']],
    ['HLA00073', 'deleted-allele', 'deleted: "Name never assigned"', undefined, []],
    ['HLA99999', 'unknown-allele', undefined, undefined, []],
    ['A*01:01:02', 'renamed-allele', 'renamed A*01:09 in 3.12.0', 'use A*01:09, or --lift to translate old names', ['A*01:09']],
    ['C*03:99', 'renamed-allele', 'C*01:169 in 3.12.0', 'use C*01:169, or --lift to translate old names', ['C*01:169']],
    [
      'A*02:09', 'deleted-allele', 'deleted after 3.10.0: "Sequence shown to be identical to A*03:01 (May 2013)"',
      'use A*03:01:01:01, or --lift to translate old names', ['A*03:01:01:01'],
    ],
    ['A*0310', 'deleted-allele', 'deleted: "Name never assigned"', undefined, []],
    ['A*03:07', 'deleted-allele', 'deleted after 3.10.0', undefined, []],
    ['B*07:08', 'unknown-allele', 'the alleles under B*07:08 are now under B*07:90, B*07:91', undefined, []],
    ['a*24:329', 'renamed-allele', 'renamed A*24:329Q in 3.11.0: "Sequence renamed A*24:329Q (October 2019)"',
      'use A*24:329Q, or --accept case with --lift to translate old names', ['A*24:329Q'],
    ],
  ] as const)('says of %s: %s, %s', ([name, code, hint, detail, suggestions]) => {
    const { facts: _, ...advice } = said(name, history)
    expect(advice).toEqual({ code, hint, ...(detail && { detail }), suggestions })
  }) // prettier-ignore

  test.for([
    ['A*02:01g', 'use A*02:01, or --accept g', ['A*02:01']],
    ['HLA-A*02:01g', 'use A*02:01, or --accept g', ['HLA-A*02:01']],
    ['A*02:01ARS', 'use A*02:01', ['A*02:01']],
  ] as const)('says what %s is', ([name, detail, suggestions]) => {
    const suffix = name.endsWith('g') ? 'g' : 'ARS'
    const hint = `this is a result of method lg; without ${suffix} it is an allele name`
    expect(said(name, history)).toEqual({
      code: 'unknown-allele',
      hint,
      detail,
      suggestions,
    })
  })

  it('says when a name of a later release came', () => {
    const early = sourceOf('3.9.0', ['A*01:01'])
    const hint = 'first named in 3.11.0, a later release than 3.9.0'
    expect(adviseOnUnknown('A*30:101', early, history)).toEqual({
      code: 'unknown-allele',
      hint,
      suggestions: [],
    })
  })

  it.each(['A*01:999', 'B*99:01', 'A*0199'])('searches once for %s, which no release has', (name) => {
    const searches: unknown[] = []
    const counted = new Proxy(history, {
      get(known, key: keyof typeof history) {
        if (key !== 'releases') searches.push(key)
        return known[key]
      },
    })
    expect(adviseFromPast(name, history.releases.at(-1) ?? '', counted)).toBeUndefined()
    expect(searches).toEqual(['hasSpellingUnder', 'deletionOf'])
  })

  it('does without a history that does not reach the release', () => {
    const later = sourceOf('3.70.0', ['A*24:329Q'])
    expect(adviseOnUnknown('A*24:329', later, history).code).toBe('missing-suffix')
  })
})

describe('adviseOnUnknown without a history', () => {
  test.for([
    ['A*24:329', 'missing-suffix', ['A*24:329Q'], 'use A*24:329Q, or --accept suffix'],
    ['HLA-A*24:09', 'missing-suffix', ['HLA-A*24:09N'], 'use A*24:09N, or --accept suffix'],
    // another letter is another expression: named in the hint, never suggested
    ['A*24:329N', 'unknown-allele', [], undefined],
    ['a*01:01', 'unknown-allele', ['A*01:01'], 'use A*01:01, or --accept case'],
    ['A*1:01', 'unknown-allele', ['A*01:01'], 'use A*01:01, or --accept zero'],
    ['A*01:1', 'unknown-allele', ['A*01:01'], 'use A*01:01, or --accept zero'],
    ['A*001:01', 'unknown-allele', ['A*01:01'], 'use A*01:01, or --accept zero'],
    ['MICA*2:01', 'unknown-allele', ['MICA*002:01'], 'use MICA*002:01, or --accept zero'],
    [' A*01:01', 'unknown-allele', ['A*01:01'], 'use A*01:01, or --accept space'],
    [' a*1:01', 'unknown-allele', ['A*01:01'], 'use A*01:01, or --accept space,case,zero'],
    ['hla-a*01:01', 'unknown-allele', ['A*01:01'], 'use A*01:01, or --accept case'],
    ['A*0101', 'unknown-allele', ['A*01:01'], 'use A*01:01, or --accept v2'],
    ['HLA-A0101', 'unknown-allele', ['HLA-A*01:01'], 'use A*01:01'],
    ['Cw*0702', 'unknown-allele', ['C*07:02'], 'use C*07:02, or --accept v2'],
    ['Cw0702', 'unknown-allele', ['C*07:02'], 'use C*07:02'],
    ['A*20:01', 'unknown-allele', ['A*02:01'], undefined],
    ['A*01:001', 'unknown-allele', ['A*01:01'], 'use A*01:01, or --accept zero'],
    ['A*01:01:12345', 'unknown-allele', [], undefined],
    // malformed old names, whose colon could be in several places
    ['A*01:011', 'unknown-allele', [], undefined],
    ['A*02:01:0101', 'unknown-allele', [], undefined],
    ['a*01:011', 'unknown-allele', [], undefined],
    ['DRB*15:01', 'unknown-allele', ['DRB1*15:01'], undefined],
    ['DBR1*15:01', 'unknown-allele', ['DRB1*15:01'], undefined],
    ['A*01:01:99', 'unknown-allele', ['A*01:01'], undefined],
    ['DRB3*15:01', 'unknown-allele', [], undefined], // not DRB1*15:01: DRB3 is a locus
    ['MICA*021', 'unknown-allele', [], undefined], // not an old MICA*02:1
    ['A*99:99', 'unknown-allele', [], undefined], // not A*29:99: a different first field is a different antigen
    ['X*01:01', 'unknown-allele', [], undefined],
    ['nonsense', 'unknown-allele', [], undefined],
    ['', 'unknown-allele', [], undefined],
  ] as const)('says of "%s": %s, %s', ([name, code, suggestions, detail]) => {
    const advice = adviseOnUnknown(name, SMALL, undefined)
    expect(advice).toMatchObject({ code, suggestions })
    expect(adviceText(advice.detail, 'command-line')).toBe(detail)
  })

  test.for([
    ['A*01:01:99', '1 three-field name starts with A*01:01:'],
    ['A*01:77', '3 two-field names start with A*01:'],
    ['A*01:09:01', 'A*01:09 has no further fields'],
    ['A*99:99', 'no name in 3.12.0 starts with A*99'],
    ['X*01:01', 'no name in 3.12.0 starts with X*'],
    [
      'A*01:011',
      'no field of three digits or more begins with 0 after the first: it may be an old name with a misplaced colon',
    ],
    [
      'A*02:01:0101',
      'no field of three digits or more begins with 0 after the first: it may be an old name with a misplaced colon',
    ],
    ['A*01', 'an allele has two fields or more; A*01:XX stands for every A*01 allele'],
    ['A*1', 'an allele has two fields or more; A*01:XX stands for every A*01 allele'],
    ['A*99', 'no allele of 3.12.0 begins with A*99:'],
  ] as const)('counts what is known of %s: %s', ([name, hint]) => {
    expect(adviseOnUnknown(name, SMALL, undefined).hint).toBe(hint)
  })

  it('never repeats a suggestion, and gives known names only, three at most', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.stringMatching(/^(HLA-)?(A|B|DRB1|MICA)\*[0-9]{1,3}(:[0-9]{1,3}){0,3}[NLSQCAGP]?$/),
    )
    fc.assert(
      fc.property(text, (name) => {
        const { suggestions } = adviseOnUnknown(name, SMALL, undefined)
        expect(suggestions.length).toBeLessThanOrEqual(3)
        expect(new Set(suggestions).size).toBe(suggestions.length)
        expect(suggestions.filter((one) => !SMALL.isKnown(one.replace(/^HLA-/, '')))).toEqual([])
      }),
    )
  })
})
