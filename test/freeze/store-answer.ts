/** A response of the store as lines that a reviewer can judge. */
import { createHash } from 'node:crypto'
import type { Reply } from '../support/drive.ts'
import type { StoreNames } from './store-names.ts'

/** A step's request body and headers. */
export interface Seen {
  readonly body: string | Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

export interface Asked {
  readonly method: string
  /** The path without its query. */
  readonly path: string
  readonly status: number
}

/** Headers of the connection, or redundant beside the body. */
const UNSEEN = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'vary'])
/** Headers that are omitted if they have these values. */
const USUAL: Readonly<Record<string, string>> = {
  'cache-control': 'private, max-age=0, must-revalidate',
  'x-content-type-options': 'nosniff',
  'content-type': 'application/json; charset=UTF-8',
}
const WIDTH = 120
/** Characters; a longer text that is repeated is replaced by a reference. */
const LONG = 100

export function answerLines(reply: Reply, names: StoreNames): string[] {
  const boundary = /boundary=(\S+)/.exec(reply.headers.get('content-type') ?? '')?.[1] ?? '\u0000'
  const settle = (text: string) => names.settle(text.replaceAll(boundary, 'BOUNDARY'))
  const etag: unknown = reply.json?.etag
  const headers = [...reply.headers]
    .filter(([name, value]) => !UNSEEN.has(name) && USUAL[name] !== value)
    .filter(([name, value]) => name !== 'etag' || value !== etag)
    .map(([name, value]) => settle(`${name}: ${value}`))
  const missing = typeof etag === 'string' && !reply.headers.has('etag') ? ['no etag beside the body'] : []
  return [String(reply.status), ...headers, ...missing, ...bodyLines(reply, settle, names)]
}

/** `notFound: File not found: x (parameter fileId)`; undefined if the body does not have the error format. */
function errorLine({ status, text, json }: Reply, settle: (text: string) => string): string | undefined {
  const first = json?.error?.errors?.[0]
  if (first === undefined) return undefined
  const { domain, reason, message, locationType, location } = first
  const place = locationType === undefined ? {} : { locationType, location }
  const usual = { error: { errors: [{ domain, reason, message, ...place }], code: status, message } }
  if (text !== JSON.stringify(usual)) return undefined
  const words = locationType === undefined ? '' : ` (${locationType} ${location})`
  return settle(`${domain === 'global' ? '' : `${domain} `}${reason}: ${message}${words}`)
}

function bodyLines(
  { status, text, json, headers }: Reply,
  settle: (text: string) => string,
  names: StoreNames,
): string[] {
  if (text === '') return []
  const error = errorLine({ status, text, json, headers }, settle)
  if (error !== undefined) return [`  ${error}`]
  if (json !== undefined && !text.includes('\n'))
    return shown(JSON.parse(settle(text)), names).map((line) => `  ${line}`)
  const settled = settle(text)
  if (settled.length > 4000)
    return [
      `  ${text.length} characters, sha256 ${createHash('sha256').update(settled).digest('hex').slice(0, 16)}`,
    ]
  return settled
    .split('\n')
    .map((line) => `  | ${line.replaceAll('\r', '\\r').replaceAll('\uFEFF', '\\ufeff')}`)
}

/** JSON, with a line a member if it is long; a value shown in an earlier step is replaced by its name. */
function shown(value: unknown, names: StoreNames): string[] {
  const line = flat(value)
  if (line.length <= LONG) return [line]
  const before = names.before(line)
  if (before !== undefined) return [`(as in ${before})`]
  if (line.length <= WIDTH || typeof value !== 'object' || value === null) return [line]
  const all = Object.entries(value)
  if (all.length > 8 && all.every(([, one]) => typeof one === 'boolean')) {
    const which = (wanted: boolean) =>
      all
        .filter(([, one]) => one === wanted)
        .map(([name]) => name)
        .join(' ')
    return [`yes: ${which(true)}`, `no: ${which(false)}`]
  }
  return all.flatMap(([name, one]) => {
    const [first = '', ...rest] = shown(one, names)
    const label = Array.isArray(value) ? '-' : `${name}:`
    if (rest.length === 0 && !first.startsWith('- ')) return [`${label} ${first}`]
    return [label, ...[first, ...rest].map((inner) => `  ${inner}`)]
  })
}

function flat(value: unknown): string {
  return JSON.stringify(value)
}
