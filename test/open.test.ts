/** The in-process API: every operation by name. */
import { expect, test } from 'vitest'
import { isHlaError, openOperations } from '../src/index.ts'
import { OPERATIONS } from '../src/operations/registry.ts'

const hla = openOperations('starter')

test('it has every operation under its own name', () => {
  expect(Object.keys(hla)).toEqual(OPERATIONS.map(({ name }) => name))
})

test('an operation answers as the command line, the service and hla pipe do', () => {
  expect(hla.redux({ gl_string: 'A*01:01+A*02:01', reduction_method: 'G' }).ard).toBe(
    'A*01:01:01G+A*02:01:01G/A*02:01:02G',
  )
  expect(hla.mac({ gl_string: 'A*01:AB' }).alleles).toEqual(['A*01:01', 'A*01:02'])
})

test.for([
  ['a wrong name', { gl_string: 'A*99:99' }, 'starter'],
  ['malformed text', { gl_string: 'A*01:01+' }, 'empty-part'],
  ['another property', { gl: 'A*01:01' }, 'bad-request'],
] as const)('%s is an error with its code', ([, input, code]) => {
  try {
    // one of these inputs has a type error
    hla.redux(input as Parameters<typeof hla.redux>[0])
    expect.fail('nothing was thrown')
  } catch (error) {
    expect(isHlaError(error) && error.code).toBe(code)
  }
})
