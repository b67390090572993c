/** Bearer token -> caller (spec 3). */
import type { FastifyRequest } from 'fastify'
import { digestOf, findToken } from '../library/tokens.ts'
import type { Caller } from '../model/caller.ts'
import { StorageFailure } from '../model/failure.ts'
import type { Database } from '../store/database.ts'

export interface Authenticator {
  /** @throws 401 */
  readonly callerOf: (request: FastifyRequest) => Caller
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

export function authenticator(db: Database, tokenInQuery: boolean): Authenticator {
  const known = new Map<string, Known>()
  const callerOf = (request: FastifyRequest) => {
    const token = tokenOf(request, tokenInQuery)
    if (token === undefined) throw unauthorized('required', 'Login Required')
    const now = Date.now()
    const remembered = known.get(token)
    if (remembered !== undefined && remembered.until > now) return remembered.caller
    known.delete(token)
    const found = findToken(db, digestOf(token))
    if (found === undefined || (found.expires ?? Infinity) <= now)
      throw unauthorized('authError', 'Invalid Credentials', ', error="invalid_token"')
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(token, { caller: found.caller, until: Math.min(now + TRUSTED, found.expires ?? Infinity) })
    return found.caller
  }
  return { callerOf, forget: () => known.clear() }
}

const BEARER = /^Bearer +(\S+)$/i

function tokenOf({ headers, query }: FastifyRequest, tokenInQuery: boolean): string | undefined {
  const { authorization } = headers
  if (authorization !== undefined) return BEARER.exec(authorization)?.[1] ?? ''
  if (!tokenInQuery) return undefined
  const { access_token: one, oauth_token: other } = query as Record<string, unknown> // as fastify parses it
  const token = one ?? other
  return typeof token === 'string' ? token : undefined
}

function unauthorized(reason: string, message: string, detail = ''): StorageFailure {
  return new StorageFailure(401, reason, message, {
    location: 'Authorization',
    locationType: 'header',
    headers: { 'www-authenticate': `Bearer realm="hla drive"${detail}` },
  })
}
