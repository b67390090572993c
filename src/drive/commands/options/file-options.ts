/** Options of the commands for files of a store. */
import { collect, commaList, duration, listInPlaceOf, wholeNumber } from '../../../cli/options/parsers.ts'
import type { OptionRow, OptionsOf } from '../../../options/option-row.ts'
import { ROLES } from '../../client/permissions.ts'
import { DRIVE_CONNECTION } from './connection-options.ts'

/** Export formats of documents, by file ending. */
const EXPORT_FORMATS = ['csv', 'tsv', 'xlsx', 'jsonl', 'txt'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Default of `--scopes`: full access. */
const ALL_SCOPES: readonly string[] = ['drive', 'drive.apps.readonly']

export const CONNECTION = [
  ...DRIVE_CONNECTION,
  { name: 'retries', value: 'n', reading: wholeNumber, help: 'repeated attempts (default 4; put and get wait 60s for a restart)' },
  { name: 'timeout', value: 'time', reading: duration, help: 'time limit of an answer (default 30s)' },
  { name: 'connect-timeout', value: 'time', reading: duration, help: 'time limit of a connection (default 5s)' },
] as const satisfies readonly OptionRow[] // prettier-ignore

export const JSON_OUTPUT = { name: 'json', help: 'print JSON' } as const
const QUIET = { name: 'quiet', short: 'q', help: 'no progress' } as const
const RECURSIVE = { name: 'recursive', short: 'R', help: 'include folders and their contents' } as const
export const SCOPES = { name: 'scopes', value: 'list', reading: listInPlaceOf(ALL_SCOPES), default: ALL_SCOPES, defaultText: 'drive,drive.apps.readonly: everything' } as const // prettier-ignore

export const LOGIN = [
  { ...SCOPES, help: 'scopes that hla asks for: drive, drive.readonly, …' },
  { name: 'refresh-file', value: 'file', help: 'file with a refresh token, for unattended programs; hla drive token create --refresh makes one' },
  ...CONNECTION,
] as const satisfies readonly OptionRow[] // prettier-ignore
export type LoginOptions = OptionsOf<typeof LOGIN>

export const LIST = [
  { name: 'long', short: 'l', help: 'with id, size, date and last editor' },
  JSON_OUTPUT,
  ...CONNECTION,
] as const
export type ListOptions = OptionsOf<typeof LIST>

export const GET = [
  { name: 'output', short: 'o', value: 'file', help: 'output file; - is standard output (default: its title, in this folder)' },
  { name: 'revision', value: 'id', help: 'an older revision, as hla drive log lists them' },
  { name: 'as', value: 'format', choices: EXPORT_FORMATS, help: 'format of a converted table or text (default: csv, or txt); hla drive put --convert makes such files' },
  { name: 'reduce', value: 'methods', reading: commaList, help: 'methods that reduce the typings of a converted table, separated by commas' },
  QUIET,
  ...CONNECTION,
] as const satisfies readonly OptionRow[] // prettier-ignore
export type GetOptions = OptionsOf<typeof GET>

export const PUT = [
  { name: 'parents', short: 'p', help: 'create missing folders' },
  { name: 'new', help: 'refuse if the file exists, instead of adding a revision' },
  { name: 'type', value: 'type', help: 'media type (default: by the extension)' },
  {
    name: 'convert',
    help: 'convert to a table (from CSV, TSV, XLSX) or a text; hla drive get --as exports it',
  },
  QUIET,
  JSON_OUTPUT,
  ...CONNECTION,
] as const satisfies readonly OptionRow[]
export type PutOptions = OptionsOf<typeof PUT>

export const REMOVE = [
  RECURSIVE,
  { name: 'forever', help: 'delete permanently instead of moving to the trash' },
  ...CONNECTION,
] as const satisfies readonly OptionRow[]
export type RemoveOptions = OptionsOf<typeof REMOVE>

export const COPY = [
  RECURSIVE,
  { name: 'convert', help: 'convert the copy to a table (from CSV, TSV, XLSX) or a text' },
  ...CONNECTION,
] as const satisfies readonly OptionRow[]
export type CopyOptions = OptionsOf<typeof COPY>

export const MAKE_FOLDER = [
  { name: 'parents', short: 'p', help: 'create missing parent folders; existing folders are no error' },
  ...CONNECTION,
] as const satisfies readonly OptionRow[]
export type MakeFolderOptions = OptionsOf<typeof MAKE_FOLDER>

export const SEARCH = [
  {
    name: 'query',
    value: 'q',
    help: "condition in the store's search language: modifiedDate > '2026-01-01'",
  },
  { name: 'in', value: 'folder', help: 'only files directly in this folder' },
  ...LIST,
] as const satisfies readonly OptionRow[]
export type SearchOptions = OptionsOf<typeof SEARCH>

export const SYNC = [
  { name: 'dry-run', help: 'only print the planned actions' },
  { name: 'delete-all', help: 'allow deleting everything if one side is empty' },
  JSON_OUTPUT,
  QUIET,
  ...CONNECTION,
] as const satisfies readonly OptionRow[]
export type SyncOptions = OptionsOf<typeof SYNC>

export const LOG = [
  { name: 'reads', help: 'who opened, downloaded, shared and changed it, in place of its revisions' },
  JSON_OUTPUT,
  ...CONNECTION,
] as const satisfies readonly OptionRow[]
export type LogOptions = OptionsOf<typeof LOG>

/** `--expires` is a time from now, in ms; `--link` makes a link of its own. */
export const SHARE = [
  { name: 'with', value: 'who', reading: collect, help: 'an e-mail address, group:ADDRESS, domain:NAME or anyone (repeatable)' },
  { name: 'role', value: 'role', choices: ROLES, help: 'role to give', default: 'reader' },
  { name: 'expires', value: 'time', reading: duration, help: 'lifetime: 12h (default: until removed)' },
  { name: 'link', help: 'create a link that opens without an account, and print its address' },
  { name: 'password-file', value: 'file', help: 'with --link: file with its password (12 characters or more); - is standard input' },
  { name: 'downloads', value: 'n', reading: wholeNumber, help: 'with --link: number of downloads that it allows' },
  { name: 'remove', value: 'who', reading: collect, help: 'stop sharing with this grantee or link-… (repeatable)' },
  JSON_OUTPUT,
  ...CONNECTION,
] as const satisfies readonly OptionRow[] // prettier-ignore
export type ShareOptions = OptionsOf<typeof SHARE>

export const LINK_LIST = [
  { name: 'all', help: 'links of all users, for administrators' },
  JSON_OUTPUT,
  ...CONNECTION,
] as const satisfies readonly OptionRow[]
export type LinkListOptions = OptionsOf<typeof LINK_LIST>

/** `--rule-release`, since the name `release` belongs to the global `-r`. */
export const RULE = [
  { name: 'method', short: 'm', value: 'name', help: 'method that reduces the typings (default lgx)' },
  { name: 'rule-release', value: 'release', help: 'release for the reduction (default: the active one of the server)' },
  { name: 'to', value: 'folder', help: 'folder of the results (default: beside the tables)' },
  { name: 'match', value: 'glob', help: 'only files whose name matches (default: tables and files with typings)' },
  { name: 'existing', help: 'also convert files that are already in the folder' },
  { name: 'recursive', short: 'R', help: 'include subfolders; each result goes beside its table' },
  JSON_OUTPUT,
  ...CONNECTION,
] as const satisfies readonly OptionRow[] // prettier-ignore
export type RuleOptions = OptionsOf<typeof RULE>
