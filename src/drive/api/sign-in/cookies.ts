/**
 * Cookies of the service, which scripts cannot read. They hold a form, a session on the page, a sign-in in progress
 * at an OpenID provider, the person the provider named, and an opened link. Browsers send only the last three when
 * another site leads here.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'

type CookieName = 'form' | 'session' | 'openid' | 'person' | 'link'

/** Cookies that browsers send when another site redirects here. */
const LAX: ReadonlySet<CookieName> = new Set(['openid', 'person', 'link'])

export function setCookie(
  reply: FastifyReply,
  name: CookieName,
  {
    value,
    seconds,
    isSecure,
  }: { readonly value: string; readonly seconds: number; readonly isSecure: boolean },
): void {
  const secure = isSecure ? '; Secure' : ''
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${LAX.has(name) ? 'Lax' : 'Strict'}${secure}`
  reply.header('set-cookie', `${cookieName(name, isSecure)}=${value}; ${attributes}`)
}

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
function cookieName(name: CookieName, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}hla-${name}`
}
