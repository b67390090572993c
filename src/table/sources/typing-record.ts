/**
 * Typing record: one typing of one person in a file. Formats yield records, the gatherer makes a table of them. Types
 * only.
 */
import type { RecordRequest } from '../plan/table-request.ts'
import type { RECORD_FORMAT_NAMES } from '../../options/choices.ts'
import type { HlaError } from '../../errors.ts'
import type { PastNames } from '../cells/past-names.ts'
import type { Dialect } from '../input/dialect.ts'
import type { TableInput } from '../plan/table-input.ts'
import type { BrokenRule, TypingPlaces } from '../input/places.ts'

/** All texts are byte text. */
export interface TypingRecord {
  /** undefined when the file is about one person without naming it. */
  readonly person: string | undefined
  /** `A`, `DRB1`; the file's text when it is not a locus; '' when the person has no typing here. */
  readonly locus: string
  /** One allele, or one genotype with `+`; a token such as `NA` unchanged. */
  readonly typing: string
  /** Which of the two typings; undefined: the first free place. */
  readonly slot: 1 | 2 | undefined
  /** Line in the file, 1-based. */
  readonly line: number
  /** Path of its error in a document: `/hml/sample[3]`. */
  readonly path?: string | undefined
  /** Places of typings in a document. */
  readonly places?: TypingPlaces | undefined
  /** True when its line is a separate person, even if others have the same name. */
  readonly isRow?: boolean
  /** Other values, in the order of `extras`. */
  readonly values: readonly string[]
  /** Why the typing cannot be read, where its own table decides that. */
  readonly fault?: HlaError | undefined
  /**
   * `bad-record`, without its place: the reason why the person cannot be read. Such a record is the person's only one.
   */
  readonly error?: HlaError | undefined
  /** Rules of the format that the person breaks; on one record per person, where rules are checked. */
  readonly broken?: readonly BrokenRule[] | undefined
}

/** A column of a file besides its typings. */
export interface ExtraColumn {
  readonly name: string
  /**
   * True when it belongs to a typing, such as a score or rank, and gets a column for each; else it belongs to the
   * person.
   */
  readonly isOfTyping: boolean
  /** Which of the two typings its value is about; undefined: that of its record. */
  readonly slot?: 1 | 2 | undefined
}

export interface RecordSource {
  /** Format of the file. */
  readonly format: string
  /** Display text: the role of each column. */
  readonly reading: string
  /** Heading of the person column. */
  readonly personName: string
  readonly extras: readonly ExtraColumn[]
  /** Other content of files of this format, which is not read. */
  readonly ignored: readonly string[]
  /** Filled during reading: text that looks like a typing but is not -> number of occurrences. */
  readonly leftOut?: ReadonlyMap<string, number>
  /** True when its records have paths besides lines. */
  readonly hasPaths?: boolean
  /** True when the reader refuses a repeated person. */
  readonly isApart?: boolean
  /** Filled during reading: release that typings state -> number of typings. */
  readonly releases?: ReadonlyMap<string, number>
  /** Dialect of the table made of these records. */
  readonly dialect: Dialect
  /** @throws {HlaError} text that is not a record of the format, with its line */
  readonly blocks: () => AsyncGenerator<readonly TypingRecord[]>
}

/** A file's beginning and its input. */
export interface RecordInput {
  readonly input: TableInput
  readonly dialect: Dialect
  /** Rows of the beginning, as values; the last, possibly incomplete, is left out. */
  readonly rows: readonly (readonly string[])[]
  /** Lines of the beginning, as text. */
  readonly lines: readonly string[]
  readonly request: RecordRequest
  /** Requested presence of a header. */
  readonly header: boolean | undefined
  readonly isLocus: (name: string) => boolean
  readonly isTyping: (text: string) => boolean
  /** `auto`, `none` or the requested one; undefined when the resulting table decides. */
  readonly cellSeparator: string | undefined
  /** Report rules of the format that a person breaks. */
  readonly isChecked: boolean
  readonly past?: PastNames | undefined
}

export type RecordFormatName = (typeof RECORD_FORMAT_NAMES)[number]

export interface RecordFormat {
  readonly name: RecordFormatName
  readonly summary: string
  /** One example line of such a file. */
  readonly example: string
  /**
   * undefined for another format. `isAsked`: the user requested this one; for a program's file its beginning was
   * checked.
   * @throws {HlaError} usage — ambiguous columns
   */
  readonly open: (file: RecordInput, isAsked: boolean) => RecordSource | undefined
}
