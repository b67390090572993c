/** Whose word about a client is taken. */

/** That of the proxy in front: what stands before its own entry in `X-Forwarded-For`, the client may have written. */
export function isProxy(_address: string, hop: number): boolean {
  return hop === 0
}
