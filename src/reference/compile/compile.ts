/** Published files -> ReleaseTables. Only this file knows the order in which tables are built. */
import {
  EXPRESSION_LETTERS,
  cutFields,
  firstField,
  readExpression,
  readLocus,
  threeFields,
  twoFields,
} from '../../nomenclature/allele.ts'
import { parseAlleleList } from '../sources/allele-list.ts'
import { parseDnaSerology } from '../sources/dna-serology.ts'
import { type GroupRow, parseGroups } from '../sources/groups.ts'
import { parseNomenclature } from '../sources/nomenclature.ts'
import { parseSerology } from '../sources/serology.ts'
import { parseTce } from '../sources/tce.ts'
import { NAME_FLAGS, type NameFlag, type ReleaseFacts, type ReleaseTables } from './tables.ts'
import type { FixedTables } from './fixed-tables.ts'
import { type GGroupTables, type PGroupTables, addTo, compileGGroups, compilePGroups } from './groups.ts'
import { compileHats } from './hats.ts'
import { type AntigenTables, antigensBy, compileSerology } from './serology.ts'
import { sortNames } from '../../nomenclature/order.ts'

/** The published files of one release, as text. */
export interface ReleaseTexts {
  readonly alleleList: string
  readonly nomenclature: string
  readonly gGroups: string
  readonly pGroups: string
  readonly dnaSerology: string
  readonly serology: string
  /** undefined for a release without `tce/dpb_tce.csv`. */
  readonly tce?: string | undefined
}

export type ReleaseIdentity = Pick<ReleaseFacts, 'label' | 'compact' | 'date' | 'sources'>

export function compileRelease(
  texts: ReleaseTexts,
  identity: ReleaseIdentity,
  fixed: FixedTables,
): ReleaseTables {
  const names = parseAlleleList(texts.alleleList).map(({ name }) => name)
  const listed = new Set(names)
  const notPublic = [...parseNomenclature(texts.nomenclature).inUse].filter((name) => !listed.has(name))
  const hidden = new Set(notPublic)
  const dna = parseDnaSerology(texts.dnaSerology).filter(({ allele }) => !hidden.has(allele))
  const alleles = compileAlleles(names, fixed.molecularBroads)
  const g = compileGGroups(publicRows(parseGroups(texts.gGroups), hidden))
  const p = compilePGroups(publicRows(parseGroups(texts.pGroups), hidden), g.twoFieldMembers)
  const serology = compileSerology(dna, parseSerology(texts.serology), fixed.antigens)
  return {
    facts: {
      ...identity,
      dataset: 'full',
      hasHats: dna.some(({ hats }) => hats !== undefined),
      hasTce: texts.tce !== undefined,
      alleleCount: names.length,
      groupAliases: g.aliases,
      oldNames: fixed.oldNames,
      molecularBroads: fixed.molecularBroads,
      broads: serology.broads,
      associated: serology.associated,
      loci: [...new Set(names.map(readLocus))],
    },
    flags: collectFlags({ alleles, g, p, serology }),
    columns: { g: g.g, p: p.p, lgx: g.lgx, exon: g.exon, pNotG: p.pNotG, hats: compileHats(dna) },
    lists: {
      ...makeLists({ alleles, g, p, serology }),
      notPublic: new Map(notPublic.map((name) => [name, [name]])),
    },
    tce: new Map(
      (texts.tce === undefined ? [] : parseTce(texts.tce))
        .filter(({ allele }) => listed.has(allele))
        .map(({ allele, groups }) => [allele, groups]),
    ),
  }
}

/** Rows without confidential names: answers name public alleles only. */
function publicRows(rows: readonly GroupRow[], hidden: ReadonlySet<string>): readonly GroupRow[] {
  if (hidden.size === 0) return rows
  return rows
    .map((row) => ({ ...row, members: row.members.filter((member) => !hidden.has(member)) }))
    .filter(({ members }) => members.length > 0)
}

interface Compiled {
  readonly alleles: AlleleTables
  readonly g: GGroupTables
  readonly p: PGroupTables
  readonly serology: AntigenTables
}

function collectFlags({ alleles, g, p, serology }: Compiled): Map<string, number> {
  const pNotG = [...p.pNotG.values()]
  return flagNames([
    ['who', alleles.who],
    ['allele', alleles.alleles],
    ['firstField', alleles.firstFields],
    ['gGroup', g.g.values()],
    ['pGroup', p.p.values()],
    ['pNotGValue', pNotG],
    ['antigen', serology.antigens],
    ['reduced', g.lgx.values()],
  ])
}

function makeLists({ alleles, g, p, serology }: Compiled): Omit<ReleaseTables['lists'], 'notPublic'> {
  const { antigenAlleles, alleleAntigens } = serology
  const expansions = compileExpansions(alleles.who, g.g, p.p)
  const forLgx = {
    lgx: g.lgx,
    pNotG: p.pNotG,
    pNotGValues: new Set(p.pNotG.values()),
    alleles: alleles.alleles,
  }
  return {
    gDuplicates: g.gDuplicates,
    who: expansions.who,
    xx: alleles.families,
    shortNull: expansions.shortNull,
    antigenAlleles,
    alleleAntigens,
    lgxAntigens: antigensBy(antigenAlleles, (name) => pingLgx(name, forLgx)),
    lgxAntigensPlain: antigensBy(antigenAlleles, (name) => plainLgx(name, forLgx)),
    groupMembers: new Map([...g.members, ...p.members]),
  }
}

export function flagNames(sets: readonly (readonly [NameFlag, Iterable<string>])[]): Map<string, number> {
  const flags = new Map<string, number>()
  for (const [flag, names] of sets) {
    for (const name of names) flags.set(name, (flags.get(name) ?? 0) | NAME_FLAGS[flag])
  }
  return flags
}

interface LgxTables {
  readonly lgx: ReadonlyMap<string, string>
  readonly pNotG: ReadonlyMap<string, string>
  readonly pNotGValues: ReadonlySet<string>
  readonly alleles: ReadonlySet<string>
}

/** lgx without the rescue through P groups ("ping"). */
export function plainLgx(name: string, { lgx }: LgxTables): string {
  return lgx.get(name) ?? cutFields(name, 2)
}

/** lgx with the rescue: alleles outside every G group take the name of their P group, which is reduced once more. */
export function pingLgx(name: string, tables: LgxTables): string {
  const rescued = tables.pNotG.get(name)
  if (rescued !== undefined) return rescued
  const once = plainLgx(name, tables)
  if (once === name || tables.pNotGValues.has(once)) return once
  const twice = plainLgx(once, tables)
  return tables.alleles.has(twice) || tables.alleles.has(cutFields(twice, 2)) ? twice : once
}

interface AlleleTables {
  /** Names of the allele list. */
  readonly who: ReadonlySet<string>
  /** Every valid name: the list, its two- and three-field forms, and unanimous letters on two fields. */
  readonly alleles: ReadonlySet<string>
  /** Locus and first field, as in the list. */
  readonly firstFields: ReadonlySet<string>
  /** XX codes: locus and first field (also of broad families) -> two-field names. */
  readonly families: ReadonlyMap<string, readonly string[]>
}

export function compileAlleles(
  names: readonly string[],
  broads: Readonly<Record<string, readonly string[]>>,
): AlleleTables {
  const who = new Set(names)
  const short = new Set([...names.map(twoFields), ...names.map(threeFields)])
  const alleles = new Set([...who, ...short, ...unanimousLetters(names)])
  const members = groupBy(new Set(names.map(twoFields)), firstField)
  const families = new Map([...members].map(([family, list]) => [family, sortNames(list)]))
  for (const [broad, splits] of Object.entries(broads)) {
    const list = splits.flatMap((split) => families.get(split) ?? [])
    if (list.length > 0) families.set(broad, sortNames(list))
  }
  return { who, alleles, firstFields: new Set(members.keys()), families }
}

/**
 * `A*24:09N` stands for `A*24:09:01:01N …` when every name of three or more fields with a letter below `A*24:09` has
 * that letter. Names without a letter do not count: `DRB4*01:03N` exists although most `DRB4*01:03` are expressed.
 */
function unanimousLetters(names: readonly string[]): string[] {
  const lettered = names.filter((name) => readExpression(name) !== '' && cutFields(name, 2) !== name)
  const short: string[] = []
  for (const [prefix, list] of groupBy(lettered, twoFields)) {
    const [letter, ...others] = new Set(list.map(readExpression))
    if (letter !== undefined && others.length === 0) short.push(prefix + letter)
  }
  return short
}

export function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

type Names = ReadonlyMap<string, ReadonlySet<string>>

interface ExpansionTables {
  /** Any short or group name -> every allele below it. */
  readonly who: ReadonlyMap<string, readonly string[]>
  readonly shortNull: ReadonlyMap<string, readonly string[]>
}

export function compileExpansions(
  who: ReadonlySet<string>,
  g: ReadonlyMap<string, string>,
  p: ReadonlyMap<string, string>,
): ExpansionTables {
  const direct = directExpansions(who, g, p)
  return { who: closures(direct, who), shortNull: shortNulls(direct) }
}

/** A group expands to its members and their two- and three-field forms, as in py-ard. */
function directExpansions(who: Iterable<string>, ...groups: ReadonlyMap<string, string>[]): Names {
  const direct = new Map<string, Set<string>>()
  for (const name of who)
    for (const form of [firstField, twoFields, threeFields]) addTo(direct, form(name), name)
  for (const table of groups) for (const [member, group] of table) addTo(direct, group, member)
  return direct
}

function closures(direct: Names, who: ReadonlySet<string>): Map<string, string[]> {
  const done = new Map<string, Set<string>>()
  const below = (name: string): ReadonlySet<string> => {
    const names = who.has(name) ? undefined : direct.get(name)
    if (names === undefined) return new Set([name])
    const known = done.get(name)
    if (known !== undefined) return known
    const all = new Set<string>()
    done.set(name, all)
    for (const member of names) for (const allele of below(member)) all.add(allele)
    return all
  }
  const keys = [...direct.keys()].filter((name) => !who.has(name))
  return new Map(keys.map((name) => [name, [...below(name)]]))
}

function shortNulls(direct: Names): Map<string, string[]> {
  const short = new Map<string, string[]>()
  for (const [name, members] of direct) {
    if (!name.includes(':') || /[NQLSGP]$/.test(name)) continue
    for (const letter of EXPRESSION_LETTERS) {
      const lettered = [...members].filter((member) => member.endsWith(letter))
      if (lettered.length > 0) short.set(name + letter, lettered)
    }
  }
  return short
}
