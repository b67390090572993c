/** How answers are spelled in the place of a typing in a document. */
import { describe, expect, test } from 'vitest'
import {
  isSameTyping,
  spellAntigen,
  spellField,
  withPrefix,
} from '../../../src/table/documents/document-text.ts'

test.each([
  ['A*01:01+A*02:01', 'HLA-A*01:01+HLA-A*02:01'],
  ['A*01:01/A*01:02~B*07:02|A2^C*01:02', 'HLA-A*01:01/HLA-A*01:02~HLA-B*07:02|HLA-A2^HLA-C*01:02'],
  ['DRB3*01:01?DRB4*01:01', 'HLA-DRB3*01:01?HLA-DRB4*01:01'],
])('%s with its prefix', (glString, expected) => {
  expect(withPrefix(glString)).toBe(expected)
})

test.each([
  ['A*01:01+A*02:01', 'A*02:01+A*01:01', true],
  ['A*01:02/A*01:01', 'A*01:01/A*01:02', true],
  ['A*01:01~B*07:02', 'B*07:02~A*01:01', false],
  ['A*01:01+A*01:01', 'A*01:01', false],
  ['A*01:01+A*02:01', 'A*01:01+A*02:02', false],
])('%s and %s: the same? %s', (one, other, isSame) => {
  expect(isSameTyping(one, other)).toBe(isSame)
})

describe('in a field', () => {
  test.each([
    ['C*01:02', 'C', 'Cw*0102', 'C*01:02'],
    ['A*01:01/A*01:02', 'A', 'HLA-A*01:AB', 'HLA-A*01:01/HLA-A*01:02'],
    ['A*01:01/A*01:02', 'A', '*01:AB', '*01:01/01:02'],
  ])('%s of %s in place of %s', (answer, locus, source, expected) => {
    expect(spellField(answer, locus, source)).toBe(expected)
  })

  test.each([
    ['A*01:01+A*01:02', /a field holds one typing/],
    ['A*01:01?B*07:02', /a field holds one typing/],
    ['B*07:02', /a field of A can hold only names of A/],
    ['A2', /a field of A can hold only names of A/],
  ])('%s does not fit', (answer, message) => {
    expect(() => spellField(answer, 'A', '01:01')).toThrow(message)
  })

  test('antigens are numbers where they were', () => {
    expect([spellAntigen('A2', 'A', '2'), spellAntigen('A2', 'A', 'A2'), spellAntigen('B7', 'A', '2')]).toEqual(['2', 'A2', 'B7']) // prettier-ignore
    expect(() => spellAntigen('A2/A9', 'A', '2')).toThrow(/a field holds one antigen/)
  })
})
