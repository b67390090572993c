/** Places of a gathered row and its typings in their file. */
import type { HlaError } from '../../errors.ts'

/** Positions of one person's typings in a document, computed on the rare request. */
export interface TypingPlaces {
  /** Line of the record in the file, counted from 1. */
  readonly line: number
  readonly find: (locus: string, slot: 1 | 2) => TypingPlace | undefined
}

export interface TypingPlace {
  readonly line: number
  readonly path: string
}

/** Rule of a format that a person's field breaks. */
export interface BrokenRule extends TypingPlace {
  /** Value as written. */
  readonly value: string
  readonly error: HlaError
}

/** A file that was not opened, and the reason. */
export interface SkippedFile {
  readonly name: string
  readonly reason: string
}

/** A file that could not be read; the table omits it. */
export interface LostFile {
  readonly name: string
  readonly line: number
  readonly error: HlaError
}

/** Reading of one of several files, where needed. */
export interface FileNote {
  readonly file: string
  readonly level: 'warning' | 'note'
  readonly code: string
  readonly message: string
}

/** What names the samples of files. */
export type SampleNote = Omit<FileNote, 'file'>

export interface CellPlace {
  /** undefined for a single file. */
  readonly file: string | undefined
  readonly line: number
  readonly path: string | undefined
  /** Replaces the error of reading the cell. */
  readonly error: HlaError | undefined
}

/** Place of a typing: its line, or what finds it in a document. */
export type Place = number | TypingPlaces

/** Place of a typing whose record has more than its text. */
export interface TypingOrigin {
  readonly place: Place
}

/** Reason why a person cannot be read. */
export interface RowFault {
  readonly error: HlaError
  readonly path: string | undefined
}

/** Rules of the format that a person breaks. */
export interface BrokenRules {
  readonly person: string
  /** Row of the resulting table, without its header. */
  readonly row: number
  readonly rules: readonly BrokenRule[]
}

/** A cell whose typings have no place, or that its own table leaves open. */
export interface CellFault {
  /** Its typings. */
  readonly value: string
  /** The error of any such cell; undefined when the cell is read, and this fault replaces its error, if it has one. */
  readonly error: HlaError | undefined
  /** The error with its lines in the file. */
  readonly placed: HlaError
}

/** Place of a gathered row. */
export interface RowPlace {
  readonly file: string | undefined
  /** Line of its first record. */
  readonly line: number
  /** Typings by column. */
  readonly cells: ReadonlyMap<number, TypingCell>
  /** Indexed as in its person. */
  readonly origins: readonly (TypingOrigin | Place | undefined)[]
  /** By column. */
  readonly faults: ReadonlyMap<number, CellFault> | undefined
  /** Reason why the person cannot be read. */
  readonly fault: RowFault | undefined
  readonly broken: BrokenRules | undefined
}

/** A typing of a person, by its column. */
export interface TypingCell {
  readonly locus: string
  readonly slot: 1 | 2
  readonly at: number
}

/** `column`: undefined for the row. */
export function cellPlace(
  { file, line, cells, origins, faults, fault }: RowPlace,
  column: number | undefined,
): CellPlace {
  const { locus = '', slot = 1, at = -1 } = cells.get(column ?? -1) ?? {}
  const origin = origins[at]
  const place = origin === undefined ? undefined : placeOf(origin)
  const found = typeof place === 'object' ? place.find(locus, slot) : undefined
  return {
    file,
    line: found?.line ?? (place === undefined ? line : lineOf(place)),
    path: fault?.path ?? found?.path,
    error: fault?.error ?? faults?.get(column ?? -1)?.placed,
  }
}

export function lineOf(place: Place): number {
  return typeof place === 'number' ? place : place.line
}

export function placeOf(origin: TypingOrigin | Place): Place {
  return typeof origin === 'object' && 'place' in origin ? origin.place : origin
}
