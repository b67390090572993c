/** A rule being run, with everything it needs open. */
import type { DriveFile } from '../client/resource.ts'
import type { DriveClient } from '../commands/files/connect.ts'
import type { Answering } from '../../table/run/table-job.ts'
import type { ParsedCommandLine } from '../../cli/run/table/parse-command-line.ts'
import type { Reporter } from '../../cli/run/reporter.ts'

export interface FolderRule {
  readonly drive: DriveClient
  /** Folder whose tables are converted. */
  readonly folder: DriveFile
  /** Path of the folder with a trailing slash, used in messages. */
  readonly path: string
  /** Include subfolders. */
  readonly isRecursive: boolean
  /** Folder of the outputs. */
  readonly to: DriveFile
  readonly toPath: string
  /** Template of the outputs' names. */
  readonly template: string
  /** Words of the converting command. */
  readonly words: readonly string[]
  /** Digest of the words. */
  readonly command: string
  readonly asked: ParsedCommandLine
  readonly answering: Answering
  readonly reporter: Reporter
  /** Id of the rule in the store. */
  readonly rule: string
  /** Maximum size of a table in bytes; larger ones are skipped. undefined means no limit. */
  readonly mostBytes?: number | undefined
  /** Called before and after each table. */
  readonly told?: ((what: RuleNews) => void) | undefined
  /** Progress that is kept between runs. */
  readonly state: RuleState
  readonly claims: Claims
  /** True for titles of tables to convert. */
  readonly fits: (title: string) => boolean
  /** True when the title suffices; otherwise the beginning of the content decides. */
  readonly isSure: (title: string) => boolean
}

export type RuleNews =
  | { readonly begun: DriveFile }
  | { readonly outcome: 'converted' | 'failed' | 'nothing' }

/** Claims of output ids, and the store's refusals of ids. */
export interface Claims {
  /** Ids in use by an existing or deleted file. */
  readonly used: Set<string>
  /** Ids that the store generated for another user, and refuses from this one. */
  readonly foreign: Set<string>
  /** Properties of the output folder, removed once the output exists. */
  readonly onFolder: Set<string>
}

export interface Progress {
  /** Position in the change feed, up to which everything is done; undefined before the first pass over all tables. */
  readonly pageToken?: string | undefined
  /** Id -> revision of empty tables without a comment yet. */
  readonly empty?: Readonly<Record<string, string>> | undefined
}

export interface RuleState {
  readonly now: () => Progress
  readonly change: (change: Progress) => void
}
