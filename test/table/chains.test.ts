/** Molecules of two chains, whose genes stand in different columns, as peptide-binding predictors name them. */
import { describe, expect, test } from 'vitest'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { convertTable } from '../support/random-tables.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared)('a row with both genes', () => {
  const HEAD = 'id,A_1,DQA1_1,DQA1_2,DQB1_1,DQB1_2'
  const converted = async (head: string, row: string, as = 'netmhcpan') => {
    const knowledge = makeKnowledge({ release: realRelease('3580'), mac: realMacs() })
    const table = {
      head: `${head}\n`,
      body: `${row}\n`,
      delimiter: ',',
      cuts: [],
      reading: {},
      writing: { dropSource: true },
      operation: 'redux',
      inputs: [{ reduction_method: 'U2', as }],
      details: false,
    } as const
    const ordinary = await convertTable(table, knowledge, false)
    expect(await convertTable(table, knowledge, true)).toEqual(ordinary)
    const [, line = ''] = ordinary.output.split('\n')
    return { line, failed: ordinary.summary.status['error'] }
  }

  test.for([
    ['netmhcpan', 'HLA-DQA10101-DQB10201,HLA-DQA10101-DQB10501,HLA-DQA10501-DQB10201,HLA-DQA10501-DQB10501'],
    ['pvacseq', 'DQA1*01:01-DQB1*02:01,DQA1*01:01-DQB1*05:01,DQA1*05:01-DQB1*02:01,DQA1*05:01-DQB1*05:01'],
    ['iedb', 'HLA-DQA1*01:01/DQB1*02:01,HLA-DQA1*01:01/DQB1*05:01,HLA-DQA1*05:01/DQB1*02:01,HLA-DQA1*05:01/DQB1*05:01'],
  ] as const)('has all four molecules of %s', async ([as, molecules]) => {
    const { line, failed } = await converted(HEAD, '1,,01:01,05:01,02:01,05:01', as)
    expect({ line, failed }).toEqual({ line: `1,,${molecules}`, failed: 0 })
  }) // prettier-ignore

  test.for([
    ['one copy twice', '1,02:01,01:01,01:01,02:01,05:01', '1,HLA-A02:01,HLA-DQA10101-DQB10201,HLA-DQA10101-DQB10501,,', 0],
    ['one copy alone', '1,,01:01,,02:01,', '1,,HLA-DQA10101-DQB10201,,,', 0],
    ['possible alleles', '1,,05:01/05:05,,02:01,', '1,,HLA-DQA10501-DQB10201/HLA-DQA10505-DQB10201,,,', 0],
    ['a typing that fails', '1,,01:01,05:01,02:01,99:99', '1,,HLA-DQA10101-DQB10201,HLA-DQA10501-DQB10201,,', 1],
    ['the other gene untyped', '1,02:01,,,02:01,05:01', '1,HLA-A02:01,,,,', 2],
    ['a null allele', '1,,01:01,,02:20N,', '1,,,,,', 2],
  ] as const)('%s', async ([, row, line, failed]) => {
    expect(await converted(HEAD, row)).toEqual({ line, failed })
  }) // prettier-ignore

  test('of two persons, each has its own', async () => {
    const head = 'P_DQA1,P_DQB1,D_DQA1,D_DQB1'
    const { line } = await converted(head, '01:01+05:01,02:01+05:01,02:01,02:02')
    expect(line).toBe(
      'HLA-DQA10101-DQB10201+HLA-DQA10101-DQB10501,HLA-DQA10501-DQB10201+HLA-DQA10501-DQB10501,HLA-DQA10201-DQB10202,',
    )
  })

  test('more molecules than an answer may have are refused', async () => {
    const { line, failed } = await converted(HEAD, '1,,01:XX/05:XX,,02:XX/03:XX,')
    expect({ line, failed }).toEqual({ line: '1,,,,,', failed: 2 })
  })
})
