/** What an access token is given for: the signed word of a service account, or a refresh token (spec 3). */
import type { Scope } from '../../contract/caller.ts'
import { type AccountKey, findAccountKey } from '../../domain/accounts/accounts.ts'
import { keySource } from '../../domain/accounts/end-access.ts'
import { digestToken, findToken, readScopes } from '../../domain/accounts/tokens.ts'
import { findUser } from '../../domain/accounts/users.ts'
import type { Database } from '../../persistence/database/database.ts'
import { GrantError } from './grant-error.ts'

/** What the new token will be of. */
export interface Granted {
  readonly user: number
  readonly client: number
  readonly scopes: readonly Scope[]
  /** In the words of the program: some libraries compare them. */
  readonly scope: string
  /** The refresh token or the key. */
  readonly source: string
}

type TokenForm = Readonly<Record<string, string | undefined>>

const LONGEST_LIFE = 3600
/** Seconds that clocks may differ. */
const TOLERANCE = 60

/** `urls`: what an assertion may be made out to. @throws {GrantError} */
export async function grant(db: Database, form: TokenForm, urls: readonly string[]): Promise<Granted> {
  switch (form['grant_type']) {
    case 'urn:ietf:params:oauth:grant-type:jwt-bearer':
      return grantAssertion(db, form['assertion'] ?? '', urls)
    case 'refresh_token':
      return grantRefresh(db, form)
    case undefined:
      throw new GrantError('invalid_request', 'grant_type is missing')
    default:
      throw new GrantError(
        'unsupported_grant_type',
        'tokens are given for authorization_code, device_code, jwt-bearer and refresh_token',
      )
  }
}

function grantRefresh(db: Database, { refresh_token: token = '', scope }: TokenForm): Granted {
  const source = digestToken(token)
  const found = findToken(db, source, 'refresh')
  if (found === undefined || (found.expires ?? Infinity) <= Date.now())
    throw new GrantError('invalid_grant', 'there is no such refresh token, or it has expired')
  const { scopes, user, client } = found.caller
  const who = { user, client, source }
  // as the store wrote them
  const { scope: said = scopes.join(' ') } = JSON.parse(found.facts) as { readonly scope?: string }
  if (scope === undefined || scope === '') return { ...who, scopes, scope: said }
  const asked = readScopes(scope)
  if (asked.length === 0 || asked.some((one) => !scopes.includes(one)))
    throw new GrantError('invalid_scope', 'the refresh token has no such scope')
  return { ...who, scopes: asked, scope }
}

async function grantAssertion(db: Database, assertion: string, urls: readonly string[]): Promise<Granted> {
  const claims = await verified(db, assertion, urls)
  const { key, kid, subject, scope } = claims
  const scopes = readScopes(scope)
  if (scopes.length === 0)
    throw new GrantError('invalid_scope', 'the assertion names no scope of this service')
  const user = findAccountUser(db, key, subject)
  return { user, client: key.client, scopes, scope: scopes.join(' '), source: keySource(kid) }
}

/** @throws {GrantError} unauthorized_client — the account may not speak for others */
function findAccountUser(db: Database, key: AccountKey, subject: string | undefined): number {
  if (subject === undefined || subject === key.email) return key.user
  const user = key.mayImpersonate ? findUser(db, subject) : undefined
  if (user !== undefined) return user.pk
  throw new GrantError('unauthorized_client', 'the account may not ask for tokens of that user')
}

interface Claims {
  readonly key: AccountKey
  readonly kid: string
  readonly subject: string | undefined
  readonly scope: string
}

async function verified(db: Database, assertion: string, urls: readonly string[]): Promise<Claims> {
  if (urls.length === 0)
    throw new GrantError(
      'invalid_grant',
      'the service was not told its address: its operator does by --public-url',
    )
  const { decodeProtectedHeader, errors, importSPKI, jwtVerify } = await import('jose')
  try {
    const { kid } = decodeProtectedHeader(assertion)
    // what a stranger wrote, whatever its type says
    const key = typeof kid === 'string' ? findAccountKey(db, kid) : undefined
    if (kid === undefined || key === undefined)
      throw new GrantError('invalid_grant', 'the key of the assertion is not known')
    const { payload } = await jwtVerify(assertion, await importSPKI(key.publicKey, 'RS256'), {
      algorithms: ['RS256'],
      audience: [...urls],
      issuer: key.email,
      requiredClaims: ['exp', 'iat'],
      clockTolerance: TOLERANCE,
    })
    const { exp = 0, sub, scope } = payload
    if (exp > Date.now() / 1000 + LONGEST_LIFE + TOLERANCE)
      throw new GrantError('invalid_grant', 'the assertion is good for more than an hour')
    if (sub !== undefined && typeof sub !== 'string')
      throw new GrantError('invalid_grant', 'the subject of the assertion is no address')
    return { key, kid, subject: sub, scope: typeof scope === 'string' ? scope : '' }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw new GrantError('invalid_grant', `the assertion is not valid: ${error.message}`)
    throw error
  }
}
