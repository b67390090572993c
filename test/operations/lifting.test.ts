/**
 * Lenient and lifted input of validate, mac and cwd: careless typings and names of other releases, with positions in
 * the original text.
 */
import type { CellFace } from '../../src/operations/cell-face.ts'
import { cellColumns } from '../../src/operations/operation.ts'
import { liftOperation } from '../../src/operations/questions/lift.ts'
import { describe, expect, test } from 'vitest'
import { type Executor, localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { errorRecord } from '../../src/operations/error-record.ts'
import { READING_PROPERTIES } from '../../src/operations/answers/lifting.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { errorOf } from '../support/errors.ts'
import { publishedHistory } from '../support/history.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

interface Problem {
  readonly code: string
  readonly offending: string
  readonly position: readonly number[]
}

const small = localExecutor(makeKnowledge({ release: smallRelease(), mac: smallMacs() }))

function ask(executor: Executor, operation: string, input: object): Record<string, unknown> {
  // every operation here returns an object
  return executor.execute(operation, input) as Record<string, unknown>
}

/** Each problem, with the text at its position. */
function placedProblems(gl_string: string, output: Record<string, unknown>): [string, string][] {
  // the output schema of validate
  const problems = (output['problems'] ?? []) as readonly Problem[]
  return problems.map(({ code, position: [start, end] }) => [code, gl_string.slice(start, end)])
}

describe('leniencies', () => {
  test.for([
    ['a*01:01+A*02:01', ['case'], []],
    ['a*01:01+A*99:99', ['case'], [['unknown-allele', 'A*99:99']]],
    ['A*1:1/A*1:999+A*01:01', ['zero'], [['unknown-allele', 'A*1:999']]],
    ['A*1:1+^a*01:01', ['zero', 'case'], [['empty-part', '+']]],
    ['A*1:1+', ['zero'], [['empty-part', '+']]],
    ['a*1:1 +A**01:01', ['zero', 'case', 'space'], [['bad-syntax', '*']]],
    ['A*1:1+b*07:02x', ['zero'], [['bad-syntax', 'b']]],
  ] as const)('validate %s by %s', ([gl_string, accept, expected]) => {
    const output = ask(small, 'validate', { gl_string, accept })
    expect(placedProblems(gl_string, output)).toEqual(expected)
    expect(output).toMatchObject({ gl_string, valid: expected.length === 0 })
  })

  test('what is odd stands where it was typed', () => {
    const gl_string = 'a*1:1+A*01:01^ A*02:01+A*01:01+a*01:01'
    const output = ask(small, 'validate', { gl_string, accept: ['all'] })
    // the output schema of validate
    const notes = output['notes'] as readonly { code: string; position: readonly number[] }[]
    expect(notes.map(({ code, position: [start, end] }) => [code, gl_string.slice(start, end)])).toEqual([
      ['accept-case-zero', 'a*1:1'],
      ['accept-space', ' A*02:01'],
      ['accept-case', 'a*01:01'],
      ['three-copies', ' A*02:01+A*01:01+a*01:01'],
    ])
  })

  test.for([
    ['mac', 'a*01:ab', { mac: 'A*01:AB', gl_string: 'A*01:01/A*01:02', direction: 'expand' }],
    ['mac', 'A*1:1/1:2', { mac: 'A*01:AB', direction: 'lookup' }],
    ['cwd', 'a*1:1 /02:01', { gl_string: 'a*1:1 /02:01', cwd: 'A*01:01/A*02:01' }],
  ] as const)('%s %s', ([operation, gl_string, expected]) => {
    expect(() => ask(small, operation, { gl_string })).toThrow(/locus|capitals|white space/)
    expect(ask(small, operation, { gl_string, accept: ['all'] })).toMatchObject(expected)
  })

  test.for([
    ['mac', 'a*01:01/A*01:01:01', 'A*01:01:01'],
    ['cwd', 'a*01:01/A*99:99:99', 'A*99:99:99'],
  ] as const)('%s %s says what is wrong where it was typed', ([operation, gl_string, offending]) => {
    const start = gl_string.indexOf(offending)
    const position = [start, start + offending.length]
    expect(() => ask(small, operation, { gl_string, accept: ['case'] })).toThrow(
      expect.objectContaining({ offending, position }),
    )
  })
})

describe.skipIf(!hasShared)('names of other releases', () => {
  const executor = () =>
    localExecutor(makeKnowledge({ release: realRelease('3580'), mac: realMacs(), history: publishedHistory }))

  test.for([
    ['A*30:100', '3.29.0', []],
    ['A*01:01+A*30:900^A*99:99', '3.29.0', [['unknown-allele', 'A*30:900'], ['unknown-allele', 'A*99:99']]],
    ['A*30:900^x', '3.29.0', [['unknown-allele', 'A*30:900'], ['bad-syntax', 'x']]],
  ] as const)('validate %s of %s', ([gl_string, from, expected]) => {
    expect(placedProblems(gl_string, ask(executor(), 'validate', { gl_string, from }))).toEqual(expected)
  }) // prettier-ignore

  test.for([
    ['A*0201', 'A*02:01', 'renamed', 'A*02:01'],
    ['HLA-A*0104+A*24329', 'HLA-A*01:04:01:01N+A*24:329Q', 'renamed', 'HLA-A*01:04:01:01N+A*24:329'],
    ['A*01:01/A*0201', 'A*01:01/A*02:01', 'renamed', 'A*01:01/A*02:01'],
    ['A*01:01+A*9999', '', 'unknown', 'A*01:01+A*99:99'],
    ['A*01:01', 'A*01:01', 'same', undefined],
  ] as const)('lift %s, from before April 2010', ([gl_string, result, lift_status, spelling]) => {
    const output = ask(executor(), 'lift', { gl_string })
    expect([output['result'], output['lift_status'], output['spelling']]).toEqual([result, lift_status, spelling]) // prettier-ignore
  })

  test.for([{ lift: true }, { from: '3.29.0' }])('names from before April 2010 are read with %o', (asked) => {
    expect(ask(executor(), 'redux', { gl_string: 'A*0201+A*24329', ...asked })).toMatchObject({
      ard: 'A*02:01+A*24:329Q',
      notes: expect.arrayContaining([expect.objectContaining({ offending: 'A*24329', position: [7, 14] })]),
    })
    expect(ask(executor(), 'validate', { gl_string: 'A*0201+A*24329', ...asked })).toMatchObject({
      valid: true,
    })
  })

  test.for([
    [{}, false, ['lifted']],
    [{ accession: true }, false, ['lifted', 'accession']],
    [{}, true, ['lifted', 'lift_status', 'accession']],
    [{ accession: true }, true, ['lifted', 'accession', 'lift_status']],
  ] as const)('a table with %j, details %s has %j', ([asked, details, columns]) => {
    const { cells } = liftOperation
    if (cells === undefined) throw new Error('tables are translated')
    expect(cellColumns(cells as CellFace, asked, details)).toEqual(columns)
    const answer = liftOperation.run({ gl_string: 'A*24:329' }, makeKnowledge({ release: realRelease('3580'), history: publishedHistory })) // prettier-ignore
    const known: Readonly<Record<string, string>> = {
      lifted: 'A*24:329Q',
      lift_status: 'suffix',
      accession: 'HLA14501',
    }
    const { results } = cells.outcome(answer, { gl_string: 'A*24:329', ...asked })
    expect(results.slice(0, columns.length)).toEqual(columns.map((column) => known[column]))
  })

  test.for([
    ['A*24:329', 'HLA14501'],
    ['A*24:329/A*01:01', ''],
    ['A*01:02', 'HLA00002'],
  ] as const)('lift of %s has the accession number "%s"', ([gl_string, accession]) => {
    expect(ask(executor(), 'lift', { gl_string, from: '3.29.0' })).toMatchObject({ accession })
  })

  test('lift names the other reading of five digits', () => {
    const output = ask(executor(), 'lift', { gl_string: 'A*02116' })
    expect(output).toMatchObject({ result: 'A*02:116', notes: [{ code: 'old-name-readings', position: [0, 7] }] }) // prettier-ignore
  })

  test('validate says what each was read as', () => {
    const output = ask(executor(), 'validate', { gl_string: 'a*24:329', lift: true, accept: ['case'] })
    expect(output).toMatchObject({
      valid: true,
      notes: [{ code: 'accept-case' }, { code: 'renamed-allele', position: [0, 8] }],
    })
  })

  test.for([
    ['a*24:329', ['case'], 'A*24:329Q'],
    ['a*24329', ['case'], 'A*24:329Q'],
    ['A*24:329 ', ['space'], 'A*24:329Q'],
    ['A*30:100g', ['g'], 'A*30:02'],
  ] as const)('redux of %s accepts %j, then translates', ([gl_string, accept, ard]) => {
    const asked = { gl_string, lift: true, reduction_method: 'lgx' }
    expect(() => ask(executor(), 'redux', asked)).toThrow(/capitals|white space|A\*30:100g/)
    expect(ask(executor(), 'redux', { ...asked, accept })).toMatchObject({ ard })
  })

  test('mac keeps names of two fields that only gained more', () => {
    expect(ask(executor(), 'mac', { gl_string: 'A*01:02/A*01:01', from: '3.29.0' })).toEqual({
      mac: 'A*01:AB',
      gl_string: 'A*01:02/A*01:01',
      alleles: ['A*01:02', 'A*01:01'],
      direction: 'lookup',
    })
  })

  test('cwd translates first', () => {
    const output = ask(executor(), 'cwd', { gl_string: 'A*30:100/A*01:01', from: '3.29.0' })
    expect(output).toMatchObject({ cwd: 'A*01:01/A*30:02' })
  })

  test.for([
    ['a*24:329', 'A*24:329Q', 'suffix'],
    ['A*24:329 ', 'A*24:329Q', 'suffix'],
  ] as const)('lift %s leniently', ([gl_string, result, lift_status]) => {
    expect(() => ask(executor(), 'lift', { gl_string })).toThrow(/capitals|white space/)
    expect(ask(executor(), 'lift', { gl_string, accept: ['all'] })).toMatchObject({ result, lift_status })
  })
})

describe('names of other releases without their lists', () => {
  const asked = [
    ['redux', { gl_string: 'A*01:01', from: '3.29.0' }],
    ['validate', { gl_string: 'A*01:01', lift: true }],
    ['lift', { gl_string: 'A*01:01' }],
  ] as const

  test.for(asked)('%s of the starter set: needs complete lists', ([operation, input]) => {
    const starter = localExecutor(makeKnowledge(openStarter()))
    const error = errorOf(() => starter.execute(operation, input))
    expect(error && errorRecord(error)).toMatchObject({
      code: 'starter',
      message: 'translating names between releases needs complete lists; the built-in starter set has none',
      hint: 'hla data install 3.58.0 installs the full release',
    })
  })

  test.for(asked)('%s of a release alone: needs the allele lists', ([operation, input]) => {
    const error = errorOf(() => small.execute(operation, input))
    expect(error && errorRecord(error)).toMatchObject({
      code: 'no-data',
      message: 'the allele lists of other releases are not installed',
      hint: 'hla data install 3.58.0 --force --from <IMGTHLA with Allelelist_history.txt or allelelist/>',
    })
  })
})

test('how a request says what its names are', () => {
  expect(READING_PROPERTIES).toMatchObject({
    from: { description: 'release of the names, such as 3.29.0' },
    lift: { description: 'the names may come from any earlier release' },
    accept: { description: 'leniencies: case space zero shorthand suffix g notation v2 excel lenient all' },
  })
})
