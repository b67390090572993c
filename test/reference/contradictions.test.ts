/** Contradictions between the files of a release, with how grave they are. */
import { expect, test } from 'vitest'
import { contradictionsIn } from '../../src/reference/contradictions.ts'

interface Rows {
  list: string[]
  nom: string[]
  g: string[]
  p: string[]
  dna: string[]
  ser: string[]
  hasHats: boolean
}

/** Files of alleles that agree: each allele is a group of its own, of antigen A1. */
function rowsOf(list: readonly string[]): Rows {
  const rows = (end: string) => list.map((name) => name.replace('*', '*;') + end)
  return {
    list: [...list],
    nom: ['A;1;;;;', 'A;9;;;;', 'A;23;;;;', 'A;24;;;;', 'Cw;1;;;;', ...rows(';20200101;;;')],
    g: rows(';'),
    p: rows(';').filter((row) => !row.endsWith('N;')),
    dna: list.map((name) => `${name.replace('*', '*;')};${name.startsWith('A') ? '1' : '?'};;;`),
    ser: ['A;9;23/24;'],
    hasHats: false,
  }
}

/** One line for each contradiction: how grave, the file, what it says. */
function said({ list, nom, g, p, dna, ser, hasHats }: Rows): string[] {
  const [nomenclature = '', gGroups = '', pGroups = '', dnaSerology = '', serology = ''] = [nom, g, p, dna, ser].map((rows) => rows.join('\n'))
  const found = contradictionsIn({ list, nomenclature, gGroups, pGroups, dnaSerology, serology, hasHats })
  return found.map(({ severity, isOfList, file, text }) => `${severity}${isOfList === true ? ' of the list' : ''}: ${file}: ${text}`)
} // prettier-ignore

const THREE = ['A*01:01', 'A*01:02', 'A*01:03']
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => `A*01:${String(at + 1).padStart(2, '0')}`)

test('files that agree have none', () => {
  for (const list of [THREE, many(1000), [...THREE, 'B*07:02N'], ['A*01:01', 'C*01:02', 'DRB1*01:01'], ['HFE*001:01']])
    expect(said(rowsOf(list))).toEqual([])
}) // prettier-ignore

const remove = (rows: string[], at: number) => void rows.splice(at, 1)

test.for<[what: string, edit: (rows: Rows) => unknown, expected: string[], list?: string[]]>([
  ['a line that is no group', ({ g }) => g.push('nonsense'), ['damage: wmda/hla_nom_g.txt: line 4 is not a group', 'damage: wmda/hla_nom_g.txt: it has nonsense, which is not in the allele list']],
  ['two lines that are no group', ({ p }) => p.unshift('nonsense', 'more'), ['damage: wmda/hla_nom_p.txt: line 1 is not a group (one of 2)', 'damage: wmda/hla_nom_p.txt: it has nonsense, which is not in the allele list (one of 2)']],
  ['a stranger in G', ({ g }) => g.push('A*;01:04;'), ['damage: wmda/hla_nom_g.txt: it has A*01:04, which is not in the allele list']],
  ['strangers in P', ({ p }) => p.push('A*;01:04;', 'A*;01:05;'), ['damage: wmda/hla_nom_p.txt: it has A*01:04, which is not in the allele list (one of 2)']],
  ['a stranger in rel_dna_ser.txt', ({ dna }) => dna.push('A*;01:04;1;;;'), ['damage: wmda/rel_dna_ser.txt: it has A*01:04, which is not in the allele list']],
  ['a confidential allele before the last', ({ list }) => remove(list, 1), ['broken-promise of the list: wmda/hla_nom_g.txt: it has A*01:02, which is not in the allele list', 'broken-promise of the list: wmda/hla_nom_p.txt: it has A*01:02, which is not in the allele list', 'broken-promise of the list: wmda/rel_dna_ser.txt: it has A*01:02, which is not in the allele list']],
  ['a list that ends too soon', ({ list }) => remove(list, 2), ['damage of the list: wmda/hla_nom_g.txt: it has A*01:03, which is not in the allele list', 'damage of the list: wmda/hla_nom_p.txt: it has A*01:03, which is not in the allele list', 'damage of the list: wmda/rel_dna_ser.txt: it has A*01:03, which is not in the allele list']],
  ['a list without a gene', ({ list }) => remove(list, 0), ['damage of the list: wmda/hla_nom_g.txt: it has A*01:01, which is not in the allele list', 'damage of the list: wmda/hla_nom_p.txt: it has A*01:01, which is not in the allele list', 'damage of the list: wmda/rel_dna_ser.txt: it has A*01:01, which is not in the allele list'], ['A*01:01', 'B*07:02', 'B*08:01']],
  ['a list without one of a thousand', ({ list }) => remove(list, 5), ['unusual of the list: wmda/hla_nom_g.txt: it has A*01:06, which is not in the allele list', 'unusual of the list: wmda/hla_nom_p.txt: it has A*01:06, which is not in the allele list', 'unusual of the list: wmda/rel_dna_ser.txt: it has A*01:06, which is not in the allele list'], many(1001)],
  ['a list without one of fewer', ({ list }) => remove(list, 5), ['broken-promise of the list: wmda/hla_nom_g.txt: it has A*01:06, which is not in the allele list', 'broken-promise of the list: wmda/hla_nom_p.txt: it has A*01:06, which is not in the allele list', 'broken-promise of the list: wmda/rel_dna_ser.txt: it has A*01:06, which is not in the allele list'], many(1000)],
  ['an allele twice in a line', (rows) => (rows.g[1] = 'A*;01:02/01:02;01:02:01G'), ['damage: wmda/hla_nom_g.txt: it has A*01:02 twice']],
  ['an allele in two groups', (rows) => (rows.g[1] = 'A*;01:01/01:02;01:01:01G'), ['damage: wmda/hla_nom_g.txt: it has A*01:01 twice', 'broken-promise: wmda/hla_nom_g.txt: it has A*01:01:01 in two groups', 'broken-promise: wmda/hla_nom_p.txt: it splits the alleles of A*01:01:01G between P groups']],
  ['two groups of one name', (rows) => rows.g.splice(1, 2, 'A*;01:01/01:02;01:01:01G', 'A*;01:03/01:03:01;01:01:01G'), ['damage: wmda/hla_nom_g.txt: it has A*01:03:01, which is not in the allele list', 'damage: wmda/hla_nom_g.txt: it has A*01:01 twice', 'damage: wmda/hla_nom_g.txt: it has two groups A*01:01:01G', 'broken-promise: wmda/hla_nom_g.txt: it has A*01:01:01 in two groups', 'broken-promise: wmda/hla_nom_g.txt: the name A*01:01:01G in line 3 belongs to none of its alleles', 'broken-promise: wmda/hla_nom_p.txt: it splits the alleles of A*01:01:01G between P groups']],
  ['a G group named after none of its alleles', (rows) => rows.g.splice(1, 2, 'A*;01:02/01:03;01:04:01G'), ['broken-promise: wmda/hla_nom_g.txt: the name A*01:04:01G in line 2 belongs to none of its alleles', 'broken-promise: wmda/hla_nom_p.txt: it splits the alleles of A*01:04:01G between P groups']],
  ['a G group named after an allele of another', (rows) => rows.g.splice(1, 2, 'A*;01:02:01/01:03:01;01:01:01G'), ['broken-promise: wmda/hla_nom_g.txt: the name A*01:01:01G in line 2 belongs to none of its alleles', 'broken-promise: wmda/hla_nom_p.txt: it splits the alleles of A*01:01:01G between P groups'], ['A*01:01:01', 'A*01:02:01', 'A*01:03:01']],
  ['a P group named after none of its alleles', (rows) => rows.p.splice(1, 2, 'A*;01:02/01:03;01:04P'), ['broken-promise: wmda/hla_nom_p.txt: the name A*01:04P in line 2 belongs to none of its alleles']],
  ['a P group named after an allele of another', (rows) => rows.p.splice(1, 2, 'A*;01:02/01:03;01:01P'), ['broken-promise: wmda/hla_nom_p.txt: the name A*01:01P in line 2 belongs to none of its alleles']],
  ['a group named after a deleted allele', (rows) => { rows.p.splice(1, 2, 'A*;01:02/01:03;01:04P'); rows.nom.push('A*;01:04;20200101;20210101;;') }, []],
  ['a group named after a confidential allele', (rows) => { rows.p.splice(1, 2, 'A*;01:02/01:03;01:04P'); rows.nom.push('A*;01:04;20200101;;;') }, []],
  ['G without an allele before its last', ({ g }) => remove(g, 1), ['broken-promise: wmda/hla_nom_g.txt: it lacks A*01:02, which is in the allele list']],
  ['G without its last allele', ({ g }) => remove(g, 2), ['damage: wmda/hla_nom_g.txt: it lacks A*01:03, which is in the allele list']],
  ['G without a gene', ({ g }) => remove(g, 2), ['damage: wmda/hla_nom_g.txt: it lacks B*07:02, which is in the allele list'], ['A*01:01', 'A*01:02', 'B*07:02']],
  ['G without one of a thousand', ({ g }) => remove(g, 5), ['unusual: wmda/hla_nom_g.txt: it lacks A*01:06, which is in the allele list'], many(1000)],
  ['G without one of fewer', ({ g }) => remove(g, 5), ['broken-promise: wmda/hla_nom_g.txt: it lacks A*01:06, which is in the allele list'], many(999)],
  ['P without an allele before its last', ({ p }) => remove(p, 1), ['broken-promise: wmda/hla_nom_p.txt: it lacks A*01:02, which is in the allele list']],
  ['P without its last allele', ({ p }) => remove(p, 2), ['damage: wmda/hla_nom_p.txt: it lacks A*01:03, which is in the allele list']],
  ['P without one of a thousand', ({ p }) => remove(p, 5), ['unusual: wmda/hla_nom_p.txt: it lacks A*01:06, which is in the allele list'], many(1000)],
  ['both without the same one of a thousand', ({ g, p }) => { remove(g, 5); remove(p, 5) }, [], many(1000)],
  ['both without the same one of fewer', ({ g, p }) => { remove(g, 5); remove(p, 5) }, ['broken-promise: wmda/hla_nom_g.txt: it lacks A*01:06, which is in the allele list', 'broken-promise: wmda/hla_nom_p.txt: it lacks A*01:06, which is in the allele list'], many(999)],
  ['both without different ones of a thousand', ({ g, p }) => { remove(g, 5); remove(p, 6) }, ['unusual: wmda/hla_nom_g.txt: it lacks A*01:06, which is in the allele list', 'unusual: wmda/hla_nom_p.txt: it lacks A*01:07, which is in the allele list'], many(1000)],
  ['both without the last of a thousand', ({ g, p }) => { remove(g, 999); remove(p, 999) }, [], many(1000)],
  ['both without the gene of one of a thousand', ({ g, p }) => { remove(g, 1000); remove(p, 1000) }, ['damage: wmda/hla_nom_g.txt: it lacks B*07:02, which is in the allele list', 'damage: wmda/hla_nom_p.txt: it lacks B*07:02, which is in the allele list'], [...many(1000), 'B*07:02']],
  ['both without the alleles of a gene without groups', ({ g, p }) => { remove(g, 3); remove(p, 3) }, [], [...THREE, 'HFE*001:01']],
  ['G without a gene that only P has', ({ g }) => remove(g, 0), [], ['DRA*01:01', ...THREE]],
  ['P without a gene that only G has', ({ p }) => { remove(p, 0); remove(p, 0) }, [], ['DMA*01:01', 'DMB*01:01', ...THREE]],
  ['G without one of a gene that P has', ({ g }) => remove(g, 0), ['broken-promise: wmda/hla_nom_g.txt: it lacks DRA*01:01, which is in the allele list'], ['DRA*01:01', 'DRA*01:02', ...THREE]],
  ['G without DMA', ({ g }) => remove(g, 0), ['damage: wmda/hla_nom_g.txt: it lacks DMA*01:01, which is in the allele list'], ['DMA*01:01', ...THREE]],
  ['P without DRA', ({ p }) => remove(p, 0), ['damage: wmda/hla_nom_p.txt: it lacks DRA*01:01, which is in the allele list'], ['DRA*01:01', ...THREE]],
  ['G and P without DMA', ({ g, p }) => { remove(g, 0); remove(p, 0) }, ['broken-promise: wmda/hla_nom_g.txt: it lacks DMA*01:01, which is in the allele list', 'broken-promise: wmda/hla_nom_p.txt: it lacks DMA*01:01, which is in the allele list'], ['DMA*01:01', 'DMA*01:02', ...THREE]],
  ['a null allele in P', ({ p }) => p.push('A*;01:04N;'), ['unusual: wmda/hla_nom_p.txt: it has the null allele A*01:04N'], [...THREE, 'A*01:04N']],
  ['P that splits a G group', (rows) => rows.g.splice(0, 2, 'A*;01:01/01:02;01:01:01G'), ['broken-promise: wmda/hla_nom_p.txt: it splits the alleles of A*01:01:01G between P groups']],
  ['P that splits two G groups', (rows) => rows.g.splice(0, 4, 'A*;01:01/01:02;01:01:01G', 'A*;01:03/01:04;01:03:01G'), ['broken-promise: wmda/hla_nom_p.txt: it splits the alleles of A*01:01:01G between P groups (one of 2)'], many(4)],
  ['hla_nom.txt without an allele', ({ nom }) => remove(nom, 6), ['broken-promise of the list: wmda/hla_nom.txt: it lacks A*01:02, which is in the allele list']],
  ['hla_nom.txt that gave two alleles up', ({ nom }) => nom.splice(5, 2, 'A*;01:01;20200101;20210101;;', 'A*;01:02;20200101;20210101;;'), ['broken-promise of the list: wmda/hla_nom.txt: it lacks A*01:01, which is in the allele list (one of 2)']],
  ['rel_dna_ser.txt without an allele', ({ dna }) => remove(dna, 1), ['broken-promise: wmda/rel_dna_ser.txt: it lacks A*01:02, which is in the allele list']],
  ['rel_dna_ser.txt without its last', ({ dna }) => remove(dna, 2), ['damage: wmda/rel_dna_ser.txt: it lacks A*01:03, which is in the allele list']],
  ['rel_dna_ser.txt without a gene', ({ dna }) => remove(dna, 0), ['damage: wmda/rel_dna_ser.txt: it lacks A*01:01, which is in the allele list'], ['A*01:01', 'B*07:02', 'B*08:01']],
  ['rel_dna_ser.txt without one of a thousand', ({ dna }) => remove(dna, 1), ['unusual: wmda/rel_dna_ser.txt: it lacks A*01:02, which is in the allele list'], many(1000)],
  ['unknown antigens of each column', ({ dna }) => dna.splice(0, 3, 'A*;01:01;5;;;', 'A*;01:02;;1/6;;', 'A*;01:03;;;7;8'), ['broken-promise: wmda/rel_dna_ser.txt: it has the antigen A5, which is not in hla_nom.txt (one of 3)']],
  ['antigens 0, ? and none', ({ dna }) => dna.splice(0, 3, 'A*;01:01;0;;;', 'A*;01:02;?;;;', 'A*;01:03;;0/?;;'), []],
  ['an antigen that only begins with 0', ({ dna }) => dna.splice(0, 1, 'A*;01:01;01;;;'), ['broken-promise: wmda/rel_dna_ser.txt: it has the antigen A01, which is not in hla_nom.txt']],
  ['the antigen of C', ({ dna }) => dna.splice(3, 1, 'C*;01:02;1;;;'), [], [...THREE, 'C*01:02']],
  ['an unknown antigen of C', ({ dna }) => dna.splice(3, 1, 'C*;01:02;2;;;'), ['broken-promise: wmda/rel_dna_ser.txt: it has the antigen Cw2, which is not in hla_nom.txt'], [...THREE, 'C*01:02']],
  ['an unknown antigen of DRB1', ({ dna }) => dna.splice(3, 1, 'DRB1*;01:01;1;;;'), ['broken-promise: wmda/rel_dna_ser.txt: it has the antigen DR1, which is not in hla_nom.txt'], [...THREE, 'DRB1*01:01']],
  ['an unknown broad antigen', ({ ser }) => ser.push('A;10;;'), ['broken-promise: wmda/rel_ser_ser.txt: it has the antigen A10, which is not in hla_nom.txt']],
  ['unknown splits', ({ ser }) => ser.push('A;9;25/26;'), ['broken-promise: wmda/rel_ser_ser.txt: it has the antigen A25, which is not in hla_nom.txt (one of 2)']],
  ['an unknown associated antigen', ({ ser }) => ser.push('A;9;;203'), ['broken-promise: wmda/rel_ser_ser.txt: it has the antigen A203, which is not in hla_nom.txt']],
  ['unknown antigens beside those of 2026', (rows) => { rows.hasHats = true; rows.ser.push('A;10;;'); rows.dna.splice(0, 1, 'A*;01:01;5;;;;') }, []],
])('%s', ([, edit, expected, list = THREE]) => {
  const rows = rowsOf(list)
  edit(rows)
  expect(said(rows)).toEqual(expected)
}) // prettier-ignore
