/** What one watch is about, once everything it needs is open. */
import type { DriveFile } from '../../../client/drive/resource.ts'
import type { DriveClient } from '../files/connect.ts'
import type { Answering } from '../../../table/run/answering.ts'
import type { ParsedCommandLine } from '../table/parse-command-line.ts'
import type { Reporter } from '../reporter.ts'
import type { StateFile } from './state.ts'

export interface FolderWatch {
  readonly drive: DriveClient
  /** That is watched. */
  readonly folder: DriveFile
  /** With a slash at its end: what is said of its files begins so. */
  readonly path: string
  /** The folders below it are watched as well. */
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
  readonly isQuiet: boolean
  /** Of a rule of the store; undefined: it is of a command line. */
  readonly rule?: string | undefined
  /** What is larger is left; undefined: nothing is. */
  readonly mostBytes?: number | undefined
  /** Told of each table that is looked at, before and after. */
  readonly told?: ((what: WatchNews) => void) | undefined
  readonly state: StateFile
  readonly claims: Claims
  /** Whether a title is one of those to convert. */
  readonly fits: (title: string) => boolean
  /** Whether it is converted whatever is in it; else it must be recognized by its beginning. */
  readonly isSure: (title: string) => boolean
}

export type WatchNews =
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
