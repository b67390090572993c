/** CellFace: what an operation makes of the cells of a table. Types only. */
import type { OperationRequest } from './operation-request.ts'
import type { HlaError } from '../errors.ts'

/** What a cell becomes. */
export interface CellOutcome {
  /** One a column, in the order of `columns`; those behind the last column are dropped. */
  readonly results: readonly string[]
  /** What it counts as in the summary: `valid`, `renamed`; undefined: ok, or failed. */
  readonly kind?: string
  /** Set for an answer that is no: it is reported as a failure, and its results are written all the same. */
  readonly fault?: HlaError
}

export interface CellFace<I = never, O = never> {
  /** Names of the columns that a typing becomes. */
  readonly columns: readonly string[] | ((input: I) => readonly string[])
  /** Behind them, those that not everybody wants; undefined: there are none. */
  readonly detailColumns?: readonly string[] | ((input: I) => readonly string[])
  /** Its notes name members of codes that are called otherwise in the release. */
  readonly notesMembers?: boolean
  readonly outcome: (output: O, input: I) => CellOutcome
  /** The outcome of what cannot be asked or answered; undefined: a failure without results. */
  readonly failed?: (error: HlaError) => CellOutcome | undefined
  /** Asked in place of the operation about a typing that is none of its matters; its output is what `outcome` gets. */
  readonly instead?: (input: I) => OperationRequest | undefined
  /** All kinds, in the order the summary has them; undefined makes no such counts. */
  readonly kinds?: readonly string[]
  /** Results are typings: they may stand in place of their source, and be joined to GL Strings. */
  readonly areTypings: boolean
  /** The answer of a GL String is put together from those of its typings. */
  readonly isByTyping?: boolean
}
