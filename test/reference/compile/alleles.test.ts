/** Allele list -> valid names and families. */
import { describe, expect, test } from 'vitest'
import { compileAlleles } from '../../../src/reference/compile/compile.ts'

const NAMES = [
  'A*23:01:01:01',
  'A*24:02:01:01',
  'A*24:02:01:02L',
  'A*24:09:01:01N',
  'A*24:09:02N',
  'A*24:11N',
  'MICA*002',
]
const BROADS = { 'A*09': ['A*23', 'A*24', 'A*25'], 'B*05': ['B*51', 'B*52'] }
const { who, alleles, firstFields, families } = compileAlleles(NAMES, BROADS)

test('the list itself', () => {
  expect([...who]).toEqual(NAMES)
  expect([...firstFields]).toEqual(['A*23', 'A*24', 'MICA*002'])
})

test.for([
  ['A*24:02:01:02L', true, 'in the list'],
  ['A*24:02', true, 'two fields'],
  ['A*24:02:01', true, 'three fields'],
  ['A*24:09', true, 'two fields of a null allele lose the letter'],
  ['A*24:09:02N', true, 'a name of three fields keeps it'],
  ['A*24:09:02', false, ''],
  ['A*24:09N', true, 'every lettered name below has that letter'],
  ['A*24:02L', true, 'names without a letter are not looked at'],
  ['A*24:02N', false, 'no name below has that letter'],
  ['A*24:11', false, 'two fields are all it has'],
  ['A*24', false, 'a first field is not a name'],
  ['MICA*002', true, 'no colon at all'],
] as const)('%s is valid: %s (%s)', ([name, valid]) => {
  expect(alleles.has(name)).toBe(valid)
})

test('of several letters below two fields none is taken', () => {
  const names = ['A*01:01:01:01', 'A*01:01:01:02N', 'A*01:01:38L']
  const mixed = compileAlleles(names, {})
  expect([...mixed.alleles].filter((name) => /^A\*01:01[NL]$/.test(name))).toEqual([])
})

describe('families', () => {
  test.for([
    ['A*24', ['A*24:02', 'A*24:09', 'A*24:11N']],
    ['A*09', ['A*23:01', 'A*24:02', 'A*24:09', 'A*24:11N']],
    ['MICA*002', ['MICA*002']],
    ['B*05', undefined],
  ] as const)('%s is %j', ([family, names]) => {
    expect(families.get(family)).toEqual(names)
  })
})
