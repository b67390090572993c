/** `--remote` and related options: a service answers instead of the local data.  [disk] */
import { InvalidArgumentError, Option } from 'commander'
import type { RemoteOptions } from '../../client/options.ts'
import { HlaError } from '../../errors.ts'
import { setBrief } from './brief.ts'
import { duration } from './quantities.ts'
import { readNamed } from '../named-file.ts'

/** Values as commander parses them. */
export interface RemoteFlags {
  /** true: the option was given without an address */
  readonly remote?: string | boolean
  readonly retries?: number
  readonly timeout?: number
  readonly connectTimeout?: number
  readonly concurrency?: number
  readonly deadline?: number
  readonly headerFile?: string
  readonly network?: NetworkLimits
}

/** Times in ms. */
export type NetworkLimits = Partial<
  Record<'retries' | 'timeout' | 'connectTimeout' | 'concurrency' | 'deadline', number>
>

/** Name of a limit -> its option before 2.0.0, and its member in the flags. */
const NETWORK_LIMITS = Object.entries({
  retries: { old: 'retries', member: 'retries', isTime: false },
  timeout: { old: 'timeout', member: 'timeout', isTime: true },
  connect: { old: 'connect-timeout', member: 'connectTimeout', isTime: true },
  concurrency: { old: 'concurrency', member: 'concurrency', isTime: false },
  deadline: { old: 'deadline', member: 'deadline', isTime: true },
} as const)

function networkLimits(text: string, before: NetworkLimits = {}): NetworkLimits {
  const limits = text.split(',').map((item): readonly [string, number] => {
    const [, name, value = ''] = /^(\w+)=(.+)$/.exec(item) ?? []
    const [, limit] = NETWORK_LIMITS.find(([one]) => one === name) ?? []
    if (limit === undefined)
      throw new InvalidArgumentError(`It is ${NETWORK_LIMITS.map(([one]) => `${one}=…`).join(', ')}.`)
    return [limit.member, limit.isTime ? duration(value) : count(value)]
  })
  return { ...before, ...Object.fromEntries(limits) }
}

export function remoteOptions(): Option[] {
  return [
    new Option(
      '--remote [url]',
      'ask a service instead of the installed data; without a URL, the one in HLA_REMOTE',
    ).env('HLA_REMOTE'),
    setBrief(
      new Option(
        '--network <limit=value>',
        'with --remote: retries=4 (of a request), timeout=30s (for an answer), connect=5s (for a connection), concurrency=8 (connections), deadline=1h (for the whole run; default none)',
      ).argParser(networkLimits),
      'retries=4,timeout=30s,connect=5s,deadline=1h …',
    ),
    // until 2.2.0
    ...NETWORK_LIMITS.map(([limit, { old, isTime }]) =>
      new Option(`--${old} <${isTime ? 'time' : 'n'}>`, `the name of --network ${limit}=… before 2.0.0`)
        .argParser(isTime ? duration : count)
        .hideHelp(),
    ),
    new Option(
      '--header-file <file>',
      'with --remote: file of HTTP headers to send, one per line, such as an access token',
    ).env('HLA_REMOTE_HEADERS_FILE'),
  ]
}

/**
 * Returns undefined when local data answer.
 * @throws {HlaError} usage — no address; not-found — the file of headers
 */
export function readRemote(
  flags: RemoteFlags,
  release: string,
): (Partial<RemoteOptions> & Pick<RemoteOptions, 'url'>) | undefined {
  const { remote, headerFile } = flags
  const given = remote === true ? (process.env['HLA_REMOTE'] ?? '') : remote
  if (given === undefined || given === false || (given === '' && remote !== true)) return undefined
  const { retries, timeout, connectTimeout, concurrency, deadline } = { ...flags, ...flags.network }
  const asked = {
    retries,
    timeout,
    connectTimeout,
    deadline,
    concurrency: concurrency === 0 ? 1 : concurrency,
  }
  return {
    url: parseAddress(given),
    release,
    ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)),
    headers: headerFile === undefined ? {} : readHeaders(headerFile),
  }
}

/** True when typings would cross a network unencrypted. */
export function isOpenToReading(url: string): boolean {
  return new URL(url).protocol === 'http:' && !isHere(url)
}

/** True when the host is this machine. */
export function isHere(url: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}

/**
 * Refuses passwords in addresses: messages would print them, and requests do not send them.
 * @throws {HlaError} usage
 */
export function refuseCredentials(option: string, text: string, hint: string): void {
  if (!URL.canParse(text)) return
  const { username, password } = new URL(text)
  if (username === '' && password === '') return
  throw new HlaError('usage', `${option}: the address contains a user name or password`, { hint })
}

function parseAddress(text: string): string {
  refuseCredentials('--remote', text, HEADER_HINT)
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '')
  throw new HlaError('usage', `--remote takes the URL of a service, not ${JSON.stringify(text)}`, {
    offending: text,
    hint: 'hla redux --remote https://ard.example.org …, or set HLA_REMOTE to the URL',
  })
}

const HEADER_HINT =
  '--header-file FILE sends a token; FILE contains the line Authorization: Basic …, or Authorization: Bearer …'

function readHeaders(file: string): Record<string, string> {
  const lines = readNamed(file)
    .split('\n')
    .map((line) => line.trim())
  const headers = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, value] = /^([\w-]+):\s*(.+)$/.exec(line) ?? []
      // the line may be a secret, so the message does not show it
      if (name === undefined || value === undefined)
        throw new HlaError('usage', `${file} has a line that is not "Name: value"`, {
          hint: 'a token is sent by the line Authorization: Bearer TOKEN',
        })
      return [name.toLowerCase(), value] as const
    })
  return Object.fromEntries(headers)
}

/** Defined here because options.ts imports this file. */
function count(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('It must be a whole number up to 9999.')
  return Number(text)
}
