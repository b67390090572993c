/** Trust in proxies for client addresses. */

/** Trusts the proxy in front only: entries before its own in `X-Forwarded-For` may be written by the client. */
export function isProxy(_address: string, hop: number): boolean {
  return hop === 0
}
