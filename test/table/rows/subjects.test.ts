/** GL Strings and DRBX pairs of persons: the conversion in blocks equals that of rows. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blendDrbx } from '../../../src/engine/blend.ts'
import { makeKnowledge } from '../../../src/operations/knowledge.ts'
import { openStarter } from '../../../src/reference/starter/open-starter.ts'
import { convertTable, type TableCase } from '../../support/random-tables.ts'
import { assured, HlaError } from '../../../src/errors.ts'
import { readFixture, smallMacs, smallRelease } from '../../support/small-release.ts'
import { rounds } from '../../support/rounds.ts'

const knowledge = makeKnowledge({ release: smallRelease(), mac: smallMacs() })
/** It has DRB1 of each kind. */
const starter = makeKnowledge(openStarter())
const alleles = readFixture('small-release.tsv').map(({ allele = '' }) => allele)

function typingsAt(locus: string): string[] {
  const names = alleles.filter((allele) => allele.startsWith(`${locus}*`)).slice(0, 8)
  const short = names.map((name) => name.split(':').slice(0, 2).join(':'))
  const lists = names.map((name, at) => `${name}/${names.at(at - 1) ?? name}`)
  return [...names, ...short, ...lists, '']
}

const OF_ANY = ['NA', 'NNNN', 'NEW', 'UUUU', '', '', 'x', '"', 'A*99:99'] as const
const ODD_AT: Readonly<Record<string, readonly string[]>> = {
  A: ['A1', 'A*01:AB', 'A*01:XX', '01:01', 'A*01:01+A*02:01', '01:01;02:01', 'A*01:01?A*02:01'],
  B: ['B7', '07:02'],
  DRB3: ['DRB3*NNNN', 'DR52'],
  DRB4: ['DRB4*NNNN'],
}
const COLUMNS = [
  'p_A_1', 'p_A_2', 'p_B_1', 'p_B_2', 'p_C', 'p_DRB1_1', 'p_DRB1_2', 'p_DRB3_1', 'p_DRB3_2', 'p_DRB4_1', 'q_A_1', 'q_A_2', 'q_DPB1_1', 'q_DPB1_2',
] as const // prettier-ignore

function locusIn(column: string): string {
  return column.split('_')[1] ?? ''
}

function cell(column: string): fc.Arbitrary<string> {
  const locus = locusIn(column)
  const odd = [...OF_ANY, ...(ODD_AT[locus] ?? [])]
  return fc.oneof(
    { weight: 25, arbitrary: fc.constantFrom(...typingsAt(locus)) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  )
}

const LOCI = [...new Set(COLUMNS.map((column) => column.split('_').slice(0, 2).join('_')))].map((locus) => {
  const columns = COLUMNS.filter((column) => column === locus || column.startsWith(`${locus}_`))
  return `${locusIn(locus)}=${columns.join(',')}`
})

const tables: fc.Arbitrary<TableCase> = fc
  .record({
    rows: fc.array(fc.tuple(...COLUMNS.map(cell)), { maxLength: 8 }),
    writing: fc.record({
      into: fc.constantFrom('after', 'append', 'none', 'replace'),
      glOut: fc.constantFrom('gl', 'gl', undefined),
      drbx: fc.constantFrom('drbx', undefined),
      glsc: fc.boolean(),
      secondBlank: fc.constantFrom('blank', 'homozygous'),
      locusPrefix: fc.constantFrom('full', 'full', 'bare'),
      onError: fc.constantFrom('blank', 'report'),
      dropSource: fc.boolean(),
    }),
    methods: fc.constantFrom(['lgx'], ['G', 'S'], ['S'], ['P', 'lgx']),
  })
  .map(({ rows, writing, methods }) => {
    const isNone = writing.glOut === undefined && writing.drbx === undefined
    const isMany = writing.into === 'replace' && methods.length > 1
    const into = isMany || (isNone && writing.into === 'none') ? 'after' : writing.into
    return {
      head: `id,${COLUMNS.join(',')},note\n`,
      body: rows.map((cells, at) => `D${at},${cells.join(',')},n\n`).join(''),
      delimiter: ',',
      cuts: [],
      reading: { choice: { loci: LOCI, subjects: ['p=p_', 'q=q_'] } },
      writing: { ...writing, into, dropSource: into !== 'replace' && writing.dropSource },
      operation: 'redux',
      inputs: methods.map((reduction_method) => ({ reduction_method })),
      details: false,
    }
  })

describe('what is joined for a person', () => {
  test('is the same in blocks and by rows', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const ordinary = await convertTable(table, knowledge, false)
        expect(await convertTable(table, knowledge, true)).toEqual(ordinary)
      }),
      { numRuns: rounds(200) },
    )
  })

  test.for([
    [
      'A*01:01,A*02:01,B*07:02,,DRB3*01:01,DRB4*01:01',
      'A*01:01+A*02:01^DRB3*01:01^DRB4*01:01^B*07:02',
      'DRB3*01:01,DRB4*01:01',
    ],
    [
      'A*01:01,,B*07:02,B*07:02,DRB3*01:01,NNNN',
      'A*01:01^B*07:02+B*07:02^DRB3*01:01',
      'DRB3*01:01,DRBX*NNNN',
    ],
    ['A*01:01,NEW,B*08:01,B*07:02,,', 'B*07:02+B*08:01', ','],
    ['A1,A2,,,,', 'A*01:01/A*01:02/A*01:03+A*02:01/A*02:10/A*02:16/A*02:17', ','],
  ] as const)('is joined: %s', async ([cells, glString, pair]) => {
    const table = {
      head: 'A_1,A_2,B_1,B_2,DRB3,DRB4\n',
      body: `${cells}\n`,
      delimiter: ',',
      cuts: [],
      reading: { choice: { loci: ['A=A_1,A_2', 'B=B_1,B_2', 'DRB3=DRB3', 'DRB4=DRB4'] } },
      writing: { into: 'none', glOut: 'gl', drbx: 'drbx' },
      operation: 'redux',
      inputs: [{ reduction_method: 'lgx' }],
      details: false,
    } as const
    const { output } = await convertTable(table, knowledge, true)
    expect(output).toBe(`A_1,A_2,B_1,B_2,DRB3,DRB4,gl,drbx_1,drbx_2\n${cells},${glString},${pair}\n`)
  })

  test.for([
    ['DRB3*01:01,DRB3*01:01,DRB4*01:01,DRB4*01:01,,', 'DRB3*01:01,DRB4*01:01', []],
    ['DRB3*01:01,DRB3*01:01,,,,', 'DRB3*01:01,', []],
    ['DRB3*01:01,,NNNN,NNNN,NNNN,NNNN', 'DRB3*01:01,DRBX*NNNN', []],
    ['NNNN,NNNN,NNNN,NNNN,NNNN,NNNN', 'DRBX*NNNN,DRBX*NNNN', []],
    ['DRB3*01:01,DRB3*02:171,DRB4*01:01,,,', ',', ['surplus-typing']],
    ['DRB3*01:01,DRB3*02:171,DRB4*01:01,DRB4*01:01,,', ',', ['surplus-typing', 'surplus-typing']],
  ] as const)('of DRB3, DRB4 and DRB5 two different ones are written: %s', async ([cells, pair, codes]) => {
    for (const isFast of [true, false]) {
      const table = {
        head: 'id,DRB3_1,DRB3_2,DRB4_1,DRB4_2,DRB5_1,DRB5_2\n',
        body: `1,${cells}\n`,
        delimiter: ',',
        cuts: [],
        reading: { choice: {} },
        writing: { into: 'none', drbx: 'X' },
        operation: 'redux',
        inputs: [{ reduction_method: 'lgx' }],
        details: false,
      } as const
      const { output, summary } = await convertTable(table, knowledge, isFast)
      expect(output.split('\n')[1]).toBe(`1,${cells},${pair}`)
      expect(summary.codes).toEqual(codes.length === 0 ? {} : { 'surplus-typing': codes.length })
    }
  })

  // DRB1_1,DRB1_2,DRB3_1,DRB3_2,DRB4_1,DRB4_2,DRB5
  test.for([
    ['03:01,04:01,01:01,01:01,01:03,01:03,', 'DRB3*01:01,DRB4*01:01', []],
    ['04:01,03:01,01:01,,01:03,,', 'DRB3*01:01,DRB4*01:01', []],
    // one chromosome has no such gene
    ['03:01,01:01,01:01,,,,', 'DRB3*01:01,DRBX*NNNN', []],
    ['03:01,01:01,01:01,01:01,,,', 'DRB3*01:01,DRBX*NNNN', []],
    ['01:01,01:02,NNNN,,NNNN,,NNNN', 'DRBX*NNNN,DRBX*NNNN', []],
    // both chromosomes have such a gene: an untyped one is not absent
    ['03:01,11:01,01:01,,,,', 'DRB3*01:01,', []],
    ['03:01,11:01,01:01,,NNNN,NNNN,NNNN', 'DRB3*01:01,', []],
    ['03:01,11:01,01:01,01:01,,,', 'DRB3*01:01,', []],
    ['03:01,11:01,01:01,02:02,,,', 'DRB3*01:01,DRB3*02:02', []],
    ['03:01,04:01,01:01,,,,', 'DRB3*01:01,', []],
    ['03:01,04:01,,,NNNN,NNNN,NNNN', ',', []],
    ['03:01,04:01,,,,,', ',', []],
    ['01:01,01:01,,,,,', ',', []],
    // reported as absent
    ['03:01,11:01,01:01,NNNN,,,', 'DRB3*01:01,DRBX*NNNN', []],
    ['03:01,04:01,01:01,,NNNN,NNNN,', 'DRB3*01:01,DRBX*NNNN', []],
    // DRB1 is missing or ambiguous
    ['03:01,,01:01,,,,', 'DRB3*01:01,DRBX*NNNN', []],
    ['03:01,NEW,01:01,,,,', 'DRB3*01:01,DRBX*NNNN', []],
    ['03:01,99:99,01:01,,,,', 'DRB3*01:01,DRBX*NNNN', ['DRB1_2 starter']],
    ['03:01/04:01,04:01,01:01,,01:03,,', 'DRB3*01:01,DRB4*01:01', []],
    ['03:01/04:01,04:01,01:01,,,,', 'DRB3*01:01,DRBX*NNNN', []],
    ['03:01/11:01,04:01,01:01,,,,', 'DRB3*01:01,', []],
    // DRB1 excludes the gene
    ['01:01,01:02,01:01,01:01,,,', ',', ['DRB3_1 blend-mismatch', 'DRB3_2 blend-mismatch']],
    ['01:01,15:01,01:01,,01:03,,', ',', ['DRB3_1 blend-mismatch', 'DRB4_1 blend-mismatch']],
    ['03:01,04:01,01:01,02:02,01:03,,', ',', ['DRB3_2 blend-mismatch']],
    ['03:01,01:01,01:01,02:02,,,', ',', ['DRB3_2 blend-mismatch']],
    ['03:01,11:01,NEW,,01:03,,', ',', ['DRB4_1 blend-mismatch']],
  ] as const)('DRB1 says what belongs to it: %s', async ([cells, pair, errors]) => {
    for (const isFast of [true, false]) {
      const table = {
        head: 'id,DRB1_1,DRB1_2,DRB3_1,DRB3_2,DRB4_1,DRB4_2,DRB5\n',
        body: `1,${cells}\n`,
        delimiter: ',',
        cuts: [],
        reading: { choice: {}, cellSeparator: 'none' },
        writing: { into: 'none', drbx: 'X', onError: 'report' },
        operation: 'redux',
        inputs: [{ reduction_method: 'lgx' }],
        details: false,
      } as const
      const { output } = await convertTable(table, starter, isFast)
      const status = errors.length === 0 ? 'ok,' : `error,${errors.join(';')}`
      expect(output.split('\n')[1]).toBe(`1,${cells},${pair},${status}`)
    }
  })

  test.for([
    ['id,gl', 'DRB1*03:01+DRB1*04:01^DRB3*01:01^DRB4*01:03', 'DRB3*01:01,DRB4*01:01', 'ok,'],
    ['id,gl', 'DRB1*03:01~DRB3*01:01+DRB1*01:01', 'DRB3*01:01,DRBX*NNNN', 'ok,'],
    ['id,gl', 'DRB1*03:01+DRB1*11:01^DRB3*01:01', 'DRB3*01:01,', 'ok,'],
    ['id,gl', 'DRB1*03:01+DRB1*11:01^A*01:01', ',', 'ok,'],
    ['id,gl', 'A*01:01', ',', 'ok,'],
    ['id,gl', 'DRB1*03:01+DRB1*11:01^DRB4*01:03', ',', 'error,gl blend-mismatch'],
    [
      'id,DRB1_1,DRB1_2,DRB345_1,DRB345_2',
      '04:01,03:01,DRB4*01:03,DRB3*01:01',
      'DRB3*01:01,DRB4*01:01',
      'ok,',
    ],
    [
      'id,DRB1_1,DRB1_2,DRB345_1,DRB345_2',
      '04:01,03:01,DRB4*01:03^DRB3*01:01,',
      'DRB3*01:01,DRB4*01:01',
      'ok,',
    ],
    ['id,DRB1_1,DRB1_2,DRB345_1,DRB345_2', '03:01,11:01,DRB3*01:01,', 'DRB3*01:01,', 'ok,'],
    ['id,DRB1_1,DRB1_2,DRB345_1,DRB345_2', '03:01,11:01,DRB3*01:01,NNNN', 'DRB3*01:01,DRBX*NNNN', 'ok,'],
    [
      'id,DRB1_1,DRB1_2,DRB345_1,DRB345_2',
      '03:01,11:01,DRB3*01:01,DRB4*01:03',
      ',',
      'error,DRB345_2 blend-mismatch',
    ],
  ] as const)('and so it does of %s: %s', async ([head, cells, pair, status]) => {
    const table = {
      head: `${head}\n`,
      body: `1,${cells}\n`,
      delimiter: ',',
      cuts: [],
      reading: { choice: head === 'id,gl' ? { gl: 'gl' } : {} },
      writing: { into: 'none', drbx: 'X', onError: 'report' },
      operation: 'redux',
      inputs: [{ reduction_method: 'lgx' }],
      details: false,
    } as const
    for (const isFast of [true, false]) {
      const { output } = await convertTable(table, starter, isFast)
      expect(output.split('\n')[1]).toBe(`1,${cells},${pair},${status}`)
    }
  })

  test.for([
    ['A*01:01^B*07:02+B*08:01', 'A*01:01^B*07:02+B*08:01'],
    ['B*07:02^A*01:01+A*02:01^C*04:01^B*07:02', 'A*01:01+A*02:01^C*04:01^B*07:02'],
    ['B*08:01^DRB3*01:01^C*04:01', undefined],
    ['A1+A2^A*01:XX^B*07:02', undefined],
    ['A*01:AB+A2^B*07:02', undefined],
  ] as const)('a GL String is put together: %s', async ([cell, expected]) => {
    const table = {
      head: 'id,gl\n',
      body: `1,${cell}\n`,
      delimiter: ',',
      cuts: [],
      reading: { choice: { gl: 'gl' } },
      writing: {},
      operation: 'redux',
      inputs: [{ reduction_method: 'lgx' }],
      details: false,
    } as const
    const ordinary = await convertTable(table, knowledge, false)
    expect(await convertTable(table, knowledge, true)).toEqual(ordinary)
    if (expected !== undefined) expect(ordinary.output).toBe(`id,gl,gl_lgx\n1,${cell},${expected}\n`)
  })
})

describe('DRBX beside DRB1', () => {
  const DRB = ['DRB1_1', 'DRB1_2', 'DRB3_1', 'DRB3_2', 'DRB4_1', 'DRB4_2', 'DRB5_1', 'DRB5_2'] as const
  const DRB1 = [
    '03:01', '11:01', '04:01', '07:01', '15:01', '01:01', '08:01', '03:01', '03:XX', '03:01/03:02', '03:01/04:01',
    'DRB1*03:01/DRB1*13:02', 'DR17', '', 'NEW', '99:99',
  ] // prettier-ignore
  const OTHERS: Readonly<Record<string, readonly string[]>> = {
    DRB3: ['01:01', '02:02', '01:01:02', '02:02/03:01', 'DR52'],
    DRB4: ['01:03', '01:01', '01:03:01:02N'],
    DRB5: ['01:01', '02:02'],
  }
  const drb1 = fc.constantFrom(...DRB1)
  const drbCell = (column: string) =>
    column.startsWith('DRB1')
      ? drb1
      : fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom('', '', 'NNNN') },
          { weight: 5, arbitrary: fc.constantFrom(...(OTHERS[column.slice(0, 4)] ?? [])) },
          { weight: 1, arbitrary: fc.constantFrom('NEW', '99:99') },
        )
  const rows = fc.array(fc.tuple(...DRB.map(drbCell)), { minLength: 1, maxLength: 20 })
  const makeTable = (
    cells: readonly (readonly string[])[],
    writing: TableCase['writing'],
    method: string,
  ) => ({
    head: `id,${DRB.join(',')}\n`,
    body: cells.map((row, at) => `D${at},${row.join(',')}\n`).join(''),
    delimiter: ',',
    cuts: [],
    reading: { choice: {}, cellSeparator: 'none' } as const,
    writing: { drbx: 'X', ...writing },
    operation: 'redux',
    inputs: [{ reduction_method: method }],
    details: false,
  })

  test('is the same in blocks and by rows', { timeout: 600_000 }, async () => {
    const writing = fc.record({
      glOut: fc.constantFrom('gl', undefined),
      secondBlank: fc.constantFrom('blank', 'homozygous'),
      onError: fc.constantFrom('blank', 'report'),
    })
    await fc.assert(
      fc.asyncProperty(rows, writing, fc.constantFrom('lgx', 'G', 'S', '1F'), async (cells, how, method) => {
        const table = makeTable(cells, { into: 'none', ...how }, method)
        const ordinary = await convertTable(table, starter, false)
        expect(await convertTable(table, starter, true)).toEqual(ordinary)
      }),
      { numRuns: 60 },
    )
  })

  test('is what blend answers', { timeout: 600_000 }, async () => {
    const typed = fc.tuple(
      ...DRB.map((column) =>
        fc.constantFrom(...(OTHERS[column.slice(0, 4)]?.slice(0, 2) ?? DRB1.slice(0, 7))),
      ),
    )
    const found = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean())
    const persons = fc
      .tuple(typed, found)
      .map(([cells, isFound]) =>
        cells.map((cell, at) => (at < 2 || isFound[Math.floor(at / 2) - 1] === true ? cell : '')),
      )
    await fc.assert(
      fc.asyncProperty(fc.array(persons, { minLength: 1, maxLength: 10 }), async (cells) => {
        const { output } = await convertTable(makeTable(cells, { onError: 'report' }, 'lgx'), starter, true)
        const [, ...lines] = output.trimEnd().split('\n')
        expect(lines.length).toBe(cells.length)
        for (const line of lines) {
          const fields = line.split(',').slice(1)
          const resultsOf = (at: number) =>
            [fields[at * 2 + 1], fields[at * 2 + 3]].filter((text) => text !== '')
          const joined = (at: number) => [...new Set(resultsOf(at))].join('+')
          const [pair, errors] = [fields.slice(16, 18), assured(fields[19], 'the last column')]
          const answer = blendOrCode(resultsOf(0).join('+'), {
            DRB3: joined(2),
            DRB4: joined(4),
            DRB5: joined(6),
          })
          if (answer === undefined)
            expect([pair, errors]).toEqual([['', ''], expect.stringContaining('blend-mismatch')])
          else expect(pair.filter((text) => text !== '' && text !== 'DRBX*NNNN').join('+')).toBe(answer)
        }
      }),
      { numRuns: 60 },
    )
  })
})

function blendOrCode(...question: Parameters<typeof blendDrbx>): string | undefined {
  try {
    return blendDrbx(...question).text
  } catch (error) {
    if (error instanceof HlaError && error.code === 'blend-mismatch') return undefined
    throw error
  }
}
