/** Options of the commands that administer a store and care for it. */
import { collect, commaList, duration, size } from '../../../cli/options/parsers.ts'
import type { OptionRow, OptionsOf } from '../../../options/option-row.ts'
import { JSON_OUTPUT, SCOPES } from './file-options.ts'
import { DATA, DAY_MS } from './serve-options.ts'

export const NAME = { name: 'name', value: 'name', help: 'display name' } as const
export const STORE = [DATA, JSON_OUTPUT] as const
export type StoreOptions = OptionsOf<typeof STORE>

/** Disables or enables a user, a group, a program or a key. */
export const SWITCH = [
  { name: 'disable', help: 'disable the user: tokens, channels and uploads end at once, everything else stays' },
  { name: 'enable', help: 'enable the user again' },
] as const satisfies readonly OptionRow[] // prettier-ignore
export type Switch = OptionsOf<typeof SWITCH>

export const USER = [
  { ...NAME, help: 'display name of the user' },
  { name: 'quota', value: 'size', reading: size, help: 'storage limit of the user; 0 means no limit' },
  { name: 'admin', help: 'make the user an administrator' },
  { name: 'password-file', value: 'file', help: 'file with the sign-in password; - reads standard input or asks at a terminal' },
] as const satisfies readonly OptionRow[] // prettier-ignore

export const CHANGED_USER = [
  DATA,
  ...USER,
  { name: 'no-admin', help: 'take administrator rights from the user' },
  { name: 'no-password', help: 'remove the password and sign the user out' },
  ...SWITCH,
  JSON_OUTPUT,
] as const satisfies readonly OptionRow[]
/** `quota` in bytes, 0 for none; `password` is false for `--no-password`. */
export type UserOptions = OptionsOf<typeof CHANGED_USER>

export const CHANGED_GROUP = [
  DATA,
  NAME,
  ...SWITCH,
  { name: 'add', value: 'list', reading: commaList, help: 'members to add' },
  { name: 'remove', value: 'list', reading: commaList, help: 'members to remove' },
  JSON_OUTPUT,
] as const satisfies readonly OptionRow[]
export type GroupOptions = OptionsOf<typeof CHANGED_GROUP>

export const TOKEN = [
  DATA,
  { name: 'user', value: 'email', help: 'owner of the key', isRequired: true },
  { ...SCOPES, help: 'what the token allows: drive, drive.readonly, drive.file, …' },
  { name: 'client', value: 'id', help: 'program that uses the token (default: hla)' },
  { name: 'expires', value: 'time', reading: duration, help: 'lifetime: 30m, 12h (default: until revoked)' },
  { name: 'label', value: 'text', help: 'a note on its purpose' },
  { name: 'refresh', help: 'create a refresh token, which programs exchange for access tokens at /token' },
] as const satisfies readonly OptionRow[]
/** `expires` in ms. */
export type TokenOptions = OptionsOf<typeof TOKEN>

export const LABEL = [
  DATA,
  { name: 'fields', value: 'file', help: 'JSON of its fields: id, valueType, choices, maxLength, maxValues' },
  { name: 'rename', value: 'id', help: 'new id of the label' },
  { name: 'disable', help: 'files that have the label keep it; no other file can get it' },
  { name: 'enable', help: 'in use again' },
  JSON_OUTPUT,
] as const satisfies readonly OptionRow[]
export type LabelOptions = OptionsOf<typeof LABEL>

/** Removal of a user or a service account. */
export const REMOVAL = [
  DATA,
  { name: 'give-to', value: 'email', help: 'the user who gets the files, and the shared drives that have no other organizer' },
  { name: 'delete-files', help: 'delete the files of the user' },
] as const satisfies readonly OptionRow[] // prettier-ignore
export type RemovalOptions = OptionsOf<typeof REMOVAL>

/** For credentials of a program or a service account. */
export const CREDENTIALS = [
  DATA,
  { name: 'url', value: 'url', help: 'address of the service, written into the credentials', default: 'http://127.0.0.1:8090' },
] as const satisfies readonly OptionRow[] // prettier-ignore
export type CredentialsOptions = OptionsOf<typeof CREDENTIALS>
export const ACCOUNT = [
  ...CREDENTIALS,
  { name: 'impersonate', help: 'the key may request tokens of other users' },
] as const satisfies readonly OptionRow[] // prettier-ignore
export type AccountOptions = OptionsOf<typeof ACCOUNT>
export const PROGRAM = [
  DATA,
  NAME,
  { name: 'app', value: 'file', help: 'JSON file with members of the resource drive#app: its types and addresses' },
  { name: 'redirect', value: 'url', reading: collect, help: 'redirect URI of the program after sign-in (repeatable); http://localhost allows any port' },
  JSON_OUTPUT,
] as const satisfies readonly OptionRow[] // prettier-ignore
export type ProgramOptions = OptionsOf<typeof PROGRAM> & Switch

export const BACKUP = [
  DATA,
  { name: 'copy', help: 'copy contents instead of linking to the same file' },
] as const
export type BackupOptions = OptionsOf<typeof BACKUP>

export const FSCK = [
  DATA,
  { name: 'deep', help: 'read every byte of the contents' },
  { name: 'repair', help: 'repair what can be repaired; stop the service first' },
  { name: 'from', value: 'backup', help: 'with --repair: restore lost contents from this backup' },
  JSON_OUTPUT,
] as const
export type FsckOptions = OptionsOf<typeof FSCK>
export const RESTORATION = [
  DATA,
  { name: 'contents', value: 'bucket', help: 'empty bucket for the contents of the new store: s3://bucket/prefix' },
] as const // prettier-ignore
export type RestorationOptions = OptionsOf<typeof RESTORATION>
export const COLLECTION = [
  DATA,
  { name: 'grace', value: 'time', reading: duration, help: 'keep contents younger than this; at least 1h while a service runs', default: DAY_MS, defaultText: '24h' },
  JSON_OUTPUT,
] as const // prettier-ignore
/** `grace` in ms. */
export type CollectionOptions = OptionsOf<typeof COLLECTION>
