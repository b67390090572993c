/** Options of `hla serve`. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { SERVICE_LIMIT } from '../../../engine/options.ts'
import { addExamples } from '../help.ts'
import { commaList, wholeNumber } from '../options.ts'
import { duration, size } from '../quantities.ts'
import { certificateOptions, drainOptions, idleOption, listenOptions } from '../server-options.ts'

export interface ServeOptions {
  readonly host: string
  readonly port: number
  readonly release: string
  readonly dataDir?: string
  readonly workers: number
  readonly maxBody: number
  readonly maxTable: number
  readonly maxTableTime: number
  readonly maxAlleles: number
  readonly requestTimeout: number
  readonly idleTimeout: number
  readonly drainDelay: number
  readonly drainTimeout: number
  readonly rateLimit: number
  readonly accessLog: string
  readonly logInputs?: boolean
  readonly cors: readonly string[]
  readonly tokenFile?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly trustProxy?: boolean
  readonly quiet?: boolean
}

export function declareServe(command: Command): void {
  for (const option of [...whereOptions(), ...limitOptions(), ...trustOptions()]) command.addOption(option)
  addExamples(command, EXAMPLES)
}

/** Examples without output: the service runs until it is stopped. */
const EXAMPLES = [
  { command: 'hla serve --port 8080', output: '' },
  { command: 'hla serve --port 8080 --release 3.58.0 --max-table 64MiB', output: '' },
  { command: 'hla serve --port 8080 --workers 2 --access-log off --rate-limit 100', output: '' },
]

function whereOptions(): Option[] {
  return [
    ...listenOptions(8080),
    new Option('-r, --release <rel>', 'IPD-IMGT/HLA release to use: 3.58.0, 3580, active or starter')
      .env('HLA_RELEASE')
      .default('active'),
    new Option('--data-dir <dir>', 'folder of the installed releases').env('HLA_DATA_DIR'),
    new Option('--workers <n>', 'number of processes').argParser(workerNumber).default(1),
    new Option(
      '--access-log <where>',
      'where to log each request as a line of JSON: a file, - or off',
    ).default('-'),
    new Option('--log-inputs', 'log the inputs as well; typings are patient data'),
    new Option('-q, --quiet', 'print nothing at start'),
  ]
}

function limitOptions(): Option[] {
  return [
    new Option('--max-body <size>', 'maximum size of a body and of a line of a batch')
      .argParser(size)
      .default(1024 ** 2, '1MiB'),
    new Option('--max-table <size>', 'maximum size of a table, unpacked; 0 refuses all tables')
      .argParser(size)
      .default(32 * 1024 ** 2, '32MiB'),
    new Option('--max-table-time <time>', 'time limit of a conversion, waiting not counted; 0: no limit')
      .argParser(duration)
      .default(60_000, '1m'),
    new Option('--max-alleles <n>', 'maximum names in an input or answer; a request may lower it')
      .argParser(wholeNumber)
      .default(SERVICE_LIMIT),
    new Option('--request-timeout <time>', 'time allowed to receive a request')
      .argParser(duration)
      .default(10_000, '10s'),
    idleOption(),
    new Option('--rate-limit <n>', 'maximum requests per second per address; 0 means no limit')
      .argParser(wholeNumber)
      .default(0),
    ...drainOptions(),
  ]
}

function trustOptions(): Option[] {
  return [
    new Option('--cors <origins>', 'origins whose pages may send requests, separated by commas; * means any')
      .argParser(commaList)
      .default([], 'none'),
    new Option(
      '--token-file <file>',
      'file of bearer tokens, one per line; each request needs one of them',
    ).env('HLA_TOKEN_FILE'),
    ...certificateOptions(),
    new Option('--trust-proxy', 'trust the X-Forwarded-For header of the proxy in front'),
  ]
}

function workerNumber(text: string): number {
  const workers = wholeNumber(text)
  if (workers < 1 || workers > 256) throw new InvalidArgumentError('It must be 1 to 256.')
  return workers
}
