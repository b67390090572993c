/** A document that is written back: where typings stand in it, and how an answer is written there. Types only. */
import type { HlaError } from '../../errors.ts'
import type { PastNames } from '../cells/past-names.ts'
import type { RecordFormatName } from '../input/records/record-format-names.ts'
import type { RecordInput } from '../input/records/typing-record.ts'
import type { Edit, HeldText } from './document-text.ts'

/** A typing where it stands. */
export interface TypingSite {
  /** 1-based number of the person. */
  readonly row: number
  readonly person: string
  readonly line: number
  /** `/hml/sample[3]/typing[1]` */
  readonly path: string
  /** What it is called in reports: the column that a table of the document would have, or its element. */
  readonly column: string
  /** undefined: its names have their loci. */
  readonly locus: string | undefined
  /** As a cell of a table has it. */
  readonly cell: string
  /** Loci that it names. */
  readonly loci: readonly string[]
  /** The answer as it is written here; undefined: the typing stays, because the answer is of another kind. @throws {HlaError} unfit-answer */
  spell(answer: string): string | undefined
}

/** Typings that are decided together. */
export interface Passage {
  readonly sites: readonly TypingSite[]
  /** `spelled`: of each site; undefined: it stays. None: all stays as it is. @throws {HlaError} the answers do not fit together */
  edits(spelled: readonly (string | undefined)[]): readonly Edit[]
}

/** A person that cannot be read: it stays as it is. */
export interface PersonFault {
  readonly row: number
  readonly person: string
  readonly line: number
  readonly path: string
  readonly error: HlaError
}

/** What was read since the last one. */
export interface DocumentBlock {
  /** In the order of the document. */
  readonly items: readonly (Passage | PersonFault)[]
  /** Persons so far. */
  readonly persons: number
  /** All before it can be written. */
  readonly upTo: number
}

export const PLACES = ['after', 'replace'] as const
export type Place = (typeof PLACES)[number]

/** What is asked of the whole document. */
export interface DocumentRequest {
  readonly place: Place
  /** Of the answers: `3.58.0`. */
  readonly release: string
  /** Names are read in the release that the document says, where it says one. */
  readonly isLifted: boolean
  /** undefined: names are read as they stand, unless `isLifted`. */
  readonly past?: PastNames | undefined
  /** The day of the run, as XML has it. */
  readonly date: string
}

export interface DocumentFile {
  readonly file: RecordInput
  /** Gets the text before somebody reads it. */
  readonly held: HeldText
  readonly request: DocumentRequest
}

export interface OpenedDocument {
  /** `HML` */
  readonly format: string
  readonly reading: string
  readonly personName: string
  /** Releases that typings say they were made with -> how many so far. */
  readonly releases: ReadonlyMap<string, number>
  /** For people: what is written. */
  readonly written: string
  readonly blocks: () => AsyncGenerator<DocumentBlock>
}

export interface DocumentFormat {
  readonly name: RecordFormatName
  /** Where an answer may stand; the first is the default. */
  readonly places: readonly Place[]
  /** Why it does not stand elsewhere. */
  readonly whyPlaces: string
  /** A typing may be taken out, and nothing put in its place. */
  readonly mayBeBlank: boolean
  readonly open: (document: DocumentFile) => OpenedDocument
}
