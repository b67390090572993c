/** Where the typings of a gathered row stand in its file, until the row is converted. */
import type { HlaError } from '../../../../errors.ts'

export interface CellPlace {
  /** undefined: there is one file only. */
  readonly file: string | undefined
  readonly line: number
  readonly path: string | undefined
  /** In place of what reading the cell says. */
  readonly error: HlaError | undefined
}

/** Of one row. */
export interface RowPlace {
  readonly file: string | undefined
  /** Of its first record. */
  readonly line: number
  /** Column -> line of its record. */
  readonly lines: readonly (number | undefined)[]
  /** Column -> path of its record. */
  readonly paths: readonly (string | undefined)[] | undefined
  /** Column -> why it holds no typing. */
  readonly errors: ReadonlyMap<number, HlaError> | undefined
  /** Why nothing is known of the person. */
  readonly fault?: { readonly error: HlaError; readonly path: string | undefined } | undefined
}

export interface Places {
  /** `line`: of the gathered table. */
  readonly put: (line: number, place: RowPlace) => void
  /** undefined: the row is nowhere in the file. */
  readonly find: (line: number, column: number) => CellPlace | undefined
  /** Rows before it are converted. */
  readonly forget: (line: number) => void
}

export function newPlaces(): Places {
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
      return {
        file: row.file,
        line: row.lines[column] ?? row.line,
        path: row.fault?.path ?? row.paths?.[column],
        error: row.fault?.error ?? row.errors?.get(column),
      }
    },
    forget(line) {
      for (let at = first; at < line && at <= last; at += 1) rows.delete(at)
      first = Math.max(first, line)
    },
  }
}
