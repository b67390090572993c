/** `?` of GL String 1.1 separates possible genes of a sequence. GL Strings without it are unchanged. */
import { describe, expect, test } from 'vitest'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { convertRecords } from '../support/record-tables.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

const small = localExecutor(makeKnowledge({ release: smallRelease(), mac: smallMacs() }))

function ask(operation: string, input: object): Record<string, unknown> {
  // every operation here returns an object
  return small.execute(operation, input) as Record<string, unknown>
}

const lgx = (gl_string: string) => ask('redux', { gl_string, reduction_method: 'lgx' })['ard']

describe('redux', () => {
  test.for([
    ['B*07:02?A*01:01:01:01', 'A*01:01?B*07:02'],
    // equal results are listed once, and a single one needs no operator
    ['A*01:01:01:01?A*01:01', 'A*01:01'],
    ['A*02:01+A*01:01?B*08:01+B*07:02', 'A*01:01+A*02:01?B*07:02+B*08:01'],
    ['HLA-A*01:01?HLA-B*07:02^HLA-A*02:01', 'HLA-A*01:01?HLA-A*02:01^HLA-B*07:02'],
  ] as const)('%s', ([given, reduced]) => {
    expect(lgx(given)).toBe(reduced)
    expect(lgx(reduced)).toBe(reduced)
  })

  test.for([
    ['A*01:01?', 'empty-part'],
    ['?A*01:01', 'empty-part'],
    ['A*01:01??B*07:02', 'empty-part'],
    ['A*01:01?B*99:99', 'unknown-allele'],
  ] as const)('%s is refused', ([gl_string, code]) => {
    expect(() => ask('redux', { gl_string })).toThrow(expect.objectContaining({ code }))
  })
})

test('validate reads it, and points at what is wrong in it', () => {
  expect(ask('validate', { gl_string: 'A*01:01?B*07:02' })).toMatchObject({ valid: true })
  expect(ask('validate', { gl_string: 'A*01:01?B*99:99' })['problems']).toMatchObject([{ position: [8, 15] }])
  expect(ask('validate', { gl_string: 'A*01:01?' })).toMatchObject({ malformed: true })
})

test('explain says that they are possible genes', () => {
  const { steps } = ask('explain', { gl_string: 'B*07:02?A*01:01', reduction_method: 'lgx' })
  expect(JSON.stringify(steps)).toContain('possible genes')
})

test.for(['ard', 'mac', 'cwd'])('%s takes one list, and says where another operator is', (operation) => {
  const subject = operation === 'ard' ? 'allele' : 'gl_string'
  const more = operation === 'ard' ? { reduction_method: 'lgx' } : {}
  expect(() => ask(operation, { [subject]: 'A*01:01?A*02:01', ...more })).toThrow(
    expect.objectContaining({ code: 'not-a-single-allele', offending: '?' }),
  )
})

describe('tables', () => {
  test('read it in columns of GL Strings, by whichever path', async () => {
    const table = 'id\tgl\nS1\tB*07:02?A*01:01:01:01\nS2\tA*01:01^B*07:02\n'
    const asked = { gl: 'gl', into: 'replace' } as const
    const { output, failures } = await convertRecords({ 't.tsv': table }, asked)
    expect([output, failures]).toEqual(['id\tgl\nS1\tA*01:01?B*07:02\nS2\tA*01:01^B*07:02\n', []])
    const bare = await convertRecords({ 't.tsv': table }, { ...asked, locusPrefix: 'bare' })
    expect(bare.output).toBe('id\tgl\nS1\tA*01:01?B*07:02\nS2\t01:01^07:02\n')
  })

  test('a sign of doubt is none, and a sign for nothing stays one', async () => {
    const table = 'id,A_1,A_2\nS1,01:01?,02:01\nS2,?,02:01\nS3,01:01/?,02:01\n'
    const { output, failures } = await convertRecords({ 't.csv': table }, { into: 'replace' })
    expect(failures).toHaveLength(1)
    expect(output).toContain('\nS2,?,A*02:01\n')
    expect(output).toContain('\nS3,01:01/?,A*02:01\n')
  })

  test('beside another locus it is not put into one GL String', async () => {
    const table = 'id,A_1,A_2,B_1,B_2\nS1,A*01:01?A*02:01,,B*07:02,B*08:01\nS2,A*01:01,A*02:01,B*07:02,\n'
    const { output } = await convertRecords({ 't.csv': table }, { shape: 'gl' })
    expect(output).toBe('id,gl\nS1,\nS2,A*01:01+A*02:01^B*07:02\n')
  })

  test('divided by locus it stays whole, and files of population genetics refuse it', async () => {
    const table = 'id,gl\nS1,A*01:01?B*07:02^A*02:01\nS2,A*01:01+A*02:01\n'
    const { output } = await convertRecords({ 't.csv': table }, { inputFormat: 'gl', into: 'replace' })
    expect(output).toContain('A*01:01?A*02:01^B*07:02')
    const grimm = await convertRecords({ 't.csv': table }, { outputFormat: 'grimm', gl: 'gl' })
    expect(grimm.failures).toEqual([expect.stringContaining('GRIMM cannot hold possible genes (?)')])
  })
})
