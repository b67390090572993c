/** Options of the commands that run and administer a store. */
import { InvalidArgumentError } from 'commander'
import { DATA_DIR } from '../../../cli/options/options.ts'
import { collect, commaList, duration, size, wholeNumber } from '../../../cli/options/parsers.ts'
import {
  CERTIFICATE_OPTIONS,
  DRAIN_OPTIONS,
  HOST,
  IDLE_TIMEOUT,
  PORT,
} from '../../../cli/options/server-options.ts'
import type { OptionRow, OptionsOf } from '../../../options/option-row.ts'
import { RELEASE } from '../../../options/question-options.ts'
import { JSON_OUTPUT, SCOPES } from './file-options.ts'
import { OPENID } from './openid-options.ts'

export const DATA = { name: 'data', value: 'folder', help: 'folder of the store', env: 'HLA_DRIVE', default: 'hla-drive' } as const // prettier-ignore
const NAME = { name: 'name', value: 'name', help: 'display name' } as const
const DAY_MS = 86_400_000

/** Options of `hla drive serve`. */
export const SERVE = [
  DATA,
  HOST,
  { ...PORT, default: 8090 },
  { name: 'contents', value: 'bucket', env: 'HLA_DRIVE_CONTENTS', help: 'keep the contents of a new store in a bucket: s3://bucket/prefix (AWS_ENDPOINT_URL_S3, AWS_REGION and the usual AWS keys)' },
  { name: 'public-url', value: 'url', reading: parseBase, help: 'base address of links (default: the address of the request)' },
  { name: 'trust-proxy', help: 'trust the X-Forwarded headers of the proxy in front' },
  { name: 'owner', value: 'email', help: 'owner of a new store', default: 'owner@localhost' },
  { name: 'access-log', value: 'where', help: 'where to log each request as a line of JSON: a file, - or off', default: '-' },
  { name: 'no-query-token', help: 'refuse tokens in addresses, which end up in logs and browser histories' },
  { name: 'max-upload', value: 'size', reading: size, help: 'maximum size of a content', default: 5 * 1024 ** 4, defaultText: '5TiB' },
  { ...RELEASE, help: 'IPD-IMGT/HLA release for exported tables and for rules without a release' },
  { ...DATA_DIR, help: 'folder of the installed releases' },
  IDLE_TIMEOUT,
  { name: 'rate-limit', value: 'n', reading: wholeNumber, help: 'maximum requests per second per user; 0 means no limit', default: 0 },
  { name: 'keep-trash', value: 'time', reading: timeOrOff, help: 'delete trashed files after this time; off: never', default: 30 * DAY_MS, defaultText: '30d' },
  { name: 'keep-revisions', value: 'time', reading: timeOrOff, help: 'delete replaced revisions after this time; off: never', default: 30 * DAY_MS, defaultText: '30d' },
  { name: 'most-revisions', value: 'n', reading: wholeNumber, help: 'maximum replaced revisions per file; 0: no limit', default: 100 },
  { name: 'allow-local-notifications', help: 'allow push channels to this machine, without TLS, for tests and local programs' },
  ...OPENID,
  { name: 'accept-clock', help: 'start although the clock is far ahead of the latest change' },
  ...DRAIN_OPTIONS,
  ...CERTIFICATE_OPTIONS,
  { name: 'quiet', short: 'q', help: 'print nothing at start' },
] as const satisfies readonly OptionRow[] // prettier-ignore

/** Values as commander parses them. */
export type ServeOptions = OptionsOf<typeof SERVE>

/** Disables or enables a user, a group, a program or a key. */
export const SWITCH: readonly OptionRow[] = [
  {
    name: 'disable',
    help: 'disable the user: tokens, channels and uploads end at once, everything else stays',
  },
  { name: 'enable', help: 'enable the user again' },
]

const USER: readonly OptionRow[] = [
  { ...NAME, help: 'display name of the user' },
  { name: 'quota', value: 'size', reading: size, help: 'storage limit of the user; 0 means no limit' },
  { name: 'admin', help: 'make the user an administrator' },
  { name: 'password-file', value: 'file', help: 'file with the sign-in password; - reads standard input or asks at a terminal' },
] // prettier-ignore
export const NEW_USER: readonly OptionRow[] = [DATA, ...USER, JSON_OUTPUT]
export const KNOWN_USER: readonly OptionRow[] = [
  DATA,
  ...USER,
  { name: 'no-admin', help: 'take administrator rights from the user' },
  { name: 'no-password', help: 'remove the password and sign the user out' },
  ...SWITCH,
  JSON_OUTPUT,
]

/** Removal of a user or a service account. */
export const REMOVAL: readonly OptionRow[] = [
  DATA,
  { name: 'give-to', value: 'email', help: 'the user who gets the files, and the shared drives that have no other organizer' },
  { name: 'delete-files', help: 'delete the files of the user' },
] // prettier-ignore

export const NEW_GROUP: readonly OptionRow[] = [DATA, { ...NAME, help: 'display name of the group' }, JSON_OUTPUT] // prettier-ignore
export const KNOWN_GROUP: readonly OptionRow[] = [
  DATA,
  NAME,
  ...SWITCH,
  { name: 'add', value: 'list', reading: commaList, help: 'members to add' },
  { name: 'remove', value: 'list', reading: commaList, help: 'members to remove' },
  JSON_OUTPUT,
]

export const TOKEN: readonly OptionRow[] = [
  DATA,
  { name: 'user', value: 'email', help: 'owner of the key', isRequired: true },
  { ...SCOPES, help: 'what the token allows: drive, drive.readonly, drive.file, …' },
  { name: 'client', value: 'id', help: 'program that uses the token (default: hla)' },
  { name: 'expires', value: 'time', reading: duration, help: 'lifetime: 30m, 12h (default: until revoked)' },
  { name: 'label', value: 'text', help: 'a note on its purpose' },
  { name: 'refresh', help: 'create a refresh token, which programs exchange for access tokens at /token' },
]

/** For credentials of a program or a service account. */
export const CREDENTIALS: readonly OptionRow[] = [
  DATA,
  { name: 'url', value: 'url', help: 'address of the service, written into the credentials', default: 'http://127.0.0.1:8090' },
] // prettier-ignore
export const ACCOUNT: readonly OptionRow[] = [
  ...CREDENTIALS,
  { name: 'impersonate', help: 'the key may request tokens of other users' },
]
export const KEY: readonly OptionRow[] = [DATA, NAME, ...SWITCH, JSON_OUTPUT]

export const PROGRAM: readonly OptionRow[] = [
  DATA,
  NAME,
  { name: 'app', value: 'file', help: 'JSON file with members of the resource drive#app: its types and addresses' },
  { name: 'redirect', value: 'url', reading: collect, help: 'redirect URI of the program after sign-in (repeatable); http://localhost allows any port' },
  JSON_OUTPUT,
] // prettier-ignore

export const LABEL: readonly OptionRow[] = [
  DATA,
  { name: 'fields', value: 'file', help: 'JSON of its fields: id, valueType, choices, maxLength, maxValues' },
  { name: 'rename', value: 'id', help: 'new id of the label' },
  { name: 'disable', help: 'files that have the label keep it; no other file can get it' },
  { name: 'enable', help: 'in use again' },
  JSON_OUTPUT,
]

export const CHECK: readonly OptionRow[] = [
  DATA,
  { name: 'deep', help: 'read every byte of the contents' },
  { name: 'repair', help: 'repair what can be repaired; stop the service first' },
  { name: 'from', value: 'backup', help: 'with --repair: restore lost contents from this backup' },
  JSON_OUTPUT,
]
export const GARBAGE: readonly OptionRow[] = [
  DATA,
  { name: 'grace', value: 'time', reading: duration, help: 'keep contents younger than this; at least 1h while a service runs', default: DAY_MS, defaultText: '24h' },
  JSON_OUTPUT,
] // prettier-ignore
export const BACKUP: readonly OptionRow[] = [
  DATA,
  { name: 'copy', help: 'copy contents instead of linking to the same file' },
]
export const RESTORE: readonly OptionRow[] = [
  DATA,
  { name: 'contents', value: 'bucket', help: 'empty bucket for the contents of the new store: s3://bucket/prefix' },
] // prettier-ignore

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
