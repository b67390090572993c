/**
 * GL String Codes as input of every operation, and as answers: the release that one names is the release of its names.
 */
import { describe, expect, test } from 'vitest'
import { type Executor, localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { publishedHistory } from '../support/history.ts'
import { convertRecords } from '../support/record-tables.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

const small = localExecutor(makeKnowledge({ release: smallRelease(), mac: smallMacs() }))
const own = smallRelease().facts.label

function ask(executor: Executor, operation: string, input: object): Record<string, unknown> {
  // every operation here returns an object
  return executor.execute(operation, input) as Record<string, unknown>
}

describe('of the release in use', () => {
  test.for([
    ['redux', { reduction_method: 'lgx' }, 'ard'],
    ['validate', {}, 'valid'],
    ['explain', { reduction_method: 'lgx' }, 'result'],
    ['cwd', {}, 'cwd'],
    ['mac', { direction: 'lookup' }, 'mac'],
  ] as const)('%s answers as for the GL String', ([operation, more, answer]) => {
    const glString = operation === 'mac' || operation === 'cwd' ? 'A*01:01/A*02:01' : 'A*01:01+A*02:01'
    const plain = { gl_string: operation === 'mac' ? 'A*01:01/A*01:02' : glString, ...more }
    const coded = { ...plain, gl_string: `hla#${own}#${plain.gl_string}` }
    expect(ask(small, operation, coded)[answer]).toEqual(ask(small, operation, plain)[answer])
  })

  test.for([
    [`hla#${own}#A*01:01+A*99:99`, 'unknown-allele', 'A*99:99'],
    [`hla#${own}#A*01:01+`, 'empty-part', ''],
    ['kir#2.12#KIR2DL1*001', 'bad-syntax', 'kir'],
    ['hla#2018-13#A*01:01', 'bad-syntax', '2018-13'],
    ['hla#x#A*01:01', 'bad-syntax', 'x'],
  ] as const)('%s is wrong where it was typed', ([gl_string, code, offending]) => {
    const start = gl_string.lastIndexOf(offending)
    const position = [start, start + offending.length]
    expect(() => ask(small, 'redux', { gl_string })).toThrow(expect.objectContaining({ code, position }))
  })

  test('problems and remarks of validate stand in the code', () => {
    const gl_string = `hla#${own}#a*01:01+A*99:99`
    const at = gl_string.indexOf('A*99:99')
    const { problems } = ask(small, 'validate', { gl_string, accept: ['case'] })
    expect(problems).toEqual([expect.objectContaining({ code: 'unknown-allele', position: [at, at + 7] })])
  })

  test('answers are codes where that is asked', () => {
    const asked = { gl_string: 'A*01:01+A*02:01', reduction_method: 'lgx', as: 'glsc' }
    expect(ask(small, 'redux', asked)['ard']).toBe(`hla#${own}#A*01:01+A*02:01`)
    expect(ask(small, 'redux', { ...asked, as: 'gl' })['ard']).toBe('A*01:01+A*02:01')
    const again = { ...asked, gl_string: `hla#${own}#A*01:01+A*02:01` }
    expect(ask(small, 'redux', again)['ard']).toBe(`hla#${own}#A*01:01+A*02:01`)
  })
})

describe.skipIf(!hasShared)('of another release', () => {
  const executor = () =>
    localExecutor(makeKnowledge({ release: realRelease('3580'), mac: realMacs(), history: publishedHistory }))

  test.for(['3.29.0', '2017-08'])('%s: names are those of that release, and it is said', (version) => {
    const gl_string = `hla#${version}#A*02:01+A*30:100`
    const at = gl_string.indexOf('A*30:100')
    const output = ask(executor(), 'redux', { gl_string, reduction_method: 'W', lift: true, from: '3.10.0' })
    const plain = { gl_string: 'A*02:01+A*30:100', reduction_method: 'W', from: '3.29.0' }
    expect(output['ard']).toBe(ask(executor(), 'redux', plain)['ard'])
    expect(output['notes']).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: 'reissued', position: [at, at + 8] })]),
    )
    const dated = expect.arrayContaining([expect.objectContaining({ code: 'dated-code' })]) as unknown
    if (version.includes('-')) expect(output['notes']).toEqual(dated)
    else expect(output['notes']).not.toEqual(dated)
  })

  test('a release that there is not is wrong with that typing alone', () => {
    const gl_string = 'hla#3.99.0#A*01:01'
    expect(() => ask(executor(), 'redux', { gl_string })).toThrow(
      expect.objectContaining({ code: 'bad-syntax', offending: '3.99.0', position: [4, 10] }),
    )
  })

  test('lift takes the release from the code, and names its own', () => {
    const gl_string = 'hla#3.29.0#A*01:04N'
    expect(ask(executor(), 'lift', { gl_string, from: '3.57.0', as: 'glsc' })).toMatchObject({
      from: '3.29.0',
      result: 'hla#3.58.0#A*01:04:01:01N',
    })
    const back = { gl_string: 'hla#3.58.0#A*01:04:01:01N', to: '3.29.0', as: 'glsc' }
    expect(ask(executor(), 'lift', back)['result']).toBe(gl_string)
  })

  test('validate counts a name that the release did not have', () => {
    const gl_string = 'hla#3.29.0#A*01:04N+A*30:900'
    const at = gl_string.indexOf('A*30:900')
    expect(ask(executor(), 'validate', { gl_string })).toMatchObject({
      valid: false,
      problems: [{ code: 'unknown-allele', position: [at, at + 8] }],
    })
  })
})

test('a row divided by locus keeps the release of its code', async () => {
  const table = `id,gl\nS1,hla#${own}#A*01:01+A*02:01^B*07:02\n`
  const { output } = await convertRecords({ 't.csv': table }, { inputFormat: 'gl', dropSource: true })
  expect(output.split('\n')[1]).toBe('S1,A*01:01,A*02:01,B*07:02,')
  const old = table.replace(own, '3.29.0')
  const { failures } = await convertRecords({ 't.csv': old }, { inputFormat: 'gl' })
  // without the lists of other releases the code is refused, rather than read unchanged
  expect(failures).toHaveLength(3)
})
