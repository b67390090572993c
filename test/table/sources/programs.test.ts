/** Files of typing programs, each recognized by its content under any file name. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { HlaError } from '../../../src/errors.ts'
import { RECORD_FORMATS, TABLE_PROGRAMS, recordFormat } from '../../../src/table/sources/record-formats.ts'
import { RECORD_FORMAT_NAMES } from '../../../src/options/choices.ts'
import { lines, PROGRAM_FILES } from '../../support/program-files.ts'
import { errorOf } from '../../support/errors.ts'
import { convertRecords } from '../../support/record-tables.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { hasShared, sharedPath } from '../../support/shared.ts'

describe('typing programs', () => {
  test('every format has its name, and every name its format', () => {
    expect(RECORD_FORMATS.map(({ name }) => name).toSorted()).toEqual([...RECORD_FORMAT_NAMES].toSorted())
  })

  test('every program has a row', () => {
    const programs = RECORD_FORMAT_NAMES.filter(
      (name) => !['hibag', 'hml', 'wmda', 'donor-json', 'long', 'transposed', 'gl'].includes(name),
    )
    expect([...new Set(PROGRAM_FILES.map(([name]) => name))].toSorted()).toEqual(programs.toSorted())
  })

  test.each(PROGRAM_FILES)('%s, %s', async (name, title, text, table) => {
    const options = { into: 'replace', outDelimiter: ',' } as const
    const { output, plan, failures } = await convertRecords({ 'f.txt': text }, options)
    expect(plan?.source?.format).toBe(title)
    expect([failures, plan?.unread]).toEqual([[], []])
    // typings are reduced; with sources, the table also has the original text
    const { output: before } = await convertRecords(
      { 'f.txt': text },
      { ...options, into: 'none', glOut: 'gl' },
    )
    expect(withoutLast(before)).toBe(table)
    expect(output.split('\n')[0]).toBe(table.split('\n')[0])
    const asked = await convertRecords({ 'f.txt': text }, { ...options, inputFormat: name })
    expect(asked.output).toBe(output)
    for (const piece of [1, 5])
      expect((await convertRecords({ 'f.txt': text }, { ...options, piece })).output).toBe(output)
  })

  /** Lines above the example that the help shows, lines below it, and what is typed. */
  test.for([
    ['phlat', ['Locus\tAllele1\tAllele2\tLLtot\tPval1\tPval2'], [], 'A*02:01+A*24:02'],
    ['rna2hla', ['----HLA class I----', '#Locus\tAllele 1\tConfidence\tAllele 2\tConfidence'], [], 'A*02:01+A*24:02'],
    ['hla-la', ['Locus\tChromosome\tAllele\tQ1\tQ2\tAverageCoverage\tCoverageFirstDecile\tMinimumCoverage\tproportionkMersCovered\tLocusAvgColumnError\tNColumns_UnaccountedAllele_fGT0.2\tperfectG'], [], 'A*01:01'],
    ['hlapers', ['locus\tallele\ttpm\tcounts'], [], 'A*02:01'],
    ['lilac', ['Allele\tRefTotal\tRefUnique\tRefShared\tRefWild\tTumorTotal\tTumorUnique\tTumorShared\tTumorWild'], [], 'A*02:01'],
    ['hla-hd', [], [], 'A*02:01+A*24:02'],
    ['t1k', [], [], 'A*02:01+A*24:02'],
    ['kourami', [], [], 'A*02:01'],
    ['pharmcat', [], [], 'A*02:01+A*24:02'],
    ['polysolver', [], [], 'A*02:01+A*24:02'],
    ['spechla', ['# version: IPD-IMGT/HLA 3.51.0'], [], 'A*02:01+A*24:02'],
    ['hlaminer', [], [], 'A*24:02'],
    ['hisat-genotype', [], [], 'A*02:01'],
    ['hlaforest', [], [], 'A*02:01'],
    ['arcashla', [], [], 'A*02:01+A*24:02^B*07:02'],
    ['xhla', [], [], 'A*02:01'],
    ['hibag', ['"sample.id","allele1","allele2","prob","matching"'], [], 'A*02:01+A*24:02'],
    ['transposed', ['locus,S1,S2'], [], 'A*01:01'],
    ['long', ['sample,locus,allele'], [], 'A*01:01'],
    ['gl', ['sample,gl'], [], 'A*01:01+A*02:01^B*07:02'],
    ['wmda', ['<INVENTORIES><INVENTORY LISTING_ORGANIZATION="1" POOL="1" CONTENT_TYPE="D" SCHEMA_VERSION="2.2">'], ['</INVENTORY></INVENTORIES>'], 'A*01:01'],
    ['donor-json', [], [], 'A*01:01'],
  ] as const)('%s: the example of the help is of such a file', async ([name, above, below, typed]) => {
    const example = recordFormat(name).example.split(' … ')
    const file = name === 'hibag' ? 'HLA-A.csv' : 'f.txt'
    const { output, failures } = await convertRecords(
      { [file]: lines(...above, ...example, ...below) },
      { into: 'replace', glOut: 'gl', outDelimiter: ',', inputFormat: name },
    )
    expect([output.trim().split('\n')[1]?.split(',').at(-1), failures]).toEqual([typed, []])
  }) // prettier-ignore

  test.each([
    ['DRB3\tHLA-DRB3*01:01:02\t-', 'DRB3*01:01:02,,', 'DRB3*01:01^DRB4*01:01,DRB3*01:01,DRB4*01:01'],
    [
      'DRB1\tHLA-DRB1*04:01:01\tHLA-DRB1*03:01:01',
      'DRB1*04:01:01,DRB1*03:01:01,',
      'DRB1*03:01+DRB1*04:01^DRB4*01:01,DRB4*01:01,',
    ],
    [
      'DRB1\tHLA-DRB1*04:01:01\t-',
      'DRB1*04:01:01,DRB1*04:01:01,',
      'DRB1*04:01+DRB1*04:01^DRB4*01:01,DRB4*01:01,',
    ],
  ])('HLA-HD: DRB3 and DRB4 that were found once are one copy each: %s', async (line, cells, joined) => {
    const text = lines(line, 'DRB4\tHLA-DRB4*01:03:01\t-')
    const { output } = await convertRecords({ 'f.txt': text }, { into: 'none', glOut: 'gl', drbx: 'X', outDelimiter: ',' }) // prettier-ignore
    expect(output.split('\n')[1]).toBe(`f,${cells}DRB4*01:03:01,,${joined}`)
  })

  test.each([
    ['hlaminer', 'contains no typings'],
    ['hla-hd', 'contains no typings'],
    ['xhla', 'is not in the format of xHLA'],
    ['phlat', 'f.txt is not in the format of phlat'],
  ] as const)('what is not of %s is refused as such', async (inputFormat, message) => {
    await expect(convertRecords({ 'f.txt': '{"x": 1}\n' }, { inputFormat })).rejects.toThrow(message)
  })

  const PREDICTED = lines('"","sample.id","allele1","allele2","prob","matching"', '"1","S1","02:01","24:02",0.98,0.0031', '"2","S2","02:01",NA,0.4,0.002') // prettier-ignore

  test.each([
    ['HLA-A_cohort.csv', PREDICTED],
    ['IMPUTED_A_cohort.txt', PREDICTED.replaceAll('"', '').replaceAll(',', '\t')],
    ['out/HLA-A.csv', PREDICTED.replaceAll(/^[^,]*,/gm, '')],
  ])('HIBAG, %s: the name of the file says the locus', async (name, text) => {
    const { output, plan, failures } = await convertRecords({ [name]: text }, { into: 'none', glOut: 'gl', outDelimiter: ',' }) // prettier-ignore
    expect([plan?.source?.format, failures, plan?.unread]).toEqual(['HIBAG', [], []])
    expect(output).toBe(lines('sample.id,A_1,A_2,A_1_prob,A_1_matching,A_2_prob,A_2_matching,gl', 'S1,02:01,24:02,0.98,0.0031,0.98,0.0031,A*02:01+A*24:02', 'S2,02:01,NA,0.4,0.002,0.4,0.002,A*02:01')) // prettier-ignore
  })

  test('HIBAG: files of several loci are one table, and a file that names none is refused', async () => {
    const files = {
      'HLA-A.csv': PREDICTED,
      'HLA-DRB1.csv': PREDICTED.replace('02:01","24:02', '15:01","03:01'),
    }
    const { output } = await convertRecords(files, {
      into: 'none',
      glOut: 'gl',
      outDelimiter: ',',
      sampleFrom: 'column',
      merge: true,
    })
    expect(output.split('\n')[0]).toMatch(/^sample\.id,A_1,A_2,.*DRB1_1,DRB1_2,/)
    for (const [name, message] of [
      ['f.csv', 'contains no locus'],
      ['A_B.csv', 'contains several loci (A B)'],
    ] as const)
      await expect(convertRecords({ [name]: PREDICTED })).rejects.toThrow(message)
    expect((await convertRecords({ 'f.csv': PREDICTED }, { long: ['loci=A'] })).plan?.source?.format).toBe(
      'HIBAG',
    )
  })

  test.each(TABLE_PROGRAMS)('%s: the header of its table names the typings', async (_, header) => {
    const row = header.split('\t').map((name, at) => (at === 0 ? 'S1' : /^[A-Z]\w*[12]$/.test(name) ? '02:01' : '7.5')) // prettier-ignore
    const { plan, failures } = await convertRecords({ 'f.tsv': lines(header, row.join('\t')) })
    const named = header.split('\t').flatMap((name, at) => (/[12]$/.test(name) ? [at] : []))
    expect(plan?.groups.flatMap(({ columns }) => columns)).toEqual(named)
    expect([plan?.source, failures.filter((one) => !one.includes('unknown-allele'))]).toEqual([undefined, []])
  })

  test.each([
    ['hla-hd', lines('A\tHLA-A*24:02:01\tHLA-A*02:01:01', '\tHLA-B*07:02\t-')],
    ['t1k', lines('HLA-A\t1\tHLA-A*02:01:01\t1\t15\t.\t0\t-1', '\t1\tHLA-B*07:02\t1\t15\t.\t0\t-1')],
  ] as const)('%s: a line without its locus is refused, and not passed over', async (inputFormat, text) => {
    await expect(convertRecords({ 'f.txt': text }, { inputFormat })).rejects.toThrow(
      'line 2: "B*07:02" is a typing, but its row has no locus',
    )
  })

  const quality = (first: string, second: string) =>
    lines(`HLA-A\t2\tHLA-A*02:01\t42.9\t${first}\tHLA-A*24:02\t1.5\t${second}`)

  test.for([
    ['15', '14', 'f,A*02:01,A*24:02', []],
    ['15', '0', 'f,A*02:01,', ['alleles of quality 0 or less (1)']],
    ['0.0', '14', 'f,,A*24:02', ['alleles of quality 0 or less (1)']],
    ['-1', '-1', 'f,,', ['alleles of quality 0 or less (2)']],
    ['15', '0.5', 'f,A*02:01,A*24:02', []],
  ] as const)('T1K: alleles of quality %s and %s', async ([first, second, row, noted]) => {
    const { output, plan, planText } = await convertRecords(
      { 'f.tsv': quality(first, second) },
      { into: 'replace' },
    )
    expect(output.split('\n')[1]?.split('\t').slice(0, 3).join(',')).toBe(row)
    expect(plan?.source?.ignored).toEqual(['further alleles', ...noted])
    for (const note of noted) expect(planText).toContain(note)
  })

  test('T1K: alleles of no quality are counted over all files', async () => {
    const files = { 'a.tsv': quality('15', '0'), 'b.tsv': quality('0', '0'), 'c.tsv': quality('15', '14') }
    const { plan } = await convertRecords(files, { sampleFrom: 'name' })
    expect(plan?.source?.ignored).toEqual(['further alleles', 'alleles of quality 0 or less (3)'])
  })

  test('a third allele of HLA-HD fails, and an allele that is not known stands at its line', async () => {
    const file = { 'f.txt': lines('A\tHLA-A*24:02:01\tHLA-A*02:01:01\tHLA-A*01:01:01', 'B\tHLA-B*99:99\t-') }
    const { failures } = await convertRecords(file)
    expect(failures).toEqual([
      expect.stringContaining('f.txt:1:A_1: 3 typings of A, where a person has two'),
      expect.stringMatching(/^f\.txt:2:B_1: /),
      expect.stringMatching(/^f\.txt:2:B_2: /),
    ])
  })

  test('JSON that is broken, or of another kind, is refused', async () => {
    await expect(convertRecords({ 'f.json': '{"A": ["A*02:01", "A*24' })).rejects.toThrow(
      'f.json is not valid JSON',
    )
    await expect(convertRecords({ 'f.json': '{"x": 1}' })).rejects.toThrow('f.json is JSON, not a table')
  })

  test.for([
    ['[1]', 'the document'],
    ['"A*02:01"', 'the document'],
    ['{"A": ["A*02:01", 7]}', '"A"'],
    ['{"A": "A*02:01"}', '"A"'],
    ['{"S1": {"B": "B*07:02"}}', '"B"'],
    ['{"S1": {"B": [null]}}', '"B"'],
  ] as const)('JSON %s is not arcasHLA', async ([text, where]) => {
    await expect(convertRecords({ 'f.json': text }, { inputFormat: 'arcashla' })).rejects.toMatchObject({
      code: 'io',
      message: `${where} is not in the format of arcasHLA, which lists alleles by gene`,
    })
  })

  test.each([
    [1024 * 1024, undefined],
    [1024 * 1024 + 1, 'line 2 is too long for a line of f.txt'],
  ])('a line of %d characters in one piece', async (length, message) => {
    const text = `A\tHLA-A*24:02:01\tHLA-A*02:01:01\nB\t${'x'.repeat(length - 2)}`
    const ran = convertRecords({ 'f.txt': text }, { inputFormat: 'hla-hd', piece: 4 * 1024 * 1024 })
    if (message === undefined) expect((await ran).output).toContain('A*24:02')
    else await expect(ran).rejects.toMatchObject({ code: 'io', message })
  })

  test('a format without a name is none', () => {
    expect(recordFormat('t1k').name).toBe('t1k')
    expect(errorOf(() => recordFormat('t1'))).toMatchObject({
      code: 'usage',
      message: 'unknown input format "t1"',
      hint: expect.stringMatching(/^input formats are auto table hml wmda donor-json long /) as string,
    })
  })
})

const ROUNDS = process.env['HLA_LONG'] ? 400 : 12

/** The text with a character changed, deleted or repeated, or a line deleted, repeated or truncated. */
function mutated(text: string, random: () => number): string {
  const pick = (most: number) => Math.floor(random() * most)
  const at = pick(text.length)
  const rows = text.split('\n')
  const line = pick(rows.length)
  const changes = [
    () => text.slice(0, at) + '\t,"{}*:&\r\n0A '.charAt(pick(14)) + text.slice(at + 1),
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at) + text.slice(Math.max(0, at - pick(20))),
    () => rows.toSpliced(line, 1).join('\n'),
    () => rows.toSpliced(line, 0, rows[line] ?? '').join('\n'),
    () => text.slice(0, at),
  ]
  return changes[pick(changes.length)]?.() ?? text
}

test('whatever is changed in a file, it is converted, or refused as what it is', async () => {
  const random = randomNumbers(47)
  const faults: unknown[] = []
  for (const [name, , text] of PROGRAM_FILES)
    for (let round = 0; round < ROUNDS; round += 1) {
      const file = { 'f.txt': mutated(text, random) }
      const inputFormat = round % 2 === 0 ? 'auto' : name
      const result = await convertRecords(file, { inputFormat }).catch((error: unknown) => error)
      if (result instanceof Error && !(result instanceof HlaError)) faults.push([file, result])
    }
  expect(faults).toEqual([])
})

function withoutLast(table: string): string {
  return table.replaceAll(/,[^,\n]*\n/g, '\n')
}

describe.skipIf(!hasShared)('published files of programs', () => {
  const folder = hasShared ? sharedPath('formats/callers') : ''
  const files = hasShared ? readdirSync(folder) : []
  const refused: Readonly<Record<string, RegExp>> = {
    'T1K_genotype.tsv': /holds no typings of HLA genes: its loci are KIR2DL1/,
  }

  test.each(files)('%s', async (name) => {
    const text = readFileSync(`${folder}/${name}`, 'utf8')
    const told = refused[name]
    if (told !== undefined) {
      await expect(convertRecords({ [name]: text })).rejects.toThrow(told)
      return
    }
    const { plan } = await convertRecords({ [name]: text })
    const loci = new Set(plan?.groups.map(({ locus }) => locus))
    expect(loci.size).toBeGreaterThan(1)
    // every allele of the file is a typing of the table, or of a rank that is reported as not read
    if (plan?.source === undefined) return
    expect(plan.source.reading).not.toBe('')
  })
})
