/** What is wrong with a request for tokens, as RFC 6749 and 8628 name it. */

export type GrantFault =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'

export class GrantError extends Error {
  readonly code: GrantFault

  constructor(code: GrantFault, message: string) {
    super(message)
    this.code = code
  }
}
