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
  /** Address of the service, for messages. */
  readonly url: string
  /** Attempts after the first. */
  readonly retries: number
  /** Once the service has answered: how long each request is tried at least. */
  readonly lasting?: Awaiting | undefined
  /** For everything: ms; 0 is none. */
  readonly deadline: number
  /** The same before it has answered, while nothing listens there. */
  readonly awaiting?: Awaiting | undefined
}

/** A service that is started again may take a while, and is not there at all meanwhile. */
export interface Awaiting {
  /** ms since the first attempt that failed */
  readonly time: number
  /** Called once an outage, before the waiting. */
  readonly tell?: (text: string) => void
}

export type Attempts = <Reply extends Answered>(
  once: () => Promise<Reply | Prevented>,
  retries?: number,
) => Promise<Reply>

/** Attempts at an address where no service has answered yet: it may be mistyped. */
const MAX_FIRST_ATTEMPTS = 20

/** Attempts: after so few a short outage needs no message. */
const TOLD_AFTER = 3

/** @throws {HlaError} remote — nothing but failures, or too late */
export function attempting({ url, retries, lasting, deadline, awaiting }: RetryLimits): Attempts {
  const until = deadline === 0 ? Infinity : Date.now() + deadline
  let hasAnswered = false
  let isTold = false
  function patience(outcome: Answered | Prevented): readonly Awaiting[] {
    const given = [
      ...(hasAnswered && lasting ? [lasting] : []),
      ...(isAway(outcome) && awaiting ? [awaiting] : []),
    ]
    return isRepeatable(outcome) ? given : []
  }
  return async (once, given) => {
    if (Date.now() > until) throw late(url, deadline)
    const began = Date.now()
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await once()
      if ('status' in outcome && !isFailure(outcome.status)) {
        hasAnswered = true
        isTold = false
        return outcome
      }
      const allowed = (given ?? retries) + 1
      const most = mostAttempts(outcome, hasAnswered ? allowed : Math.min(allowed, MAX_FIRST_ATTEMPTS))
      const waiting = given === undefined ? patience(outcome) : []
      const time = Math.max(0, ...waiting.map((one) => one.time))
      const spent = Date.now() - began
      if (attempt >= most && spent >= time) throw failed(url, outcome, { attempt, spent })
      if (attempt >= TOLD_AFTER && time > 0 && isAway(outcome) && !isTold) {
        isTold = true
        for (const { tell } of waiting) tell?.(awayText(url, outcome, time))
      }
      const pause = pauseBefore(attempt, 'status' in outcome ? outcome.retryAfter : undefined)
      if (Date.now() + pause > until) throw late(url, deadline)
      await new Promise((over) => setTimeout(over, pause))
    }
  }
}

function awayText(url: string, outcome: Answered | Prevented, time: number): string {
  const reason = 'status' in outcome ? `status ${outcome.status}` : outcome.reason
  return `${url} is not there: ${reason}; waiting for it, ${time / 1000} s in all`
}

/** Nothing listens there, or what stands before it says that it is not there. */
function isAway(outcome: Answered | Prevented): boolean {
  if ('status' in outcome) return outcome.status >= 502
  return outcome.final !== true && outcome.isAway === true
}

/** Worth more than a second attempt. */
function isRepeatable(outcome: Answered | Prevented): boolean {
  return mostAttempts(outcome, Infinity) === Infinity
}

function mostAttempts(outcome: Answered | Prevented, most: number): number {
  if ('status' in outcome) return attemptsFor(outcome.status, most)
  return outcome.final === true ? 1 : most
}

interface Tried {
  readonly attempt: number
  /** ms since the first attempt began */
  readonly spent: number
}

function failed(url: string, outcome: Answered | Prevented, { attempt, spent }: Tried): HlaError {
  const seconds = Math.round(spent / 1000)
  const time = seconds === 0 ? 'less than 1 s' : `${seconds} s`
  const tried = attempt === 1 ? '(1 attempt)' : `(${attempt} attempts in ${time})`
  if ('status' in outcome)
    return new HlaError('remote', `${url} answers with status ${outcome.status} ${tried}`)
  return new HlaError('remote', `cannot reach ${url}: ${outcome.reason} ${tried}`, { cause: outcome.cause })
}

function late(url: string, deadline: number): HlaError {
  return new HlaError('remote', `${url} has not answered everything within ${deadline / 1000} s`)
}
