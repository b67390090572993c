/** The conversion in blocks equals that of rows: bytes, counts, reports. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Executor, localExecutor } from '../../../src/operations/executor.ts'
import { makeKnowledge } from '../../../src/operations/knowledge.ts'
import { encodeHistory, readHistory } from '../../../src/reference/history/history.ts'
import { convertTable, tableCases } from '../../support/random-tables.ts'
import { smallMacs, smallRelease, readFixture } from '../../support/small-release.ts'
import { rounds } from '../../support/rounds.ts'

const alleles = readFixture('small-release.tsv').map(({ allele = '' }) => allele)
const knowledge = makeKnowledge({ release: smallRelease(), mac: smallMacs(), history: () => HISTORY })
/** The previous release had no fourth fields, and other names for one allele in ten. */
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

const RUNS = rounds(20_000)

/** Answers only the questions of `ahead`. */
function farExecutor(): Executor {
  const local = localExecutor(knowledge)
  const refuse = () => {
    throw new Error('not asked ahead')
  }
  return {
    execute: refuse,
    async ahead(questions) {
      const keys = new Set(questions.map((question) => JSON.stringify(question)))
      return {
        execute: (operation, input) =>
          keys.has(JSON.stringify({ operation, input })) ? local.execute(operation, input) : refuse(),
      }
    },
  }
}

/** A comma-separated table, by one method. */
const LGX = {
  delimiter: ',',
  cuts: [],
  reading: {},
  writing: {},
  operation: 'redux',
  inputs: [{ reduction_method: 'lgx' }],
  details: false,
} as const

describe('rowConverter', () => {
  test('converts any table as rows of csv-parse are converted', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(tableCases(TYPINGS), async (table) => {
        const ordinary = await convertTable(table, knowledge, false)
        expect(await convertTable(table, knowledge, true)).toEqual(ordinary)
      }),
      { numRuns: RUNS },
    )
  })

  test(
    'converts any table that is answered far away as one that is answered here',
    { timeout: 600_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(tableCases(TYPINGS), async (table) => {
          const here = await convertTable(table, knowledge, true)
          expect(await convertTable(table, knowledge, true, farExecutor())).toEqual(here)
        }),
        { numRuns: RUNS / 4 },
      )
    },
  )

  test('meets the header again as rows of csv-parse do', async () => {
    const table = {
      head: 'id,A1,A2\n',
      body: '1,01:01,24:02\nid,A1,A2\n"id",A1,A2\r\n\ufeff"id",A1, A2\nid,A2,A1\n2,A1,A2\nid,A1,A2',
      ...LGX,
    } as const
    const ordinary = await convertTable(table, knowledge, false)
    expect(ordinary.summary).toMatchObject({ rows: 3, notes: { 'repeated-header': 4 } })
    expect(ordinary.output.match(/id,A1,A1_lgx,A2,A2_lgx/g)).toHaveLength(5)
    expect(await convertTable(table, knowledge, true)).toEqual(ordinary)
    // a tab as the delimiter also ends the name
    const tabs = {
      ...table,
      head: 'A1\tA2\tid\n',
      body: '01:01\t24:02\t1\nA1\tA2\tid\nA1 \tA2\tid\n',
      delimiter: '\t',
    }
    const other = await convertTable(tabs, knowledge, false)
    expect(other.summary).toMatchObject({ rows: 1, notes: { 'repeated-header': 2 } })
    expect(await convertTable(tabs, knowledge, true)).toEqual(other)
  })

  test('where nothing is quoted, NUL is no quote', async () => {
    const body = '\0 1\0,A*01:01:01:01,\0A*02:01\0\n'
    const table = { ...LGX, head: 'id,A_1,A_2\n', body, reading: { dialect: { quote: 'none' } } } as const
    const known = await convertTable(table, knowledge, true)
    expect(known).toMatchObject({
      summary: { status: { ok: 1, error: 1 } },
      report: expect.stringMatching(/^1,2,. 1.,A_2,A,.A\*02:01.,bad-character,/),
    })
    expect(known).toEqual(await convertTable(table, knowledge, false))
  })

  test('the quotes of a source stay with it; a result has its own', async () => {
    const table = {
      head: 'id,A_1,A_2,B_1,B_2\n',
      body: '"1","A*01:01:01:01","NA","","NA"\n"2",="A*01:01:01:01",NA,,"A*02:01,A*03:01"\n',
      ...LGX,
      reading: { choice: { loci: ['A=A_1,A_2', 'B=B_1,B_2'] } },
    } as const
    for (const [into, written] of [
      [
        'after',
        [
          '"1","A*01:01:01:01",A*01:01,"NA",NA,"",,"NA",NA',
          '"2",="A*01:01:01:01",A*01:01,NA,NA,,,"A*02:01,A*03:01",',
        ],
      ],
      ['replace', ['"1",A*01:01,"NA","","NA"', '"2",A*01:01,NA,,']],
    ] as const) {
      const one = { ...table, writing: { into } }
      const rows = (await convertTable(one, knowledge, true)).output.split('\n').slice(1, -1)
      expect(rows).toEqual(written)
      expect(await convertTable(one, knowledge, false)).toEqual(await convertTable(one, knowledge, true))
    }
  })

  test('a genotype that another repeats with HLA- is one', async () => {
    const genotypes = ['A*01:01+A*02:01', 'HLA-A*01:01+HLA-A*02:01']
    const table = {
      head: 'id,gl\n',
      body: `1,${genotypes.join('^')}\n2,${genotypes.toReversed().join('^')}\n`,
      ...LGX,
      reading: { choice: { gl: 'gl' } },
    } as const
    const ordinary = await convertTable(table, knowledge, false)
    expect(ordinary.output.split('\n').slice(1, 3).map((row) => row.split(',').at(-1))).toEqual([genotypes[1], genotypes[1]]) // prettier-ignore
    expect(await convertTable(table, knowledge, true)).toEqual(ordinary)
  })

  test.for(['\n', '\r\n'])('an empty line of one column is no row: %j', async (end) => {
    const table = { head: `A_1${end}`, body: ['A*01:01', '', 'A*02:01', '', ''].join(end), ...LGX }
    const rows = { ...table, reading: { choice: { loci: ['A=A_1'] } } }
    const ordinary = await convertTable(rows, knowledge, false)
    expect(ordinary.output.split(end).slice(1)).toEqual(['A*01:01,A*01:01', '', 'A*02:01,A*02:01', '', ''])
    expect(await convertTable(rows, knowledge, true)).toEqual(ordinary)
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
