/** Every table of a release of four alleles, and the bytes of compiled files in their present format. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { compileFiles, isCompiledFrom } from '../../../src/reference/compile/compile-files.ts'
import { compileRelease } from '../../../src/reference/compile/compile.ts'
import { encodeRelease } from '../../../src/reference/compile/encode.ts'
import { encodeContainer, RELEASE_FORMAT_VERSION, type SectionArray } from '../../../src/reference/format.ts'
import { encodeHistory } from '../../../src/reference/history/history.ts'
import { encodeHistoryFiles } from '../../../src/reference/history/history-files.ts'
import { encodeNames, readNameTable } from '../../../src/reference/name-table.ts'
import { readRelease } from '../../../src/reference/release.ts'
import { SMALL_DELETIONS, SMALL_LISTS } from '../../support/history.ts'
import { errorOf } from '../../support/errors.ts'
import { smallBranch } from '../../support/published-release.ts'

const TEXTS = {
  alleleList: 'AlleleID,Allele\nHLA1,A*01:01:01:01\nHLA2,A*01:01:01:02N\nHLA3,A*01:02\nHLA4,DPB1*01:01:01',
  nomenclature: 'A*;01:01:01:01;;;;\nA*;01:99;;;;\nA*;01:02;;;;',
  gGroups: 'A*;01:01:01:01/01:01:01:02N/01:99;01:01:01G\nA*;01:99;01:99:01G\nA*;01:02;',
  pGroups: 'A*;01:01:01:01/01:99;01:01P\nA*;01:02/01:02:02;01:02P',
  dnaSerology: 'A*;01:01:01:01;1;;;\nA*;01:01:01:02N;0;;;\nA*;01:02;;36;;\nA*;01:99;1;;;',
  serology: 'A;9;23/24;\nA;1;;36',
  tce: 'DPB1*01:01:01,x,3,2a\nDPB1*99:01,x,3,3',
}
const IDENTITY = { label: '3.58.0', compact: '3580', date: '2024-10-09', sources: [] }
const FIXED = { oldNames: { 'A*0101': 'A*01:01' }, molecularBroads: { 'A*30': ['A*01'], 'A*31': ['A*02'] }, antigens: ['Bw4'] } // prettier-ignore
const tables = compileRelease(TEXTS, IDENTITY, FIXED)
const map = <T>(entries: Record<string, T>) => new Map(Object.entries(entries))

test('facts are of the release, its files and the package', () => {
  expect(tables.facts).toEqual({
    ...IDENTITY,
    dataset: 'full',
    hasHats: false,
    hasTce: true,
    alleleCount: 4,
    groupAliases: {},
    oldNames: FIXED.oldNames,
    molecularBroads: FIXED.molecularBroads,
    broads: { A9: ['A23', 'A24'] },
    associated: { A36: 'A1' },
    loci: ['A', 'DPB1'],
  })
})

test('names have a flag for each thing that they are', () => {
  expect(tables.flags).toEqual(
    map({
      'A*01:01:01:01': 3,
      'A*01:01:01:02N': 3,
      'A*01:02': 19,
      'DPB1*01:01:01': 3,
      'A*01:01': 66,
      'DPB1*01:01': 2,
      'A*01:01:01': 2,
      'A*01:01N': 2,
      'A*01': 128,
      'DPB1*01': 128,
      'A*01:01:01G': 4,
      'A*01:01P': 8,
      'A*01:02P': 8,
      Bw4: 32,
      A9: 32,
      A23: 32,
      A24: 32,
      A1: 32,
      A36: 32,
    }),
  )
})

test('columns have the group of each member, without names that are not public', () => {
  const members = ['A*01:01', 'A*01:01:01', 'A*01:01:01:01']
  const each = (names: string[], value: string) => names.map((name) => [name, value] as const)
  expect(tables.columns).toEqual({
    g: new Map(each([...members, 'A*01:01:01:02N'], 'A*01:01:01G')),
    p: new Map([...each(members, 'A*01:01P'), ...each(['A*01:02', 'A*01:02:02'], 'A*01:02P')]),
    lgx: new Map(each([...members, 'A*01:01:01:02N'], 'A*01:01')),
    exon: new Map(each(['A*01:01:01:01', 'A*01:01:01:02N'], 'A*01:01:01')),
    pNotG: new Map(each(['A*01:02', 'A*01:02:02'], 'A*01:02')),
    hats: new Map(),
  })
})

test('lists have what is below each name', () => {
  const both = ['A*01:01:01:01', 'A*01:01:01:02N']
  const two = ['A*01:02', 'A*01:02:02']
  expect(tables.lists).toEqual({
    gDuplicates: new Map(),
    who: map({
      'A*01': [...both, 'A*01:02'],
      'A*01:01': both,
      'A*01:01:01': both,
      'DPB1*01': ['DPB1*01:01:01'],
      'DPB1*01:01': ['DPB1*01:01:01'],
      'A*01:01:01G': both,
      'A*01:01P': both,
      'A*01:02P': two,
    }),
    xx: map({ 'A*01': ['A*01:01', 'A*01:02'], 'DPB1*01': ['DPB1*01:01'], 'A*30': ['A*01:01', 'A*01:02'] }),
    shortNull: map({ 'A*01:01N': ['A*01:01:01:02N'], 'A*01:01:01N': ['A*01:01:01:02N'] }),
    antigenAlleles: map({ A1: ['A*01:01:01:01'], A36: ['A*01:02'] }),
    alleleAntigens: map({ 'A*01:01:01:01': ['A1'], 'A*01:02': ['A36'] }),
    lgxAntigens: map({ 'A*01:01': ['A1'], 'A*01:02': ['A36'] }),
    lgxAntigensPlain: map({ 'A*01:01': ['A1'], 'A*01:02': ['A36'] }),
    groupMembers: map({ 'A*01:01:01G': both, 'A*01:01P': ['A*01:01:01:01'], 'A*01:02P': two }),
    notPublic: map({ 'A*01:99': ['A*01:99'] }),
  })
  expect(tables.tce).toEqual(map({ 'DPB1*01:01:01': ['3', '2a'] }))
  const { tce: _, ...without } = TEXTS
  expect(compileRelease(without, IDENTITY, FIXED)).toEqual({
    ...tables,
    facts: { ...tables.facts, hasTce: false },
    tce: new Map(),
  })
})

const digest = (bytes: Uint8Array) => [
  bytes.length,
  createHash('sha256').update(bytes).digest('hex').slice(0, 16),
]

test('the bytes of compiled files are those of their format', () => {
  const sections = new Map<string, SectionArray>([
    ['b', Uint8Array.of(1, 2, 3)],
    ['c', Uint32Array.of(4, 5)],
  ])
  expect(RELEASE_FORMAT_VERSION).toBe(5)
  expect(digest(encodeContainer({ a: 1 }, sections))).toEqual([188, '94a41c3470a117b0'])
  expect(digest(encodeHistory(SMALL_LISTS, SMALL_DELETIONS))).toEqual([1388, 'c04acd80afc8a673'])
  expect(digest(encodeRelease(tables))).toEqual([2692, '64769a67535b91ee'])
})

test('names are found by the number of their hash', () => {
  const { offsets, bytes, slots } = encodeNames(['A1', 'A*01:01', 'B*07:02'])
  expect([[...offsets], Buffer.from(bytes).toString()]).toEqual([[0, 2, 9, 16], 'A1A*01:01B*07:02'])
  expect([...slots]).toEqual([0, 2_541_748_227, 0, 0, 1_172_307_969, 0, 2_907_701_250, 0])
  const table = readNameTable({ offsets, bytes, slots })
  const units = (text: string) => Uint16Array.from(text, (letter) => letter.charCodeAt(0))
  expect(['A1', 'A*01:01', 'B*07:02', 'A2', '', 'A*01:01N'].map((name) => table.idOfText(units(name)))).toEqual([0, 1, 2, -1, -1, -1])
  const many = Array.from({ length: 500 }, (_, at) => `A*${at + 10}:01`)
  const large = readNameTable(encodeNames(many))
  expect(many.map((name) => large.idOfText(units(name)))).toEqual(many.map((_, at) => at))
  expect(encodeNames(many).slots.length).toBe(1024)
}) // prettier-ignore

test('a release is compiled from the files that it names, and says so', () => {
  const branch = smallBranch('3.58.0')
  branch.set('tce/dpb_tce.csv', Buffer.from('DPB1*01:01,,1,2'))
  branch.set('allelelist/Allelelist.3570.txt', Buffer.from('AlleleID,Allele\n'))
  branch.set('wmda/readme.md', Buffer.from('x'))
  const files = [...branch].map(([name, bytes]) => ({ name, bytes }))
  const { facts } = readRelease(compileFiles(files))
  const hashed = (names: string[]) =>
    names.map((name) => ({
      name,
      sha256: createHash('sha256')
        .update(branch.get(name) ?? '')
        .digest('hex'),
    }))
  const used = ['hla_nom', 'hla_nom_g', 'hla_nom_p', 'rel_dna_ser', 'rel_ser_ser'].map((name) => `wmda/${name}.txt`)
  const sources = hashed([...used, 'allelelist/Allelelist.3580.txt', 'tce/dpb_tce.csv'])
  expect(facts).toMatchObject({ label: '3.58.0', compact: '3580', date: '2024-10-09', alleleCount: 3, hasTce: true, sources })
  expect(isCompiledFrom(facts, hashed([...branch.keys()]))).toBe(true)
  expect(isCompiledFrom(facts, sources.slice(1))).toBe(false)
  expect(isCompiledFrom(facts, sources.map((source, at) => (at === 3 ? { ...source, sha256: '0' } : source)))).toBe(false)
  expect(isCompiledFrom({ ...facts, sources: [] }, sources)).toBe(false)
  for (const name of [...used.slice(1), 'allelelist/Allelelist.3580.txt']) {
    const message = name.startsWith('wmda') ? `${name} is missing` : 'the allele list of 3.58.0 is missing'
    expect(errorOf(() => compileFiles(files.filter((file) => file.name !== name)))).toMatchObject({ code: 'bad-release-file', message, offending: name })
  }
}) // prettier-ignore

test('a history is made of single lists before columns, and of deletions', () => {
  const list = (...names: string[]) => Buffer.from(`AlleleID,Allele\n${names.map((name, at) => `HLA0000${at + 1},${name}`).join('\n')}`)
  const files = [
    { name: 'allelelist/Allelelist.3580.txt', bytes: list('A*01:01', 'A*01:02') },
    { name: 'allelelist/Allelelist.3570.txt', bytes: list('A*01:01') },
    { name: 'allelelist/Allelelist.txt', bytes: list('A*99:99') },
    { name: 'other/allelelist/Allelelist.3560.txt', bytes: list('A*99:99') },
    { name: 'Allelelist_history.txt', bytes: Buffer.from('HLA_ID,3580,3560\nHLA00001,A*09:09,A*0101\n') },
    { name: 'Deleted_alleles.txt', bytes: Buffer.from('HLA00003,A*01:03,"Identical, to A*01:01"\nHLA00004,A01,no name\n') },
  ]
  const rows = (...given: (readonly [string, string])[]) => given
  const lists = [
    { release: '3.56.0', rows: rows(['HLA00001', 'A*0101']) },
    { release: '3.57.0', rows: rows(['HLA00001', 'A*01:01']) },
    { release: '3.58.0', rows: rows(['HLA00001', 'A*01:01'], ['HLA00002', 'A*01:02']) },
  ]
  const deletions = [{ accession: 'HLA00003', name: 'A*01:03', description: 'Identical, to A*01:01' }]
  expect(encodeHistoryFiles(files)).toEqual(encodeHistory(lists, deletions))
  expect(encodeHistoryFiles(files.slice(0, 2))).toEqual(encodeHistory(lists.slice(1), []))
  const [last] = lists
  expect(() => encodeHistory([...lists, ...lists.slice(0, 1)], [])).toThrow('a release occurs twice')
  const numbered = (length: number) => Array.from({ length }, (_, at) => ({ release: `${3 + Math.floor(at / 100)}.${at % 100}.0`, rows: last?.rows ?? [] }))
  expect(encodeHistory(numbered(256), []).length).toBeGreaterThan(1000)
  expect(() => encodeHistory(numbered(257), [])).toThrow('more than 256 releases')
}) // prettier-ignore
