/** Whether a request that a cookie came with is one of our page: other sites make browsers send requests, too. */
import type { FastifyRequest } from 'fastify'
import { StorageFailure } from '../../contract/failure.ts'
import { readCookie } from './cookies.ts'

/** A page of another origin may send no header of its own choosing along with cookies. */
const HEADER = 'x-hla-page'

/** @throws 403 */
export function mustBePage(request: FastifyRequest): void {
  if (isOfPage(request)) return
  throw new StorageFailure(403, 'forbidden', 'People sign in on the page of the store.')
}

/** The token of whoever signed in on the page, where the request is one of it, or reads what a link of it leads to. */
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
