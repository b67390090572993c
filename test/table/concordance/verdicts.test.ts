/** Two files with the same persons, compared locus by locus: identical, compatible, or different. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { comparedTables, verdictsOf } from '../../support/compared-tables.ts'
import { rounds } from '../../support/rounds.ts'

/** Cells of A in either file, the method, the verdict. */
const CASES = [
  // identical in any order, and in any spelling of homozygous typings
  ['A*01:01 A*02:01', 'A*02:01 A*01:01', 'lgx', 'identical'],
  ['A*01:01 A*01:01', 'A*01:01 ', 'lgx', 'identical'],
  ['A*01:01 -', 'A*01:01 X', 'lgx', 'identical'],
  ['01:01 02:01', 'HLA-A*02:01 HLA-A*01:01', 'lgx', 'identical'],
  ['A*01:01:01:01 A*02:01', 'A*01:01:02 A*02:01', 'lgx', 'identical'],
  ['A*01:01:01:01 A*02:01:01:01', 'A*01:01:02 A*02:01:01:01', 'G', 'one-allele'],
  ['A*01:01 A*02:01', 'A*01:02 A*02:01', '1F', 'identical'],
  ['A*01:AB A*02:01', 'HLA-A*01:02/A*01:01 A*02:01', 'lgx', 'identical'],
  ['A*01:01 A*02:01', 'hla#3.58.0#HLA-A*02:01+HLA-A*01:01 ', 'lgx', 'identical'],
  // a common possibility, at any resolution
  ['A*01:01/A*01:02 A*02:01', 'A*01:02 A*02:01', 'lgx', 'compatible'],
  ['A*01 A*02:01', 'A*01:03 A*02:01', 'lgx', 'compatible'],
  ['A*01:XX A*02:01', 'A*01:03 A*02:01', 'lgx', 'compatible'],
  ['A1 A2', 'A*01:01 A*02:01', 'lgx', 'compatible'],
  ['A*01:ABC A*02:01', 'A*01:01/A*01:02 A*02:01', 'lgx', 'identical'],
  ['A*01:01 A*01:02', 'A*01:01/A*01:02 ', 'lgx', 'compatible'],
  // each allele matches once
  ['A*01:01/A*02:01 A*01:01', 'A*02:01 A*01:01', 'lgx', 'compatible'],
  ['A*01:01 A*01:01', 'A*01:01 A*02:01', 'lgx', 'one-allele'],
  ['A*01:01/A*01:02 A*01:03', 'A*01:01 A*01:02', 'lgx', 'one-allele'],
  ['A*01:01 A*01:02', 'A*02:01 A*01:03', 'lgx', 'no-allele'],
  // lists of genotypes
  ['A*01:01+A*02:01|A*01:02+A*02:03 ', 'A*02:03 A*01:02', 'lgx', 'compatible'],
  ['A*01:01+A*02:01|A*01:02+A*02:01 ', 'A*01:01/A*01:02 A*02:01', 'lgx', 'identical'],
  ['A*01:01+A*02:01|A*01:02+A*02:03 ', 'A*01:01 A*02:03', 'lgx', 'one-allele'],
  // a null allele is not the expressed one with its reduced name
  ['A*01:22N A*02:01', 'A*01:01 A*02:01', 'lgx', 'null'],
  ['A*01:22N A*02:01', 'A*02:01 A*01:01:01:01', 'G', 'null'],
  ['A*01:22N A*02:01', 'A*01:01:01:01 A*02:01', '1F', 'null'],
  ['A*01:22N A*02:01', 'A*01:01 A*03:01', 'lgx', 'null'],
  ['A*01:22N A*02:01', 'A*03:01 A*02:01', 'lgx', 'one-allele'],
  ['A*01:22N A*02:01', 'A*01:01:01:01 A*02:01', 'W', 'one-allele'],
  ['A*01:22N A*01:01:01:01', 'A*01:01:01:01 A*01:22N', 'lgx', 'identical'],
  ['A*01:22N A*01:01:01:01', 'A*01:01:01:01 A*01:01:01:01', 'lgx', 'null'],
  ['A*01:22N ', 'A*01:22N A*01:22N', 'lgx', 'identical'],
  ['A*01:22N A*02:01', 'A*01:04N A*02:01', 'lgx', 'null'],
  ['A*01:04:01:01N A*02:01', 'A*01:04N A*02:01', 'lgx', 'identical'],
  ['A*01:04:01:01N A*02:01', 'A*01:04 A*02:01', 'lgx', 'identical'],
  ['A*01:22N+A*02:01|A*01:22N+A*03:01 ', 'A*01:01:01:01 A*02:01', 'lgx', 'null'],
  // a list, code or group that holds it is compatible
  ['A*01:22N A*02:01', 'A*01:22N/A*01:01 A*02:01', 'lgx', 'compatible'],
  ['A*01:22N/A*01:01 A*02:01', 'A*01:01 A*02:01', 'lgx', 'identical'],
  ['A*01:22N A*02:01', 'A*01:01:01G A*02:01', 'G', 'compatible'],
  ['A*01:22N A*02:01', 'A*01:XX A*02:01', 'lgx', 'compatible'],
  ['A*01:01:01:02N A*02:01', 'A*01:01 A*02:01', 'lgx', 'compatible'],
  ['A*01:01:01:02N A*02:01', 'A*01:01:01:01 A*02:01', 'lgx', 'null'],
  // a typing is missing
  [' ', 'A*01:01 A*02:01', 'lgx', 'missing-left'],
  ['A*01:01 A*02:01', 'NT NT', 'lgx', 'missing-right'],
  ['A*01:01 A*02:01', 'UUUU UUUU', 'lgx', 'missing-right'],
  ['- -', ' ', 'lgx', undefined],
  // unreadable typings are not compared
  ['A*01:01 A*99:99', 'A*01:01 A*02:01', 'lgx', 'unreadable-left'],
  ['A*01:01 A*02:01', 'A*01:01 NEW', 'lgx', 'unreadable-right'],
  ['A*01:01 UUUU', 'A*01:01 A*02:01', 'lgx', 'unreadable-left'],
  ['B*07:02 A*01:01', 'A*01:01 B*07:02', 'lgx', 'unreadable'],
  ['A*01:01 A*99:99', ' ', 'lgx', 'unreadable-left'],
] as const

test.for(CASES)('%s against %s by %s is %s', async ([left, right, method, expected]) => {
  const table = (cells: string) => `id,A_1,A_2\n1,${cells.split(' ').join(',')}\n2,A*03:01,A*03:01\n`
  const { rows, counts } = await comparedTables(table(left), table(right), { method })
  expect(verdictsOf(rows, '1', 'A')).toEqual(
    expected === undefined || expected === 'identical' ? [] : [expected],
  )
  const verdicts = counts.loci.get('A')?.verdicts
  const total = Object.values(verdicts ?? {}).reduce((sum, count) => sum + count, 0)
  expect(total).toBe(expected === undefined ? 1 : 2)
  // with the files swapped
  const turned = await comparedTables(table(right), table(left), { method })
  const other = expected?.replace(/left|right/, (side) => (side === 'left' ? 'right' : 'left'))
  expect(verdictsOf(turned.rows, '1', 'A')).toEqual(
    other === undefined || other === 'identical' ? [] : [other],
  )
})

describe('loci', () => {
  test('a gene that is absent is one answer, one that was not typed is none', async () => {
    const { rows, counts } = await comparedTables(
      'id,A,DRB3_1,DRB3_2\n1,A*01:01,NNNN,NNNN\n2,A*01:01,NNNN,\n3,A*01:01,NNNN,NNNN\n',
      'id,A,DRB3_1,DRB3_2\n1,A*01:01,NNNN,\n2,A*01:01,DRB3*01:01,\n3,A*01:01,,\n',
    )
    expect(counts.loci.get('DRB3')?.verdicts).toMatchObject({
      identical: 1,
      'no-allele': 1,
      'missing-right': 1,
    })
    expect(rows.map(({ person, verdict }) => [person, verdict])).toEqual([
      ['2', 'no-allele'],
      ['3', 'missing-right'],
    ])
  })

  test('once in one file and twice in the other is the same, and is told', async () => {
    const { rows, counts } = await comparedTables(
      'id,DRB3_1,DRB3_2\n1,DRB3*01:01,\n',
      'id,DRB3_1,DRB3_2\n1,DRB3*01:01,DRB3*01:01\n',
    )
    expect(counts.loci.get('DRB3')).toMatchObject({ verdicts: { identical: 1 }, copies: 1 })
    expect(verdictsOf(rows, '1', 'DRB3')).toEqual(['copies'])
  })

  test('GL Strings and columns of DRB3/4/5 together are divided by locus', async () => {
    const { rows } = await comparedTables(
      'id,A_1,A_2,DRBX_1,DRBX_2\n1,01:01,02:01,DRB3*01:01,DRB4*01:03\n',
      'id\tgl\n1\tHLA-A*02:01+HLA-A*01:01^DRB3*01:01^DRB4*01:03\n',
    )
    expect(rows).toEqual([])
  })

  test('a haplotype is its loci', async () => {
    const { rows } = await comparedTables('id\tgl\n1\tA*01:01~B*07:02+A*02:01~B*08:01\n', 'id,A_1,A_2,B_1,B_2\n1,02:01,01:01,07:02,08:01\n') // prettier-ignore
    expect(rows).toEqual([])
  })

  test('a cell that tells no locus may have been about any', async () => {
    const { rows } = await comparedTables(
      'id\tgl\n1\tA*01:01+A*02:01^B*07:02+B*08:01\n2\tA*01:01+B*07:02/A*02:01\n',
      'id,A_1,A_2\n1,02:01,01:01\n2,01:01,02:01\n',
    )
    expect(verdictsOf(rows, '1', 'B')).toEqual(['missing-right'])
    expect(verdictsOf(rows, '2', '')).toEqual(['unreadable-left'])
  })

  test('those that are asked for alone', async () => {
    const table = 'id,A,B\n1,A*01:01,B*07:02\n'
    const { counts } = await comparedTables(table, table, { loci: ['B'] })
    expect([...counts.loci.keys()]).toEqual(['B'])
  })
})

describe('persons', () => {
  test('are matched by id, in whatever order, and listed where one file has them', async () => {
    const { rows, compared } = await comparedTables(
      'id,A\n1,A*01:01\n2,A*02:01\n3,A*03:01\n',
      'sample,A\n4,A*01:01\n3,A*03:01\n1,A*01:01\n',
    )
    expect(compared).toMatchObject({
      persons: 2,
      left: { persons: 3, only: 1 },
      right: { persons: 3, only: 1 },
    })
    expect(rows).toEqual([
      { person: '4', verdict: 'only-right', right_line: 2 },
      { person: '2', verdict: 'only-left', left_line: 3 },
    ])
  })

  test.for([
    ['id,A,B\n1,A*01:01,B*07:02\n2,A*01:01,\n1,A*01:01,B*08:01\n', 'id,A\n1,A*01:01\n', 'left.csv: "1" occurs twice (lines 2 and 4)'],
    ['id,A\n1,A*01:01\n', 'id,A,B\n1,A*01:01,B*07:02\n1,A*01:01,B*08:01\n', 'right.csv: "1" occurs twice (line 3)'],
    ['id,A\n1,A*01:01\n', 'id,A,B\n2,A*01:01,B*07:02\n2,A*01:01,B*08:01\n', 'right.csv: "2" occurs twice (line 3)'],
  ] as const)('one who is there twice is refused: %#', async ([left, right, message]) => {
    await expect(comparedTables(left, right, { idColumn: 'id' })).rejects.toMatchObject({ code: 'usage', message })
  }) // prettier-ignore

  test('rows that cannot be read and rows without a name are counted and told', async () => {
    const { compared, failures } = await comparedTables(
      'id,A,B\n1,A*01:01,B*07:02\n2,A*01:01\n,A*01:01,B*07:02\n',
      'id,A,B\n1,A*01:01,B*07:02\n',
    )
    expect(compared.left.broken).toBe(2)
    expect(failures).toEqual([
      expect.stringMatching(/^left\.csv:3: 2 fields instead of 3/),
      expect.stringMatching(/^left\.csv:4: the row names no person/),
    ])
  })

  test('a typing that fails names file, line and column', async () => {
    const { failures } = await comparedTables(
      'id,A_1,A_2\n1,A*01:01,A*99:99\n',
      'id,A_1,A_2\n1,A*01:01,B*07:02\n',
    )
    expect(failures).toEqual([
      expect.stringMatching(/^right\.csv:2:A_2: B\*07:02 is a B allele in an A column/),
      expect.stringMatching(/^left\.csv:2:A_1 A_2: A\*99:99 is not in/),
    ])
  })

  test('two files about one person each, who are named by their files, are one', async () => {
    const optitype = { name: 'x.tsv', text: 'A1\tA2\tB1\tB2\tC1\tC2\tReads\tObjective\nA*01:01\tA*02:01\tB*07:02\tB*08:01\tC*07:01\tC*07:02\t1\t1\n' } // prettier-ignore
    const arcas = '{"A": ["A*02:01:01:01", "A*01:01:01:01"]}'
    const { rows, pairs } = await comparedTables(optitype.text, arcas, { names: ['x.tsv', 'y.genotype.json'], sampleFrom: 'name', loci: ['A'] }) // prettier-ignore
    expect(pairs).toEqual([['x', 'y.genotype']])
    expect(rows).toEqual([])
  })
})

test('whatever the order of rows, of alleles, and the size of blocks, counts are the same', async () => {
  const names = ['A*01:01', 'A*01:02', 'A*02:01', 'A*01:01/A*01:02', 'A*01:XX', '', 'A*99:99']
  const cell = fc.constantFrom(...names)
  const persons = fc.array(fc.tuple(cell, cell, cell, cell), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(persons, fc.integer({ min: 1, max: 40 }), async (all, piece) => {
      const rowsOf = (at: 0 | 2, isTurned: boolean) =>
        all.map((cells, id) => {
          const both = [cells[at], cells[at + 1]]
          return `${id},${(isTurned ? both.reverse() : both).join(',')}`
        })
      const table = (rows: readonly string[]) => `id,A_1,A_2\nx,A*03:01,A*03:01\n${rows.join('\n')}\n`
      const straight = await comparedTables(table(rowsOf(0, false)), table(rowsOf(2, false)))
      const turned = await comparedTables(table(rowsOf(0, true).reverse()), table(rowsOf(2, true)), { piece })
      expect([...turned.counts.loci]).toEqual([...straight.counts.loci])
      expect(turned.compared).toMatchObject({ persons: all.length + 1 })
    }),
    { numRuns: rounds(60) },
  )
})
