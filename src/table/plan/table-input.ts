/** TableInput: the bytes of a table, or the persons of a source. Types only. */
import type { TableRow } from '../input/read-table.ts'
import type { TableBytes } from '../input/input.ts'
import type { FileNote, LostFile, SampleNote, SkippedFile } from '../input/places.ts'
import type { PastNames } from '../cells/past-names.ts'
import type { SourceColumns } from './columns.ts'

export interface TableInput extends TableBytes {
  /** Set when its rows are persons, gathered from typing records; `dialect` is then that of these rows. */
  readonly source?: SourceTable
  /** Called while the table is recognised, for each column and value; it throws when that takes too long. */
  readonly look?: (() => void) | undefined
}

export interface SourceTable {
  readonly columns: SourceColumns
  readonly facts: SourceFacts
  /** Blocks of its rows, header first; readable once. */
  readonly rows: () => AsyncGenerator<TableRow[]>
  /** True when places name their file. */
  readonly hasFiles: boolean
  /** True when places have paths besides lines. */
  readonly hasPaths: boolean
}

/** Facts for display and provenance. */
export interface SourceFacts {
  /** `long table` */
  readonly format: string
  /** `sample ID, locus Locus, allele Allele1 Allele2` */
  readonly reading: string
  readonly files: number
  /** Unreadable files; filled as they are opened. */
  readonly lost?: readonly LostFile[]
  /** Reading of tables among them; filled as they are opened. */
  readonly notes?: readonly FileNote[]
  /** Notes on the part of the path that names the sample, for files with equal names. */
  readonly samples?: (() => readonly SampleNote[]) | undefined
  /** Files of folders that were not opened. */
  readonly skipped?: readonly SkippedFile[]
  /** Persons found in several files, with one row each. */
  readonly repeated?: readonly string[]
  /** Number of columns about the person, where the typings of each caller have columns of their own. */
  readonly personColumns?: number | undefined
  /** Person columns that are kept. */
  readonly kept: readonly string[]
  /** Columns dropped because their values differ within a person. */
  readonly left: readonly string[]
  /** Other content of the file, which is not read. */
  readonly ignored: readonly string[]
  /** Release that the first typings state -> number of typings. */
  readonly releases: ReadonlyMap<string, number>
  /** Reading of names of these releases; undefined reads them unchanged. */
  readonly past?: Pick<PastNames, 'isKnown'> | undefined
}
