/** Where a program may have people sent back to when they have signed in: addresses said beforehand, compared exactly (RFC 6749, 8252, 9700). Pure. */
import { invalid } from '../contract/failure.ts'

/** What the answer adds. */
const ADDED = ['code', 'state', 'error', 'error_description', 'iss', 'scope']
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?(\/[\x21\x24-\x5b\x5d-\x7e]*)?$/
const LONGEST = 2048

/**
 * https; http of this machine, at whatever port; or a scheme of the program's own, which has a dot (RFC 8252, 7.1).
 * @throws 400 — any other
 */
export function readRedirect(text: string): string {
  const url = /^[\x21-\x7e]+$/.test(text) && text.length <= LONGEST ? parseUrl(text) : undefined
  const isWrong =
    url === undefined ||
    text.includes('#') ||
    text.includes('\\') ||
    url.username + url.password !== '' ||
    ADDED.some((name) => url.searchParams.has(name)) ||
    !(
      url.protocol === 'https:' ||
      LOOPBACK.test(text) ||
      /^[a-z][a-z0-9+-]*\.[a-z0-9+.-]+:$/.test(url.protocol)
    )
  if (!isWrong) return text
  throw invalid(
    `People cannot be sent to ${JSON.stringify(text)}: https://…, http://localhost/…, http://127.0.0.1/…, or a scheme with a dot.`,
    'redirect_uri',
  )
}

/** As it was said; of this machine at any port, since a program takes one that is free. */
export function isKnownRedirect(known: readonly string[], given: string): boolean {
  if (known.includes(given)) return true
  const place = withoutPort(given)
  return place !== undefined && known.some((one) => withoutPort(one) === place)
}

/** As it is written: what a browser would make of it counts for nothing. Undefined: it is not of this machine. */
function withoutPort(text: string): string | undefined {
  const [, host, path = '/'] = LOOPBACK.exec(text) ?? []
  return host === undefined ? undefined : `${host}${path}`
}

/** The address with what is answered there. */
export function redirectWith(redirect: string, answer: Readonly<Record<string, string | undefined>>): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) given.append(name, value)
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${given.toString()}`
}

/** Whom a browser is sent to, as a policy names it: `http://localhost:8080`, `org.example.app:`. */
export function redirectSource(redirect: string): string {
  const { protocol, host } = new URL(redirect)
  return protocol === 'https:' || protocol === 'http:' ? `${protocol}//${host}` : protocol
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}
