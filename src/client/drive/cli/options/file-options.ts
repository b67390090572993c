/** Options of the commands for files of a store. */
import { Option } from 'commander'
import { type DriveFlags, driveConnectionOptions } from './connection-options.ts'
import { type GrantedRole, ROLES } from '../../permissions.ts'
import { collect, commaList, listInPlaceOf, wholeNumber } from '../../../../cli/options/options.ts'
import { duration } from '../../../../cli/options/quantities.ts'

export interface ListOptions extends DriveFlags {
  readonly long?: boolean
  readonly json?: boolean
}

export interface LogOptions extends ListOptions {
  readonly reads?: boolean
}

export interface GetOptions extends DriveFlags {
  readonly output?: string
  readonly revision?: string
  readonly as?: ExportFormat
  readonly reduce?: readonly string[]
  readonly quiet?: boolean
}

/** Export formats of documents, by file ending. */
export const EXPORT_FORMATS = ['csv', 'tsv', 'xlsx', 'jsonl', 'txt'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export interface PutOptions extends DriveFlags {
  readonly parents?: boolean
  readonly new?: boolean
  readonly type?: string
  readonly convert?: boolean
  readonly quiet?: boolean
  readonly json?: boolean
}

export interface RemoveOptions extends DriveFlags {
  readonly recursive?: boolean
  readonly forever?: boolean
}

export interface ShareOptions extends DriveFlags {
  readonly with?: readonly string[]
  readonly remove?: readonly string[]
  readonly role: GrantedRole
  /** Time from now, in ms. */
  readonly expires?: number
  readonly json?: boolean
}

export interface LoginOptions extends DriveFlags {
  readonly refreshFile?: string
  readonly scopes: readonly string[]
}

export function connectionOptions(): Option[] {
  return [
    ...driveConnectionOptions(),
    new Option(
      '--retries <n>',
      'attempts after the first (default 4; put and get wait 60s for a restart)',
    ).argParser(wholeNumber),
    new Option('--timeout <time>', 'for an answer (default 30s)').argParser(duration),
    new Option('--connect-timeout <time>', 'for a connection (default 5s)').argParser(duration),
  ]
}

/** Default of `--scopes`: full access. */
export const ALL_SCOPES: readonly string[] = ['drive', 'drive.apps.readonly']

export function loginOptions(): Option[] {
  return [
    new Option('--scopes <list>', 'what hla may do with the files: drive, drive.readonly, …')
      .argParser(listInPlaceOf(ALL_SCOPES))
      .default(ALL_SCOPES, 'drive,drive.apps.readonly: everything'),
    new Option(
      '--refresh-file <file>',
      'a file with a refresh token, for programs without a person to sign in: hla drive token create --refresh',
    ),
  ]
}

export function longOption(): Option {
  return new Option('-l, --long', 'with id, size, date and last editor')
}

export function logOptions(): Option[] {
  return [
    new Option('--reads', 'who opened, downloaded, shared and changed it, in place of its revisions'),
    new Option('--json', 'print JSON'),
  ]
}

export function getOptions(): Option[] {
  return [
    new Option('-o, --output <file>', 'where to; - is standard output (default: under its title, here)'),
    new Option('--revision <id>', 'an older content: hla drive log lists them'),
    new Option(
      '--as <format>',
      'write a converted table or text so (default: csv, or txt); hla drive put --convert makes them',
    ).choices(EXPORT_FORMATS),
    new Option(
      '--reduce <methods>',
      'reduce the typings of a converted table, with commas between',
    ).argParser(commaList),
    quietOption(),
  ]
}

export function putOptions(): Option[] {
  return [
    new Option('-p, --parents', 'make the folders that are not there'),
    new Option('--new', 'refuse where there is a file of that name, instead of adding a revision to it'),
    new Option('--type <type>', 'media type (default: by the end of the name)'),
    new Option('--convert', 'keep it as a table (CSV, TSV, XLSX) or a text: hla drive get --as exports it'),
    quietOption(),
    new Option('--json', 'print JSON'),
  ]
}

export function removeOptions(): Option[] {
  return [
    new Option('-R, --recursive', 'folders too, with all that is in them'),
    new Option('--forever', 'at once and for ever, instead of into the trash'),
  ]
}

export function shareOptions(): Option[] {
  return [
    new Option(
      '--with <who>',
      'an e-mail address, group:ADDRESS, domain:NAME or anyone (repeatable)',
    ).argParser(collect),
    new Option('--role <role>', 'what they may do').choices(ROLES).default('reader'),
    new Option('--expires <time>', 'for so long: 12h (default: until it is taken back)').argParser(duration),
    new Option('--remove <who>', 'no longer with them (repeatable)').argParser(collect),
  ]
}

function quietOption(): Option {
  return new Option('-q, --quiet', 'no progress')
}

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
    new Option('--in <folder>', 'only files directly in this folder'),
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

export interface RuleOptions extends DriveFlags {
  readonly to?: string
  readonly method?: string
  /** Release of the rule; the name `release` belongs to the global `-r`. */
  readonly ruleRelease?: string
  readonly name?: string
  readonly match?: string
  readonly existing?: boolean
  readonly recursive?: boolean
  readonly json?: boolean
}

export function ruleOptions(): Option[] {
  return [
    new Option('-m, --method <name>', 'what typings are reduced to (default lgx)'),
    new Option(
      '--rule-release <release>',
      'by which release (default: the one that is active on the server)',
    ),
    new Option('--to <folder>', 'where the results go (default: beside the tables)'),
    new Option('--name <template>', 'names of the results (default {stem}.lgx{suffix}, with the method)'),
    new Option('--match <glob>', 'only files with such a name (default: tables, and what holds typings)'),
    new Option('--existing', 'also what is in the folder already'),
    new Option('-R, --recursive', 'also in the folders below; each result goes beside its table'),
  ]
}
