/** The fast conversion beside the ordinary one: same bytes, same counts, same reports. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeKnowledge } from '../../../src/operations/knowledge.ts'
import { encodeHistory, readHistory } from '../../../src/reference/history/history.ts'
import { convertTable, tableCases } from '../../support/fast-tables.ts'
import { smallMacs, smallRelease, readFixture } from '../../support/small-release.ts'

const alleles = readFixture('small-release.tsv').map(({ allele = '' }) => allele)
const knowledge = makeKnowledge({ release: smallRelease(), mac: smallMacs(), history: () => HISTORY })
/** The release before had no fourth fields, and another name for each tenth allele. */
const HISTORY = readHistory(
  encodeHistory(
    [
      { release: '3.57.0', rows: alleles.map((name, at) => [`HLA${String(at).padStart(5, "0")}`, at % 10 === 0 ? `A*99:${at}` : name.split(':').slice(0, 3).join(':')]) },
      { release: '3.58.0', rows: alleles.map((name, at) => [`HLA${String(at).padStart(5, "0")}`, name]) },
    ],
    [],
  ),
) // prettier-ignore
const ofA = alleles.filter((allele) => allele.startsWith('A*'))
const TYPINGS = [
  ...ofA.slice(0, 20),
  ...ofA.slice(0, 8).map((allele, at) => `${allele}/${ofA[at + 3] ?? allele}`),
  ...alleles.filter((allele) => !allele.startsWith('A*')).slice(0, 12),
  'A*01:AB', 'A*01:XX', 'A1', '01:01', '02:01', '01:AB',
] // prettier-ignore

const RUNS = 20_000

describe('fastConverter', () => {
  test('converts any table as rows of csv-parse are converted', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(tableCases(TYPINGS), async (table) => {
        const ordinary = await convertTable(table, knowledge, false)
        expect(await convertTable(table, knowledge, true)).toEqual(ordinary)
      }),
      { numRuns: RUNS },
    )
  })

  test.for([
    ['gl', { gl: '1' }],
    ['A_1', { loci: ['A=1'] }],
  ] as const)('writes a tab beside the only column %s', async ([name, choice]) => {
    const table = {
      head: `${name}\n`,
      body: 'A*01:01\nA*02:01\tx\n"A*02:01"\nA*03:01\n',
      delimiter: '\u001f',
      cuts: [],
      reading: { choice, accept: ['space'] },
      writing: {},
      operation: 'redux',
      inputs: [{ reduction_method: 'lgx' }],
      details: false,
    } as const
    const ordinary = await convertTable(table, knowledge, false)
    expect(await convertTable(table, knowledge, true)).toEqual(ordinary)
    expect(ordinary.output).toContain('A*01:01\tA*01:01\n')
  })
})
