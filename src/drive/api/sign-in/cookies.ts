/** The cookies: of a form, of who signed in on the page of the store, of who is at an OpenID provider, and of whom that has named. Scripts read none, and other sites send none but the last two, on the way back. */
import type { FastifyReply, FastifyRequest } from 'fastify'

type CookieName = 'form' | 'session' | 'openid' | 'person'

/** Those that come along when another site sends a browser here. */
const LAX: ReadonlySet<CookieName> = new Set(['openid', 'person'])

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

/** By the prefix a browser takes it from this host alone, and from TLS. */
function cookieName(name: CookieName, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}hla-${name}`
}
