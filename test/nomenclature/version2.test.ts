/** Names from before 2010 in today's spelling. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  allRespellings,
  isByRule,
  respellings,
  respellVersion2,
  spellRecord,
  theReading,
} from '../../src/nomenclature/version2.ts'

test.for([
  ['A*01', 'A*01'],
  ['A*1', 'A*1'],
  ['A*0101', 'A*01:01'],
  ['A*010101', 'A*01:01:01'],
  ['A*01010101', 'A*01:01:01:01'],
  ['A*01010102N', 'A*01:01:01:02N'],
  ['A*0104N', 'A*01:04N'],
  ['A*01123', 'A*01:123'],
  ['A*011', 'A*01:1'],
  ['B*15100', 'B*15:100'],
  ['A*0101G', 'A*01:01G'],
  ['A*01AB', 'A*01:AB'],
  ['A*02XX', 'A*02:XX'],
  ['DPB1*0401', 'DPB1*04:01'],
  ['DPB1*10501', 'DPB1*105:01'],
  ['DPB1*040101', 'DPB1*04:01:01'],
  ['DPA1*0103', 'DPA1*01:03'],
  ['DRB1*0301', 'DRB1*03:01'],
  ['A*AB', 'A*AB'],
  // from before 2002, with one digit for silent changes
  ['C*07011', 'C*07:01:01'],
  ['DPA1*02011', 'DPA1*02:01:01'],
  ['A*2402102L', 'A*24:02:01:02L'],
  ['A*', 'A*'],
  ['A0101', 'A0101'],
  ['0101', '0101'],
] as const)('%s is %s', ([name, present]) => {
  expect(respellVersion2(name)).toBe(present)
})

test('only colons are added, and a zero before one digit', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('A', 'DPB1', 'DRB1', 'MICA'),
      fc.stringMatching(/^\d{0,10}[A-Z]{0,3}$/),
      (locus, digits) => {
        const name = `${locus}*${digits}`
        const plain = respellVersion2(name).replaceAll(':', '')
        const zero = locus.length + 5
        expect([plain, plain.slice(0, zero) + plain.slice(zero + 1)]).toContain(name)
      },
    ),
  )
})

test.for([
  ['Cw*0422', 'C*04:22'],
  ['DRB1*08031', 'DRB1*08:03:01'],
  ['A*01:01', 'A*01:01'],
  ['Cw*04:01', 'C*04:01'],
  ['MICA*002', 'MICA*002'],
  ['A*AB', 'A*AB'],
] as const)('the record %s is of %s', ([name, present]) => expect(spellRecord(name)).toBe(present))

test('a field of three digits may begin with any but 0', () => {
  expect(allRespellings('A*021000101')).toContain('A*02:100:01:01')
  expect(allRespellings('A*020110101').filter((name) => /:0\d\d(?::|$)/.test(name))).toEqual([])
})

// first fields of three and four digits belong to DPA1 and DPB1 alone; a third field of one digit is from before 2002
test.for([
  ['A*021101', ['A*02:11:01', 'A*02:110:01', 'A*02:1101']],
  ['A*110401', ['A*11:04:01']],
  ['A*1110401', ['A*11:104:01', 'A*11:10:04:01', 'A*11:10:401', 'A*11:1040:01']],
  [
    'A*111040101',
    [
      'A*11:1040101',
      'A*11:10:40:101',
      'A*11:10:401:01',
      'A*11:104:01:01',
      'A*11:1040:01:01',
      'A*11:1040:101',
    ],
  ],
  [
    'DPB1*137201',
    ['DPB1*13:72:01', 'DPB1*13:720:01', 'DPB1*13:7201', 'DPB1*137:20:01', 'DPB1*137:201', 'DPB1*1372:01'],
  ],
] as const)('%s may be any of %j', ([name, spellings]) => {
  expect(allRespellings(name).toSorted()).toEqual(spellings.toSorted())
})

test.for([
  ['A*0101', 'A*01:01'],
  ['A*021101', 'A*021101'],
  ['A*02011', 'A*02:01:01'],
] as const)('the only reading of %s is %s', ([name, reading]) => expect(theReading(name)).toBe(reading))

test.for(['A*01', 'A*1', 'A*', 'A*AB', '0101'])('%s has no other spelling', (name) => {
  expect([respellings(name), allRespellings(name)]).toEqual([[], []])
})

test.for([
  ['A*0101', 'A*01:01', true],
  ['A*1', 'A*1', true],
  ['A*021101', 'A*02:11:01', true],
  ['A*021101', 'A*02:1101', false],
  ['C*07011', 'C*07:011', true],
  ['C*07011', 'C*07:01:01', false],
  ['A*01', 'A*01', true],
  ['A*01AB', 'A*01:AB', true],
  ['DPB1*10501', 'DPB1*105:01', true],
  ['A*10501', 'A*105:01', false],
] as const)('by the rules of 2010 %s is %s: %s', ([name, spelling, expected]) => {
  expect(isByRule(name, spelling)).toBe(expected)
})
