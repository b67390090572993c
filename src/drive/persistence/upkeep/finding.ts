/** What a check of a store finds, and what it tells. */

export type StoreProblem =
  /** The database file itself. */
  | 'damaged-database'
  /** A content is missing, too short, or not what was stored: a backup has it. */
  | 'lost-content'
  | 'damaged-content'
  /** Rows that contradict each other. */
  | 'inconsistent'

export interface Finding {
  readonly problem: StoreProblem
  /** What it is about, in words: `file abc has no revision`. */
  readonly what: string
  readonly isRepaired: boolean
}

export interface FsckReport {
  readonly findings: readonly Finding[]
  readonly files: number
  readonly contents: number
  readonly bytes: number
  /** Files that no row names, as requests that were cut off leave them; the clean-up removes them in time. */
  readonly leftovers: number
}
