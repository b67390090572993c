/** Requests of browsers, with the cookies that their replies set. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type DriveContext, baseUrl } from '../requests/call.ts'
import { type CookieName, cookieName } from './cookies.ts'

/** A request outside the operations, and its reply. */
export interface Visit {
  readonly drive: DriveContext
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Options of a route without credentials, which reads at most a form. */
export const OPEN_FORM = { config: { isOpen: true }, bodyLimit: 65_536 }

/** Cookies that browsers send when another site redirects here. */
const LAX: ReadonlySet<CookieName> = new Set(['openid', 'person', 'link'])

export function setCookie(
  { drive, request, reply }: Visit,
  name: CookieName,
  value: string,
  seconds: number,
): void {
  const isSecure = baseUrl(request, drive.options).startsWith('https:')
  const secure = isSecure ? '; Secure' : ''
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${LAX.has(name) ? 'Lax' : 'Strict'}${secure}`
  reply.header('set-cookie', `${cookieName(name, isSecure)}=${value}; ${attributes}`)
}

export function clearCookie(visit: Visit, name: CookieName): void {
  setCookie(visit, name, '', 0)
}
