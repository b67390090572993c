/** Bearer token -> caller (spec 3). */
import type { FastifyRequest } from 'fastify'
import { tokenBuckets } from '../../../web/token-buckets.ts'
import { digestToken, findToken } from '../../domain/accounts/tokens.ts'
import { type Caller, GUEST, StorageFailure, rateLimitExceeded } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'
import { readSession } from '../sign-in/page-request.ts'
import { findSeen } from '../../domain/access/access.ts'

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

/** Undefined: without credentials there is nothing. */
export function guestFor(db: Database, request: FastifyRequest): Caller | undefined {
  const id = itemAsked(request)
  return id !== undefined && isOpenToAnyone(db, id) ? GUEST : undefined
}

export function isOpenToAnyone(db: Database, id: string): boolean {
  return id !== 'root' && findSeen(db, GUEST, id) !== undefined
}

/** A list of what is in one folder; what else it asks for makes it no longer. */
const IN_FOLDER = /^'([\w-]{1,100})' in parents(?: and |$)/

function itemAsked({ method, params, query, routeOptions }: FastifyRequest): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const asked = query as Readonly<Record<string, unknown>> // as fastify parses it
  switch (routeOptions.url) {
    case '/drive/v2/files/:fileId':
      // that would be written down, of nobody; and older contents are for writers
      if (asked['updateViewedDate'] !== undefined || asked['revisionId'] !== undefined) return undefined
      // the route has it
      return (params as { readonly fileId: string }).fileId
    case '/drive/v2/files/:fileId/export':
      if (asked['revisionId'] !== undefined) return undefined
      // as above
      return (params as { readonly fileId: string }).fileId
    case '/drive/v2/files': {
      const { q } = asked
      return typeof q === 'string' && !/\bor\b/i.test(q) ? IN_FOLDER.exec(q)?.[1] : undefined
    }
    default:
      return undefined
  }
}
