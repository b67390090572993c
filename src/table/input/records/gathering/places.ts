/** Places of a gathered row's typings in its file, kept until the row is converted. */
import type { HlaError } from '../../../../errors.ts'

/** Positions of one person's typings in a document, computed on the rare request. */
export interface TypingPlaces {
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

export interface TypingOrigin {
  readonly line: number
  readonly path: string | undefined
  /** Replaces line and path. */
  readonly places: TypingPlaces | undefined
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

/** Place of one row. */
export interface RowPlace {
  readonly file: string | undefined
  /** Line of its first record. */
  readonly line: number
  /** Origin of each typing, indexed as in its person. */
  readonly origins: readonly (TypingOrigin | undefined)[]
  /** Index of a typing -> its error. */
  readonly errors: ReadonlyMap<number, HlaError> | undefined
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

export interface Places {
  /** `line`: that of the gathered table. */
  readonly put: (line: number, place: RowPlace) => void
  /** undefined when the file has no such row. */
  readonly find: (line: number, column: number) => CellPlace | undefined
  /** Drops rows before the line, which are converted; returns the rules they break. */
  readonly forget: (line: number) => readonly (BrokenRules & Pick<RowPlace, 'file'>)[]
}

export function newPlaces(cells: ReadonlyMap<number, TypingCell>): Places {
  const rows = new Map<number, RowPlace>()
  let [first, last] = [0, 0]
  return {
    put(line, place) {
      if (line < first) return
      rows.set(line, place)
      last = line
    },
    find(line, column) {
      const row = rows.get(line)
      if (row === undefined) return undefined
      const { locus = '', slot = 1, at = -1 } = cells.get(column) ?? {}
      const origin = row.origins[at]
      const found = origin?.places?.find(locus, slot) ?? origin
      return {
        file: row.file,
        line: found?.line ?? row.line,
        path: row.fault?.path ?? found?.path,
        error: row.fault?.error ?? row.errors?.get(at),
      }
    },
    forget(line) {
      const broken: (BrokenRules & Pick<RowPlace, 'file'>)[] = []
      for (let at = first; at < line && at <= last; at += 1) {
        const row = rows.get(at)
        if (row?.broken !== undefined) broken.push({ ...row.broken, file: row.file })
        rows.delete(at)
      }
      first = Math.max(first, line)
      return broken
    },
  }
}
