/** What is known of a table that was made of typing records: how it is written, and where its cells stand in their files. Types only. */
import type { PastNames } from '../../cells/past-names.ts'
import type { ColumnChoice } from '../../plan/columns.ts'
import type { Dialect } from '../dialect.ts'
import type { Places } from './gathering/places.ts'

export interface MadeTable {
  readonly dialect: Dialect
  /** `A=2,3` for each locus of the release; the others, whose columns are not read; and what is no typing. */
  readonly choice: Required<Pick<ColumnChoice, 'loci' | 'unknownLoci' | 'areUnknownRead' | 'scores'>>
  readonly facts: MadeFacts
  readonly places: Places
  /** Name of a column -> its number, from 0. */
  readonly columns: ReadonlyMap<string, number>
  /** Places name their file. */
  readonly hasFiles: boolean
  /** Places have paths besides lines. */
  readonly hasPaths: boolean
}

/** For people and for provenance. */
export interface MadeFacts {
  /** `long table` */
  readonly format: string
  /** `sample ID, locus Locus, allele Allele1 Allele2` */
  readonly reading: string
  readonly files: number
  /** Columns about a person that are kept. */
  readonly kept: readonly string[]
  /** Columns that go nowhere: they differ within a person. */
  readonly left: readonly string[]
  /** What else the file says, and nobody reads. */
  readonly ignored: readonly string[]
  /** Releases that the first typings say they were made with -> how many. */
  readonly releases: ReadonlyMap<string, number>
  /** How names of these releases were read; undefined: as they stand. */
  readonly past?: Pick<PastNames, 'isKnown'> | undefined
}
