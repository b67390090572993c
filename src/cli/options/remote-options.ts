/** `--remote` and related options: a service answers instead of the local data.  [disk] */
import { InvalidArgumentError } from 'commander'
import type { RemoteOptions } from '../../client/options.ts'
import { HlaError } from '../../errors.ts'
import type { OptionRow, OptionsOf } from '../../options/option-row.ts'
import { duration } from './parsers.ts'
import { readNamed } from '../named-file.ts'

/** Times in ms. */
export type NetworkLimits = Partial<
  Record<'retries' | 'timeout' | 'connectTimeout' | 'concurrency' | 'deadline', number>
>

/** Name of a limit -> its member in the flags, and its parser. */
const NETWORK_LIMITS = new Map<string, readonly [keyof NetworkLimits, (text: string) => number]>([
  ['retries', ['retries', count]],
  ['timeout', ['timeout', duration]],
  ['connect', ['connectTimeout', duration]],
  ['concurrency', ['concurrency', count]],
  ['deadline', ['deadline', duration]],
])

function networkLimits(text: string, before: NetworkLimits = {}): NetworkLimits {
  const limits = text.split(',').map((item): readonly [string, number] => {
    const [, name, value = ''] = /^(\w+)=(.+)$/.exec(item) ?? []
    const limit = NETWORK_LIMITS.get(name ?? '')
    if (limit === undefined)
      throw new InvalidArgumentError(
        `It is ${[...NETWORK_LIMITS.keys()].map((one) => `${one}=…`).join(', ')}.`,
      )
    const [member, parse] = limit
    return [member, parse(value)]
  })
  return { ...before, ...Object.fromEntries(limits) }
}

const before = (limit: string) => ({ help: `the name of --network ${limit}=… before 2.0.0`, old: { option: 'network', before: `${limit}=` } }) // prettier-ignore

export const REMOTE_OPTIONS = [
  { name: 'remote', value: '[url]', help: 'ask a service instead of the installed data; without a URL, the one in HLA_REMOTE', brief: 'ask a service instead of the data here', env: 'HLA_REMOTE' },
  { name: 'network', value: 'limit=value', reading: networkLimits, help: 'with --remote: retries=4 (of a request), timeout=30s (for an answer), connect=5s (for a connection), concurrency=8 (connections), deadline=1h (for the whole run; default none)', brief: 'retries=4,timeout=30s,connect=5s,deadline=1h …' },
  { name: 'retries', value: 'n', reading: count, ...before('retries') },
  { name: 'timeout', value: 'time', reading: duration, ...before('timeout') },
  { name: 'connect-timeout', value: 'time', reading: duration, ...before('connect') },
  { name: 'concurrency', value: 'n', reading: count, ...before('concurrency') },
  { name: 'deadline', value: 'time', reading: duration, ...before('deadline') },
  { name: 'header-file', value: 'file', help: 'with --remote: file of HTTP headers to send, one per line, such as an access token', brief: 'with --remote: file of HTTP headers to send', env: 'HLA_REMOTE_HEADERS_FILE' },
] as const satisfies readonly OptionRow[] // prettier-ignore

/** Values as commander parses them; `remote` is true when given without an address. */
export type RemoteFlags = Omit<OptionsOf<typeof REMOTE_OPTIONS>, 'remote'> & {
  readonly remote?: string | boolean
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
          hint: 'to send a token, write the line Authorization: Bearer TOKEN',
        })
      return [name.toLowerCase(), value] as const
    })
  return Object.fromEntries(headers)
}

function count(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('It must be a whole number up to 9999.')
  return Number(text)
}
