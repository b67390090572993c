/** Repeats a request until it is answered or another attempt is pointless.  [network] */
import { HlaError } from '../errors.ts'
import { attemptsFor, connectionHint, isFailure, pauseBefore } from './temporary-errors.ts'

export interface AttemptStatus {
  readonly status: number
  readonly retryAfter: string | undefined
  /** Reason that the answer gives for its failure. */
  readonly said?: string | undefined
}

/** Cause of a missing answer; `final` when another attempt would fail the same way. */
export interface AttemptFailure {
  readonly reason: string
  readonly cause: unknown
  readonly final?: true
  /** Nothing listens there at the moment, or the connection was closed. */
  readonly isAway?: boolean
}

export interface RetryLimits {
  /** Address of the service, for messages. */
  readonly url: string
  /** Attempts after the first. */
  readonly retries: number
  /** Minimum time to retry each request once the service has answered. */
  readonly lasting?: OutageOptions | undefined
  /** Limit for the whole run, in ms; 0 means none. */
  readonly deadline: number
  /** Minimum time to retry while nothing listens there, even before the first answer. */
  readonly awaiting?: OutageOptions | undefined
}

/** A restarting service is unreachable for a while. */
export interface OutageOptions {
  /** ms since the end of the first attempt that failed */
  readonly time: number
  /** Called once an outage, before the waiting. */
  readonly tell?: (text: string) => void
}

export type Attempts = <Reply extends AttemptStatus>(
  once: () => Promise<Reply | AttemptFailure>,
  retries?: number,
) => Promise<Reply>

/** Maximum attempts at an address that has never answered: it may be mistyped. */
const MAX_FIRST_ATTEMPTS = 20

/** Attempts before a message: a short outage needs none. */
const SILENT_ATTEMPTS = 3

/** @throws {HlaError} remote — every attempt failed, or the deadline passed */
export function makeAttempts({ url, retries, lasting, deadline, awaiting }: RetryLimits): Attempts {
  const until = deadline === 0 ? Infinity : Date.now() + deadline
  let hasAnswered = false
  let hasWarned = false
  function patience(outcome: AttemptStatus | AttemptFailure): readonly OutageOptions[] {
    // at most one more attempt is worthwhile
    if (limitAttempts(outcome, Infinity) !== Infinity) return []
    return [...(hasAnswered && lasting ? [lasting] : []), ...(isAway(outcome) && awaiting ? [awaiting] : [])]
  }
  return async (once, ownRetries) => {
    if (Date.now() > until) throw deadlineError(url, deadline)
    let failedAt: number | undefined
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await once()
      if ('status' in outcome && !isFailure(outcome.status)) {
        hasAnswered = true
        hasWarned = false
        return outcome
      }
      failedAt ??= Date.now()
      const allowed = (ownRetries ?? retries) + 1
      const maxAttempts = limitAttempts(
        outcome,
        hasAnswered ? allowed : Math.min(allowed, MAX_FIRST_ATTEMPTS),
      )
      const outages = ownRetries === undefined ? patience(outcome) : []
      const time = Math.max(0, ...outages.map((outage) => outage.time))
      const spent = Date.now() - failedAt
      if (attempt >= maxAttempts && spent >= time) throw await attemptsError(url, outcome, { attempt, spent })
      if (attempt >= SILENT_ATTEMPTS && time > 0 && isAway(outcome) && !hasWarned) {
        hasWarned = true
        for (const { tell } of outages) tell?.(awayText(url, outcome, time))
      }
      const pause = pauseBefore(attempt, 'status' in outcome ? outcome.retryAfter : undefined)
      if (Date.now() + pause > until) throw deadlineError(url, deadline)
      await new Promise((over) => setTimeout(over, pause))
    }
  }
}

function awayText(url: string, outcome: AttemptStatus | AttemptFailure, time: number): string {
  const reason = 'status' in outcome ? `status ${outcome.status}` : outcome.reason
  return `${url} cannot be reached: ${reason}; retrying for up to ${time / 1000} s`
}

/** True when nothing listens there, or a proxy reports the service as unavailable. */
function isAway(outcome: AttemptStatus | AttemptFailure): boolean {
  if ('status' in outcome) return outcome.status >= 502
  return outcome.isAway === true
}

function limitAttempts(outcome: AttemptStatus | AttemptFailure, max: number): number {
  if ('status' in outcome) return attemptsFor(outcome.status, max)
  return outcome.final === true ? 1 : max
}

interface Effort {
  readonly attempt: number
  /** ms since the first failure */
  readonly spent: number
}

async function attemptsError(
  url: string,
  outcome: AttemptStatus | AttemptFailure,
  { attempt, spent }: Effort,
): Promise<HlaError> {
  const seconds = Math.round(spent / 1000)
  const time = seconds === 0 ? 'less than 1 s' : `${seconds} s`
  const effort = attempt === 1 ? '(1 attempt)' : `(${attempt} attempts in ${time})`
  if ('status' in outcome) {
    const reason = outcome.said === undefined ? '' : `: ${outcome.said}`
    return new HlaError('remote', `${url} answers with status ${outcome.status}${reason} ${effort}`)
  }
  return new HlaError('remote', `cannot reach ${url}: ${outcome.reason} ${effort}`, {
    hint: await connectionHint(outcome.cause, url),
    cause: outcome.cause,
  })
}

function deadlineError(url: string, deadline: number): HlaError {
  return new HlaError('remote', `${url} has not answered everything within ${deadline / 1000} s`)
}
