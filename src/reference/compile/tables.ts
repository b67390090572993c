/** ReleaseTables: what a release says, as plain maps of names, before it is encoded. */

/** What a name is; a name may be several things. */
export const NAME_FLAGS = {
  /** stands in the allele list of the release */
  who: 1,
  /** may be typed: alleles, their two- and three-field forms, and the short forms of 1.2 of the specification */
  allele: 2,
  gGroup: 4,
  pGroup: 8,
  /** two fields of a P group that rescues alleles without a G group */
  pNotGValue: 16,
  antigen: 32,
  /** answer of lgx, accepted as input though no allele may be called so */
  reduced: 64,
  /** locus and first field of an allele */
  firstField: 128,
} as const

/** Name to name. */
export const COLUMN_NAMES = ['g', 'p', 'lgx', 'exon', 'pNotG', 'hats'] as const
export type ColumnName = (typeof COLUMN_NAMES)[number]

/** Name to names, kept in nomenclature order. */
export const LIST_NAMES = [
  'gDuplicates', // two-field name -> its G groups, where it is in several
  'who', // any name -> every allele below it, where that is not the name itself
  'xx', // locus and first field -> two-field names
  'shortNull', // A*01:01N -> alleles
  'antigenAlleles', // A1 -> alleles
  'alleleAntigens', // full name -> antigens
  'lgxAntigens', // lgx name -> antigens
  'lgxAntigensPlain', // the same with ping off
  'groupMembers', // G or P group -> its members
  'notPublic', // a name of hla_nom.txt that the allele list does not have -> itself
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
  /** The starter set holds a few common names only: what it does not hold may still exist. */
  readonly dataset: 'full' | 'starter'
  readonly hasHats: boolean
  readonly alleleCount: number
  /** Published files this was compiled from: name and sha256. */
  readonly sources: readonly { readonly name: string; readonly sha256: string }[]
  /** G groups as published -> as computed from their first member, where the two differ. */
  readonly groupAliases: Readonly<Record<string, string>>
  readonly oldNames: Readonly<Record<string, string>>
  readonly molecularBroads: Readonly<Record<string, readonly string[]>>
  readonly broads: Readonly<Record<string, readonly string[]>>
  readonly associated: Readonly<Record<string, string>>
  readonly loci: readonly string[]
  /** Names of the CWD 2.0.0 catalogue; the starter set carries them. */
  readonly cwd2?: readonly string[]
}

export interface ReleaseTables {
  readonly facts: ReleaseFacts
  readonly flags: ReadonlyMap<string, number>
  readonly columns: Readonly<Record<ColumnName, ReadonlyMap<string, string>>>
  readonly lists: Readonly<Record<ListName, ReadonlyMap<string, readonly string[]>>>
}
