/** ReleaseTables: the content of a release as plain maps of names, before encoding. */

import type { TceRow } from '../sources/tce.ts'

/** Kinds of names; a name may have several. */
export const NAME_FLAGS = {
  /** in the release's allele list */
  who: 1,
  /** valid as input: alleles, their two- and three-field forms, and the short forms of specification 1.2 */
  allele: 2,
  gGroup: 4,
  pGroup: 8,
  /** two fields of a P group that rescues alleles without a G group */
  pNotGValue: 16,
  antigen: 32,
  /** lgx answer, accepted as input even if no allele has this name */
  reduced: 64,
  /** locus and first field of an allele */
  firstField: 128,
} as const

/** Columns: name -> name. */
export const COLUMN_NAMES = ['g', 'p', 'lgx', 'exon', 'pNotG', 'hats'] as const
export type ColumnName = (typeof COLUMN_NAMES)[number]

/** Lists: name -> names, in nomenclature order. */
export const LIST_NAMES = [
  'gDuplicates', // two-field name -> its G groups, if several
  'who', // any name -> every allele below it, unless that is the name itself
  'xx', // locus and first field -> two-field names
  'shortNull', // A*01:01N -> alleles
  'antigenAlleles', // A1 -> alleles
  'alleleAntigens', // full name -> antigens
  'lgxAntigens', // lgx name -> antigens
  'lgxAntigensPlain', // as lgxAntigens, with ping off
  'groupMembers', // G or P group -> its members
  'notPublic', // a name of hla_nom.txt that the allele list lacks -> itself
] as const
export type ListName = (typeof LIST_NAMES)[number]

export type NameFlag = keyof typeof NAME_FLAGS

export interface ReleaseFacts {
  /** `3.58.0` */
  readonly label: string
  /** `3580` */
  readonly compact: string
  /** `2024-10-09` */
  readonly date: string
  /** `starter`: a few common names only; a name outside it may still exist. */
  readonly dataset: 'full' | 'starter'
  readonly hasHats: boolean
  /** T-cell epitope groups of DPB1 are known. */
  readonly hasTce: boolean
  readonly alleleCount: number
  /** Published files it was compiled from: name and sha256. */
  readonly sources: readonly { readonly name: string; readonly sha256: string }[]
  /** G groups: published name -> name computed from the first member, where they differ. */
  readonly groupAliases: Readonly<Record<string, string>>
  readonly oldNames: Readonly<Record<string, string>>
  readonly molecularBroads: Readonly<Record<string, readonly string[]>>
  readonly broads: Readonly<Record<string, readonly string[]>>
  readonly associated: Readonly<Record<string, string>>
  readonly loci: readonly string[]
  /** Names of the CWD 2.0.0 catalogue; in the starter set only. */
  readonly cwd2?: readonly string[]
}

export interface ReleaseTables {
  readonly facts: ReleaseFacts
  readonly flags: ReadonlyMap<string, number>
  readonly columns: Readonly<Record<ColumnName, ReadonlyMap<string, string>>>
  readonly lists: Readonly<Record<ListName, ReadonlyMap<string, readonly string[]>>>
  /** Alleles of DPB1 -> their T-cell epitope groups. */
  readonly tce: ReadonlyMap<string, TceRow['groups']>
}
