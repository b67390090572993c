/**
 * Consistency of a release's files, in three severities: impossible in published files; against a promise of the
 * publisher (`wmda/README.md`, IMGTHLA thread 393); never observed before
 * (docs/adr/releases.md#checks-before-installation). Pure.
 */
import { readLocus, withoutGroupLetter } from '../nomenclature/allele.ts'
import { compareNames } from '../nomenclature/order.ts'
import {
  G_FORM,
  type GroupFile,
  type GroupForm,
  type GroupLine,
  P_FORM,
  readGroupFile,
} from './group-file.ts'
import { readDataLines } from './sources/lines.ts'
import { parseNomenclature } from './sources/nomenclature.ts'
import { formatCount } from '../format-count.ts'

/** Texts of the published files; `list` has the names of the allele list, in its order. */
export interface ComparedFiles {
  readonly list: readonly string[]
  readonly nomenclature: string
  readonly gGroups: string
  readonly pGroups: string
  readonly dnaSerology: string
  readonly serology: string
  /**
   * True when `rel_dna_ser.txt` has a seventh column: its antigens are those of 2026, which hla_nom.txt need not name.
   */
  readonly hasHats: boolean
}

/** `damage` is refused; `broken-promise` too, unless accepted; `unusual` is a warning. */
export type Severity = 'damage' | 'broken-promise' | 'unusual'

export interface Contradiction {
  /** `wmda/hla_nom_g.txt` */
  readonly file: string
  readonly text: string
  readonly severity: Severity
  /** Set when the allele list may be at fault, which the checksums of the other files do not cover. */
  readonly isOfList?: true
}

const G = 'wmda/hla_nom_g.txt'
const P = 'wmda/hla_nom_p.txt'
const DNA = 'wmda/rel_dna_ser.txt'
const NOM = 'wmda/hla_nom.txt'
const SER = 'wmda/rel_ser_ser.txt'

/** Genes that have groups in every release. */
const GROUPED = new Set(
  ['A', 'B', 'C', 'DPA1', 'DPB1', 'DQA1', 'DQB1', 'DRB1', 'DRB3', 'DRB4', 'DRB5'], // prettier-ignore
)
/** The only genes that up to 3.44.0 lack G groups, or whose expressed alleles are not all in P groups. */
const IN_P_ALONE = new Set(['DRA'])
const IN_G_ALONE = new Set(['DMA', 'DMB'])
/**
 * Share of the allele list that a file may lack, or that it may name in addition. Alleles with partly unknown exons
 * were left out of both group files: 4 of 17,344 in 3.29.0, 1 of 30,523 in 3.44.0, none later.
 */
const FEW = 0.001

/** The most telling contradiction of each kind, group files first. */
export function contradictionsIn(files: ComparedFiles): Contradiction[] {
  const { list } = files
  const { inUse, deleted, antigens } = parseNomenclature(files.nomenclature)
  const listed = new Set(list)
  const official = new Set([...list, ...inUse])
  const g = readGroupFile(files.gGroups, G_FORM)
  const p = readGroupFile(files.pGroups, P_FORM)
  const names = { list, listed, official, former: new Set([...deleted, ...inUse]) }
  const notInNom = list.filter((name) => !inUse.has(name))
  return [
    ...groupFile(g, G, names, G_FORM),
    ...groupFile(p, P, names, P_FORM),
    ...leftOut(list, g, p),
    ...dividedByP(g, p),
    ...ofList(found(NOM, notInNom, (name) => `it lacks ${name}, which is in the allele list`)),
    ...antigenFiles(files, antigens, names),
  ]
}

interface Names {
  readonly list: readonly string[]
  readonly listed: ReadonlySet<string>
  /** Names in the allele list or in use in hla_nom.txt, which includes confidential ones. */
  readonly official: ReadonlySet<string>
  /** Every name of hla_nom.txt, deleted ones included. */
  readonly former: ReadonlySet<string>
}

function groupFile(groups: GroupFile, file: string, names: Names, form: GroupForm): Contradiction[] {
  const { lines, lineOf, repeated, odd } = groups
  const groupNames = lines.flatMap(({ name }) => name ?? [])
  const seen = new Set<string>()
  const twice = groupNames.filter((name) => seen.has(name) || !seen.add(name))
  // a group may have the name of a deleted, renamed or confidential allele
  const homes = new Map<string, GroupLine>()
  const divided: string[] = []
  for (const line of lines) {
    for (const allele of line.members) {
      const key = form.of(allele)
      if ((homes.get(key) ?? line) !== line) divided.push(key)
      homes.set(key, line)
    }
  }
  const formerForms = new Set([...names.former].map(form.of))
  const misnamed = lines.filter((line) => {
    if (line.name === undefined) return false
    const namesake = withoutGroupLetter(line.name)
    const home = homes.get(namesake)
    return home === undefined ? !formerForms.has(namesake) : home !== line
  })
  return [
    ...found(file, odd, (line) => `line ${line} is not a group`, 'damage'),
    ...unlisted(file, [...lineOf.keys()], names),
    ...found(file, repeated, (name) => `it has ${name} twice`, 'damage'),
    ...found(file, twice, (name) => `it has two groups ${name}`, 'damage'),
    ...found(file, divided, (name) => `it has ${name} in two groups`),
    ...found(file, misnamed, ({ name, number }) => `the name ${name} in line ${number} belongs to none of its alleles`), // prettier-ignore
  ]
}

/**
 * Names of a file that the allele list lacks: damage when hla_nom.txt lacks them too, or when the list ends before
 * them.
 */
function unlisted(
  file: string,
  names: readonly string[],
  { list, listed, official }: Names,
): Contradiction[] {
  const say = (name: string) => `it has ${name}, which is not in the allele list`
  const strangers = names.filter((name) => !official.has(name))
  const notPublic = names.filter((name) => official.has(name) && !listed.has(name))
  const last = list.at(-1) ?? ''
  const behindEnd = notPublic.filter((name) => isBehind(name, last, new Set(list.map(readLocus))))
  const severity = behindEnd.length > 0 ? 'damage' : areFew(notPublic, list) ? 'unusual' : 'broken-promise'
  return [
    ...found(file, strangers, say, 'damage'),
    ...ofList(found(file, behindEnd.length > 0 ? behindEnd : notPublic, say, severity)),
  ]
}

/** Alleles outside both group files; null alleles are never in a P group. */
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
  const few = areFew([...both], list)
  // a gene absent from a file means that the file was cut
  const isLeftOut = (name: string) =>
    few && both.has(name) && g.loci.has(readLocus(name)) && p.loci.has(readLocus(name))
  const isInPAlone = (name: string) => IN_P_ALONE.has(readLocus(name)) && !g.loci.has(readLocus(name))
  const isInGAlone = (name: string) => IN_G_ALONE.has(readLocus(name)) && g.lineOf.has(name)
  const lackedByG = notInG.filter((name) => !isLeftOut(name) && !isInPAlone(name))
  const lackedByP = notInP.filter((name) => !isNull(name) && !isLeftOut(name) && !isInGAlone(name))
  return [
    ...lacking(G, lackedByG, lastOf(g), list),
    ...lacking(P, lackedByP, lastOf(p), list),
    ...found(P, [...p.lineOf.keys()].filter(isNull), (name) => `it has the null allele ${name}`, 'unusual'),
  ]
}

interface End {
  /** First name in the last line; lines are in order of names within a gene. */
  readonly last: string
  readonly loci: ReadonlySet<string>
}

function lastOf({ lines, loci }: GroupFile): End {
  return { last: lines.at(-1)?.members[0] ?? '', loci }
}

/** Listed names that a file lacks: the file was cut when it ends before one of them; otherwise a few are unusual. */
function lacking(
  file: string,
  names: readonly string[],
  { last, loci }: End,
  list: readonly string[],
): Contradiction[] {
  const say = (name: string) => `it lacks ${name}, which is in the allele list`
  const isCut = names.some((name) => isBehind(name, last, loci))
  const severity = isCut ? 'damage' : areFew(names, list) ? 'unusual' : 'broken-promise'
  return found(file, names, say, severity)
}

/** True when a name would follow the last line of a file, or the file lacks its gene. */
function isBehind(name: string, last: string, loci: ReadonlySet<string>): boolean {
  const locus = readLocus(name)
  return !loci.has(locus) || (locus === readLocus(last) && compareNames(name, last) > 0)
}

function areFew(names: readonly string[], list: readonly string[]): boolean {
  return names.length <= list.length * FEW
}

/** G groups that P groups divide: equal nucleotides imply equal protein. */
function dividedByP(g: GroupFile, p: GroupFile): Contradiction[] {
  const divided = g.lines.filter(({ members }) => {
    const lines = new Set(members.flatMap((allele) => p.lineOf.get(allele) ?? []))
    return lines.size > 1
  })
  return found(P, divided, ({ name = '' }) => `it splits the alleles of ${name} between P groups`)
}

function antigenFiles(
  { dnaSerology, serology, hasHats }: ComparedFiles,
  known: ReadonlySet<string>,
  names: Names,
): Contradiction[] {
  const alleles = new Set<string>()
  const unknown: string[] = []
  let last = ''
  for (const { text: row } of readDataLines(dnaSerology)) {
    const [locus = '', name = '', ...columns] = row.split(';')
    last = locus + name
    alleles.add(last)
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
  const missing = names.list.filter((name) => !alleles.has(name))
  return [
    ...lacking(DNA, missing, { last, loci: new Set([...alleles].map(readLocus)) }, names.list),
    ...unlisted(DNA, [...alleles], names),
    // the antigens of 2026 are published in a file of their own
    ...(hasHats ? [] : found(DNA, unknown, say)),
    ...(hasHats ? [] : found(SER, strangers.map(([locus, number]) => locus + number), say)), // prettier-ignore
  ]
}

/** One contradiction for all findings of a kind. */
function found<T>(
  file: string,
  cases: readonly T[],
  say: (one: T) => string,
  severity: Severity = 'broken-promise',
): Contradiction[] {
  const [first] = cases
  if (first === undefined) return []
  const more = cases.length > 1 ? ` (one of ${formatCount(cases.length)})` : ''
  return [{ file, text: say(first) + more, severity }]
}

function ofList(contradictions: readonly Contradiction[]): Contradiction[] {
  return contradictions.map((one) => ({ ...one, isOfList: true }))
}
