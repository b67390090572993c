/** One rule being carried out, once everything it needs is open. */
import type { DriveFile } from '../../resource.ts'
import type { DriveClient } from '../files/connect.ts'
import type { Answering } from '../../../../table/run/table-job.ts'
import type { ParsedCommandLine } from '../../../../cli/run/table/parse-command-line.ts'
import type { Reporter } from '../../../../cli/run/reporter.ts'

export interface FolderRule {
  readonly drive: DriveClient
  /** Its tables are converted. */
  readonly folder: DriveFile
  /** With a slash at its end: what is said of its files begins so. */
  readonly path: string
  /** With the folders below it. */
  readonly isRecursive: boolean
  /** That outputs go into. */
  readonly to: DriveFile
  readonly toPath: string
  /** Of the names of outputs. */
  readonly template: string
  /** Of the command that converts. */
  readonly words: readonly string[]
  /** Their digest. */
  readonly command: string
  readonly asked: ParsedCommandLine
  readonly answering: Answering
  readonly reporter: Reporter
  /** Id of the rule in the store. */
  readonly rule: string
  /** What is larger is left; undefined: nothing is. */
  readonly mostBytes?: number | undefined
  /** Told of each table that is looked at, before and after. */
  readonly told?: ((what: RuleNews) => void) | undefined
  /** Where it goes on after it has ended. */
  readonly state: RuleState
  readonly claims: Claims
  /** Whether a title is one of those to convert. */
  readonly fits: (title: string) => boolean
  /** Whether it is converted whatever is in it; else it must be recognized by its beginning. */
  readonly isSure: (title: string) => boolean
}

export type RuleNews =
  | { readonly begun: DriveFile }
  | { readonly outcome: 'converted' | 'failed' | 'nothing' }

/** Claimed by a property, and what the store said of its id when it was used. */
export interface Claims {
  /** Ids that some file has or had. */
  readonly used: Set<string>
  /** Ids that the store generated for another user, and accepts from nobody else. */
  readonly foreign: Set<string>
  /** Properties of the folder of the outputs: they go when the output is there. */
  readonly onFolder: Set<string>
}

export interface Progress {
  /** Of the feed of changes: all before it is done. Undefined: every table that is there is still to be looked at. */
  readonly pageToken?: string | undefined
  /** Id -> revision of tables without a byte, of which that is still to be said. */
  readonly empty?: Readonly<Record<string, string>> | undefined
}

export interface RuleState {
  readonly now: () => Progress
  readonly change: (change: Progress) => void
}
