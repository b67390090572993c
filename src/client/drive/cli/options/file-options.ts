/** Options of the commands for files of a store. */
import { Option } from 'commander'
import { DRIVE_CONNECTION, type DriveFlags } from './connection-options.ts'
import { type GrantedRole, ROLES } from '../../permissions.ts'
import { optionOf } from '../../../../cli/options/option-of.ts'
import { collect, commaList, duration, listInPlaceOf, wholeNumber } from '../../../../cli/options/parsers.ts'

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
  /** Makes a link of its own. */
  readonly link?: boolean
  readonly passwordFile?: string
  readonly downloads?: number
  readonly json?: boolean
}

export interface LinkListOptions extends ListOptions {
  readonly all?: boolean
}

export interface LoginOptions extends DriveFlags {
  readonly refreshFile?: string
  readonly scopes: readonly string[]
}

export function connectionOptions(): Option[] {
  return [
    ...DRIVE_CONNECTION.map(optionOf),
    new Option(
      '--retries <n>',
      'repeated attempts (default 4; put and get wait 60s for a restart)',
    ).argParser(wholeNumber),
    new Option('--timeout <time>', 'time limit of an answer (default 30s)').argParser(duration),
    new Option('--connect-timeout <time>', 'time limit of a connection (default 5s)').argParser(duration),
  ]
}

/** Default of `--scopes`: full access. */
export const ALL_SCOPES: readonly string[] = ['drive', 'drive.apps.readonly']

export function loginOptions(): Option[] {
  return [
    new Option('--scopes <list>', 'scopes that hla asks for: drive, drive.readonly, …')
      .argParser(listInPlaceOf(ALL_SCOPES))
      .default(ALL_SCOPES, 'drive,drive.apps.readonly: everything'),
    new Option(
      '--refresh-file <file>',
      'file with a refresh token, for unattended programs; hla drive token create --refresh makes one',
    ),
  ]
}

export function longOption(): Option {
  return new Option('-l, --long', 'with id, size, date and last editor')
}

export function linkListOptions(): Option[] {
  return [new Option('--all', 'links of all users, for administrators'), new Option('--json', 'print JSON')]
}

export function logOptions(): Option[] {
  return [
    new Option('--reads', 'who opened, downloaded, shared and changed it, in place of its revisions'),
    new Option('--json', 'print JSON'),
  ]
}

export function getOptions(): Option[] {
  return [
    new Option(
      '-o, --output <file>',
      'output file; - is standard output (default: its title, in this folder)',
    ),
    new Option('--revision <id>', 'an older revision, as hla drive log lists them'),
    new Option(
      '--as <format>',
      'format of a converted table or text (default: csv, or txt); hla drive put --convert makes such files',
    ).choices(EXPORT_FORMATS),
    new Option(
      '--reduce <methods>',
      'methods that reduce the typings of a converted table, separated by commas',
    ).argParser(commaList),
    quietOption(),
  ]
}

export function putOptions(): Option[] {
  return [
    new Option('-p, --parents', 'create missing folders'),
    new Option('--new', 'refuse if the file exists, instead of adding a revision'),
    new Option('--type <type>', 'media type (default: by the extension)'),
    new Option(
      '--convert',
      'convert to a table (from CSV, TSV, XLSX) or a text; hla drive get --as exports it',
    ),
    quietOption(),
    new Option('--json', 'print JSON'),
  ]
}

export function removeOptions(): Option[] {
  return [
    new Option('-R, --recursive', 'include folders and their contents'),
    new Option('--forever', 'delete permanently instead of moving to the trash'),
  ]
}

export function shareOptions(): Option[] {
  return [
    new Option(
      '--with <who>',
      'an e-mail address, group:ADDRESS, domain:NAME or anyone (repeatable)',
    ).argParser(collect),
    new Option('--role <role>', 'role to give').choices(ROLES).default('reader'),
    new Option('--expires <time>', 'lifetime: 12h (default: until removed)').argParser(duration),
    new Option('--link', 'create a link that opens without an account, and print its address'),
    new Option(
      '--password-file <file>',
      'with --link: file with its password (12 characters or more); - is standard input',
    ),
    new Option('--downloads <n>', 'with --link: number of downloads that it allows').argParser(wholeNumber),
    new Option('--remove <who>', 'stop sharing with this grantee or link-… (repeatable)').argParser(collect),
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
    new Option('-R, --recursive', 'include folders and their contents'),
    new Option('--convert', 'convert the copy to a table (from CSV, TSV, XLSX) or a text'),
  ]
}

export function makeFolderOptions(): Option[] {
  return [new Option('-p, --parents', 'create missing parent folders; existing folders are no error')]
}

export function searchOptions(): Option[] {
  return [
    new Option('--query <q>', "condition in the store's search language: modifiedDate > '2026-01-01'"),
    new Option('--in <folder>', 'only files directly in this folder'),
  ]
}

export function syncOptions(): Option[] {
  return [
    new Option('--dry-run', 'only print the planned actions'),
    new Option('--delete-all', 'allow deleting everything if one side is empty'),
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
    new Option('-m, --method <name>', 'method that reduces the typings (default lgx)'),
    new Option(
      '--rule-release <release>',
      'release for the reduction (default: the active one of the server)',
    ),
    new Option('--to <folder>', 'folder of the results (default: beside the tables)'),
    new Option('--name <template>', 'names of the results (default {stem}.METHOD{suffix})'),
    new Option('--match <glob>', 'only files whose name matches (default: tables and files with typings)'),
    new Option('--existing', 'also convert files that are already in the folder'),
    new Option('-R, --recursive', 'include subfolders; each result goes beside its table'),
  ]
}
