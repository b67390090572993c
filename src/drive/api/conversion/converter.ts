/** Documents that are asked for, and who reads and writes tables for the store, which knows nothing of what is in them. Types only. */
import type { MediaType } from '../../protocol/media-type.ts'

/** What a content is to become. */
export interface WantedDocument {
  /** The type of the document. */
  readonly native: string
  /** Of the content. */
  readonly type: string
}

export interface TableConverter {
  /** Types that tables are exported as besides those of every document, as `about` lists them. */
  readonly moreTypes: readonly string[]
  /** @throws {HlaError} it is not one table that can be read */
  check(table: GivenTable): Promise<void>
  /** @throws {HlaError} nobody writes that type, or the table cannot be written so */
  write(table: GivenTable, type: MediaType): Promise<WrittenTable>
  /** Which of its cells are no typings. @throws {HlaError} it has none, or cannot be read */
  verdicts(table: GivenTable): Promise<TypingVerdicts>
  close(): Promise<void>
}

/** As they are answered. */
export interface TypingVerdicts {
  /** Whose names count: `3.58.0`, or the starter set of it. */
  readonly release: string
  /** Cells that were looked at, without those that say that nothing was typed. */
  readonly typings: number
  /** The first so many of them. */
  readonly cells: readonly CellVerdict[]
  /** All of them. */
  readonly found: number
}

export interface CellVerdict {
  /** 1-based, of the table. */
  readonly line: number
  /** Of the header. */
  readonly column: string
  readonly value: string
  readonly why: string
  /** Whether it is a typing cannot be said with the data that are installed. */
  readonly isUndecided: boolean
}

export interface GivenTable {
  /** Of the file: its ending may say how it is written. */
  readonly name: string
  readonly pieces: readonly Uint8Array[]
  /** Bytes of it, unpacked. */
  readonly most: number
  /** ms that it may take. */
  readonly time: number
}

export interface WrittenTable {
  readonly contentType: string
  /** In place of the ending of the file's name. */
  readonly suffix: string
  /** Which data its answers are from; undefined: there are none. */
  readonly dataId: string | undefined
  /** To be read once. @throws {HlaError} what shows only when all is read */
  readonly body: AsyncIterable<Uint8Array>
}
