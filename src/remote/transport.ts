/** Sends requests over a pool of connections, with retries.  [network] */
import type { Dispatcher } from 'undici'
import { makeAttempts, type AttemptFailure } from './attempts.ts'
import { HlaError, isHlaError } from '../errors.ts'
import type { RemoteOptions } from './options.ts'
import { isUnreachable, isTemporary, describeFailure } from './temporary-errors.ts'
import { openPool, firstValue } from './pool.ts'

export interface RemoteRequest {
  readonly method: 'GET' | 'POST'
  /** Path below the service's address; begins with `/`. */
  readonly path: string
  readonly body?: string
}

export interface RemoteReply {
  readonly status: number
  readonly text: string
  /** Identity of the data that answered; undefined when the service does not report it. */
  readonly dataId: string | undefined
  readonly retryAfter: string | undefined
  /** Header WWW-Authenticate. */
  readonly challenge?: string | undefined
  /** Header Location. */
  readonly location?: string | undefined
}

export interface Transport {
  /** @throws {HlaError} remote — unreachable, every attempt failed, or `isLongReply` */
  readonly send: (request: RemoteRequest) => Promise<RemoteReply>
  readonly close: () => Promise<void>
}

/** Maximum length of a reply: the longest one seen of a batch had 40 MiB. */
const MAX_REPLY_MIB = 64
const MAX_REPLY = MAX_REPLY_MIB * 1024 ** 2

/** True for a reply that was abandoned because it exceeds `MAX_REPLY_MIB`. */
export function isLongReply(error: unknown): boolean {
  return isHlaError(error) && isTooLong(error.cause)
}

function isTooLong(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE'
}

export async function openTransport(options: RemoteOptions): Promise<Transport> {
  const pool = await openPool({ ...options, maxReply: MAX_REPLY })
  const attempts = makeAttempts(options)
  return {
    send: (request) => attempts(() => attemptOnce(pool, options, request)),
    close: () => pool.destroy(),
  }
}

async function attemptOnce(
  pool: Dispatcher,
  { url, timeout, headers }: RemoteOptions,
  { method, path, body }: RemoteRequest,
): Promise<RemoteReply | AttemptFailure> {
  const { origin, pathname } = new URL(url)
  try {
    const reply = await pool.request({
      origin,
      path: pathname.replace(/\/$/, '') + path,
      method,
      body: body ?? null,
      // py-ard answers in plain text unless the request accepts JSON
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-hla-words': 'command-line',
        ...headers,
      },
      signal: AbortSignal.timeout(timeout),
    })
    return {
      status: reply.statusCode,
      text: await reply.body.text(),
      dataId: firstValue(reply.headers['x-hla-data']),
      retryAfter: firstValue(reply.headers['retry-after']),
      challenge: firstValue(reply.headers['www-authenticate']),
      location: firstValue(reply.headers.location),
    }
  } catch (error) {
    if (isTooLong(error)) {
      const message = `${url} sent an answer of more than ${MAX_REPLY_MIB} MiB, which was abandoned`
      throw new HlaError('remote', message, { cause: error })
    }
    const outcome = { reason: describeFailure(error, timeout), cause: error, isAway: isUnreachable(error) }
    return isTemporary(error) ? outcome : { ...outcome, final: true }
  }
}
