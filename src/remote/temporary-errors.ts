/** Distinguishes temporary failures: pauses before the next attempt, and descriptions. */
import { connect } from 'node:tls'
import { errorMessage } from '../errors.ts'
import { ProxyError } from '../io/dispatcher.ts'

/** True for a failure unrelated to the question. 500 is retried only once. */
export function isFailure(status: number): boolean {
  return status === 500 || [408, 429, 502, 503, 504].includes(status)
}

export function attemptsFor(status: number, max: number): number {
  return status === 500 ? Math.min(2, max) : max
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection lost'],
  ['EPIPE', 'connection lost'],
  ['UND_ERR_SOCKET', 'connection lost'],
  ['ENOTFOUND', 'unknown host'],
  ['EAI_AGAIN', 'unknown host'],
  ['EHOSTUNREACH', 'no route to the host'],
  ['ENETUNREACH', 'no route to the host'],
  ['ETIMEDOUT', 'connection timed out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connection timed out'],
])
const TIMEOUT_CODES = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']

/** True for temporary errors. A failed connection may succeed later; an invalid certificate stays invalid. */
export function isTemporary(error: unknown): boolean {
  return REASONS.has(failureCode(error)) || isLate(error)
}

export function describeFailure(error: unknown, timeout: number): string {
  if (error instanceof ProxyError)
    return `the proxy ${error.proxy} does not answer: ${describeFailure(error.cause, timeout)}`
  if (isLate(error)) return `no answer within ${timeout / 1000} s`
  return REASONS.get(failureCode(error)) ?? errorMessage(error)
}

/** Hint for a proxy, an untrusted certificate, or an address of the other protocol; undefined for other failures. */
export async function connectionHint(error: unknown, url: string): Promise<string | undefined> {
  if (error instanceof ProxyError)
    return `to connect without the proxy, put NO_PROXY=${new URL(url).hostname} before the command`
  const code = failureCode(error)
  if (UNTRUSTED_CODES.includes(code))
    return 'to trust this certificate or its authority, save it in a PEM file and put NODE_EXTRA_CA_CERTS=FILE before the command'
  // a service with TLS closes a connection that begins without it, and so does one that ends
  if (url.startsWith('http:') && CLOSED_CODES.includes(code) && (await usesTls(url)))
    return `the service uses TLS: write ${url.replace('http:', 'https:')}`
  if (url.startsWith('https:') && code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return `the service does not use TLS: write ${url.replace('https:', 'http:')}`
  return undefined
}

const CLOSED_CODES = ['ECONNRESET', 'UND_ERR_SOCKET']

const HANDSHAKE_MS = 2000

/** True if a service with TLS answers at an address that was given without. */
function usesTls(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const host = hostname.replaceAll(/[[\]]/g, '')
  // no typing is sent, so the certificate does not matter
  const socket = connect({ host, port: Number(port || 80), rejectUnauthorized: false })
  return new Promise((resolve) => {
    const end = (isEncrypted: boolean) => {
      socket.destroy()
      resolve(isEncrypted)
    }
    socket.setTimeout(HANDSHAKE_MS, () => end(false))
    socket.once('secureConnect', () => end(true)).once('error', () => end(false))
    socket.once('close', () => end(false))
  })
}

/** Codes of OpenSSL. */
const UNTRUSTED_CODES = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]

function isLate(error: unknown): boolean {
  return (
    TIMEOUT_CODES.includes(failureCode(error)) || (error instanceof Error && error.name === 'TimeoutError')
  )
}

/** True when nothing listens there, or the connection was closed, as while a service restarts. */
export function isUnreachable(error: unknown): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(failureCode(error))
}

/** Error code; for a host with several addresses, which fails once for each, that of the first. */
function failureCode(error: unknown): string {
  if (error instanceof ProxyError) return failureCode(error.cause)
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error && 'code' in first ? String(first.code) : ''
}

const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 8000
const MAX_REQUESTED_PAUSE_MS = 60_000

/** Pause in ms: it doubles, with full jitter, so that clients that failed together do not retry together. */
export function pauseBefore(attempt: number, retryAfter: string | undefined): number {
  const requested = readRetryAfter(retryAfter)
  if (requested !== undefined) return Math.min(requested, MAX_REQUESTED_PAUSE_MS)
  return Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1))
}

/** Value of Retry-After (RFC 9110), seconds or a date, in ms. */
function readRetryAfter(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
