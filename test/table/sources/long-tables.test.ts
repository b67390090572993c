/** Tables with a row a typing, with loci in rows, and several files as one table. */
import { adviceText } from '../../../src/operations/faces.ts'
import type { HlaError } from '../../../src/errors.ts'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rounds } from '../../support/rounds.ts'
import { cellsIn, convertRecords } from '../../support/record-tables.ts'
import { hasShared, sharedPath } from '../../support/shared.ts'

/** The table made from the input, without results. */
async function made(text: string, options: Parameters<typeof convertRecords>[1] = {}, name = 't.csv') {
  return (await convertRecords({ [name]: text }, { into: 'replace', ...options })).output
}

describe('titles above the header', () => {
  test.for([
    ['Export 2024;;\n;;\nDonor;A1;A2\nD1;01:01;24:02\nD2;02:01;03:01\n', 3],
    ['# exported by a program\n# 2024\nid,A_1,A_2\nD1,01:01,24:02\nD2,02:01,03:01\n', 3],
    // the header could be a row of antigens
    ['Export 2024,,\nDonor,A1,A2\nD1,A*01:01,A*24:02\nD2,A*02:01,A*03:01\n', 2],
  ] as const)('%j are passed through', async ([table, line]) => {
    const output = await made(table)
    expect(output).toContain('A*02:01')
    expect(output).toBe(await made(table, { headerRow: line }))
  })

  test.for([
    ['export,of,2024\nDonor,A1,A2\nD1,01:01,24:02\nD2,02:01,03:01\n', 2],
    ['export,of,2024\nDonor,A1,A2\nD1,A*01:01,A*24:02\nD2,A*02:01,A*03:01\n', 2],
  ] as const)('%j may be a header: it is refused, with the line of the other', async ([table, line]) => {
    await expect(made(table)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`line ${line} looks like the header`) as string,
      hint: [{ option: 'header-row', value: String(line) }, ' reads the table from that header on'],
    })
    expect(await made(table, { headerRow: line })).toContain('A*02:01')
  })
})

describe('long tables', () => {
  test('times of the day are no alleles, and two typings in a cell are read as two', async () => {
    const table =
      'sample;locus;allele;time\nS1;A;01:01,24:02;09:00\nS1;B;07:02,08:01;10:30\nS2;A;02:01,03:01;23:59\n'
    const { output, plan } = await convertRecords({ 't.csv': table })
    expect(plan?.source?.reading).toBe('sample sample, locus locus, allele allele')
    expect(output).toContain('S1;01:01,24:02;A*01:01+A*24:02;;;')
  })

  test.for([
    [{ exclude: 'A_1,A_2' }, ['B_1', 'B_2']],
    [{ exclude: 'A_1' }, ['A_2', 'B_1', 'B_2']],
    [{ inputFormat: 'long', columns: 'A_1,A_2' }, ['A_1', 'A_2']],
    [{ inputFormat: 'long', gl: 'A_1' }, ['A_1', 'A_2', 'B_1', 'B_2']],
  ] as const)('%j: the columns named are those of the persons', async ([options, columns]) => {
    const table = 'sample,locus,allele\nS1,A,A*01:01\nS1,A,A*02:01\nS1,B,B*07:02\n'
    const { plan } = await convertRecords({ 't.csv': table }, options)
    const read = plan?.groups.flatMap((group) => group.columns.map((at) => plan.header.labels[at]))
    expect(read).toEqual(columns)
  })

  test('a row an allele: two rows a locus, and a homozygous one written once', async () => {
    const table = 'sample,locus,allele\nS1,A,A*01:01\nS1,A,A*02:01\nS1,B,B*07:02\nS2,A,A*24:02\n'
    const { output, plan, planText } = await convertRecords({ 't.csv': table })
    expect(output).toBe(
      'sample,A_1,A_1_lgx,A_2,A_2_lgx,B_1,B_1_lgx,B_2,B_2_lgx\n' +
        'S1,A*01:01,A*01:01,A*02:01,A*02:01,B*07:02,B*07:02,,\n' +
        'S2,A*24:02,A*24:02,,,,,,\n',
    )
    expect(plan?.source?.format).toBe('long table')
    expect(planText).toContain('read as    sample sample, locus locus, allele allele')
  })

  /** More than a block, so that the lines after it are known by their text. */
  const BLOCK = Array.from({ length: 300 }, (_, at) => [
    [`P${at}`, 'A', 'A*01:01', 'x'],
    [`P${at}`, 'B', 'B*07:02', 'x'],
    [`P${at}`, 'B', 'B*08:01', at % 2 === 0 ? 'é' : 'x'],
  ]).flat()
  const line = fc.tuple(
    fc.constantFrom(
      'P1',
      'P299',
      'P3',
      'Q',
      'Q2',
      'sample',
      ' sample',
      '',
      ' ',
      '#',
      'a-name-of-a-person-that-is-long',
    ),
    fc.constantFrom('A', 'B', 'DRB3', 'locus', '', ' B'),
    fc.constantFrom('A*01:01', 'B*07:02', 'B*08:01', '', 'NA', 'allele', '99:99'),
    fc.constantFrom('x', 'é', 'note'),
  )

  test(
    'a line is read alike, known by its text or not, with quotes or without',
    { timeout: 60_000 },
    async () => {
      const converted = (lines: readonly (readonly string[])[], end: string) => {
        const text = lines.map((line) => line.join(',') + end).join('')
        return convertRecords({ 't.csv': text }, { into: 'replace', details: true }).then(
          ({ output, failures }) => ({ output, failures }),
          (error: unknown) => [(error as HlaError).code, (error as HlaError).message],
        )
      }
      const rowsOf = fc.array(line, { minLength: 1, maxLength: 8 })
      const ends = fc.constantFrom('\n', '\r\n', '\r')
      await fc.assert(
        fc.asyncProperty(rowsOf, ends, fc.boolean(), fc.nat(), async (some, end, isTwice, seed) => {
          const head = ['sample', 'locus', 'allele', 'note']
          const rows = [head, ...BLOCK, ...some, ...(isTwice ? [...BLOCK, ...some] : [])]
          const plain = await converted(rows, end)
          // lines that begin with the locus are not known
          const swapped = rows.map(([id = '', of = '', ...rest]) => [of, id, ...rest])
          expect(await converted(swapped, end)).toEqual(plain)
          const quoted = rows.map((row, at) => row.map((text, column) => (seed >> (at + column) % 5) & 1 ? `"${text}"` : text)) // prettier-ignore
          expect(await converted(quoted, end)).toEqual(plain)
        }),
        { numRuns: rounds(60) },
      )
    },
  )

  const SAME = 'A_1,A_2,B_1,B_2\nS1,A*01:01,A*02:01,B*07:02,B*08:01\nS2,A*24:02,,B*07:02,B*07:02\n'
  test.each([
    [
      'two columns of alleles',
      'ID,Gene,Allele 1,Allele 2\nS1,A,01:01,02:01\nS1,B,07:02,08:01\nS2,A,24:02,\nS2,B,07:02,07:02\n',
    ],
    [
      'columns a1 and a2',
      'ID,locus,a1,a2\nS1,A,01:01,02:01\nS1,B,07:02,08:01\nS2,A,24:02,\nS2,B,07:02,07:02\n',
    ],
    [
      'alleles and places by other names',
      'ID,Locus,Typing allele 1,Typing allele 2\nS1,HLA-A,01:01,02:01\nS1,HLA-B,07:02,08:01\nS2,HLA-A,24:02,\nS2,HLA-B,07:02,07:02\n',
    ],
    [
      'the haplotype of each',
      'ID,locus,hap,allele\nS1,A,2,02:01\nS1,A,1,01:01\nS1,B,1,07:02\nS1,B,2,08:01\nS2,A,1,24:02\nS2,B,1,07:02\nS2,B,2,07:02\n',
    ],
    [
      'names of loci with HLA',
      'ID,hla_locus,typing\nS1,HLA-A,A*01:01\nS1,HLA-A,A*02:01\nS1,HLA_B,B*07:02\nS1,HLA-B,B*08:01\nS2,A,A*24:02\nS2,B,B*07:02\nS2,B,B*07:02\n',
    ],
    [
      'a genotype a row',
      'ID,locus,genotype\nS1,A,A*01:01+A*02:01\nS1,B,B*07:02+B*08:01\nS2,A,A*24:02\nS2,B,B*07:02+B*07:02\n',
    ],
    [
      'which of the two in a column',
      'ID,locus,allele,typing\nS1,A,2,A*02:01\nS1,A,1,A*01:01\nS1,B,1,B*07:02\nS1,B,2,B*08:01\nS2,A,1,A*24:02\nS2,B,1,B*07:02\nS2,B,2,B*07:02\n',
    ],
    [
      'which of the two in the name, as melted',
      'ID,variable,value\nS1,A_1,A*01:01\nS2,A_1,A*24:02\nS1,A_2,A*02:01\nS2,A_2,\nS1,B_1,B*07:02\nS2,B_1,B*07:02\nS1,B_2,B*08:01\nS2,B_2,B*07:02\n',
    ],
    [
      'rows of a person apart',
      'ID,locus,allele\nS1,A,A*01:01\nS2,A,A*24:02\nS1,A,A*02:01\nS2,B,B*07:02\nS1,B,B*07:02\nS2,B,B*07:02\nS1,B,B*08:01\n',
    ],
    [
      'the locus in the allele',
      'ID,allele\nS1,A*01:01\nS1,A*02:01\nS1,B*07:02\nS1,B*08:01\nS2,A*24:02\nS2,B*07:02\nS2,B*07:02\n',
    ],
  ])('%s', async (what, table) => {
    const asked = what === 'the locus in the allele' ? { long: ['sample=ID,allele=allele'] } : {}
    expect(await made(table, asked)).toBe(`ID,${SAME}`)
    // for any chunks of bytes
    expect(await made(table, { ...asked, piece: 7 })).toBe(`ID,${SAME}`)
  })

  test('without a header, and with tabs', async () => {
    const table = 'S1\tA\tA*01:01\nS1\tB\tB*07:02\nS2\tA\tA*02:01\nS2\tB\tB*08:01\n'
    expect(await made(table, {}, 't.txt')).toBe(
      'sample\tA_1\tA_2\tB_1\tB_2\nS1\tA*01:01\t\tB*07:02\t\nS2\tA*02:01\t\tB*08:01\t\n',
    )
  })

  test.each([
    ['', 'x,locus,allele\n1,A,A*01:01\n1,B,B*07:02\n2,A,A*02:01\n2,B,B*08:01\n'],
    [
      'of which each has one row a locus',
      'who,locus,allele\nP,A,A*01:01\nP,B,B*07:02\nQ,A,A*02:01\nQ,B,B*08:01\n',
    ],
  ])('two persons %s are never one', async (_, table) => {
    const name = table.slice(0, table.indexOf(','))
    const error = await made(table).catch((one: unknown) => one)
    expect(error).toMatchObject({
      message: expect.stringMatching(/which column names the sample\?$/) as string,
    })
    // numbers may be counts
    const advised = name === 'x' ? 'Columns: x locus allele' : '--long sample=who'
    expect(adviceText((error as HlaError).hint, 'command-line')?.split('\n')[0]).toBe(advised)
    expect(cellsIn(await made(table, { long: [`sample=${name}`] }), ',')).toHaveLength(3)
    // as one sample by option, its four typings are read
    expect(cellsIn(await made(table, { sampleFrom: 'name' }), ',')).toHaveLength(2)
  })

  test('the number of a row is no sample', async () => {
    const table = 'id,sample,locus,allele\n1,S1,A,A*01:01\n2,S1,B,B*07:02\n'
    expect(await made(table)).toBe('sample,A_1,A_2,B_1,B_2\nS1,A*01:01,,B*07:02,\n')
  })

  test.for(['sample=id', 'locus=id', 'allele=A_1', 'scores=id', 'loci=A'])(
    '--long %s of rows that are read as they stand is refused',
    async (part) => {
      await expect(made('id,A_1,A_2\n1,01:01,02:01\n', { long: [part] })).rejects.toThrow(
        '--long requires a table with one row per typing, and t.csv is not read as one',
      )
    },
  )

  test('as told, whatever the columns are called', async () => {
    const table = 'x,y,z,w\nA*01:01,A,9,S1\nB*07:02,B,8,S1\n'
    const said = { long: ['sample=w,locus=y', 'allele=x'] }
    expect(await made(table, said)).toBe('w,A_1,A_2,B_1,B_2\nS1,A*01:01,,B*07:02,\n')
  })

  test('more than two typings fail with their lines, and none is dropped', async () => {
    const table = 'ID,locus,allele\nS1,A,A*01:01\nS1,A,A*02:01\nS1,B,B*07:02\nS1,A,A*24:02\n'
    const { output, failures, planText } = await convertRecords({ 't.csv': table })
    expect(planText).toContain('A*01:01 A*02:01 A*24:02 -> error: ')
    expect(failures).toEqual([
      't.csv:2:A_1: 3 typings of A, where a person has two (lines 2, 3, 5); keep two rows per locus and person [surplus-typing]',
    ])
    const scored = 'ID,locus,allele,q\nS1,A,A*01:01,5\nS1,A,A*02:01,6\nS1,A,A*24:02,7\n'
    // in the report, not in a cell that another program would read
    const kept = await convertRecords({ 't.csv': scored }, { long: ['scores=q'], onError: 'keep' })
    expect(kept.output).toContain('\nS1,,,,,,\n')
    expect(output).not.toMatch(/A\*01:01|A\*02:01|A\*24:02|&/)
  })

  test.for([undefined, ['lgx', 'G']] as const)(
    'more than two have one code, in the row too, by %j',
    async (methods) => {
      const table =
        'ID,locus,allele\nS1,A,A*01:01\nS1,A,A*02:01\nS1,A,ND\nS1,A,A*24:02\nS2,A,\ufffd\nS2,A,A*01:01\nS2,A,A*02:01\n'
      const options = {
        onError: 'report',
        into: 'append',
        ...(methods && { methods: [...methods] }),
      } as const
      const { output, failures } = await convertRecords({ 't.csv': table }, options)
      expect(
        output
          .trim()
          .split('\n')
          .map((row) => row.split(',').slice(-2).join(',')),
      ).toEqual(['hla_status,hla_errors', 'error,A_1 surplus-typing', 'error,A_1 surplus-typing'])
      expect(failures.map((one) => /\[.*\]$/.exec(one)?.[0])).toEqual([
        '[surplus-typing]',
        '[surplus-typing]',
      ])
    },
  )

  test('one place for two typings fails', async () => {
    const table = 'ID,locus,value\nS1,A_1,A*01:01\nS1,A_1,A*02:01\nS1,B_1,B*07:02\n'
    const { failures } = await convertRecords({ 't.csv': table })
    expect(failures[0]).toContain('two typings of A for the same copy, 1 or 2 (lines 2, 3)')
  })

  test('a failure stands where it stands in the file', async () => {
    const table = 'ID,locus,allele\n\nS1,A,A*01:01\nS1,A,A*99:99\nS1,B,"B*07:02"\nS2,A,A*98:98\n'
    const { failures } = await convertRecords({ 't.csv': table })
    expect(failures.map((one) => one.replace(/:.*/s, '') + /:\d+:\w+/.exec(one)?.[0])).toEqual([
      't.csv:4:A_2',
      't.csv:6:A_1',
    ])
    await expect(convertRecords({ 't.csv': table }, { onError: 'fail' })).rejects.toThrow(/^t\.csv:4:A_2: /)
  })

  test('a column about the person is kept, one that differs is named', async () => {
    const table = 'ID,locus,allele,reads,centre\nS1,A,A*01:01,9,X\nS1,A,A*02:01,8,X\nS2,A,A*01:01,7,Y\n'
    const { output, plan, planText } = await convertRecords({ 't.csv': table }, { into: 'replace' })
    expect(output).toBe('ID,centre,A_1,A_2\nS1,X,A*01:01,A*02:01\nS2,Y,A*01:01,\n')
    expect(plan?.source).toMatchObject({ kept: ['centre'], left: ['reads'] })
    expect(planText).toContain('left out   reads (')
    expect(await made(table, { long: ['scores=reads'] })).toBe(
      'ID,centre,A_1,A_2,A_1_reads,A_2_reads\nS1,X,A*01:01,A*02:01,9,8\nS2,Y,A*01:01,,7,\n',
    )
  })

  test('a locus that the release has not keeps its column, which is said', async () => {
    const table = 'ID,locus,allele\nS1,A,A*01:01\nS1,KIR2DL1,KIR2DL1*003\n'
    const { output, plan, planText } = await convertRecords({ 't.csv': table })
    expect(output).toContain('KIR2DL1*003')
    expect(plan?.unread).toEqual([
      {
        columns: [3, 4],
        code: 'unknown-locus',
        why: 'KIR2DL1 is not a locus of this release',
        option: { option: 'exclude', value: 'KIR2DL1_1,KIR2DL1_2' },
      },
    ])
    expect(planText).toContain(
      '\nunread     KIR2DL1_1 KIR2DL1_2  KIR2DL1 is not a locus of this release -> -x ',
    )
    const told = await convertRecords({ 't.csv': table }, { exclude: 'KIR2DL1_1,KIR2DL1_2' })
    expect(told.plan?.unread).toEqual([])
    expect(told.output).toBe(output)
  })

  test('copies of a gene without columns are one GL String, which its cell says', async () => {
    const rows = ['KIR2DL1*003', 'KIR2DL1*002', 'KIR2DL1*001'].map((name) => `S1,KIR2DL1,${name}\n`).join('')
    const { output } = await convertRecords({ 't.csv': `ID,locus,allele\nS1,A,A*01:01\n${rows}` })
    expect(output).toContain(',KIR2DL1*003+KIR2DL1*002+KIR2DL1*001,\n')
  })

  test('GL Strings of a person with ambiguous loci are not joined: "^" binds closer than "?"', async () => {
    const text = 'ID,gl\nS1,A*01:01+A*02:01\nS1,A*01:01?B*07:02\nS1,C*07:01?DRB1*03:01\nS2,A*01:01?B*07:02\n'
    const { output, failures } = await convertRecords({ 't.csv': text }, { inputFormat: 'gl' })
    expect(output).toContain('S1,A*01:01,A*01:01,A*02:01,A*02:01,,,\n')
    expect(output).toContain('S2,,,,,A*01:01?B*07:02,A*01:01?B*07:02,\n')
    const said =
      '2 GL Strings of several loci, where a person has one (lines 3, 4); keep one of them [surplus-typing]'
    expect(failures).toEqual([`t.csv:3:GL_1: ${said}`])
    // a folder reads them too
    const files = { 'a.csv': text, 'b.csv': text.replaceAll(/^S/gm, 'T') }
    const several = await convertRecords(files, { inputFormat: 'gl' })
    expect(several.output).toContain('T2,b.csv (GL Strings),,,,,A*01:01?B*07:02,A*01:01?B*07:02,\n')
    expect(several.failures).toHaveLength(2)
  })

  const genes = (loci: number, others: readonly string[]) =>
    `ID,Gene,Allele\n${[...Array<string>(loci).fill('HLA-A'), ...others].map((gene, at) => `P${at},${gene},HLA-A*02:01\n`).join('')}`

  // some genes of a tumour panel are HLA (issue 38)
  test.for([
    [1, ['EGFR', 'TP53'], false],
    [8, ['EGFR'], false],
    [9, ['EGFR'], true],
    [1, ['DRB345', 'HLA-DRB3/4/5', 'KIR2DL1', 'HLA-XYZ'], true],
    [2, ['MOG'], false],
  ] as const)('a column Gene with %i loci and %j is one of loci: %s', async ([loci, others, isLong]) => {
    const table = genes(loci, others)
    const { output, plan } = await convertRecords({ 't.csv': table }, { into: 'replace' })
    expect(plan?.source !== undefined).toBe(isLong)
    if (!isLong) expect(output).toBe(table)
  })

  test('what stands in the column of loci and names none is kept', async () => {
    const { output } = await convertRecords({ 't.csv': genes(9, ['EGFR']) }, { into: 'replace' })
    expect(cellsIn(output, ',')[0]).toEqual(['ID', 'A_1', 'A_2', 'EGFR_1', 'EGFR_2'])
    const told = await convertRecords(
      { 't.csv': genes(1, ['EGFR']) },
      { into: 'replace', long: ['locus=Gene'] },
    )
    expect(told.output).toBe('ID,A_1,A_2,EGFR_1,EGFR_2\nP0,HLA-A*02:01,,,\nP1,,,HLA-A*02:01,\n')
  })

  test.skipIf(!hasShared)('a table of neoantigens keeps its rows and columns', async () => {
    const table = readFileSync(sharedPath('formats/tables/pvac-aggregated.tsv'), 'utf8')
    const { output, plan } = await convertRecords({ 't.tsv': table })
    expect(plan?.source).toBeUndefined()
    expect(plan?.groups.map(({ columns }) => columns)).toEqual([[13]])
    const [names = ''] = table.split('\n')
    expect(cellsIn(output, '\t')[0]).toEqual(names.replace('Allele\t', 'Allele\tAllele_lgx\t').split('\t'))
    expect(output.split('\n')).toHaveLength(table.split('\n').length)
  })

  test.each([
    [
      'a row with too few fields',
      'ID,locus,allele\nS1,A,A*01:01\nS1,B\nS1,B,B*07:02\n',
      'line 3: 2 fields instead of 3',
    ],
    [
      'a row without its person',
      'ID,locus,allele\nS1,A,A*01:01\n,B,B*07:02\n',
      'line 3: the row names no sample',
    ],
    [
      'a typing of no locus',
      'ID,locus,allele\nS1,A,A*01:01\nS1,,07:02\nS1,B,B*07:02\n',
      'line 3: "07:02" is a typing, but its row has no locus',
    ],
    [
      'rows of several persons, and no word of whom',
      'x,locus,allele\n1,A,A*01:01\n2,A,A*02:01\n3,A,A*24:02\n',
      'which column names the sample',
    ],
  ])('%s is refused with its line', async (_, table, message) => {
    await expect(convertRecords({ 't.csv': table })).rejects.toThrow(message)
  })

  test('rows are converted as they stand where columns are named, or it is asked for', async () => {
    const table = 'ID,locus,allele\nS1,A,A*01:01\nS1,A,A*02:01\n'
    const rows = 'ID,locus,allele,allele_lgx\nS1,A,A*01:01,A*01:01\nS1,A,A*02:01,A*02:01\n'
    expect((await convertRecords({ 't.csv': table }, { columns: 'allele' })).output).toBe(rows)
    expect((await convertRecords({ 't.csv': table }, { inputFormat: 'table' })).output).toBe(rows)
  })

  test.for([
    ['answers', 'id,allele,confirmed\nS1,A*01:01,Y\nS2,A*02:01,N\nS3,B*07:02,Y\n'],
    ['groups', 'id,allele,arm\nS1,A*01:01,B\nS2,A*02:01,A\nS3,B*07:02,A\n'],
    ['letters of alleles', 'id,allele,suffix\nS1,A*01:01,S\nS2,A*02:01,F\nS3,B*07:02,S\n'],
    ['tables of antigens', 'Allele,ag,Discrepant\nA*01:01,A1,N\nA*02:01,A2,N\nA*03:01,A3,Y\nB*07:02,B7,N\nB*08:01,B8,Y\n'],
  ] as const)('a column of %s is no locus: each row is converted by itself', async ([, table]) => {
    const { output, plan, failures } = await convertRecords({ 't.csv': table })
    expect([plan?.source, failures]).toEqual([undefined, []])
    expect(output.split('\n')).toHaveLength(table.split('\n').length)
  }) // prettier-ignore

  test('without a header a number beside the alleles names no person', async () => {
    const table = 'A\tA*01:01\t546\nA\tA*02:01\t546\nB\tB*07:02\t270\nB\tB*08:01\t270\n'
    const { output } = await convertRecords({ 'S1.txt': table }, { into: 'none', glOut: 'gl' })
    expect(output.split('\n')[1]).toMatch(/^S1\tA\*01:01\tA\*02:01\tB\*07:02\tB\*08:01\t/)
  })

  test.for([
    ['x,locus,allele\n1,A,A*01:01\n2,A,A*02:01\n3,A,A*24:02\n', 'input-format', 'table'],
    ['who,locus,allele\nP,A,A*01:01\nP,B,B*07:02\nQ,A,A*02:01\nQ,B,B*08:01\n', 'sample-from', 'name'],
  ] as const)(
    'what the refusal of a table without samples advises reads it: %s',
    async ([table, option, value]) => {
      const hint: unknown = expect.arrayContaining([{ option, value }])
      await expect(convertRecords({ 't.csv': table })).rejects.toMatchObject({ hint })
      const options = option === 'input-format' ? { inputFormat: value } : { sampleFrom: value }
      expect((await convertRecords({ 't.csv': table }, options)).failures).toEqual([])
    },
  )

  test('wide tables stay what they are', async () => {
    const table = 'ID,A_1,A_2,locus\nS1,A*01:01,A*02:01,A\nS2,A*01:01,A*02:01,B\n'
    const { plan } = await convertRecords({ 't.csv': table })
    expect(plan?.source).toBeUndefined()
  })
})

describe('transposed tables', () => {
  test('loci in rows, samples in columns', async () => {
    const table =
      'locus,S1,S2\nHLA-A,A*01:01,A*24:02\nHLA-A,A*02:01,\nB_1,B*07:02,B*07:02\nB_2,B*08:01,B*07:02\n'
    expect(await made(table)).toBe(
      'sample,A_1,A_2,B_1,B_2\nS1,A*01:01,A*02:01,B*07:02,B*08:01\nS2,A*24:02,,B*07:02,B*07:02\n',
    )
  })

  test('two columns of one name are two persons of one name: refused', async () => {
    const table = 'locus,S1,S1\nA_1,A*01:01,A*24:02\nB_1,B*07:02,B*07:02\n'
    await expect(convertRecords({ 't.csv': table }, { inputFormat: 'transposed' })).rejects.toThrow(
      'two columns are named "S1"',
    )
  })
})

test.for([
  [
    'id,A\n1,A*01:01~B*08:01+A*02:01~B*07:02\n',
    {},
    't.csv:2:A: B*08:01 is a B allele in an A column [locus-mismatch]',
  ],
  [
    'id,hap1,hap2\n1,A*01:01~B*08:01,A*02:01~B*07:02\n',
    { glOut: 'gl' },
    't.csv:2:hap2: A*02:01~B*07:02: A is in another column too, and a person has one genotype of it; write the two haplotypes of a person in one cell: A*01:01~B*08:01+A*02:01~B*07:02 [surplus-typing]',
  ],
  // the second locus is also in other columns
  [
    'id,B_1,B_2,hap\n1,07:02,08:01,A*01:01~B*08:01+A*02:01~B*07:02\n',
    { gl: 'hap', glOut: 'gl' },
    't.csv:2:hap: A*01:01~B*08:01+A*02:01~B*07:02: B is in another column too, and a person has one genotype of it; write the two haplotypes of a person in one cell: A*01:01~B*08:01+A*02:01~B*07:02 [surplus-typing]',
  ],
] as const)('haplotypes that cannot be read say how they could: %j', async ([table, options, message]) => {
  const { failures } = await convertRecords({ 't.csv': table }, options)
  expect(failures).toEqual([message])
})

test('the header again is no person, and is told', async () => {
  const header = 'sample,locus,allele\n'
  const rows = (id: string) => `${id},A,A*01:01\n${id},A,A*02:01\n`
  const long = await convertRecords(
    { 't.csv': header + rows('S1') + header + rows('S2') },
    { into: 'replace' },
  )
  expect(long.output).toBe('sample,A_1,A_2\nS1,A*01:01,A*02:01\nS2,A*01:01,A*02:01\n')
  expect(long.plan?.source?.ignored).toEqual(['repeated header in line 4'])
  const many = await convertRecords({ 't.csv': (header + rows('S1')).repeat(8) }, { into: 'replace' })
  expect(many.plan?.source?.ignored).toEqual(['repeated header in lines 4, 7, 10, 13, 16 and 2 more'])

  const gl = 'id,gl\nS1,A*01:01+A*02:01\nid,gl\nS2,A*01:01+A*02:01\n'
  const divided = await convertRecords({ 't.csv': gl }, { inputFormat: 'gl', into: 'replace' })
  expect(divided.output).toBe('id,A_1,A_2\nS1,A*01:01,A*02:01\nS2,A*01:01,A*02:01\n')
  expect(divided.plan?.source?.ignored).toEqual(['repeated header in line 3'])

  const wide = (id: string) => `id,A1,A2\n${id}1,01:01,02:01\nid,A1,A2\n${id}2,01:01,02:01\n`
  const files = await convertRecords(
    { 'a.csv': wide('a'), 'b.csv': wide('b') },
    { into: 'replace', sampleFrom: 'column' },
  )
  expect(files.output.split('\n').map((row) => row.split(',')[0])).toEqual(['id', 'a1', 'a2', 'b1', 'b2', ''])
  expect(files.plan?.source?.ignored).toEqual(['repeated header in line 3'])
})

describe('what is written', () => {
  const WIDE = 'ID,centre,A_1,A_2,B_1,B_2\nS1,X,A*01:01,A*02:01,B*07:02,\nS2,Y,A*24:02,,,\nS3,Z,,,,\n'

  test('rows a typing: a header of two lines is one, and the header again is one', async () => {
    const page = 'ID,HLA-A,\n,1,2\nS1,01:01,02:01\n'
    const { output } = await convertRecords({ 't.csv': page + page }, { shape: 'long' })
    const own = 'ID,locus,allele,typing,typing_lgx\nS1,A,1,01:01,A*01:01\nS1,A,2,02:01,A*02:01\n'
    expect(output).toBe(own + own)
  })

  test.each([
    ['a"b', '01:01', '02:01'],
    ['"a"b', '01:01', '02:01'],
    ['"a\n""b"', 'A*01:01', 'A*02:01'],
    ['""', 'A*01:01', 'A*02:01'],
  ])('rows a typing: behind the note %j each person has rows of its own', async (note, first, second) => {
    const text = `id,A_1,A_2,note\n1,01:01,02:01,${note}\n2,01:01,,x\n3,,02:01,"y"\n`
    const options = { shape: 'long', into: 'replace', onError: 'keep' } as const
    expect((await convertRecords({ 't.csv': text }, options)).output).toBe(
      `id,note,locus,allele,typing\n1,${note},A,1,${first}\n1,${note},A,2,${second}\n2,x,A,1,A*01:01\n3,"y",A,2,A*02:01\n`,
    )
  })

  test('a row a typing, and the wide table again from it', async () => {
    const long = await convertRecords({ 't.csv': WIDE }, { shape: 'long' })
    expect(long.output).toBe(
      'ID,centre,locus,allele,typing,typing_lgx\nS1,X,A,1,A*01:01,A*01:01\nS1,X,A,2,A*02:01,A*02:01\n' +
        'S1,X,B,1,B*07:02,B*07:02\nS2,Y,A,1,A*24:02,A*24:02\nS3,Z,,,,\n',
    )
    const wide = await convertRecords({ 'l.csv': long.output }, { into: 'replace' })
    expect(wide.output).toBe(WIDE)
    // the same by rows as by bytes
    const rows = await convertRecords({ 't.csv': Buffer.from(`\ufeff${WIDE}`, 'utf16le') }, { shape: 'long' })
    expect(rows.bytes.toString('utf16le')).toBe(`\ufeff${long.output}`)
  })

  test.each([
    ['replace', {}, 'ID,centre,locus,allele,typing\nS1,X,A,1,A*01:01\n'],
    ['append', {}, 'ID,centre,locus,allele,typing,typing_lgx\nS1,X,A,1,A*01:01,A*01:01\n'],
    ['after', { dropSource: true }, 'ID,centre,locus,allele,typing_lgx\nS1,X,A,1,A*01:01\n'],
    [
      'after',
      { onError: 'report' },
      'ID,centre,locus,allele,typing,typing_lgx,hla_status,hla_errors\nS1,X,A,1,A*01:01,A*01:01,ok,\n',
    ],
    [
      'after',
      { outDelimiter: 'tab', eol: 'crlf', bom: 'add' },
      '\ufeffID\tcentre\tlocus\tallele\ttyping\ttyping_lgx\r\nS1\tX\tA\t1\tA*01:01\tA*01:01\r\n',
    ],
  ] as const)('a row a typing with results %s %j', async (into, options, expected) => {
    const { output } = await convertRecords({ 't.csv': WIDE }, { shape: 'long', into, ...options })
    expect(output.startsWith(expected)).toBe(true)
  })

  test('one GL String a person, from wide and from long', async () => {
    const gl = 'ID,centre,gl\nS1,X,A*01:01+A*02:01^B*07:02\nS2,Y,A*24:02\nS3,Z,\n'
    expect((await convertRecords({ 't.csv': WIDE }, { shape: 'gl' })).output).toBe(gl)
    const long = await convertRecords({ 't.csv': WIDE }, { shape: 'long', into: 'replace' })
    expect((await convertRecords({ 'l.csv': long.output }, { shape: 'gl' })).output).toBe(gl)
  })

  test('GL Strings divided by locus, into columns and into rows', async () => {
    const gl = 'ID,centre,gl\nS1,X,A*01:01+A*02:01^B*07:02\nS2,Y,A*24:02\nS3,Z,\n'
    const asked = { inputFormat: 'gl', into: 'replace' } as const
    expect((await convertRecords({ 't.csv': gl }, asked)).output).toBe(WIDE)
    const long = await convertRecords({ 't.csv': gl }, { ...asked, shape: 'long' })
    expect(long.output).toBe(
      (await convertRecords({ 't.csv': WIDE }, { shape: 'long', into: 'replace' })).output,
    )
    expect((await convertRecords({ 't.csv': gl }, { inputFormat: 'gl', shape: 'gl' })).output).toBe(gl)
  })

  test('two rows of one name are two persons, or a mistake: never one genotype', async () => {
    const { failures } = await convertRecords(
      { 't.csv': 'ID,gl\nS1,A*01:01\nS1,A*02:01\n' },
      { inputFormat: 'gl' },
    )
    expect(failures).toEqual([
      expect.stringContaining('two typings of A for the same copy, 1 or 2 (lines 2, 3)'),
    ])
    const files = { 'x.csv': 'ID,A_1,A_2\nP,A*01:01,\nP,A*02:01,\n', 'y.csv': 'ID,A_1,A_2\nQ,A*01:01,\n' }
    const wide = await convertRecords(files, { sampleFrom: 'column', into: 'replace' })
    expect(wide.failures).toEqual([])
    expect(wide.output).toBe('ID,A_1,A_2\nP,A*01:01,\nP,A*02:01,\nQ,A*01:01,\n')
    const merged = await convertRecords(files, { sampleFrom: 'column', merge: true })
    expect(merged.failures).toEqual([expect.stringContaining('two typings of A for the same copy, 1 or 2')])
    await expect(
      convertRecords({ 't.csv': 'ID,gl\n,A*01:01\nS1,A*02:01\n' }, { inputFormat: 'gl' }),
    ).rejects.toThrow('line 2: the row names no sample')
  })

  test('a genotype of several possibilities stays in one cell, more than two alleles of a locus fail', async () => {
    const gl = 'ID,gl\nS1,A*01:01+A*02:01|A*01:01+A*24:02\nS2,A*01:01+A*02:01+A*24:02\nS3,A*01:01+A*02:01\n'
    const { output, failures } = await convertRecords({ 't.csv': gl }, { inputFormat: 'gl' })
    expect(output.split('\n')[1]).toBe('S1,A*01:01+A*02:01|A*01:01+A*24:02,A*01:01+A*02:01|A*01:01+A*24:02,,')
    expect(failures).toEqual([expect.stringContaining('t.csv:3:A_1: 3 typings of A')])
  })

  test.each([
    [{ shape: 'long', glOut: 'gl' }, '--shape long writes one row per typing'],
    [{ shape: 'gl', into: 'append' }, '--shape gl writes one GL String per person'],
    [{ shape: 'gl', methods: ['lgx', 'G'] }, '--shape gl writes one GL String per person'],
  ] as const)('%j is refused', async (options, message) => {
    await expect(convertRecords({ 't.csv': WIDE }, options)).rejects.toThrow(message)
  })

  test('whole GL Strings have no rows of loci', async () => {
    await expect(
      convertRecords({ 't.csv': 'id,gl\nS1,A*01:01+A*02:01^B*07:02\n' }, { shape: 'long' }),
    ).rejects.toThrow('gl holds GL Strings')
  })
})

describe('several files as one table', () => {
  test('samples by the names of the files, failures with theirs', async () => {
    const files = {
      'out/S1.tsv': 'locus\tallele\nA\tA*01:01\nA\tA*02:01\n',
      'out/S2.tsv': 'locus\tallele\nA\tA*99:99\nB\tB*07:02\n',
    }
    const { output, failures } = await convertRecords(files, { sampleFrom: 'name', into: 'replace' })
    expect(output).toBe('sample\tA_1\tA_2\tB_1\tB_2\nS1\tA*01:01\tA*02:01\t\t\nS2\t\t\tB*07:02\t\n')
    expect(failures).toEqual([expect.stringMatching(/^out\/S2\.tsv:2:A_1: /)])
  })

  test('samples by folder: what is in one is of one person', async () => {
    const files = {
      'S1/class1.tsv': 'locus\tallele\nA\tA*01:01\n',
      'S1/class2.tsv': 'locus\tallele\nDRB1\tDRB1*15:01\n',
    }
    const { output } = await convertRecords(files, { sampleFrom: 'folder', merge: true, into: 'replace' })
    expect(output).toBe('sample\tA_1\tA_2\tDRB1_1\tDRB1_2\nS1\tA*01:01\t\tDRB1*15:01\t\n')
  })

  test('one locus from two files is no genotype', async () => {
    const files = { 'S1/a.tsv': 'locus\tallele\nA\tA*01:01\n', 'S1/b.tsv': 'locus\tallele\nA\tA*02:01\n' }
    const { failures } = await convertRecords(files, { sampleFrom: 'folder', merge: true })
    expect(failures).toEqual([
      expect.stringContaining(
        '2 files type A of one person differently: A*01:01, A*02:01 (lines S1/a.tsv:2, S1/b.tsv:2)',
      ),
    ])
  })

  test('rows of wide tables, by name or as they name their samples', async () => {
    const files = {
      'x.csv': 'ID,A_1,A_2,reads\nP1,A*01:01,A*02:01,7\n',
      'y.csv': 'ID,A_1,A_2,reads\nP2,A*24:02,,8\n',
    }
    expect((await convertRecords(files, { sampleFrom: 'column', into: 'replace' })).output).toBe(
      'ID,reads,A_1,A_2\nP1,7,A*01:01,A*02:01\nP2,8,A*24:02,\n',
    )
    const byName = cellsIn((await convertRecords(files, { sampleFrom: 'name', into: 'replace' })).output, ',')
    expect(byName.map(([name]) => name)).toEqual(['ID', 'x', 'y'])
  })

  test('two files about one person are two rows, unless they are merged', async () => {
    const files = {
      'S1/a.tsv': 'locus\tallele\nA\tA*01:01\n',
      'S1/b.tsv': 'locus\tallele\nA\tA*02:01\n',
    }
    const { output, failures, plan } = await convertRecords(files, { sampleFrom: 'folder', into: 'replace' })
    expect(output).toBe('sample\tA_1\tA_2\nS1\tA*01:01\t\nS1\tA*02:01\t\n')
    expect(failures).toEqual([])
    expect(plan?.source?.repeated).toEqual(['S1'])
  })

  test.for([
    ['folder', 'run1'],
    ['folder:2', 'S1'],
    ['folder:3', 'cohort'],
    ['name', 'a'],
  ] as const)('--sample-from %s of cohort/S1/run1/a.tsv is %s', async ([sampleFrom, name]) => {
    const files = { 'cohort/S1/run1/a.tsv': 'locus\tallele\nA\tA*01:01\n' }
    const { output } = await convertRecords(files, { sampleFrom, into: 'replace' })
    expect(output.split('\n')[1]).toBe(`${name}\tA*01:01\t`)
  })

  test('files of two formats are one table, whose rows name file and program', async () => {
    const files = { 'x.csv': 'ID,A_1,A_2\nP1,A*01:01,A*02:01\n', 'y.csv': 'locus,allele\nA,A*24:02\n' }
    const { output } = await convertRecords(files, { sampleFrom: 'name', into: 'replace' })
    expect(output).toBe('ID,source,A_1,A_2\nx,x.csv (table),A*01:01,A*02:01\ny,y.csv (long table),A*24:02,\n')
  })
})
