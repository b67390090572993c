/** Serology files -> antigens of alleles. */
import { describe, expect, test } from 'vitest'
import { antigensBy, compileSerology } from '../../../src/reference/compile/serology.ts'
import { parseDnaSerology } from '../../../src/reference/sources/dna-serology.ts'
import { parseSerology } from '../../../src/reference/sources/serology.ts'

const DNA = `
A*;23:01:01:01;23;;;
A*;24:02:01:01;24;;;
A*;24:02:01:02L;;0/24;;
A*;24:03:01:01;2403;;;
A*;02:55;;2/28;;
C*;03:03:01:01;9;;;
DRB1*;15:01:01:01;15;;;
DRB5*;01:01:01:01;51;;;
DQB1*;05:01:01:01;5;;;
DQA1*;01:01:01:01;?;;;
A*;24:09N;0;;;
`
const SEROLOGY = 'A;9;23/24;\nA;24;;2403\nCw;3;9/10;\nDR;2;15/16;\nDw;6;18/19;'
const tables = compileSerology(parseDnaSerology(DNA), parseSerology(SEROLOGY), ['Bw4', 'A24'])

test.for([
  ['A*24:02:01:01', ['A24', 'A9']],
  ['A*24:02:01:02L', ['A24', 'A9']],
  ['A*24:03:01:01', ['A2403']],
  ['A*02:55', ['A2', 'A28']],
  ['C*03:03:01:01', ['Cw9', 'Cw3']],
  ['DRB1*15:01:01:01', ['DR15', 'DR2']],
  ['DRB5*01:01:01:01', ['DR51']],
  ['DQB1*05:01:01:01', ['DQ5']],
  ['DQA1*01:01:01:01', undefined],
  ['A*24:09N', undefined],
] as const)('%s has %j', ([allele, antigens]) => {
  expect(tables.alleleAntigens.get(allele)).toEqual(antigens)
})

describe('antigens', () => {
  test('broads have the alleles of their splits', () => {
    expect(tables.antigenAlleles.get('A9')).toEqual(['A*23:01:01:01', 'A*24:02:01:01', 'A*24:02:01:02L'])
  })

  test('known antigens are antigens without any allele', () => {
    expect(tables.antigens.has('Bw4')).toBe(true)
    expect(tables.antigenAlleles.get('Bw4')).toBeUndefined()
  })

  test('broads, splits and associated antigens are kept as published', () => {
    expect(tables.broads).toEqual({
      A9: ['A23', 'A24'],
      Cw3: ['Cw9', 'Cw10'],
      DR2: ['DR15', 'DR16'],
      Dw6: ['Dw18', 'Dw19'],
    })
    expect(tables.associated).toEqual({ A2403: 'A24' })
  })

  test('by another name of their alleles', () => {
    const byTwo = antigensBy(tables.antigenAlleles, (allele) => allele.slice(0, 7))
    expect(byTwo.get('A*24:02')).toEqual(['A24', 'A9'])
  })
})
