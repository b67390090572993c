/**
 * Whether the files of a release say the same of the same names. What is compared is what the published releases keep to, with
 * what the older ones leave out (docs/adr/0036). Pure.
 */
import { readLocus, withoutGroupLetter } from '../nomenclature/allele.ts'
import {
  G_FORM,
  type GroupFile,
  type GroupForm,
  type GroupLine,
  P_FORM,
  readGroupFile,
} from './group-file.ts'
import { readDataLines } from './sources/lines.ts'

/** Texts of the published files; `list` are the names of the allele list. */
export interface ComparedFiles {
  readonly list: readonly string[]
  readonly nomenclature: string
  readonly gGroups: string
  readonly pGroups: string
  readonly dnaSerology: string
  readonly serology: string
  /** From 3.64.0 on: antigens of that column are not those of the others. */
  readonly hasHats: boolean
}

export interface Contradiction {
  /** `wmda/hla_nom_g.txt` */
  readonly file: string
  readonly text: string
}

const G = 'wmda/hla_nom_g.txt'
const P = 'wmda/hla_nom_p.txt'
const DNA = 'wmda/rel_dna_ser.txt'
const NOM = 'wmda/hla_nom.txt'
const SER = 'wmda/rel_ser_ser.txt'

/** Genes that every release divides into groups. */
const GROUPED = new Set(
  ['A', 'B', 'C', 'DPA1', 'DPB1', 'DQA1', 'DQB1', 'DRB1', 'DRB3', 'DRB4', 'DRB5'], // prettier-ignore
)
/** Of these genes alone a release up to 3.44.0 has no G group, or leaves expressed alleles out of the P groups. */
const IN_P_ALONE = new Set(['DRA'])
const IN_G_ALONE = new Set(['DMA', 'DMB'])
/** Alleles whose exons are not all known were left out of both files: 4 of 17,344 in 3.29.0, 1 of 30,523 in 3.44.0, none later. */
const LEFT_OUT_OF_BOTH = 0.001

/** The most telling one of each kind, those of the group files first. */
export function contradictionsIn(files: ComparedFiles): Contradiction[] {
  const listed = new Set(files.list)
  const nomenclature = readNomenclature(files.nomenclature)
  const g = readGroupFile(files.gGroups, G_FORM)
  const p = readGroupFile(files.pGroups, P_FORM)
  return [
    ...groupFile(g, G, { listed, deleted: nomenclature.deleted, form: G_FORM }),
    ...groupFile(p, P, { listed, deleted: nomenclature.deleted, form: P_FORM }),
    ...leftOut(files.list, g, p),
    ...dividedByP(g, p),
    ...sameNames(nomenclature.inUse, listed, NOM),
    ...antigenFiles(files, nomenclature.antigens, listed),
  ]
}

interface Names {
  readonly listed: ReadonlySet<string>
  readonly deleted: ReadonlySet<string>
  readonly form: GroupForm
}

function groupFile(groups: GroupFile, file: string, { listed, deleted, form }: Names): Contradiction[] {
  const { lines, lineOf, repeated, odd } = groups
  const strangers = [...lineOf.keys()].filter((allele) => !listed.has(allele))
  const names = lines.flatMap(({ name }) => name ?? [])
  const seen = new Set<string>()
  const twice = names.filter((name) => seen.has(name) || !seen.add(name))
  // a group may keep the name of an allele that was deleted or renamed
  const homes = new Map<string, GroupLine>()
  const divided: string[] = []
  for (const line of lines) {
    for (const allele of line.members) {
      const key = form.of(allele)
      if ((homes.get(key) ?? line) !== line) divided.push(key)
      homes.set(key, line)
    }
  }
  const formsDeleted = new Set([...deleted].map(form.of))
  const misnamed = lines.filter((line) => {
    if (line.name === undefined) return false
    const namesake = withoutGroupLetter(line.name)
    const home = homes.get(namesake)
    return home === undefined ? !formsDeleted.has(namesake) : home !== line
  })
  return [
    ...found(file, odd, (line) => `line ${line} is no group`),
    ...found(file, strangers, (name) => `it has ${name}, which is not in the allele list`),
    ...found(file, repeated, (name) => `it has ${name} twice`),
    ...found(file, twice, (name) => `it has two groups ${name}`),
    ...found(file, divided, (name) => `it has ${name} in two groups`),
    ...found(file, misnamed, ({ name, number }) => `the name ${name} in line ${number} is of none of its alleles`), // prettier-ignore
  ]
}

/** Null alleles are in no P group. */
function leftOut(list: readonly string[], g: GroupFile, p: GroupFile): Contradiction[] {
  const grouped = list.filter((name) => {
    const locus = readLocus(name)
    return GROUPED.has(locus) || g.loci.has(locus) || p.loci.has(locus)
  })
  const isNull = (name: string) => name.endsWith('N')
  const notInG = grouped.filter((name) => !g.lineOf.has(name))
  const notInP = grouped.filter((name) => !p.lineOf.has(name))
  const withoutP = new Set(notInP)
  const both = new Set(notInG.filter((name) => withoutP.has(name)))
  const few = both.size <= list.length * LEFT_OUT_OF_BOTH
  // a gene that is in no line of a file was cut off, not left out
  const isLeftOut = (name: string) =>
    few && both.has(name) && g.loci.has(readLocus(name)) && p.loci.has(readLocus(name))
  const say = (name: string) => `it lacks ${name}, which is in the allele list`
  const isInPAlone = (name: string) => IN_P_ALONE.has(readLocus(name)) && !g.loci.has(readLocus(name))
  const isInGAlone = (name: string) => IN_G_ALONE.has(readLocus(name)) && g.lineOf.has(name)
  return [
    ...found(G, notInG.filter((name) => !isLeftOut(name) && !isInPAlone(name)), say), // prettier-ignore
    ...found(P, notInP.filter((name) => !isNull(name) && !isLeftOut(name) && !isInGAlone(name)), say), // prettier-ignore
    ...found(P, [...p.lineOf.keys()].filter(isNull), (name) => `it has the null allele ${name}`),
  ]
}

/** What is the same in its nucleotides is the same in its protein. */
function dividedByP(g: GroupFile, p: GroupFile): Contradiction[] {
  const divided = g.lines.filter(({ members }) => {
    const lines = new Set(members.flatMap((allele) => p.lineOf.get(allele) ?? []))
    return lines.size > 1
  })
  return found(P, divided, ({ name = '' }) => `it divides the alleles of ${name}`)
}

interface Nomenclature {
  readonly inUse: ReadonlySet<string>
  readonly deleted: ReadonlySet<string>
  /** `A1`, `Cw3` */
  readonly antigens: ReadonlySet<string>
}

function readNomenclature(text: string): Nomenclature {
  const inUse = new Set<string>()
  const deleted = new Set<string>()
  const antigens = new Set<string>()
  for (const { text: row } of readDataLines(text)) {
    const [locus = '', name = '', , end = ''] = row.split(';')
    if (!locus.endsWith('*')) antigens.add(locus + name)
    else (end === '' ? inUse : deleted).add(locus + name)
  }
  return { inUse, deleted, antigens }
}

function sameNames(names: ReadonlySet<string>, listed: ReadonlySet<string>, file: string): Contradiction[] {
  return [
    ...found(file, [...listed].filter((name) => !names.has(name)), (name) => `it lacks ${name}, which is in the allele list`), // prettier-ignore
    ...found(file, [...names].filter((name) => !listed.has(name)), (name) => `it has ${name}, which is not in the allele list`), // prettier-ignore
  ]
}

function antigenFiles(
  { dnaSerology, serology, hasHats }: ComparedFiles,
  known: ReadonlySet<string>,
  listed: ReadonlySet<string>,
): Contradiction[] {
  const names = new Set<string>()
  const unknown: string[] = []
  for (const { text: row } of readDataLines(dnaSerology)) {
    const [locus = '', name = '', ...columns] = row.split(';')
    names.add(locus + name)
    const gene = locus.replace('*', '').slice(0, 2)
    const antigens = columns.slice(0, 3).flatMap((column) => column.split('/'))
    for (const number of antigens) {
      const antigen = (gene === 'C' ? 'Cw' : gene) + number
      if (!/^[0?]?$/.test(number) && !known.has(antigen)) unknown.push(antigen)
    }
  }
  const related = readDataLines(serology).flatMap(({ text: row }) => {
    const [locus = '', antigen = '', splits = '', associated = ''] = row.split(';')
    return [antigen, ...splits.split('/'), ...associated.split('/')].map((number) => [locus, number] as const)
  })
  const strangers = related.filter(([locus, number]) => number !== '' && !known.has(locus + number))
  const say = (antigen: string) => `it has the antigen ${antigen}, which is not in hla_nom.txt`
  return [
    ...sameNames(names, listed, DNA),
    // the antigens of 2026 are published with a file of their own
    ...(hasHats ? [] : found(DNA, unknown, say)),
    ...(hasHats ? [] : found(SER, strangers.map(([locus, number]) => locus + number), say)), // prettier-ignore
  ]
}

/** One contradiction for all of a kind. */
function found<T>(file: string, cases: readonly T[], say: (one: T) => string): Contradiction[] {
  const [first] = cases
  if (first === undefined) return []
  const more = cases.length > 1 ? ` (one of ${cases.length.toLocaleString('en-US')})` : ''
  return [{ file, text: say(first) + more }]
}
