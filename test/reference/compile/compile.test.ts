/** Published files -> a release: no row is lost, in any style of header and line end; every installed release. */
import { describe, expect, test } from 'vitest'
import { compileRelease, pingLgx, plainLgx } from '../../../src/reference/compile/compile.ts'
import { compileFiles, type NamedBytes } from '../../../src/reference/compile/compile-files.ts'
import { readFixedTables } from '../../../src/reference/compile/fixed-tables.ts'
import { encodeRelease } from '../../../src/reference/compile/encode.ts'
import { readRelease } from '../../../src/reference/release.ts'
import { errorOf } from '../../support/errors.ts'
import { readTexts, releasesAtHand } from '../../support/releases.ts'
import { hasShared } from '../../support/shared.ts'
import { compileTexts, smallTexts } from '../../support/small-release.ts'

const texts = smallTexts()

describe('a release is the same bytes', () => {
  const expected = encodeRelease(compileTexts(texts))
  const header = [
    '# file: x.txt',
    '# date: 2010-04-01',
    '# version: IMGT/HLA 3.0.0',
    '# author: nobody',
    '# origin: x',
    '# repository: x',
  ]
  const styles = [4, 5, 6].flatMap((lines) => ['\n', '\r\n', '\r'].map((end) => [lines, end] as const))

  test.for(styles)('with %i header lines that end in %j', ([lines, end]) => {
    const styled = (text: string) => [...header.slice(0, lines), ...text.split('\n'), ''].join(end)
    const given = {
      alleleList: styled(texts.alleleList),
      nomenclature: styled(texts.nomenclature),
      gGroups: styled(texts.gGroups),
      pGroups: styled(texts.pGroups),
      dnaSerology: styled(texts.dnaSerology),
      serology: styled(texts.serology),
      tce: styled(texts.tce ?? ''),
    }
    expect(Buffer.compare(encodeRelease(compileTexts(given)), expected)).toBe(0)
  })
})

describe('the first data row of each file', () => {
  const { columns, lists, facts } = compileTexts(texts)
  test('is there', () => {
    expect(columns.g.get('A*01:01:01:01')).toBe('A*01:01:01G')
    expect(columns.p.get('A*01:01:01:01')).toBe('A*01:01P')
    expect(lists.alleleAntigens.get('A*01:01:01:01')).toEqual(['A1'])
    expect(facts.associated).toMatchObject({ A203: 'A2', A210: 'A2' })
    expect(facts.alleleCount).toBe(texts.alleleList.trim().split('\n').length - 1)
  })
})

test('a file that is missing is named', () => {
  const nom = {
    name: 'wmda/hla_nom.txt',
    bytes: Buffer.from('# date: 2024-10-09\n# version: IPD-IMGT/HLA 3.58.0\n'),
  }
  const missing = (files: readonly NamedBytes[]) => errorOf(() => compileFiles(files))
  expect(missing([])).toMatchObject({
    code: 'bad-release-file',
    message: 'wmda/hla_nom.txt is missing',
    offending: 'wmda/hla_nom.txt',
  })
  expect(missing([nom])).toMatchObject({
    code: 'bad-release-file',
    message: 'the allele list of 3.58.0 is missing',
    offending: 'allelelist/Allelelist.3580.txt',
  })
  expect(missing([nom, { name: 'allelelist/Allelelist.3580.txt', bytes: Buffer.from('') }])).toMatchObject({
    message: 'wmda/hla_nom_g.txt is missing',
  })
})

test('lgx with and without the way through the P group', () => {
  const { columns, flags } = compileTexts(texts)
  const tables = {
    lgx: columns.lgx,
    pNotG: columns.pNotG,
    pNotGValues: new Set(columns.pNotG.values()),
    alleles: new Set([...flags].filter(([, flag]) => (flag & 2) !== 0).map(([name]) => name)),
  }
  expect([plainLgx('A*02:131:02', tables), pingLgx('A*02:131:02', tables)]).toEqual(['A*02:131', 'A*02:16'])
  expect([plainLgx('A*01:335', tables), pingLgx('A*01:335', tables)]).toEqual(['A*01:335', 'A*01:01'])
  expect([plainLgx('A*01:01:01:01', tables), pingLgx('A*01:01:01:01', tables)]).toEqual([
    'A*01:01',
    'A*01:01',
  ])
})

test('the tables of this package', () => {
  const { antigens, molecularBroads, oldNames } = readFixedTables()
  expect(antigens).toEqual(expect.arrayContaining(['A1', 'Bw4', 'Cw10', 'DR103', 'DPw6', 'Dw26']))
  expect(molecularBroads['A*09']).toEqual(['A*23', 'A*24'])
  expect(oldNames['A*0104']).toBe('A*01:04:01:01N')
})

/** Counts published in py-ard's semantics, and of the allele list itself. */
describe.skipIf(!hasShared)('published releases', () => {
  test.for(releasesAtHand())('%s loses no row', (compact) => {
    const published = readTexts(compact)
    const tables = compileRelease(
      published,
      { label: compact, compact, date: '', sources: [] },
      readFixedTables(),
    )
    const rows = (text: string, pattern: RegExp) =>
      text.split(/\r?\n/).filter((line) => pattern.test(line)).length
    expect(tables.facts.alleleCount).toBe(rows(published.alleleList, /^HLA\d+,/))
    expect(tables.facts.alleleCount).toBeGreaterThan(10_000)
    expect(new Set(tables.columns.g.values()).size).toBe(rows(published.gGroups, /^[^#].*;.*;[^;]+$/))
    expect(new Set(tables.columns.p.values()).size).toBe(rows(published.pGroups, /^[^#].*;.*;[^;]+$/))
    const broads = rows(published.serology, /^[^#;]+;[^;]+;[^;]+;/)
    const parents = rows(published.serology, /^[^#;]+;[^;]+;[^;]*;[^;]+$/)
    expect(Object.keys(tables.facts.broads)).toHaveLength(broads)
    expect(new Set(Object.values(tables.facts.associated)).size).toBe(parents)
  })

  test.for(['3440', '3530', '3580'])('%s has the epitope groups of every row', (compact) => {
    const published = readTexts(compact)
    const tables = compileTexts(published)
    const release = readRelease(encodeRelease(tables))
    const rows = (published.tce ?? '').split(/\r?\n/).filter((line) => line.startsWith('DPB1*'))
    expect(rows.length).toBeGreaterThan(1_000)
    for (const row of rows) {
      const [allele = '', , one, two] = row.split(',')
      expect([allele, release.tceOf(allele, 1) ?? '', release.tceOf(allele, 2) ?? '']).toEqual([
        allele,
        one,
        two,
      ])
    }
    expect(release.facts.hasTce).toBe(true)
    expect(release.tceOf('A*01:01:01:01', 2)).toBeUndefined()
  })

  test('3.58.0 has the names, groups and codes that the peer has', () => {
    const { flags, lists, facts } = compileTexts(readTexts('3580'))
    const count = (flag: number) => [...flags.values()].filter((value) => (value & flag) !== 0).length
    expect(facts.alleleCount).toBe(41_433)
    expect(count(2)).toBe(43_984)
    expect(lists.xx.size).toBe(2_246)
    expect(lists.gDuplicates.size).toBe(78)
    expect(lists.shortNull.size).toBe(200)
    expect(facts.groupAliases).toEqual({
      'A*02:17:01G': 'A*02:17:02G',
      'C*02:10:01G': 'C*02:02:37G',
      'DRB3*03:22:01G': 'DRB3*02:171:01G',
    })
  })
})
