/** Bearer token -> caller (spec 3). */
import type { FastifyRequest } from 'fastify'
import { tokenBuckets } from '../../../web/token-buckets.ts'
import { digestToken, findToken } from '../../domain/accounts/tokens.ts'
import type { Caller } from '../../contract/caller.ts'
import { rateLimitExceeded, StorageFailure } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'
import { readSession } from '../sign-in/page-request.ts'

export interface Authenticator {
  /** @throws 401; 429 — there were too many wrong ones */
  readonly callerOf: (request: FastifyRequest) => Caller
  /** A token came with it, whatever it is worth. */
  readonly hasToken: (request: FastifyRequest) => boolean
  /** Looks up every token again: one of them may have been revoked. */
  readonly forget: () => void
}

interface Known {
  readonly caller: Caller
  /** ms since 1970: looked up again then, since another process may have revoked it. */
  readonly until: number
}

/** ms that a token may still be good for that another process has revoked. */
const TRUSTED = 5000
const MOST_KNOWN = 10_000

/** Requests a second, as it is now; 0 is no limit. */
export type Rate = () => number

/** `rate`: of wrong tokens, that are looked up for one address. */
export function authenticator(db: Database, tokenInQuery: boolean, rate: Rate): Authenticator {
  const mayFail = rate() === 0 ? () => true : tokenBuckets(rate)
  const known = new Map<string, Known>()
  const callerOf = (request: FastifyRequest) => {
    const token = readToken(request, tokenInQuery)
    const refuse = (failure: StorageFailure) => (mayFail(request.ip) ? failure : rateLimitExceeded())
    if (token === undefined) throw refuse(unauthorized('required', 'Login Required'))
    const now = Date.now()
    const remembered = known.get(token)
    if (remembered !== undefined && remembered.until > now) return remembered.caller
    known.delete(token)
    const found = findToken(db, digestToken(token))
    if (found === undefined || (found.expires ?? Infinity) <= now)
      throw refuse(unauthorized('authError', 'Invalid Credentials', ', error="invalid_token"'))
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(token, { caller: found.caller, until: Math.min(now + TRUSTED, found.expires ?? Infinity) })
    return found.caller
  }
  const hasToken = (request: FastifyRequest) => readToken(request, tokenInQuery) !== undefined
  return { callerOf, hasToken, forget: () => known.clear() }
}

const BEARER = /^Bearer +(\S+)$/i

function readToken(request: FastifyRequest, tokenInQuery: boolean): string | undefined {
  const { headers, query } = request
  const { authorization } = headers
  if (authorization !== undefined) return BEARER.exec(authorization)?.[1] ?? ''
  const session = readSession(request)
  if (session !== undefined) return session
  if (!tokenInQuery) return undefined
  const { access_token: one, oauth_token: other } = query as Record<string, unknown> // as fastify parses it
  const token = one ?? other
  return typeof token === 'string' ? token : undefined
}

export function unauthorized(reason: string, message: string, detail = ''): StorageFailure {
  return new StorageFailure(401, reason, message, {
    location: 'Authorization',
    locationType: 'header',
    headers: { 'www-authenticate': `Bearer realm="hla drive"${detail}` },
  })
}
