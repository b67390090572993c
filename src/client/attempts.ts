/** The same again until it is answered or there is no hope. [network] */
import { HlaError } from '../errors.ts'
import { attemptsFor, isFailure, pauseBefore } from './passing.ts'

export interface Answered {
  readonly status: number
  readonly retryAfter: string | undefined
}

/** What prevented an answer; `final` when another attempt would meet it again. */
export interface Prevented {
  readonly reason: string
  readonly cause: unknown
  readonly final?: true
  /** Nobody listens at the moment, or whoever did is gone. */
  readonly isAway?: boolean
}

export interface RetryLimits {
  /** Who is asked. */
  readonly url: string
  /** Attempts after the first. */
  readonly retries: number
  /** The same, once it has answered: it is there, and comes back. */
  readonly laterRetries?: number | undefined
  /** For everything: ms; 0 is none. */
  readonly deadline: number
  /** Beyond these attempts, for one that is not there at the moment. */
  readonly awaiting?: Awaiting | undefined
}

/** A service that is started again may take a while, and is not there at all meanwhile. */
export interface Awaiting {
  /** ms since the first attempt that failed */
  readonly time: number
  /** Told once, before the waiting. */
  readonly tell: (text: string) => void
}

export type Attempts = <Reply extends Answered>(
  once: () => Promise<Reply | Prevented>,
  retries?: number,
) => Promise<Reply>

/** Failures one after the other, whatever was asked, after which nobody is asked again. */
const CIRCUIT = 20

/** @throws {HlaError} remote — nothing but failures, or too late */
export function attempting({
  url,
  retries: early,
  laterRetries: later = early,
  deadline,
  awaiting,
}: RetryLimits): Attempts {
  const until = deadline === 0 ? Infinity : Date.now() + deadline
  let failures = 0
  let hasAnswered = false
  return async (once, given) => {
    if (Date.now() > until) throw late(url, deadline)
    const wait = awaitingBy(url, given === undefined ? awaiting : undefined)
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await once()
      if ('status' in outcome && !isFailure(outcome.status)) {
        failures = 0
        hasAnswered = true
        return outcome
      }
      failures += 1
      const retries = given ?? (hasAnswered ? later : early)
      const isLast = attempt >= mostAttempts(outcome, retries + 1) || failures >= CIRCUIT
      if (!wait(outcome, attempt) && isLast) throw failed(url, outcome, attempt)
      const pause = pauseBefore(attempt, 'status' in outcome ? outcome.retryAfter : undefined)
      if (Date.now() + pause > until) throw late(url, deadline)
      await new Promise((over) => setTimeout(over, pause))
    }
  }
}

/** Whether it is waited for after this attempt. */
function awaitingBy(
  url: string,
  awaiting: Awaiting | undefined,
): (outcome: Answered | Prevented, attempt: number) => boolean {
  const { time, tell } = awaiting ?? { time: 0, tell: () => undefined }
  const began = Date.now()
  return (outcome, attempt) => {
    if (Date.now() - began >= time || !isAway(outcome)) return false
    if (attempt === AWAITED)
      tell(
        `${url} is not there: ${'status' in outcome ? `status ${outcome.status}` : outcome.reason}; waiting for it, ${time / 1000} s in all`,
      )
    return true
  }
}

/** Attempts: so soon nobody wonders. */
const AWAITED = 3

/** Nothing listens there, or whoever stands before it says that it is not there. */
function isAway(outcome: Answered | Prevented): boolean {
  if ('status' in outcome) return outcome.status >= 502
  return outcome.final !== true && outcome.isAway === true
}

function mostAttempts(outcome: Answered | Prevented, most: number): number {
  if ('status' in outcome) return attemptsFor(outcome.status, most)
  return outcome.final === true ? 1 : most
}

function failed(url: string, outcome: Answered | Prevented, attempt: number): HlaError {
  const times = `(${attempt} attempt${attempt === 1 ? '' : 's'})`
  if ('status' in outcome)
    return new HlaError('remote', `${url} answers with status ${outcome.status} ${times}`)
  return new HlaError('remote', `cannot reach ${url}: ${outcome.reason} ${times}`, { cause: outcome.cause })
}

function late(url: string, deadline: number): HlaError {
  return new HlaError('remote', `${url} has not answered everything within ${deadline / 1000} s`)
}
