/**
 * Population genetics output formats: each file is read back by its program's rules, and by our own reader if there is
 * one.
 */
import { describe, expect, test } from 'vitest'
import type { OutputFormatName } from '../../src/table/plan/output-format-names.ts'
import {
  readArlequin,
  readGrimm,
  readHaplomat,
  readHped,
  type ReadPerson,
  readPypop,
  readUniformat,
} from '../support/population-readers.ts'
import { convertRecords } from '../support/record-tables.ts'

const PLAIN = [
  'ID,POP,R2,SEX,A_1,A_2,B_1,B_2',
  'S1,FIN,EST,M,A*01:01,A*02:01,B*07:02,B*08:01',
  'S2,FIN,EST,F,A*24:02,A*24:02,,',
  'S3,SWE,,,,,B*08:01,B*07:02',
  '',
].join('\n')

const two = (one: string, other: string) => [[[one], [other]]]

/** Persons in each program's format: alleles with or without their locus, and missing typings. */
const NAMED: readonly Record<string, unknown>[] = [
  { A: two('A*01:01', 'A*02:01'), B: two('B*07:02', 'B*08:01') },
  { A: two('A*24:02', 'A*24:02') },
  { B: two('B*07:02', 'B*08:01') },
]

/** Without missing copies; alleles as `locus*…`, sorted. */
function simple({ loci }: ReadPerson, names: readonly string[]): Record<string, unknown> {
  const named = Object.entries(loci).flatMap(([key, genotypes]) => {
    const locus = names[Number(key)] ?? key
    const full = (allele: string) => (allele.includes('*') ? allele : `${locus}*${allele}`)
    const read = genotypes.map((copies) =>
      copies.filter((copy) => copy.length > 0).map((copy) => copy.map(full)),
    )
    return read.flat().length === 0
      ? []
      : [[locus, read.map((one) => one.toSorted((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1)))] as const]
  })
  return Object.fromEntries(named)
}

const PROGRAMS: readonly [OutputFormatName, (text: string) => ReadPerson[], string | undefined][] = [
  ['pypop', readPypop, 'population=POP'],
  ['arlequin', readArlequin, 'population=POP'],
  ['uniformat', readUniformat, undefined],
  ['haplomat', readHaplomat, undefined],
  ['grimm', readGrimm, 'race=POP,race2=R2'],
  ['hped', readHped, 'sex=SEX'],
]

function written(table: string, outputFormat: OutputFormatName, more: object = {}) {
  return convertRecords({ 't.csv': table }, { outputFormat, ...more })
}

describe('a program reads what was written for it', () => {
  test.for(PROGRAMS)('%s', async ([format, read, personColumns]) => {
    const { output, failures } = await written(
      PLAIN,
      format,
      personColumns === undefined ? {} : { personColumns },
    )
    expect(failures).toEqual([])
    const persons = read(output)
    expect(persons.map(({ id }) => id)).toEqual(['S1', 'S2', 'S3'])
    expect(persons.map((person) => simple(person, ['A', 'B']))).toEqual(NAMED)
  })

  test('the populations, races and pedigrees are those of the columns', async () => {
    const populations = (persons: readonly ReadPerson[]) => persons.map(({ population }) => population)
    const asked = { personColumns: 'population=POP' }
    expect(populations(readPypop((await written(PLAIN, 'pypop', asked)).output))).toEqual([
      'FIN',
      'FIN',
      'SWE',
    ])
    expect(populations(readArlequin((await written(PLAIN, 'arlequin', asked)).output))).toEqual([
      'FIN',
      'FIN',
      'SWE',
    ])
    const races = readGrimm((await written(PLAIN, 'grimm', { personColumns: 'race=POP, race2=R2' })).output)
    expect(races.map(({ rest }) => rest)).toEqual([['FIN', 'EST'], ['FIN', 'EST'], ['SWE', 'SWE']]) // prettier-ignore
    const hped = readHped((await written(PLAIN, 'hped', { personColumns: 'sex=SEX,family=POP' })).output)
    expect(hped.map(({ rest }) => rest?.join(' '))).toEqual([
      'FIN S1 0 0 1 -9',
      'FIN S2 0 0 2 -9',
      'SWE S3 0 0 0 -9',
    ])
    expect(readGrimm((await written(PLAIN, 'grimm')).output).map(({ rest }) => rest)).toEqual([[], [], []])
  })

  test.for([
    ['pypop', 'id,Population,A_1,A_2\nS1,FIN,01:01,02:01\n', {}, 'FIN\tS1\t', 'population=Population'],
    ['arlequin', 'id,pop,A_1,A_2\nS1,FIN,01:01,02:01\n', {}, 'SampleName="FIN"', 'population=pop'],
    ['hped', 'id,sex,phenotype,A_1,A_2\nS1,F,1,01:01,02:01\n', {}, 'S1\tS1\t0\t0\t2\t1\t', 'sex=sex, phenotype=phenotype'],
    ['hped', 'id,sex,A_1,A_2\nS1,F,01:01,02:01\n', { exclude: 'sex' }, 'S1\tS1\t0\t0\t0\t-9\t', undefined],
    ['pypop', 'id,Population,POP2,A_1,A_2\nS1,FIN,SWE,01:01,02:01\n', { personColumns: 'population=POP2' }, 'SWE\tS1\t', undefined],
    ['pypop', 'id,pop,Population,A_1,A_2\nS1,FIN,SWE,01:01,02:01\n', {}, 'population\tS1\t', undefined],
  ] as const)('columns about persons are used by their names, and said: %s, %j', async ([format, table, options, text, said]) => {
    const { output, plan } = await written(table, format, options)
    expect(output).toContain(text)
    const note = plan?.rowNotes.find(({ code }) => code === 'person-columns')
    expect(note?.message).toBe(said && `columns about persons: ${said}`)
  }) // prettier-ignore

  test.for([
    ['pypop', 'x.pop', {}],
    ['hped', 'x.ped', { header: false, locus: ['A=7,8', 'B=9,10'], onlyNamed: true }],
    ['haplomat', 'x.glc', { ragged: 'pad' }],
    ['grimm', 'x.csv', { header: false, gl: '2', onlyNamed: true }],
  ] as const)('%s is read by ourselves as %s', async ([format, name, options]) => {
    // rows with the largest number of loci
    const table = format === 'haplomat' ? PLAIN.split('\n').slice(0, 2).join('\n') : PLAIN
    const { output } = await written(table, format)
    const again = await convertRecords({ [name]: output }, { into: 'replace', ...options })
    expect(again.failures).toEqual([])
    const alleles = (text: string) => text.match(/[A-Z]\*\d\d:\d\d/g)?.toSorted()
    expect(alleles(again.output)).toEqual(alleles(table))
  })

  test('whole GL Strings, where loci may stand in any order', async () => {
    const table = 'id\tgl\nS1\tHLA-A*01:01+HLA-A*02:01^HLA-B*07:02+HLA-B*08:01\nS2\tB*07:02+B*08:01\n'
    for (const [format, read] of [
      ['haplomat', readHaplomat],
      ['grimm', readGrimm],
    ] as const) {
      // prettier-ignore
      const { output } = await convertRecords({ 't.tsv': table }, { outputFormat: format, gl: 'gl' })
      expect(read(output).map((one) => simple(one, []))).toEqual([NAMED[0], NAMED[2]])
    }
    await expect(
      convertRecords({ 't.tsv': table }, { outputFormat: 'pypop', gl: 'gl' }),
    ).rejects.toMatchObject({
      code: 'usage',
      hint: expect.arrayContaining([{ option: 'input-format', value: 'gl' }]) as unknown,
    })
    const divided = { outputFormat: 'uniformat', inputFormat: 'gl' } as const
    const { output } = await convertRecords({ 't.tsv': table }, divided)
    expect(readUniformat(output).map((one) => simple(one, ['A', 'B']))).toEqual([NAMED[0], NAMED[2]])
  })
})

const HARD = [
  ['a list', 'A*01:01/A*02:01', 'A*24:02', { A: [[['A*01:01', 'A*02:01'], ['A*24:02']]] }, ['uniformat', 'haplomat', 'grimm']],
  ['possible genotypes', 'A*01:01+A*02:01|A*02:01+A*24:02', '', { A: [[['A*01:01'], ['A*02:01']], [['A*02:01'], ['A*24:02']]] }, ['uniformat', 'haplomat']],
  ['one copy', 'A*01:01', '', { A: [[['A*01:01']]] }, ['pypop', 'arlequin', 'uniformat', 'hped', 'grimm']],
  ['phase', 'A*01:01~A*02:01', 'A*24:02', {}, []],
  ['three copies', 'A*01:01+A*02:01', 'A*24:02', {}, []],
  ['a new allele', 'A*NEW', 'A*24:02', {}, []],
] as const // prettier-ignore

describe('what a format cannot hold is told of, and what it holds is there', () => {
  const rows = HARD.flatMap((hard) => PROGRAMS.map((program) => [...hard, ...program] as const))
  test.for(rows)('%s: $5', async ([, one, other, want, held, format, read]) => {
    const table = `ID,A_1,A_2,B_1,B_2\nS1,${one},${other},B*07:02,B*08:01\n`
    const { output, failures } = await written(table, format)
    const [person] = read(output)
    const isHeld = held.some((name) => name === format)
    expect(failures.length > 0).toBe(!isHeld)
    expect(failures.every((failure) => failure.includes('[not-in-format]'))).toBe(true)
    const rest = { B: two('B*07:02', 'B*08:01') }
    const found = person === undefined ? {} : simple(person, ['A', 'B'])
    if (isHeld && format === 'grimm' && other === '') expect(found).toEqual(rest)
    else if (isHeld) expect(found).toEqual({ ...want, ...rest })
    // the other copy of a failed one may remain, alone
    else expect(found).toMatchObject(rest)
    if (!isHeld && found['A'] !== undefined) expect(found['A']).toEqual([[['A*24:02']]])
  })

  const OF_GL = { gl: 'gl', onlyNamed: true }
  const LIST = 'A*01:01+A*02:01|A*01:01+A*03:01'
  test.for([
    ['uniformat', 'A_1,A_2', `${LIST},A*01:01`, {}, 'several genotypes (|) beside another typing', ['A_1', 'A_2']],
    ['pypop', 'A_1,A_2', `${LIST},`, {}, '2 possible genotypes (|)', ['A_1']],
    ['pypop', 'A_1,A_2', 'A*01:01+A*02:01+A*03:01,', {}, '3 copies', ['A_1']],
    ['pypop', 'A_1,A_2', 'A*01:01/A*02:01,A*02:01', {}, 'a list of 2 alleles', ['A_1', 'A_2']],
    ['haplomat', 'gl', 'A*01:01+B*07:02', OF_GL, 'copies of A and B', ['gl']],
    ['haplomat', 'gl', 'A*01:01/B*07:02+A*01:01', OF_GL, 'copies of A and B', ['gl']],
    ['haplomat', 'gl', 'A*01:01~B*07:02+A*02:01~B*08:01', OF_GL, 'haplotypes (~)', ['gl']],
    ['haplomat', 'gl', 'A*01:01+A*02:01^B*07:02', OF_GL, 'one copy of a genotype without the other', ['gl']],
    ['haplomat', 'gl', 'A*01:01^B*07:02|A*02:01^B*08:01', OF_GL, 'several genotypes (|) beside another typing', ['gl']],
  ] as const)('%s, %s, %s', async ([format, header, cells, options, what, columns]) => {
    const { failures } = await written(`ID,${header}\nS1,${cells}\n`, format, options)
    const title = { uniformat: 'UNIFORMAT', pypop: 'PyPop', haplomat: 'Hapl-o-Mat' }[format]
    expect(failures).toEqual(columns.map((one) => `t.csv:2:${one}: ${title} cannot hold ${what} [not-in-format]`))
  }) // prettier-ignore

  test('antigens are names like others, but where names must say their locus', async () => {
    const table = 'ID,A_1,A_2\nS1,A*01:01,A*02:01\n'
    for (const [format] of PROGRAMS) {
      const { output, failures } = await written(table, format, { methods: ['S'] })
      const isHeld = format !== 'haplomat' && format !== 'grimm'
      expect(failures).toHaveLength(isHeld ? 0 : 2)
      if (isHeld) expect(output).toMatch(/A1[\s\S]+A2/)
    }
  })

  test('the other copy of one that failed is not a copy alone', async () => {
    const table = 'ID,A_1,A_2\nS1,A*99:99,A*02:01\n'
    const { output, failures } = await written(table, 'uniformat')
    expect(output).toBe('S1\t@\n')
    expect(failures.map((one) => /\[(.*)\]/.exec(one)?.[1])).toEqual(['unknown-allele', 'not-in-format'])
    expect((await written(table, 'pypop')).output).toContain('\t02:01\t****\n')
    const both = { secondBlank: 'homozygous' } as const
    expect((await written(table, 'pypop', both)).output).toContain('\t02:01\t****\n')
  })

  test('a copy alone is both where that is said', async () => {
    const table = 'ID,A_1,A_2\nS1,A*02:01,\n'
    const outputs = PROGRAMS.map(async ([format, read]) => {
      const { output, failures } = await written(table, format, { secondBlank: 'homozygous' })
      expect(failures).toEqual([])
      return read(output).map((one) => simple(one, ['A']))
    })
    const want = [{ A: two('A*02:01', 'A*02:01') }]
    expect(await Promise.all(outputs)).toEqual(PROGRAMS.map(() => want))
  })

  test('an absent gene is 00:00 for PyPop, and an error for the others', async () => {
    const table = 'ID,DRB3_1,DRB3_2\nS1,NNNN,NNNN\n'
    expect((await written(table, 'pypop')).output).toBe(
      'populat\tid\tdrb3_1\tdrb3_2\npopulation\tS1\t00:00\t00:00\n',
    )
    for (const format of ['arlequin', 'uniformat', 'haplomat', 'grimm'] as const) {
      const { failures } = await written(table, format)
      expect(failures.some((one) => one.includes('an absent gene'))).toBe(true)
    }
  })
})

describe('rows and tables that a format has no place for', () => {
  test.for([
    ['pypop', 'ID,A_1,A_2\n,A*01:01,A*02:01\nS2,A*01:01,A*02:01\n'],
    ['uniformat', 'ID,A_1,A_2\nS 1,A*01:01,A*02:01\nS2,A*01:01,A*02:01\n'],
    ['uniformat', 'ID,A_1,A_2\n#1,A*01:01,A*02:01\nS2,A*01:01,A*02:01\n'],
    ['haplomat', 'ID,A_1,A_2\nS 1,A*01:01,A*02:01\nS2,A*01:01,A*02:01\n'],
    ['grimm', 'ID,A_1,A_2\n"S,1",A*01:01,A*02:01\nS2,A*01:01,A*02:01\n'],
    ['hped', 'ID,A_1,A_2\nS 1,A*01:01,A*02:01\nS2,A*01:01,A*02:01\n'],
    ['arlequin', 'ID,A_1,A_2\nS{1,A*01:01,A*02:01\nS2,A*01:01,A*02:01\n'],
    ['pypop', 'ID,A_1,A_2\nS1,A*01:01\nS2,A*01:01,A*02:01\n'],
  ] as const)(
    '%s: a row that cannot be written is told of, and the others are there',
    async ([format, table]) => {
      const { output, failures } = await written(table, format, { idColumn: 'ID' })
      expect(failures).toHaveLength(1)
      const read = PROGRAMS.find(([name]) => name === format)?.[1] ?? readPypop
      expect(read(output).map(({ id }) => id)).toEqual(['S2'])
    },
  )

  test.for([
    ['no names of persons', 'A_1,A_2\nA*01:01,A*02:01\n', 'pypop', {}, 'needs a name for each person'],
    [
      'two persons a row',
      'ID,D_A_1,D_A_2,R_A_1,R_A_2\n1,A*01:01,A*02:01,A*01:01,A*02:01\n',
      'grimm',
      {},
      'one person per row',
    ],
    [
      'a locus too many',
      'ID,A_1,A_2,E_1,E_2\n1,A*01:01,A*02:01,E*01:01,E*01:01\n',
      'hped',
      {},
      'no place for E_1 E_2',
    ],
    ['a role it does not have', PLAIN, 'pypop', { personColumns: 'sex=SEX' }, 'PyPop has population'],
    ['a role twice', PLAIN, 'hped', { personColumns: 'sex=SEX,sex=POP' }, 'each once'],
    ['no such column', PLAIN, 'hped', { personColumns: 'sex=GENDER' }, 'no column "GENDER"'],
    ['options of tables', PLAIN, 'pypop', { into: 'replace' }, 'writes no table'],
    ['failures as they were', PLAIN, 'pypop', { onError: 'keep' }, 'writes no table'],
    ['several methods', PLAIN, 'pypop', { methods: ['G', 'lgx'] }, 'writes no table'],
  ] as const)('%s: one line says so', async ([, table, outputFormat, more, message]) => {
    const asked = { ...more, ...(outputFormat === undefined ? {} : { outputFormat }) } as object
    await expect(convertRecords({ 't.csv': table }, asked)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message) as string,
    })
  })

  test('the sex of a pedigree is one of three', async () => {
    const { failures } = await written(PLAIN.replace('FIN,EST,M', 'FIN,EST,X'), 'hped', {
      personColumns: 'sex=SEX',
    })
    expect(failures).toEqual([
      expect.stringContaining('HPED cannot hold the sex "X", which is not M, F or unknown'),
    ])
  })
})

test('however the bytes are cut, and by whichever path, the file is the same', async () => {
  const rows = Array.from({ length: 300 }, (_, at) => `P${at},${at % 2 ? 'X' : 'Y'},A*01:01,"A*02:01"`)
  const table = `ID,POP,A_1,A_2\n${rows.join('\n')}`
  for (const [format, read, personColumns] of PROGRAMS) {
    const asked = personColumns === 'population=POP' ? { personColumns } : {}
    const { output } = await written(table, format, asked)
    expect(read(output)).toHaveLength(300)
    expect((await written(table, format, { ...asked, piece: 7 })).output).toBe(output)
  }
})
