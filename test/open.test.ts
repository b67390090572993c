/** The in-process API: every operation by name. */
import { expect, test } from 'vitest'
import { isHlaError, openOperations, openRelease } from '../src/index.ts'
import { OPERATIONS } from '../src/operations/registry.ts'
import { tempFolder } from './support/temp.ts'

const temp = tempFolder()

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

test.for([
  ['openRelease', openRelease],
  ['openOperations', openOperations],
] as const)('%s names the remedy in its message', ([, open]) => {
  const { HLA_SYSTEM_DATA_DIR } = process.env
  process.env['HLA_SYSTEM_DATA_DIR'] = temp('none')
  try {
    expect(() => open('active', { dataDir: temp('none') })).toThrow(
      expect.objectContaining({
        code: 'no-data',
        message: expect.stringMatching(
          /^no nomenclature data installed: hla data install latest.*; the release 'starter' is built in$/,
        ),
      }),
    )
    expect(() => open('3.58.0', { dataDir: temp('none') })).toThrow(/hla data install 3\.58\.0/)
    expect(open('starter')).toBeDefined()
  } finally {
    if (HLA_SYSTEM_DATA_DIR === undefined) delete process.env['HLA_SYSTEM_DATA_DIR']
    else process.env['HLA_SYSTEM_DATA_DIR'] = HLA_SYSTEM_DATA_DIR
  }
})
