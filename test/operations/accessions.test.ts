/** Accession numbers beside verdicts: in the answer, in text, in a row, and in a column of a table. */
import { describe, expect, test } from 'vitest'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { liftOperation } from '../../src/operations/questions/lift.ts'
import { validateOperation } from '../../src/operations/questions/validate.ts'
import { errorOf } from '../support/errors.ts'
import { publishedHistory } from '../support/history.ts'
import { convertRecords } from '../support/record-tables.ts'
import { realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { smallRelease } from '../support/small-release.ts'

describe.skipIf(!hasShared)('validate --accession', () => {
  const ask = (gl_string: string, accession = true) => {
    const knowledge = makeKnowledge({ release: realRelease('3580'), history: publishedHistory })
    return validateOperation.run({ gl_string, accession }, knowledge)
  }

  test.for([
    ['A*01:01:01:01', 'HLA00001', 'valid\tHLA00001'],
    ['HLA-A*01:01:01:01', 'HLA00001', 'valid\tHLA00001'],
    ['HLA00001', 'HLA00001', 'unknown\tHLA00001\tHLA00001 is an accession number, not a name: the number of A*01:01:01:01'],
    // the number of the renamed or deleted allele
    ['A*24:329', 'HLA14501', 'renamed\tHLA14501\tA*24:329: renamed A*24:329Q in 3.39.0: "Sequence renamed A*24:329Q (October 2019)"'],
    // several alleles, or a prefix of several names
    ['A*01:01:01:01+A*02:01:01:01', '', 'valid'],
    ['A*01:01', '', 'valid'],
  ] as const)('%s: %s', ([name, accession, text]) => {
    const answer = ask(name)
    expect(answer.accession).toBe(accession)
    expect(validateOperation.toText(answer)).toBe(text)
    expect(validateOperation.table?.row(answer, { gl_string: name, accession: true })?.at(-1)).toBe(accession)
  }) // prettier-ignore

  test('every allele of the release has the number of its list', () => {
    const history = publishedHistory()
    const names = history.spellingsUnder('DPB1*').map(({ name }) => name)
    const present = names.filter((name) => history.accessionIn('3.58.0', name) !== undefined)
    const others = present.filter((name) => ask(name).accession !== history.accessionIn('3.58.0', name))
    expect([present.length > 1000, others]).toEqual([true, []])
  })

  test('the number given to another allele before is not that of the name', () => {
    expect(ask('A*30:100')).toMatchObject({ verdict: 'reused', accession: publishedHistory().accessionIn('3.58.0', 'A*30:100') ?? '' }) // prettier-ignore
  })

  test('without the option there is none', () => {
    expect(ask('A*01:01:01:01', false)).not.toHaveProperty('accession')
  })

  test('lift writes it behind the name', () => {
    const input = { gl_string: 'A*24:329', accession: true }
    const output = liftOperation.run(input, makeKnowledge({ release: realRelease('3580'), history: publishedHistory })) // prettier-ignore
    expect(liftOperation.toText(output, input)).toBe('A*24:329Q\tHLA14501')
  })
})

test('numbers need the allele lists of other releases', () => {
  const ask = () =>
    validateOperation.run(
      { gl_string: 'A*01:01', accession: true },
      makeKnowledge({ release: smallRelease() }),
    )
  expect(errorOf(ask)?.code).toBe('no-data')
})

test.skipIf(!hasShared)('a column of a table, with and without details', async () => {
  const table = { 't.csv': 'id,A_1,A_2\n1,01:01:01:01,99:99\n2,24:329,xyz:1\n' }
  const asked = { isValidated: true, more: { accession: true }, release: realRelease('3580'), history: publishedHistory() } // prettier-ignore
  const { output } = await convertRecords(table, asked)
  expect(output.split('\n').slice(0, 2)).toEqual([
    'id,A_1,A_1_verdict,A_1_accession,A_2,A_2_verdict,A_2_accession',
    '1,01:01:01:01,valid,HLA00001,99:99,unknown,',
  ])
  expect(output.split('\n')[2]).toContain('24:329,renamed,HLA14501,')
  const detailed = await convertRecords(table, { ...asked, details: true })
  expect(detailed.output.split('\n')[1]).toContain('valid,HLA00001,,,,99:99,unknown,,unknown-allele,')
})
