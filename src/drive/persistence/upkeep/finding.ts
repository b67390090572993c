/** What a check of a store finds, and what it tells. */

export type StoreProblem =
  /** The database file itself. */
  | 'damaged-database'
  /** The copy of a server that runs is not what the log adds up to. It is made anew when the server notices or starts. */
  | 'damaged-copy'
  /** That of one that gave no answer. */
  | 'unchecked-copy'
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
  /** Of a shared store, that run: a line for each. */
  readonly servers?: readonly string[]
}
