/** Options of `hla drive`. */
import { InvalidArgumentError, Option } from 'commander'
import { collect, commaList, listInPlaceOf, wholeNumber } from '../../../../cli/options/options.ts'
import { ALL_SCOPES } from './file-options.ts'
import { duration, size } from '../../../../cli/options/quantities.ts'
import { type OpenIdFlags, openIdOptions } from './openid-options.ts'
import {
  certificateOptions,
  drainOptions,
  idleOption,
  listenOptions,
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
  return new Option('--data <folder>', 'where the store is').env('HLA_DRIVE').default('hla-drive')
}

export function serveOptions(): Option[] {
  return [
    ...listenOptions(8090),
    databaseOption(
      'PostgreSQL, by which several servers share the store (postgres://…); --data is a copy of this server alone',
    ),
    contentsOption(
      'with --database: where its servers share the contents, a folder or s3://bucket/prefix (AWS_ENDPOINT_URL_S3, AWS_REGION and keys as other clients of S3 take them)',
    ),
    awayOption(),
    new Option('--public-url <url>', 'address in links (default: the one a request came to)').argParser(
      parseBase,
    ),
    new Option('--trust-proxy', 'believe the X-Forwarded headers of a proxy in front'),
    new Option('--owner <email>', 'owner of a new store').default('owner@localhost'),
    new Option('--access-log <where>', 'a line of JSON for every request: a file, - or off').default('-'),
    new Option('--no-query-token', 'refuse tokens in addresses: logs and histories keep those'),
    new Option('--max-upload <size>', 'largest content').argParser(size).default(5 * 1024 ** 4, '5TiB'),
    new Option(
      '-r, --release <rel>',
      'IPD-IMGT/HLA release for exported tables and for rules without a release',
    )
      .env('HLA_RELEASE')
      .default('active'),
    new Option('--data-dir <dir>', 'folder in which releases are installed').env('HLA_DATA_DIR'),
    idleOption(),
    new Option('--rate-limit <n>', 'maximum requests per second per user; 0 means no limit')
      .argParser(wholeNumber)
      .default(0),
    new Option('--keep-trash <time>', 'what is trashed is deleted after so long; off is never')
      .argParser(timeOrOff)
      .default(30 * 86_400_000, '30d'),
    new Option('--keep-revisions <time>', 'those that are replaced are deleted after so long; off is never')
      .argParser(timeOrOff)
      .default(30 * 86_400_000, '30d'),
    new Option(
      '--most-revisions <n>',
      'maximum revisions per file, besides the head and kept ones; 0 means no limit',
    )
      .argParser(wholeNumber)
      .default(100),
    new Option(
      '--allow-local-notifications',
      'push channels may lead to this machine, and there without TLS: for trials and for programs beside it',
    ),
    ...openIdOptions(),
    new Option('--accept-clock', 'the clock is right, though it is far ahead of the latest change'),
    ...drainOptions(),
    ...certificateOptions(),
    new Option('-q, --quiet', 'say nothing at the start'),
  ]
}

/** Options for a new or existing user. */
export function userOptions(which: 'new' | 'known'): Option[] {
  const name = new Option('--name <name>', 'what people call the user')
  return [
    name,
    new Option('--quota <size>', 'storage limit of the user; 0 means no limit').argParser(size),
    new Option('--admin', 'may administer'),
    new Option(
      '--password-file <file>',
      'a file with the password to sign in with; - is standard input, asked for at a terminal',
    ),
    ...(which === 'known'
      ? [
          new Option('--no-admin', 'may not'),
          new Option('--no-password', 'remove the password and sign the user out'),
          ...switchOptions(),
        ]
      : []),
    jsonOption(),
  ]
}

/** Options to enable or disable an item. */
export function switchOptions(): Option[] {
  return [
    new Option('--disable', 'out of use: its tokens, channels and uploads end at once; all else stays'),
    new Option('--enable', 'in use again'),
  ]
}

/** Options for removing a user. */
export function removalOptions(): Option[] {
  return [
    new Option(
      '--give-to <email>',
      'the user who gets the files and the shared drives without another organizer',
    ),
    new Option('--delete-files', 'the files go, too'),
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
  return new Option('--name <name>', 'what people call it')
}

export function tokenOptions(): Option[] {
  return [
    new Option('--user <email>', 'owner of the key').makeOptionMandatory(),
    new Option('--scopes <list>', 'what it opens: drive, drive.readonly, drive.file, …')
      .argParser(listInPlaceOf(ALL_SCOPES))
      .default(ALL_SCOPES, 'drive,drive.apps.readonly: everything'),
    new Option('--client <id>', 'the program it is for (default: hla)'),
    new Option('--expires <time>', 'good for so long: 30m, 12h (default: until it is revoked)').argParser(
      duration,
    ),
    new Option('--label <text>', 'what it is for'),
    new Option('--refresh', 'a refresh token: programs get access tokens for it at /token'),
  ]
}

export function accountOptions(): Option[] {
  return [urlOption(), new Option('--impersonate', 'may ask for tokens of other users')]
}

export function urlOption(): Option {
  return new Option('--url <url>', 'address of the service, for the credentials').default(
    'http://127.0.0.1:8090',
  )
}

export function clientOptions(): Option[] {
  return [
    nameOption(),
    new Option('--app <file>', 'JSON of what it opens and where it is: members of the resource drive#app'),
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
  return new Option('--from <backup>', 'with --repair: take lost contents from this backup')
}

export function repairOption(): Option {
  return new Option('--repair', 'mend what can be mended; the service must not run')
}

export function copyOption(): Option {
  return new Option('--copy', 'copy contents even where a link to the same file would do')
}

export function graceOption(): Option {
  return new Option('--grace <time>', 'leave what is younger; 1h or more while a service is at work')
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
    'with --database: while it is out of reach, read for so long what was last known, with its age in each answer; 0s: nothing is answered',
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
      'the other of the two, empty, or a copy that was cut off',
    ).makeOptionMandatory(),
    contentsOption('where servers of the database have the contents'),
    new Option('--json', 'print JSON'),
  ]
}
