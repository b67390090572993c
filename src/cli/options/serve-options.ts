/** Options of both servers, with the same wording, and those of `hla serve`. */
import { InvalidArgumentError } from 'commander'
import { SERVICE_LIMIT } from '../../engine/options.ts'
import type { OptionRow, OptionsOf } from '../../options/option-row.ts'
import { RELEASE } from '../../options/question-options.ts'
import { DATA_DIR } from './options.ts'
import { commaList, duration, hostName, portNumber, size, wholeNumber } from './parsers.ts'

export const HOST = { name: 'host', value: 'address', reading: hostName, help: 'address to listen on; 0.0.0.0 means all', env: 'HLA_HOST', default: '127.0.0.1' } as const // prettier-ignore
export const PORT = { name: 'port', value: 'n', reading: portNumber, help: 'port to listen on; 0 means any free port', env: 'HLA_PORT' } as const // prettier-ignore
export const IDLE_TIMEOUT = { name: 'idle-timeout', value: 'time', reading: duration, help: 'close idle connections after this time', default: 60_000, defaultText: '60s' } as const // prettier-ignore

export const DRAIN_OPTIONS = [
  { name: 'drain-delay', value: 'time', reading: duration, help: 'at SIGTERM: report not ready, but keep answering, for this time', default: 0, defaultText: '0s' },
  { name: 'drain-timeout', value: 'time', reading: duration, help: 'at SIGTERM: abort requests that take longer than this', default: 30_000, defaultText: '30s' },
] as const satisfies readonly OptionRow[] // prettier-ignore

export const CERTIFICATE_OPTIONS = [
  { name: 'tls-cert', value: 'file', help: 'certificate for HTTPS (PEM)' },
  { name: 'tls-key', value: 'file', help: 'private key of the certificate (PEM)' },
] as const satisfies readonly OptionRow[]

/** Options of `hla serve`. */
export const SERVE_OPTIONS = [
  HOST,
  { ...PORT, default: 8080 },
  RELEASE,
  { ...DATA_DIR, help: 'folder of the installed releases' },
  { name: 'workers', value: 'n', reading: workerNumber, help: 'number of processes', default: 1 },
  { name: 'access-log', value: 'where', help: 'where to log each request as a line of JSON: a file, - or off', default: '-' },
  { name: 'log-inputs', help: 'log the inputs as well; typings are patient data' },
  { name: 'quiet', short: 'q', help: 'print nothing at start' },
  { name: 'max-body', value: 'size', reading: size, help: 'maximum size of a body and of a line of a batch', default: 1024 ** 2, defaultText: '1MiB' },
  { name: 'max-table', value: 'size', reading: size, help: 'maximum size of a table, unpacked; 0 refuses all tables', default: 32 * 1024 ** 2, defaultText: '32MiB' },
  { name: 'max-table-time', value: 'time', reading: duration, help: 'time limit of a conversion, waiting not counted; 0: no limit', default: 60_000, defaultText: '1m' },
  { name: 'max-alleles', value: 'n', reading: wholeNumber, help: 'maximum names in an input or answer; a request may lower it', default: SERVICE_LIMIT },
  { name: 'request-timeout', value: 'time', reading: duration, help: 'time allowed to receive a request', default: 10_000, defaultText: '10s' },
  IDLE_TIMEOUT,
  { name: 'rate-limit', value: 'n', reading: wholeNumber, help: 'maximum requests, and lines of batches, per second per address; 0 means no limit', default: 0 },
  ...DRAIN_OPTIONS,
  { name: 'cors', value: 'origins', reading: commaList, help: 'origins whose pages may send requests, separated by commas; * means any', default: [], defaultText: 'none' },
  { name: 'token-file', value: 'file', help: 'file of bearer tokens, one per line; each request needs one of them', env: 'HLA_TOKEN_FILE' },
  ...CERTIFICATE_OPTIONS,
  { name: 'trust-proxy', help: 'trust the X-Forwarded-For header of the proxy in front' },
] as const satisfies readonly OptionRow[] // prettier-ignore

/** Values as commander parses them. */
export type ServeOptions = OptionsOf<typeof SERVE_OPTIONS>

function workerNumber(text: string): number {
  const workers = wholeNumber(text)
  if (workers < 1 || workers > 256) throw new InvalidArgumentError('It must be 1 to 256.')
  return workers
}
