/** Redirect URIs of clients after sign-in: registered in advance and compared exactly (RFC 6749, 8252, 9700). Pure. */
import { invalid } from '../contract/failure.ts'

/** Parameters that the response adds. */
const ADDED = ['code', 'state', 'error', 'error_description', 'iss', 'scope']
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?(\/[\x21\x24-\x5b\x5d-\x7e]*)?$/
const MAX_ADDRESS_LENGTH = 2048

/**
 * Accepts https, http on the loopback interface with any port, or a private-use scheme with a dot (RFC 8252, 7.1).
 * @throws 400 — any other
 */
export function readRedirect(text: string): string {
  const isText = !/[^\x21-\x7e]/.test(text) && text.length <= MAX_ADDRESS_LENGTH
  const url = isText && URL.canParse(text) ? new URL(text) : undefined
  const isWrong =
    url === undefined ||
    text.includes('#') ||
    text.includes('\\') ||
    url.username + url.password !== '' ||
    ADDED.some((name) => url.searchParams.has(name)) ||
    !(url.protocol === 'https:' || LOOPBACK.test(text) || /\w\.\w/.test(url.protocol))
  if (!isWrong) return text
  throw invalid(
    `Redirect URI not allowed: ${JSON.stringify(text)}. Use https://…, http://localhost/…, http://127.0.0.1/…, or a scheme with a dot.`,
    'redirect_uri',
  )
}

/** Compares exactly, except for the port of a loopback address: a client takes a free one. */
export function isKnownRedirect(known: readonly string[], given: string): boolean {
  if (known.includes(given)) return true
  const address = withoutPort(given)
  return address !== undefined && known.some((one) => withoutPort(one) === address)
}

/** Compares the text as written, not as a browser would normalise it. Returns undefined unless it is a loopback address. */
function withoutPort(text: string): string | undefined {
  const [, host, path = '/'] = LOOPBACK.exec(text) ?? []
  return host === undefined ? undefined : `${host}${path}`
}

/** Redirect URI with the response parameters added. */
export function redirectWith(redirect: string, answer: Readonly<Record<string, string | undefined>>): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) given.append(name, value)
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${given.toString()}`
}

/** Source expression for a content security policy: `http://localhost:8080`, `org.example.app:`. */
export function redirectSource(redirect: string): string {
  const { protocol, host } = new URL(redirect)
  return protocol === 'https:' || protocol === 'http:' ? `${protocol}//${host}` : protocol
}
