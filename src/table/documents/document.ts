/** Documents that are written back: positions of their typings, and how answers are written there. Types only. */
import type { HlaError } from '../../errors.ts'
import type { PastNames } from '../cells/past-names.ts'
import type { RecordInput, RecordFormatName } from '../input/records/typing-record.ts'
import type { Edit, HeldText } from './document-text.ts'

/** A typing at its position. */
export interface TypingSite {
  /** 1-based number of the person. */
  readonly row: number
  readonly person: string
  readonly line: number
  /** `/hml/sample[3]/typing[1]` */
  readonly path: string
  /** Name in reports: the column of an equivalent table, or the element. */
  readonly column: string
  /** undefined when its names carry their loci. */
  readonly locus: string | undefined
  /** Typing as in a cell of a table. */
  readonly cell: string
  /** Loci named in it. */
  readonly loci: readonly string[]
  /**
   * The answer as written here; undefined keeps the typing, because the answer is of another kind.
   * @throws {HlaError} unfit-answer
   */
  spell(answer: string): string | undefined
}

/** Typings that are decided together. */
export interface Passage {
  readonly sites: readonly TypingSite[]
  /**
   * `spelled`: one per site; undefined keeps the site. An empty list of edits keeps everything.
   * @throws {HlaError} the answers do not fit together
   */
  edits(spelled: readonly (string | undefined)[]): readonly Edit[]
}

/** A person that cannot be read and stays unchanged. */
export interface PersonFault {
  readonly row: number
  readonly person: string
  readonly line: number
  readonly path: string
  readonly error: HlaError
}

/** Content read since the last block. */
export interface DocumentBlock {
  /** In document order. */
  readonly items: readonly (Passage | PersonFault)[]
  /** Persons so far. */
  readonly persons: number
  /** Text before this offset can be written. */
  readonly upTo: number
}

export const PLACES = ['after', 'replace'] as const
export type Place = (typeof PLACES)[number]

/** Request for the whole document. */
export interface DocumentRequest {
  readonly place: Place
  /** Release of the answers: `3.58.0`. */
  readonly release: string
  /** Names are read in the release that the document states, if any. */
  readonly isLifted: boolean
  /** Omit to read names unchanged, unless `isLifted`. */
  readonly past?: PastNames | undefined
  /** Date of the run in XML form. */
  readonly date: string
}

export interface DocumentFile {
  readonly file: RecordInput
  /** Receives the text before the parser. */
  readonly held: HeldText
  readonly request: DocumentRequest
}

export interface OpenedDocument {
  /** `HML` */
  readonly format: string
  readonly reading: string
  readonly personName: string
  /** Release that typings state -> number of typings so far. */
  readonly releases: ReadonlyMap<string, number>
  /** Display text: what is written. */
  readonly written: string
  readonly blocks: () => AsyncGenerator<DocumentBlock>
}

export interface DocumentFormat {
  readonly name: RecordFormatName
  /** Possible places of an answer; the first is the default. */
  readonly places: readonly Place[]
  /** Reason why other places are impossible. */
  readonly whyPlaces: string
  /** True when a typing may be removed without replacement. */
  readonly mayBeBlank: boolean
  readonly open: (document: DocumentFile) => OpenedDocument
}
