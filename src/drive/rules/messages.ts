/** Messages between a server and the process that runs a rule. */
import type { RuleProgress, RuleTerms } from '../domain/rules/rule-rows.ts'

export type RuleJob =
  | { readonly kind: 'check'; readonly given: Partial<RuleTerms> }
  | ({ readonly kind: 'run' } & RuleRun)

export interface RuleRun {
  readonly rule: string
  /** Address of the store on this machine. */
  readonly url: string
  /** Access token of the rule's maker. */
  readonly token: string
  /** Ids of folders. */
  readonly folder: string
  readonly target: string
  readonly terms: RuleTerms
  readonly progress: RuleProgress
  /** Maximum size of a table in bytes. */
  readonly mostBytes: number
  /** Table that was given up. */
  readonly givenUp: AbandonedFile | undefined
}

export interface AbandonedFile {
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
  /** `again`: time in ms until the next run, even without changes. */
  | { readonly done: true; readonly trouble: string | undefined; readonly again: number | undefined }
