/** Bearer token -> caller (spec 3). */
import type { FastifyRequest } from 'fastify'
import { tokenBuckets } from '../../../web/token-buckets.ts'
import { digestToken, findToken } from '../../domain/accounts/tokens.ts'
import { type Caller, GUEST, StorageFailure, rateLimitExceeded } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'
import { readSession } from '../sign-in/cookies.ts'
import { pathOf, queryOf } from './parts.ts'
import { findVisibleFile } from '../../domain/access/access.ts'

export interface Authenticator {
  /** @throws 401; 429 — too many wrong tokens */
  readonly callerOf: (request: FastifyRequest) => Caller
  /** True if the request has a token, valid or not. */
  readonly hasToken: (request: FastifyRequest) => boolean
  /** Empties the cache. Call it after every change that may end a token: nothing else looks at a known token again. */
  readonly forget: () => void
}

interface CachedCaller {
  readonly caller: Caller
  /** Expiry of the token: ms since 1970. */
  readonly until: number
}

const MAX_KNOWN = 10_000

/** `rate` limits wrong tokens per address and second; 0 for no limit. */
export function authenticator(db: Database, tokenInQuery: boolean, rate: number): Authenticator {
  const mayFail = rate === 0 ? () => true : tokenBuckets(rate).take
  const known = new Map<string, CachedCaller>()
  const callerOf = (request: FastifyRequest) => {
    const token = readToken(request, tokenInQuery)
    const refuse = (failure: StorageFailure) => (mayFail(request.ip) ? failure : rateLimitExceeded())
    if (token === undefined) throw refuse(unauthorized('required', 'Login Required'))
    const now = Date.now()
    const remembered = known.get(token)
    if (remembered !== undefined && remembered.until > now) return remembered.caller
    known.delete(token)
    const found = findToken(db, digestToken(token))
    const { expires = Infinity } = found ?? {}
    if (found === undefined || expires <= now)
      throw refuse(unauthorized('authError', 'Invalid Credentials', INVALID + expiryNote(expires)))
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(token, { caller: found.caller, until: expires })
    return found.caller
  }
  const hasToken = (request: FastifyRequest) => readToken(request, tokenInQuery) !== undefined
  return { callerOf, hasToken, forget: () => known.clear() }
}

const INVALID = ', error="invalid_token"'

/** Tells an expired token from an unknown one; `expires` is ms since 1970. */
function expiryNote(expires: number): string {
  if (expires === Infinity) return ''
  return `, error_description="expired at ${new Date(expires).toISOString().slice(0, 19)}Z"`
}

const BEARER = /^Bearer +(\S+)$/i

function readToken(request: FastifyRequest, tokenInQuery: boolean): string | undefined {
  const { authorization } = request.headers
  if (authorization !== undefined) return BEARER.exec(authorization)?.[1] ?? ''
  const session = readSession(request)
  if (session !== undefined) return session
  if (!tokenInQuery) return undefined
  const { access_token: one, oauth_token: other } = queryOf(request)
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

/** Caller for a request without credentials; undefined if the item is not open to anyone. */
export function findGuest(db: Database, request: FastifyRequest): Caller | undefined {
  const id = findRequestedItem(request)
  return id !== undefined && isOpenToAnyone(db, id) ? GUEST : undefined
}

export function isOpenToAnyone(db: Database, id: string): boolean {
  return id !== 'root' && findVisibleFile(db, GUEST, id) !== undefined
}

/** Query for the children of one folder; further `and` terms only narrow it. */
const IN_FOLDER = /^'([\w-]{1,100})' in parents(?: and |$)/

/** Item that a request without an account may be about. */
export function findRequestedItem(request: FastifyRequest): string | undefined {
  const { method, routeOptions } = request
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const asked = queryOf(request)
  const { fileId } = pathOf(request)
  switch (routeOptions.url) {
    case '/drive/v2/files/:fileId':
      // guests have no views to record, and only writers read older revisions
      if (asked['updateViewedDate'] !== undefined || asked['revisionId'] !== undefined) return undefined
      return fileId
    case '/public/:fileId':
      return fileId
    case '/drive/v2/files/:fileId/export':
      if (asked['revisionId'] !== undefined) return undefined
      return fileId
    case '/drive/v2/files': {
      const { q } = asked
      return typeof q === 'string' && !/\bor\b/i.test(q) ? IN_FOLDER.exec(q)?.[1] : undefined
    }
    default:
      return undefined
  }
}
