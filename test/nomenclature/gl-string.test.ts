/** GL Strings parsed into trees and written back. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  listDesignations,
  formatGlString,
  listLeaves,
  mapTypings,
  type GlNode,
  parseGlString,
  listTypings,
} from '../../src/nomenclature/gl-string.ts'

/** A tree as nested lists, operator first. */
function outline(node: GlNode): unknown {
  return node.kind === 'typing' ? node.text : [node.operator, ...node.parts.map(outline)]
}

describe('parseGlString', () => {
  test.for([
    ['', ''],
    ['A*01:01', 'A*01:01'],
    ['A*01:01/A*01:02', 'A*01:01/A*01:02'],
    ['A1+A2', ['+', 'A1', 'A2']],
    ['A1~B7', ['~', 'A1', 'B7']],
    ['A1+A2^B7+B8', ['^', ['+', 'A1', 'A2'], ['+', 'B7', 'B8']]],
    [
      'A1~B7+A2~B8|A1~B8+A2~B7',
      ['|', ['+', ['~', 'A1', 'B7'], ['~', 'A2', 'B8']], ['+', ['~', 'A1', 'B8'], ['~', 'A2', 'B7']]],
    ],
    ['A1|A2^B7', ['^', ['|', 'A1', 'A2'], 'B7']],
    // GL String 1.1; the second is the example of glstring.org
    ['DRB3*01:01?DRB4*01:03', ['?', 'DRB3*01:01', 'DRB4*01:03']],
    [
      'KIR2DL5A*0010101+KIR2DL5A*0010201?KIR2DL5B*0010201+KIR2DL5B*0010301',
      ['?', ['+', 'KIR2DL5A*0010101', 'KIR2DL5A*0010201'], ['+', 'KIR2DL5B*0010201', 'KIR2DL5B*0010301']],
    ],
    ['A1?B7^C1|C2?D1~E1+F1', ['?', 'A1', ['^', 'B7', ['|', 'C1', 'C2']], ['+', ['~', 'D1', 'E1'], 'F1']]],
    ['A1?', ['?', 'A1', '']],
    ['A1+', ['+', 'A1', '']],
    ['^', ['^', '', '']],
  ] as const)('%s', ([given, tree]) => {
    expect(outline(parseGlString(given))).toEqual(tree)
  })

  test('knows where each typing and each leaf stands', () => {
    const text = 'A*01:01/A*01:02+A*02:01^HLA-B*07:02'
    const typings = listTypings(parseGlString(text))
    expect(typings.map(({ start }) => start)).toEqual([0, 16, 24])
    expect(typings.flatMap(listDesignations)).toEqual([
      { text: 'A*01:01', start: 0 },
      { text: 'A*01:02', start: 8 },
      { text: 'A*02:01', start: 16 },
      { text: 'HLA-B*07:02', start: 24 },
    ])
  })
})

const anyText = fc.string({
  unit: fc.constantFrom('A', '*', '0', '1', ':', '/', '~', '+', '|', '^', '?', '-', ' ', 'é'),
})

test('formatting a parsed text gives the text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(formatGlString(parseGlString(text))).toBe(text)
    }),
  )
})

test('every leaf is the text at its place', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const leaf of listTypings(parseGlString(text)).flatMap(listDesignations))
        expect(text.slice(leaf.start, leaf.start + leaf.text.length)).toBe(leaf.text)
    }),
  )
})

test('each typing of a tree is changed, and its leaves are listed', () => {
  const changed = mapTypings(parseGlString('A1/A2+A3^B7'), ({ text, start }) => `${start}${text}`)
  expect(formatGlString(changed)).toBe('0A1/A2+6A3^9B7')
  expect(listLeaves('A1/A2+A3')).toEqual([
    { text: 'A1', start: 0 },
    { text: 'A2', start: 3 },
    { text: 'A3', start: 6 },
  ])
})
