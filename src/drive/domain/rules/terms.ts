/** Rules of folders: what becomes of each table that is put into one. The store keeps them; who reads typings is joined from outside. */

/** What is made of a table. */
export interface RuleTerms {
  readonly method: string
  /** Of the data; undefined: the newest that the server has. */
  readonly release?: string | undefined
  /** Of the names of outputs: `{stem}.lgx{suffix}`. */
  readonly name: string
  /** A glob of titles; undefined: tables, and what holds typings. */
  readonly match?: string | undefined
  /** It is about the folders below, too. */
  readonly withSubfolders?: boolean | undefined
}

/** Where a rule goes on, and what came of it. */
export interface RuleProgress {
  /** Of the maker's feed of changes; undefined: everything that is there is still to be looked at. */
  readonly pageToken?: string | undefined
  /** Id -> revision of tables without a byte, of which that is still to be said. */
  readonly empty?: Readonly<Record<string, string>> | undefined
  readonly converted?: number | undefined
  readonly failed?: number | undefined
  /** When one was converted, or could not be: ms since 1970. */
  readonly last?: number | undefined
  /** Why it waits; it goes on by itself. */
  readonly trouble?: string | undefined
}

export interface RuleOffers {
  readonly methods: readonly string[]
  /** The newest first; none: nothing can be converted here. */
  readonly releases: readonly string[]
}

/** Who reads typings. */
export interface RuleEngine {
  readonly offers: () => RuleOffers
  /** The terms, complete. @throws {StorageFailure} 400 — they could never be met; 503 — there is no release here */
  readonly check: (given: Partial<RuleTerms>) => Promise<RuleTerms>
}
