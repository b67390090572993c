/** Types of the service's answers, as far as the page shows them. */
import type { blendOperation } from '../../operations/questions/blend.ts'
import type { cwdOperation } from '../../operations/questions/cwd.ts'
import type { diffOperation } from '../../operations/questions/diff.ts'
import type { explainOperation } from '../../operations/questions/explain.ts'
import type { liftOperation } from '../../operations/questions/lift.ts'
import type { macOperation } from '../../operations/questions/mac.ts'
import type { matchOperation } from '../../operations/questions/match.ts'
import type { problemRecord } from '../../operations/answers/problem.ts'
import type { reduxOperation } from '../../operations/questions/redux.ts'
import type { similarOperation } from '../../operations/questions/similar.ts'
import type { ValueOf } from '../../operations/schema.ts'
import type { splitsOperation } from '../../operations/questions/splits.ts'
import type { validateOperation } from '../../operations/questions/validate.ts'
import type { versionOperation } from '../../operations/questions/version.ts'

export type Verdict = ValueOf<(typeof validateOperation)['output']>
export type Reduced = ValueOf<(typeof reduxOperation)['output']>
export type Explained = ValueOf<(typeof explainOperation)['output']>
export type Codes = ValueOf<(typeof macOperation)['output']>
export type Common = ValueOf<(typeof cwdOperation)['output']>
export type Blended = ValueOf<(typeof blendOperation)['output']>
export type Lifted = ValueOf<(typeof liftOperation)['output']>
export type Changed = ValueOf<(typeof diffOperation)['output']>
export type Matched = ValueOf<(typeof matchOperation)['output']>
export type Similar = ValueOf<(typeof similarOperation)['output']>
export type Splits = ValueOf<(typeof splitsOperation)['output']>
/** Answer of `version` with the facts about the service. */
export type Version = ValueOf<(typeof versionOperation)['output']> & {
  readonly methods: readonly string[]
  readonly releases: readonly string[]
  readonly loci: readonly string[]
}
/** Problem whose hint is text worded for the page. */
export type PageProblem = Omit<ReturnType<typeof problemRecord>, 'hint'> & {
  readonly hint?: string | undefined
}

export interface ErrorRecord {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly offending?: string | undefined
  readonly position?: readonly [number, number]
  readonly suggestions: readonly string[]
}

/** Line of a batch answer: an answer, or the error of its question. */
export type PageOutcome<T> = T | { readonly error: ErrorRecord }

export function isFailed<T>(outcome: PageOutcome<T>): outcome is { readonly error: ErrorRecord } {
  return typeof outcome === 'object' && outcome !== null && 'error' in outcome
}
