/** Columns of names in the spelling of binding predictors: `HLA-A02:01`, `A0201`, `DRB1_0101`. */
import { describe, expect, test } from 'vitest'
import { tryRead } from '../../src/table/plan/plan.ts'
import { planText } from '../support/convention-tables.ts'

/** Readings of the cells of the first group. */
async function cellsOf(header: string, ...rows: readonly string[]): Promise<string[]> {
  const plan = await planText([header, ...rows].join('\n'), { delimiter: ',' })
  if (plan instanceof Error) return [plan.message]
  return plan.groups.flatMap(({ values, context }) =>
    values.map((value) => {
      const read = tryRead(value, context)
      return read instanceof Error
        ? `! ${read.message}`
        : read.kind === 'typing'
          ? read.glString
          : read.status
    }),
  )
}

describe('a column', () => {
  test.for([
    ['of a locus', ['id,A_1,A_2', '1,A0201,A0101', '2,A0101,A0301'], ['A*02:01', 'A*01:01', 'A*03:01']],
    ['… with its prefix', ['id,A_1,A_2', '1,HLA-A02:01,HLA-A01:01', '2,HLA-A01:01,'], ['HLA-A*02:01', 'HLA-A*01:01']],
    ['… of another locus', ['id,B_1,B_2', '1,A02:01,B07:02', '2,B07:02,B08:01', '3,B07:02,B08:01'], ['! A*02:01 is an A allele in a B column', 'B*07:02', 'B*08:01']],
    ['of any locus', ['id,allele', '1,HLA-A02:01', '2,HLA-B07:02'], ['HLA-A*02:01', 'HLA-B*07:02']],
    ['of lower case', ['id,allele', '1,hla_a_02_01', '2,hla_b_07_02'], ['A*02:01', 'B*07:02']],
    ['of chains', ['id,molecule', '1,HLA-DQA10501-DQB10201', '2,DRB1_0101'], ['HLA-DQA1*0501~HLA-DQB1*0201', 'DRB1*0101']],
    ['of other names, one of which is so written', ['id,A_1,A_2', '1,A*02:01,A*01:01', '2,A*01:01,A0201'], ['A*02:01', 'A*01:01', 'A0201']],
  ] as const)('%s', async ([, [header, ...rows], expected]) => {
    expect(await cellsOf(header, ...rows)).toEqual(expected)
  }) // prettier-ignore

  test.for([
    ['numbers of samples', 'E0001'],
    ['codes', 'G_0101'],
  ])('%s are none', async ([, code]) => {
    const plan = await planText(`code,A_1,A_2\n${code},01:01,02:01\n${code},24:02,03:01\n`, {
      delimiter: ',',
    })
    expect(plan instanceof Error || plan.groups.map(({ columns }) => columns)).toEqual([[1, 2]])
  })
})
