/** Recognises requests of the store's own page among those with its cookie, because other sites can make browsers send requests too. */
import type { FastifyRequest } from 'fastify'
import { StorageFailure } from '../../contract/failure.ts'
import { readCookie } from './cookies.ts'

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
