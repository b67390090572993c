/** Slips in names: the likeliest reading, and the leniencies that accept it. */
import { expect, test } from 'vitest'
import { isBrokenOldName, tidyName } from '../../../src/engine/suggest/tidy.ts'

test.for([
  [' A*01:01 ', 'A*01:01', 'space'],
  ['A*01: 01', 'A*01:01', 'space'],
  ['HLA A*01:01', 'A*01:01', 'space'],
  [' hla A*01:01', 'A*01:01', 'space'],
  ['hla-a*01:01', 'A*01:01', 'case'],
  ['HLA_A*01:01', 'A*01:01', 'case'],
  ['xhla-A*01:01', 'XHLA-A*01:01', 'case'],
  ['hlaA*01:01', 'HLAA*01:01', 'case'],
  ['drb1*15:01n', 'DRB1*15:01N', 'case'],
  ['A*02:ab', 'A*02:AB', 'case'],
  ['A*02:abN', 'A*02:ABN', 'case'],
  ['Cw*01:02', 'C*01:02', 'v2'],
  ['CW*0102', 'C*01:02', 'v2'],
  ['A*0101', 'A*01:01', 'v2'],
  ['A*1:1', 'A*01:01', 'zero'],
  ['A*02:01:1N', 'A*02:01:01N', 'zero'],
  ['A*012:01', 'A*12:01', 'zero'],
  ['A*0001:01', 'A*01:01', 'zero'],
  ['A*02:0001', 'A*02:01', 'zero'],
  ['a*1: 1', 'A*01:01', 'space case zero'],
  ['xhla A*01:01', 'XHLAA*01:01', 'space case'],
  // only the last part may be a code
  ['A*01:ab:1', 'A*01:ab:01', 'zero'],
  // no leniency reads a name without its asterisk
  ['Cw0102', 'C*01:02', ''],
  ['A01:01', 'A*01:01', ''],
] as const)('%s is %s (%s)', ([text, name, leniencies]) => {
  expect(tidyName(text)[0]).toEqual({ name, leniencies: leniencies.split(' ').filter(Boolean) })
})

test.for([
  ['A*01:01', 'A*001:01'],
  ['MICA*8:01', 'MICA*008:01'],
  // split at the wrong place, rather than with a zero too many
  ['A*02:012', 'A*002:012'],
  ['XCw*01:02', 'XCw*001:02'],
] as const)('the first field of %s may have three digits: %s', ([text, name]) => {
  expect(tidyName(text).map((reading) => reading.name)).toContain(name)
})

test.for(['A*100:01', 'DPB1*0104:01', 'A*01', 'A*100:1001', 'A*100:B1', 'XCw0102'])('%s is tidy', (text) =>
  expect(tidyName(text)).toEqual([]),
)

test('digits with white space between them stay two numbers', () => {
  expect(tidyName('A*01 01').map(({ name }) => name)).not.toContain('A*01:01')
})

test.for([
  ['A*03:012', true],
  ['A*03:0012', true],
  ['A*03:001', false],
  ['A*03:01', false],
  ['A*03:101', false],
] as const)('%s has a field that no name has: %s', ([name, expected]) => {
  expect(isBrokenOldName(name)).toBe(expected)
})
