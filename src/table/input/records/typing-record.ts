/** Typing records: what a file says of one typing of one person. Formats yield them, the gatherer makes a table of them. Types only. */
import type { SAMPLE_FROM } from '../../../options/choices.ts'
import type { HlaError } from '../../../errors.ts'
import type { PastNames } from '../../cells/past-names.ts'
import type { Dialect } from '../dialect.ts'
import type { TableInput } from '../input.ts'
import type { RecordFormatName } from './record-format-names.ts'
import type { BrokenRule, TypingPlaces } from './typing-places.ts'

/** All texts are byte text. */
export interface TypingRecord {
  /** undefined: the file is about one person, and does not say whom. */
  readonly person: string | undefined
  /** `A`, `DRB1`; or as the file has it when it is no locus. Empty: the person has no typing here. */
  readonly locus: string
  /** One allele, or one genotype with `+`; a token such as `NA` as it stands. */
  readonly typing: string
  /** Which of the two typings; undefined: the first that is free. */
  readonly slot: 1 | 2 | undefined
  /** Of the file, 1-based. */
  readonly line: number
  /** Where it stands in a document: `/hml/sample[3]/typing[1]`. */
  readonly path?: string | undefined
  /** In place of the path, and better than the line. */
  readonly places?: TypingPlaces | undefined
  /** Its line is a person: other lines of the file with the same name are other persons. */
  readonly isRow?: boolean
  /** What else is said, in the order of `extras`. */
  readonly values: readonly string[]
  /** Why the typing cannot be read, where its own table decides that. */
  readonly fault?: HlaError | undefined
  /** `bad-record`, without its place: why nothing is known of the person. Such a record is the only one of its person. */
  readonly error?: HlaError | undefined
  /** Rules of the format that its person breaks; on one record of each person, where rules are checked. */
  readonly broken?: readonly BrokenRule[] | undefined
}

/** Something that a file says besides typings. */
export interface ExtraColumn {
  readonly name: string
  /** It belongs to a typing, and gets a column for each: a score, a rank. Else it belongs to the person. */
  readonly isOfTyping: boolean
  /** Of which of the two typings a row speaks; undefined: of the one of its record. */
  readonly slot?: 1 | 2 | undefined
}

export interface RecordSource {
  /** What the file is read as. */
  readonly format: string
  /** For people: which columns are read as what. */
  readonly reading: string
  /** Heading of the persons' column. */
  readonly personName: string
  readonly extras: readonly ExtraColumn[]
  /** What else a file of this format says, and is not read. */
  readonly ignored: readonly string[]
  /** Filled as records are read: what stands there like a typing and is none -> how many. */
  readonly leftOut?: ReadonlyMap<string, number>
  /** Its records have paths besides lines. */
  readonly hasPaths?: boolean
  /** The reader refuses a person that is there twice. */
  readonly isApart?: boolean
  /** Filled as records are read: release that typings say they were made with -> how many. */
  readonly releases?: ReadonlyMap<string, number>
  /** How a table of these records is written. */
  readonly dialect: Dialect
  /** @throws {HlaError} what is no record of the format, with its line */
  readonly blocks: () => AsyncGenerator<readonly TypingRecord[]>
}

/** Which columns of a long table are what, and which form a file has. */
export interface RecordRequest {
  /** `auto`: by content; `table`: rows are converted as they stand. */
  readonly format?: string | undefined
  readonly sample?: string | undefined
  readonly locus?: string | undefined
  /** One or two columns. */
  readonly alleles?: string | undefined
  /** Columns that belong to a typing. */
  readonly scores?: string | undefined
  /** Loci of the table that is made; undefined: those of the first records. */
  readonly loci?: readonly string[] | undefined
  /** Where the name of a file's one person stands. */
  readonly sampleFrom?: SampleFrom | undefined
  /** Files about one person make one row. */
  readonly isMerged?: boolean | undefined
}

/** `column`: as its rows say. */
export type SampleFrom = (typeof SAMPLE_FROM)[number]

/** A file as it begins, and all of it. */
export interface RecordInput {
  readonly input: TableInput
  readonly dialect: Dialect
  /** Rows of the beginning, as values; the last one may be cut and is left out. */
  readonly rows: readonly (readonly string[])[]
  /** The beginning as text lines. */
  readonly lines: readonly string[]
  readonly request: RecordRequest
  /** Whether the header was said to be there, or not to be. */
  readonly header: boolean | undefined
  readonly isLocus: (name: string) => boolean
  readonly isTyping: (text: string) => boolean
  readonly lazyQuotes: boolean
  /** What a person breaks of the format's rules is to be told. */
  readonly isChecked: boolean
  readonly past?: PastNames | undefined
}

export interface RecordFormat {
  readonly name: RecordFormatName
  readonly summary: string
  /** One line of such a file. */
  readonly example: string
  /** undefined: it is of another format. `isAsked`: whoever asks says that it is of this one; of a program's file its beginning was looked at. @throws {HlaError} usage — columns cannot be told apart */
  readonly open: (file: RecordInput, isAsked: boolean) => RecordSource | undefined
}
