/** Which failures pass, how long to wait for that, and what to call them. */
import { errorMessage } from '../errors.ts'

/** Says nothing about the question: 500 too, but only once more is it worth asking. */
export function isFailure(status: number): boolean {
  return status === 500 || [408, 429, 502, 503, 504].includes(status)
}

export function attemptsFor(status: number, most: number): number {
  return status === 500 ? Math.min(2, most) : most
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection lost'],
  ['EPIPE', 'connection lost'],
  ['UND_ERR_SOCKET', 'connection lost'],
  ['ENOTFOUND', 'unknown host'],
  ['EAI_AGAIN', 'unknown host'],
  ['EHOSTUNREACH', 'no way to the host'],
  ['ENETUNREACH', 'no way to the host'],
  ['ETIMEDOUT', 'connection timed out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connection timed out'],
])
const LATE = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']

/** A connection may come about another time; a certificate does not get better. */
export function isPassing(error: unknown): boolean {
  return REASONS.has(failureCode(error)) || isLate(error)
}

export function describeFailure(error: unknown, timeout: number): string {
  if (isLate(error)) return `no answer within ${timeout / 1000} s`
  return REASONS.get(failureCode(error)) ?? errorMessage(error)
}

function isLate(error: unknown): boolean {
  return LATE.includes(failureCode(error)) || (error instanceof Error && error.name === 'TimeoutError')
}

/** Nothing listens there, or what did is gone: as while a service is started again. */
export function isAway(error: unknown): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(failureCode(error))
}

/** A host with several addresses fails once for each. */
function failureCode(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error && 'code' in first ? String(first.code) : ''
}

const FIRST_PAUSE = 250
const LONGEST_PAUSE = 8000
const LONGEST_ASKED = 60_000

/** ms: doubling, with full jitter, so that those who failed together do not come back together. */
export function pauseBefore(attempt: number, retryAfter: string | undefined): number {
  const asked = askedPause(retryAfter)
  if (asked !== undefined) return Math.min(asked, LONGEST_ASKED)
  return Math.random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1))
}

/** RFC 9110: seconds, or a date. */
function askedPause(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
