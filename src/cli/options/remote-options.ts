/** `--remote` and related options: a service answers instead of the local data.  [disk] */
import { InvalidArgumentError } from 'commander'
import type { RemoteOptions } from '../../remote/options.ts'
import { HlaError } from '../../errors.ts'
import { defined, type OptionRow, type OptionsOf } from '../../options/option-row.ts'
import { duration } from './parsers.ts'
import { readNamedLines } from '../named-file.ts'

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
    const [, name, value = ''] = /^(.*?)=(.+)/s.exec(item) ?? []
    const limit = NETWORK_LIMITS.get(name ?? '')
    if (limit === undefined)
      throw new InvalidArgumentError(
        `It is ${[...NETWORK_LIMITS.keys()].map((limit) => `${limit}=…`).join(', ')}.`,
      )
    const [member, parse] = limit
    return [member, parse(value)]
  })
  return { ...before, ...Object.fromEntries(limits) }
}

export const REMOTE_OPTIONS = [
  { name: 'remote', value: '[url]', help: 'ask a service instead of the installed data; without a URL, the one in HLA_REMOTE', brief: 'ask a service instead of the data here', env: 'HLA_REMOTE' },
  { name: 'network', value: 'limit=value', reading: networkLimits, help: 'with --remote: retries=4 (of a request), timeout=30s (for an answer), connect=5s (for a connection), concurrency=8 (connections), deadline=1h (for the whole run; default none)', brief: 'retries=4,timeout=30s,connect=5s,deadline=1h …' },
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
  const address = remote === true ? (process.env['HLA_REMOTE'] ?? '') : remote
  if (address === undefined || address === false || (address === '' && remote !== true)) return undefined
  const { retries, timeout, connectTimeout, concurrency, deadline } = flags.network ?? {}
  const limits = {
    retries,
    timeout,
    connectTimeout,
    deadline,
    concurrency: concurrency === 0 ? 1 : concurrency,
  }
  return {
    url: parseAddress(address, SERVICE),
    release,
    ...defined(limits),
    headers: headerFile === undefined ? {} : readHeaders(headerFile),
  }
}

/** True when typings would cross a network to another machine unencrypted. */
export function isOpenToReading(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

interface AddressOption {
  readonly option: string
  /** `a service` */
  readonly server: string
  /** How to send a password, which an address may not contain: messages would print it, requests do not send it. */
  readonly secret: string
  readonly hint?: string
}

/** Address without trailing slashes. @throws {HlaError} usage */
export function parseAddress(text: string, { option, server, secret, hint }: AddressOption): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && url.username + url.password !== '')
    throw new HlaError('usage', `${option}: the address contains a user name or password`, { hint: secret })
  if (url !== undefined && url.search + url.hash !== '')
    throw new HlaError('usage', `${option}: the address contains a query`, {
      offending: text,
      hint: `write ${option} ${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    })
  if (url !== undefined && /^https?:/.test(url.protocol)) return text.replace(/\/+$/, '')
  throw new HlaError('usage', `${option} takes the URL of ${server}, not ${JSON.stringify(text)}`, {
    offending: text,
    hint,
  })
}

const SERVICE: AddressOption = {
  option: '--remote',
  server: 'a service',
  secret:
    '--header-file FILE sends a token; FILE contains the line Authorization: Basic …, or Authorization: Bearer …',
  hint: 'hla redux --remote https://ard.example.org …, or set HLA_REMOTE to the URL',
}

function readHeaders(file: string): Record<string, string> {
  const headers = readNamedLines(file).map(({ text }) => {
    const [, name, value] = /^([\w-]+):\s*(.+)$/.exec(text) ?? []
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
