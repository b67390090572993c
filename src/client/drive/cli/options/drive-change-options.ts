/** The options of the commands that move, copy, find and put away files of a store. */
import { Option } from 'commander'
import type { DriveFlags } from './drive-connection-options.ts'
import type { ListOptions } from './drive-file-options.ts'

export interface CopyOptions extends DriveFlags {
  readonly recursive?: boolean
  readonly convert?: boolean
}

export interface MakeFolderOptions extends DriveFlags {
  readonly parents?: boolean
}

export interface SearchOptions extends ListOptions {
  readonly query?: string
  readonly in?: string
}

export interface SyncOptions extends DriveFlags {
  readonly dryRun?: boolean
  readonly deleteAll?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
}

export function copyOptions(): Option[] {
  return [
    new Option('-R, --recursive', 'folders too, with all that is in them'),
    new Option('--convert', 'the copy is kept as a table (CSV, TSV, XLSX) or a text'),
  ]
}

export function makeFolderOptions(): Option[] {
  return [new Option('-p, --parents', 'the folders above, too; what is there already is left')]
}

export function searchOptions(): Option[] {
  return [
    new Option('--query <q>', "in the store's search language: modifiedDate > '2026-01-01'"),
    new Option('--in <folder>', 'only what lies in this folder'),
  ]
}

export function syncOptions(): Option[] {
  return [
    new Option('--dry-run', 'print what would be done'),
    new Option('--delete-all', 'also where everything is gone from one side'),
    new Option('--json', 'print JSON'),
    new Option('-q, --quiet', 'no progress'),
  ]
}
