/** The alleles below a name. */
import { expect, test } from 'vitest'
import { compileExpansions } from '../../../src/reference/compile/compile.ts'

const WHO = ['A*01:01:01:01', 'A*01:01:01:02N', 'A*01:01:02', 'A*01:04:01:01N', 'A*24:02:01:02L', 'MICA*002']
const G = new Map([
  ['A*01:01', 'A*01:01:01G'],
  ['A*01:01:01', 'A*01:01:01G'],
  ['A*01:01:01:01', 'A*01:01:01G'],
  ['A*01:04', 'A*01:01:01G'],
])
const { who, shortNull } = compileExpansions(new Set(WHO), G, new Map())

test.for([
  ['A*01', ['A*01:01:01:01', 'A*01:01:01:02N', 'A*01:01:02', 'A*01:04:01:01N']],
  ['A*01:01', ['A*01:01:01:01', 'A*01:01:01:02N', 'A*01:01:02']],
  ['A*01:01:01', ['A*01:01:01:01', 'A*01:01:01:02N']],
  ['A*01:04', ['A*01:04:01:01N']],
  ['A*01:01:01:01', undefined],
  ['MICA*002', undefined],
] as const)('below %s are %j', ([name, alleles]) => {
  expect(who.get(name)).toEqual(alleles)
})

test('below a group are all alleles below the short names of its members', () => {
  expect([...(who.get('A*01:01:01G') ?? [])].sort()).toEqual([
    'A*01:01:01:01',
    'A*01:01:01:02N',
    'A*01:01:02',
    'A*01:04:01:01N',
  ])
})

test('a letter on a short name stands for the alleles below it with that letter', () => {
  expect(Object.fromEntries(shortNull)).toEqual({
    'A*01:01N': ['A*01:01:01:02N'],
    'A*01:01:01N': ['A*01:01:01:02N'],
    'A*01:04N': ['A*01:04:01:01N'],
    'A*01:04:01N': ['A*01:04:01:01N'],
    'A*24:02L': ['A*24:02:01:02L'],
    'A*24:02:01L': ['A*24:02:01:02L'],
  })
})
