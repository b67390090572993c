/**
 * Cookies of the service, which scripts cannot read. They hold a form, a session on the page, a sign-in in progress
 * at an OpenID provider, the person the provider named, and an opened link. That of a session counts only in requests
 * of the store's own page, because other sites can make browsers send requests with it too.
 */
import type { FastifyRequest } from 'fastify'
import { StorageFailure } from '../../contract/failure.ts'

export type CookieName = 'form' | 'session' | 'openid' | 'person' | 'link'

export function readCookie(
  { headers }: Pick<FastifyRequest, 'headers'>,
  name: CookieName,
): string | undefined {
  for (const isSecure of [true, false]) {
    const begin = `${cookieName(name, isSecure)}=`
    const found = headers.cookie?.split(/; */).find((one) => one.startsWith(begin))
    if (found !== undefined) return found.slice(begin.length)
  }
  return undefined
}

/** With the prefix `__Host-` a browser accepts the cookie only from this host over TLS. */
export function cookieName(name: CookieName, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}hla-${name}`
}

/** Header of the page's requests; pages of other origins cannot add it to requests with cookies. */
const HEADER = 'x-hla-page'

/** @throws 403 */
export function requirePageRequest(request: FastifyRequest): void {
  if (isOfPage(request)) return
  throw new StorageFailure(
    403,
    'forbidden',
    'Only the page of the store can make this request: sign in there.',
  )
}

/** Session token, if the request comes from the page or follows a link on it. */
export function readSession(request: FastifyRequest): string | undefined {
  const { headers, method } = request
  if (headers.cookie === undefined) return undefined
  const site = headers['sec-fetch-site']
  const isReading = (method === 'GET' || method === 'HEAD') && (site === 'same-origin' || site === 'none')
  return isReading || isOfPage(request) ? readCookie(request, 'session') : undefined
}

function isOfPage({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return headers[HEADER] !== undefined && (site === undefined || site === 'same-origin')
}
