/** Published files -> ReleaseTables. The only place that knows in which order the tables are made. */
import { readLocus } from '../../nomenclature/allele.ts'
import { parseAlleleList } from '../sources/allele-list.ts'
import { parseDnaSerology } from '../sources/dna-serology.ts'
import { type GroupRow, parseGroups } from '../sources/groups.ts'
import { parseNomenclature } from '../sources/nomenclature.ts'
import { parseSerology } from '../sources/serology.ts'
import { NAME_FLAGS, type NameFlag, type ReleaseFacts, type ReleaseTables } from './tables.ts'
import { type AlleleTables, compileAlleles } from './alleles.ts'
import { compileExpansions } from './expansions.ts'
import type { FixedTables } from './fixed-tables.ts'
import { compileGGroups, compilePGroups, type GGroupTables, type PGroupTables } from './groups.ts'
import { compileHats } from './hats.ts'
import { pingLgx, plainLgx } from './lgx.ts'
import { antigensBy, type AntigenTables, compileSerology } from './serology.ts'

/** The published files of one release, as text. */
export interface ReleaseTexts {
  readonly alleleList: string
  readonly nomenclature: string
  readonly gGroups: string
  readonly pGroups: string
  readonly dnaSerology: string
  readonly serology: string
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
  }
}

/** Answers name public alleles only. */
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
