/** Service accounts as programs use them: a key file, and signed token requests. */
import { createSign } from 'node:crypto'

export const BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** The file that `hla drive account add` and `hla drive key add` print. */
export interface Credentials {
  readonly private_key_id: string
  readonly private_key: string
  readonly client_email: string
  readonly token_uri: string
}

/** Seconds since 1970. */
export const now = () => Math.floor(Date.now() / 1000)

const claimsOf = ({ client_email: iss, token_uri: aud }: Credentials) => ({
  iss,
  aud,
  iat: now(),
  exp: now() + 3600,
  scope: 'https://www.googleapis.com/auth/drive',
})

/** RFC 7523 assertion. `claims`, `header`: members that replace or extend the usual ones. */
export function assertion(from: Credentials, claims: object = {}, header: object = {}): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const text = [
    encode({ alg: 'RS256', typ: 'JWT', kid: from.private_key_id, ...header }),
    encode({ ...claimsOf(from), ...claims }),
  ].join('.')
  return `${text}.${createSign('RSA-SHA256').update(text).sign(from.private_key, 'base64url')}`
}

export function tokenRequest(form: Readonly<Record<string, string>>) {
  return {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    token: undefined,
  }
}
