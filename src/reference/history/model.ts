/** Model of the history of allele names. */

/** A name of an accession number over a range of releases. A name that returned has several entries. */
export interface Spelling {
  /** `HLA09547` */
  readonly accession: string
  /** `A*30:100`, without `HLA-`. */
  readonly name: string
  /** Release labels (`3.26.0`), inclusive: a range without gaps in `History.releases`. */
  readonly first: string
  readonly last: string
}

/** A row of `Deleted_alleles.txt`. */
export interface Deletion {
  /** `HLA00965` */
  readonly accession: string
  /** Name when it was deleted: `A*0105N`, `A*02:01:08`. */
  readonly name: string
  /** `Sequence renamed A*24:329Q (October 2019)` */
  readonly description: string
}

/** One release's allele list. */
export interface ReleaseList {
  /** `3.58.0` */
  readonly release: string
  readonly rows: Iterable<readonly [accession: string, name: string]>
}

/** Names are exact: no `HLA-`, case as published. */
export interface History {
  /** Labels, ascending. */
  readonly releases: readonly string[]
  /** Accession numbers that ever had this name, by first release. */
  ownersOf(name: string): Spelling[]
  /** Names that this accession number ever had, by first release. */
  spellingsOf(accession: string): Spelling[]
  /** All spellings whose name begins with `prefix`, by name (code points). */
  spellingsUnder(prefix: string): Spelling[]
  /** True when one of `spellingsUnder` is accepted; it stops there. */
  hasSpellingUnder(prefix: string, accept?: (spelling: Spelling) => boolean): boolean
  /** Accession number with that name in the release. */
  accessionIn(release: string, name: string): string | undefined
  /** Name of the accession number in the release. */
  nameIn(release: string, accession: string): string | undefined
  /** `B*15:01:05` is found where the file has `B*150105`. */
  deletionOf(name: string): Deletion | undefined
  deletionOfAccession(accession: string): Deletion | undefined
}
