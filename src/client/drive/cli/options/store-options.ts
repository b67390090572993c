/** Options of `hla drive`. */
import { InvalidArgumentError, Option } from 'commander'
import { optionOf } from '../../../../cli/options/option-of.ts'
import {
  collect,
  commaList,
  duration,
  listInPlaceOf,
  size,
  wholeNumber,
} from '../../../../cli/options/parsers.ts'
import { ALL_SCOPES } from './file-options.ts'
import { type OpenIdFlags, openIdOptions } from './openid-options.ts'
import {
  CERTIFICATE_OPTIONS,
  DRAIN_OPTIONS,
  HOST,
  IDLE_TIMEOUT,
  PORT,
} from '../../../../cli/options/server-options.ts'

export interface ServeOptions extends OpenIdFlags {
  readonly data: string
  /** undefined for a store on this machine only. */
  readonly database?: string
  /** Address of the contents of a shared store. */
  readonly contents?: string
  /** Time in ms. */
  readonly readWhileAway: number
  readonly host: string
  readonly port: number
  readonly publicUrl?: string
  readonly trustProxy?: boolean
  readonly owner: string
  readonly accessLog: string
  /** Commander's name of `--no-query-token`. */
  readonly queryToken: boolean
  readonly maxUpload: number
  /** Release for reducing exported tables. */
  readonly release: string
  readonly dataDir?: string
  readonly idleTimeout: number
  readonly rateLimit: number
  /** Time in ms; undefined keeps trashed files. */
  readonly keepTrash?: number
  /** Time in ms; undefined keeps all revisions. */
  readonly keepRevisions?: number
  /** 0 means any number. */
  readonly mostRevisions: number
  readonly drainDelay: number
  readonly drainTimeout: number
  readonly tlsCert?: string
  readonly tlsKey?: string
  /** Commander's name of `--allow-local-notifications`. */
  readonly allowLocalNotifications?: boolean
  readonly acceptClock?: boolean
  readonly quiet?: boolean
}

export function dataOption(): Option {
  return new Option('--data <folder>', 'folder of the store').env('HLA_DRIVE').default('hla-drive')
}

export function serveOptions(): Option[] {
  return [
    optionOf(HOST),
    optionOf({ ...PORT, default: 8090 }),
    databaseOption(
      'PostgreSQL database of a store that several servers share (postgres://…); --data then holds a copy for this server',
    ),
    contentsOption(
      'with --database: shared place of the contents, a folder or s3://bucket/prefix (AWS_ENDPOINT_URL_S3, AWS_REGION and the usual AWS keys)',
    ),
    awayOption(),
    new Option('--public-url <url>', 'base address of links (default: the address of the request)').argParser(
      parseBase,
    ),
    new Option('--trust-proxy', 'trust the X-Forwarded headers of the proxy in front'),
    new Option('--owner <email>', 'owner of a new store').default('owner@localhost'),
    new Option(
      '--access-log <where>',
      'where to log each request as a line of JSON: a file, - or off',
    ).default('-'),
    new Option('--no-query-token', 'refuse tokens in addresses, which end up in logs and browser histories'),
    new Option('--max-upload <size>', 'maximum size of a content')
      .argParser(size)
      .default(5 * 1024 ** 4, '5TiB'),
    new Option(
      '-r, --release <rel>',
      'IPD-IMGT/HLA release for exported tables and for rules without a release',
    )
      .env('HLA_RELEASE')
      .default('active'),
    new Option('--data-dir <dir>', 'folder of the installed releases').env('HLA_DATA_DIR'),
    optionOf(IDLE_TIMEOUT),
    new Option('--rate-limit <n>', 'maximum requests per second per user; 0 means no limit')
      .argParser(wholeNumber)
      .default(0),
    ...retentionOptions(),
    new Option(
      '--allow-local-notifications',
      'allow push channels to this machine, without TLS, for tests and local programs',
    ),
    ...openIdOptions(),
    new Option('--accept-clock', 'start although the clock is far ahead of the latest change'),
    ...DRAIN_OPTIONS.map(optionOf),
    ...CERTIFICATE_OPTIONS.map(optionOf),
    new Option('-q, --quiet', 'print nothing at start'),
  ]
}

function retentionOptions(): Option[] {
  return [
    new Option('--keep-trash <time>', 'delete trashed files after this time; off: never')
      .argParser(timeOrOff)
      .default(30 * 86_400_000, '30d'),
    new Option('--keep-revisions <time>', 'delete replaced revisions after this time; off: never')
      .argParser(timeOrOff)
      .default(30 * 86_400_000, '30d'),
    new Option('--most-revisions <n>', 'maximum replaced revisions per file; 0: no limit')
      .argParser(wholeNumber)
      .default(100),
  ]
}

/** Options for a new or existing user. */
export function userOptions(which: 'new' | 'known'): Option[] {
  const name = new Option('--name <name>', 'display name of the user')
  return [
    name,
    new Option('--quota <size>', 'storage limit of the user; 0 means no limit').argParser(size),
    new Option('--admin', 'make the user an administrator'),
    new Option(
      '--password-file <file>',
      'file with the sign-in password; - reads standard input or asks at a terminal',
    ),
    ...(which === 'known'
      ? [
          new Option('--no-admin', 'take administrator rights from the user'),
          new Option('--no-password', 'remove the password and sign the user out'),
          ...switchOptions(),
        ]
      : []),
    jsonOption(),
  ]
}

/** Options to enable or disable a user or group. */
export function switchOptions(): Option[] {
  return [
    new Option(
      '--disable',
      'disable the user: tokens, channels and uploads end at once, everything else stays',
    ),
    new Option('--enable', 'enable the user again'),
  ]
}

/** Options for removing a user. */
export function removalOptions(): Option[] {
  return [
    new Option(
      '--give-to <email>',
      'the user who gets the files, and the shared drives that have no other organizer',
    ),
    new Option('--delete-files', 'delete the files of the user'),
  ]
}

/** Options for an existing group. */
export function groupOptions(): Option[] {
  return [
    nameOption(),
    ...switchOptions(),
    new Option('--add <list>', 'members to add').argParser(commaList),
    new Option('--remove <list>', 'members to remove').argParser(commaList),
    jsonOption(),
  ]
}

export function nameOption(): Option {
  return new Option('--name <name>', 'display name')
}

export function tokenOptions(): Option[] {
  return [
    new Option('--user <email>', 'owner of the key').makeOptionMandatory(),
    new Option('--scopes <list>', 'what the token allows: drive, drive.readonly, drive.file, …')
      .argParser(listInPlaceOf(ALL_SCOPES))
      .default(ALL_SCOPES, 'drive,drive.apps.readonly: everything'),
    new Option('--client <id>', 'program that uses the token (default: hla)'),
    new Option('--expires <time>', 'lifetime: 30m, 12h (default: until revoked)').argParser(duration),
    new Option('--label <text>', 'a note on its purpose'),
    new Option('--refresh', 'create a refresh token, which programs exchange for access tokens at /token'),
  ]
}

export function accountOptions(): Option[] {
  return [urlOption(), new Option('--impersonate', 'the key may request tokens of other users')]
}

export function urlOption(): Option {
  return new Option('--url <url>', 'address of the service, written into the credentials').default(
    'http://127.0.0.1:8090',
  )
}

export function clientOptions(): Option[] {
  return [
    nameOption(),
    new Option('--app <file>', 'JSON file with members of the resource drive#app: its types and addresses'),
    new Option(
      '--redirect <url>',
      'redirect URI of the program after sign-in (repeatable); http://localhost allows any port',
    ).argParser(collect),
    jsonOption(),
  ]
}

export function jsonOption(): Option {
  return new Option('--json', 'print JSON')
}

export function deepOption(): Option {
  return new Option('--deep', 'read every byte of the contents')
}

export function fromOption(): Option {
  return new Option('--from <backup>', 'with --repair: restore lost contents from this backup')
}

export function repairOption(): Option {
  return new Option('--repair', 'repair what can be repaired; stop the service first')
}

export function copyOption(): Option {
  return new Option('--copy', 'copy contents instead of linking to the same file')
}

export function graceOption(): Option {
  return new Option('--grace <time>', 'keep contents younger than this; at least 1h while a service runs')
    .argParser(duration)
    .default(86_400_000, '24h')
}

/** Time in ms; undefined for `off`. */
function timeOrOff(text: string): number | undefined {
  if (text === 'off') return undefined
  const time = duration(text)
  if (time > 0) return time
  throw new InvalidArgumentError('It must be a time such as 12h or 30d, or off.')
}

/** Address without trailing slashes. */
function parseBase(text: string): string {
  return text.replace(/\/+$/, '')
}

export function databaseOption(meaning: string): Option {
  return new Option('--database <url>', meaning).env('HLA_DRIVE_DATABASE')
}

export function contentsOption(meaning: string): Option {
  return new Option('--contents <place>', meaning).env('HLA_DRIVE_CONTENTS')
}

function awayOption(): Option {
  return new Option(
    '--read-while-away <time>',
    'with --database: time to go on answering reads from the last known state, with its age, while the database cannot be reached; 0s: refuse them',
  )
    .argParser(duration)
    .default(0, '0s')
}

export function copyOptions(): Option[] {
  return [
    new Option(
      '--from <store>',
      'a folder, or a database (postgres://…); stop every service that uses it first',
    ).makeOptionMandatory(),
    new Option(
      '--to <store>',
      'the other kind of store; it must be empty or an interrupted copy',
    ).makeOptionMandatory(),
    contentsOption('shared place of the contents of a store with a database'),
    new Option('--json', 'print JSON'),
  ]
}
