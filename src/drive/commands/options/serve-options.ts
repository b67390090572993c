/** Options of `hla drive serve`, and the folder of a store. */
import { InvalidArgumentError } from 'commander'
import { DATA_DIR } from '../../../cli/options/options.ts'
import { duration, size, wholeNumber } from '../../../cli/options/parsers.ts'
import {
  CERTIFICATE_OPTIONS,
  DRAIN_OPTIONS,
  HOST,
  IDLE_TIMEOUT,
  PORT,
} from '../../../cli/options/serve-options.ts'
import type { OptionRow, OptionsOf } from '../../../options/option-row.ts'
import { RELEASE } from '../../../options/question-options.ts'
import { OPENID } from './openid-options.ts'

export const DATA = { name: 'data', value: 'folder', help: 'folder of the store', env: 'HLA_DRIVE', default: 'hla-drive' } as const // prettier-ignore
export const DAY_MS = 86_400_000

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
  { name: 'most-revisions', value: 'n', reading: numberOrAll, help: 'maximum replaced revisions per file; 0: no limit', default: 100 },
  { name: 'allow-local-notifications', help: 'allow push channels to this machine, without TLS, for tests and local programs' },
  ...OPENID,
  { name: 'accept-clock', help: 'start although the clock is far ahead of the latest change' },
  ...DRAIN_OPTIONS,
  ...CERTIFICATE_OPTIONS,
  { name: 'quiet', short: 'q', help: 'print nothing at start' },
] as const satisfies readonly OptionRow[] // prettier-ignore

/** Values as commander parses them. */
export type ServeOptions = OptionsOf<typeof SERVE>

/** Time in ms; undefined for `off`. */
function timeOrOff(text: string): number | undefined {
  if (text === 'off') return undefined
  const time = duration(text)
  if (time > 0) return time
  throw new InvalidArgumentError('It must be a time such as 12h or 30d, or off.')
}

/** Undefined for 0. */
function numberOrAll(text: string): number | undefined {
  const most = wholeNumber(text)
  return most === 0 ? undefined : most
}

/** Address without trailing slashes. */
function parseBase(text: string): string {
  return text.replace(/\/+$/, '')
}
