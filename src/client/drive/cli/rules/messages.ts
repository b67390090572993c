/** What a server and the process that carries out a rule tell each other. */
import type { RuleProgress, RuleTerms } from '../../../../drive/domain/rules/rule-rows.ts'

export type RuleJob =
  | { readonly kind: 'check'; readonly given: Partial<RuleTerms> }
  | ({ readonly kind: 'run' } & RuleRun)

export interface RuleRun {
  readonly rule: string
  /** Of the store, on this machine. */
  readonly url: string
  /** Of the maker. */
  readonly token: string
  /** Ids. */
  readonly folder: string
  readonly target: string
  readonly terms: RuleTerms
  readonly progress: RuleProgress
  /** Bytes of a table. */
  readonly mostBytes: number
  /** A table that was given up. */
  readonly givenUp: GivenUp | undefined
}

export interface GivenUp {
  readonly file: string
  readonly revision: string
  readonly why: string
}

export type FromRule =
  | { readonly checked: RuleTerms }
  | { readonly refused: string; readonly isUsage: boolean }
  | { readonly state: Pick<RuleProgress, 'pageToken' | 'empty'> }
  | { readonly begun: { readonly file: string; readonly revision: string } }
  | { readonly outcome: 'converted' | 'failed' | 'nothing' }
  /** `again`: ms after which to look again, though nothing happens. */
  | { readonly done: true; readonly trouble: string | undefined; readonly again: number | undefined }
