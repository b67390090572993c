/** Options of `hla serve`. */
import { type Command, InvalidArgumentError } from 'commander'
import { SERVICE_LIMIT } from '../../../engine/options.ts'
import type { OptionRow, OptionsOf } from '../../../options/option-row.ts'
import { addExamples } from '../help.ts'
import { optionOf } from '../option-of.ts'
import { RELEASE } from '../../../options/question-options.ts'
import { DATA_DIR } from '../options.ts'
import { commaList, duration, size, wholeNumber } from '../parsers.ts'
import { CERTIFICATE_OPTIONS, DRAIN_OPTIONS, HOST, IDLE_TIMEOUT, PORT } from '../server-options.ts'

const SERVE_OPTIONS = [
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

export type ServeOptions = OptionsOf<typeof SERVE_OPTIONS>

export function declareServe(command: Command): void {
  for (const row of SERVE_OPTIONS) command.addOption(optionOf(row))
  // without output: the service runs until it is stopped
  addExamples(command, [
    'hla serve --port 8080',
    'hla serve --port 8080 --release 3.58.0 --max-table 64MiB',
    'hla serve --port 8080 --workers 2 --access-log off --rate-limit 100',
  ])
}

function workerNumber(text: string): number {
  const workers = wholeNumber(text)
  if (workers < 1 || workers > 256) throw new InvalidArgumentError('It must be 1 to 256.')
  return workers
}
