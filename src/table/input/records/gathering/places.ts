/** Where the typings of a gathered row stand in its file, until the row is converted. */
import type { HlaError } from '../../../../errors.ts'
import type { BrokenRule, TypingPlaces } from '../typing-places.ts'

/** A file that was not opened, and why. */
export interface SkippedFile {
  readonly name: string
  readonly reason: string
}

/** A file that was opened and could not be read: nothing of it is in the table. */
export interface LostFile {
  readonly name: string
  readonly line: number
  readonly error: HlaError
}

/** How a file of several was read, where it has to be known. */
export interface FileNote {
  readonly file: string
  readonly level: 'warning' | 'note'
  readonly code: string
  readonly message: string
}

export interface CellPlace {
  /** undefined: there is one file only. */
  readonly file: string | undefined
  readonly line: number
  readonly path: string | undefined
  /** In place of what reading the cell says. */
  readonly error: HlaError | undefined
}

export interface TypingOrigin {
  readonly line: number
  readonly path: string | undefined
  /** In place of both. */
  readonly places: TypingPlaces | undefined
}

/** Why nothing is known of a person. */
export interface RowFault {
  readonly error: HlaError
  readonly path: string | undefined
}

/** What a person breaks of the format's rules. */
export interface BrokenRules {
  readonly person: string
  /** Of the table that is made, without its header. */
  readonly row: number
  readonly rules: readonly BrokenRule[]
}

/** Of one row. */
export interface RowPlace {
  readonly file: string | undefined
  /** Of its first record. */
  readonly line: number
  /** Of each typing, as its person has them. */
  readonly origins: readonly (TypingOrigin | undefined)[]
  /** Where a typing stands among them -> why it is none. */
  readonly errors: ReadonlyMap<number, HlaError> | undefined
  /** Why nothing is known of the person. */
  readonly fault: RowFault | undefined
  readonly broken: BrokenRules | undefined
}

/** A typing among those of a person, by the column it has. */
export interface TypingCell {
  readonly locus: string
  readonly slot: 1 | 2
  readonly at: number
}

export interface Places {
  /** `line`: of the gathered table. */
  readonly put: (line: number, place: RowPlace) => void
  /** undefined: the row is nowhere in the file. */
  readonly find: (line: number, column: number) => CellPlace | undefined
  /** Rows before it are converted: what they break. */
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
