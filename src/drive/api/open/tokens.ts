/** `/token` and `/revoke`: endpoints where clients get and revoke tokens (RFC 6749, 7009, 8628). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AccountKey, findAccountKey } from '../../domain/accounts/accounts.ts'
import { keySource } from '../../domain/accounts/end-tokens.ts'
import { addresses, findUser } from '../../domain/accounts/users.ts'
import { OPERATOR, command } from '../../domain/commands.ts'
import { readLimits } from '../../domain/settings.ts'
import { clientByKey } from '../../domain/accounts/clients.ts'
import { digestToken, findToken, newToken, readScopes, scopeWords } from '../../domain/accounts/tokens.ts'
import { isStorageFailure, type Scope } from '../../contract/failure.ts'
import { type DriveContext, refuseInBatch } from '../requests/call.ts'
import { authenticateClient, GrantError, namedClient } from '../sign-in/client-login.ts'
import { openDeviceRequest } from '../sign-in/device-page.ts'
import { type Form, readForm } from '../sign-in/html.ts'
import type { Database } from '../../persistence/database/database.ts'
import type { NewTokens } from '../../domain/sign-in/codes.ts'

/** Token endpoints; the second and third are in credentials files of older clients. */
const PATHS = ['/token', '/oauth2/v4/token', '/o/oauth2/token']

/** Device endpoints; the second is the one in clients of the public service. */
const DEVICE_PATHS = ['/device/code', '/o/oauth2/device/code']

export function addTokens(app: FastifyInstance, drive: DriveContext): void {
  // limits bodies of unauthenticated clients to a form or a token
  const open = { config: { isOpen: true }, bodyLimit: 65_536 }
  const answering =
    (make: (drive: DriveContext, request: FastifyRequest) => Promise<object>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store')
      try {
        return await make(drive, request)
      } catch (error) {
        return refuse(error, request, reply)
      }
    }
  for (const path of PATHS) app.post(path, open, answering(giveToken))
  for (const path of DEVICE_PATHS) app.post(path, open, answering(openDeviceRequest))
  app.post('/revoke', open, async (request, reply) => {
    const { token = '' } = readForm(request)
    const digest = digestToken(token)
    // also after an error: a command may have been carried out without an answer
    if (token !== '')
      await command(drive.store, 'revokeToken', OPERATOR, { digest }).finally(drive.callers.forget)
    return reply.send({})
  })
}

function giveToken(drive: DriveContext, request: FastifyRequest): Promise<object> {
  refuseInBatch(request)
  const form = readForm(request)
  switch (form['grant_type']) {
    case 'authorization_code':
      return redeemForCode(drive, request, form)
    case 'urn:ietf:params:oauth:grant-type:device_code':
    // name in older clients of the public service
    case 'http://oauth.net/grant_type/device/1.0':
      return redeemForDevice(drive, request, form)
    default:
      return giveAccess(drive, request, form)
  }
}

async function giveAccess({ store }: DriveContext, request: FastifyRequest, form: Form): Promise<object> {
  const urls = addresses(store.read).flatMap((base) => PATHS.map((path) => `${base}${path}`))
  const { user, client, scopes, scope, source } = await grant(store.read, form, urls)
  if (form['grant_type'] === 'refresh_token') requireClient(client, request, form, store)
  const token = newToken()
  const limits = readLimits(store.read)
  const life = limits['token-seconds']
  const now = Date.now()
  await command(store, 'addToken', OPERATOR, {
    digest: digestToken(token),
    user,
    client,
    scopes,
    kind: 'access',
    expires: now + life * 1000,
    source,
    renewed: now + limits['refresh-days'] * 86_400_000,
  })
  return { access_token: token, token_type: 'Bearer', expires_in: life, scope }
}

/**
 * A client with a secret must authenticate. A client without one cannot. Libraries may send the client id of any
 * credentials file, so an unknown id is accepted, and the id of another known client is refused. @throws {GrantError}
 */
function requireClient(
  client: number,
  request: FastifyRequest,
  form: Form,
  { read }: DriveContext['store'],
): void {
  const { secret } = clientByKey(read, client)
  const asking = secret === null ? namedClient(read, request, form) : authenticateClient(read, request, form)
  if (asking !== undefined && asking.pk !== client)
    throw new GrantError('invalid_grant', 'the refresh token belongs to another program')
}

function refuse(error: unknown, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  // the user, client or key was disabled after the check
  if (isStorageFailure(error) && error.reason === 'disabled')
    return reply.code(400).send({ error: 'invalid_grant', error_description: error.message })
  if (!(error instanceof GrantError)) throw error
  const { code, message } = error
  if (code === 'invalid_client' && headers.authorization !== undefined)
    reply.header('www-authenticate', 'Basic realm="hla drive"')
  return reply
    .code(code === 'unauthorized_client' || code === 'invalid_client' ? 401 : 400)
    .send({ error: code, error_description: message })
}

/** @throws {GrantError} */
async function redeemForCode(drive: DriveContext, request: FastifyRequest, form: Form): Promise<object> {
  const { store, callers } = drive
  const client = authenticateClient(store.read, request, form)
  const { code, redirect_uri: redirect = '', code_verifier: verifier } = form
  if (code === undefined) throw new GrantError('invalid_request', 'code is missing')
  const made = makeTokens(drive)
  const asked = { digest: digestToken(code), client: client.pk, redirect, verifier, ...made.digests }
  // a reused code ends tokens
  const redeemed = await command(store, 'redeemCode', OPERATOR, asked).finally(callers.forget)
  if ('refused' in redeemed) throw new GrantError('invalid_grant', redeemed.refused)
  return made.answer(redeemed.scope, redeemed.isLasting)
}

/** @throws {GrantError} also while the user has not decided yet */
async function redeemForDevice(drive: DriveContext, request: FastifyRequest, form: Form): Promise<object> {
  const { store } = drive
  const client = authenticateClient(store.read, request, form)
  const code = form['device_code'] ?? form['code']
  if (code === undefined) throw new GrantError('invalid_request', 'device_code is missing')
  const made = makeTokens(drive)
  const asked = { digest: digestToken(code), client: client.pk, ...made.digests }
  const redeemed = await command(store, 'redeemDevice', OPERATOR, asked)
  if ('refused' in redeemed) throw new GrantError(redeemed.refused, NOT_YET[redeemed.refused])
  return made.answer(redeemed.scope, true)
}

const NOT_YET = {
  authorization_pending: 'the user has not signed in yet',
  slow_down: 'ask less often',
  access_denied: 'the user refused access',
  expired_token: 'no sign-in arrived in time',
  invalid_grant: 'there is no such device_code',
} as const

interface MadeTokens {
  readonly digests: NewTokens
  readonly answer: (scope: string, isLasting: boolean) => object
}

function makeTokens({ store }: DriveContext): MadeTokens {
  const [access, refresh] = [newToken(), newToken()]
  const limits = readLimits(store.read)
  const life = limits['token-seconds']
  const now = Date.now()
  return {
    digests: {
      access: { digest: digestToken(access), expires: now + life * 1000 },
      refresh: { digest: digestToken(refresh), expires: now + limits['refresh-days'] * 86_400_000 },
    },
    answer: (scope, isLasting) => ({
      access_token: access,
      token_type: 'Bearer',
      expires_in: life,
      scope,
      ...(isLasting ? { refresh_token: refresh } : {}),
    }),
  }
}

/** Owner and scopes of a new access token. */
interface Granted {
  readonly user: number
  readonly client: number
  readonly scopes: readonly Scope[]
  /** Scopes as the client wrote them: some libraries compare them. */
  readonly scope: string
  /** Refresh token or key that the token is given for. */
  readonly source: string
}

type TokenForm = Readonly<Record<string, string | undefined>>

const MAX_LIFE_SECONDS = 3600
/** Allowed clock difference in seconds. */
const TOLERANCE_SECONDS = 60

/** `urls`: accepted audiences of an assertion. @throws {GrantError} */
async function grant(db: Database, form: TokenForm, urls: readonly string[]): Promise<Granted> {
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
  // the store wrote these facts
  const { scope: said = scopes.join(' ') } = JSON.parse(found.facts) as { readonly scope?: string }
  if (scope === undefined || scope === '') return { ...who, scopes, scope: said }
  const asked = readScopes(scope)
  if (asked.length === 0 || asked.some((one) => !scopes.includes(one)))
    throw new GrantError('invalid_scope', 'the refresh token has no such scope')
  return { ...who, scopes: asked, scope: scopeWords(scope) }
}

async function grantAssertion(db: Database, assertion: string, urls: readonly string[]): Promise<Granted> {
  const claims = await verified(db, assertion, urls)
  const { key, kid, subject, scope } = claims
  const scopes = readScopes(scope)
  if (scopes.length === 0)
    throw new GrantError('invalid_scope', 'the assertion contains no scope of this service')
  const user = findAccountUser(db, key, subject)
  return { user, client: key.client, scopes, scope: scopes.join(' '), source: keySource(kid) }
}

/** @throws {GrantError} unauthorized_client — the account may not impersonate users */
function findAccountUser(db: Database, key: AccountKey, subject: string | undefined): number {
  if (subject === undefined || subject === key.email) return key.user
  const user = key.mayImpersonate ? findUser(db, subject) : undefined
  if (user !== undefined) return user.pk
  throw new GrantError('unauthorized_client', 'the account may not request tokens for that user')
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
      'the service does not know its address: the operator must set --public-url',
    )
  const { decodeProtectedHeader, errors, importSPKI, jwtVerify } = await import('jose')
  try {
    const { kid } = decodeProtectedHeader(assertion)
    // the header is untrusted input, whatever its type says
    const key = typeof kid === 'string' ? findAccountKey(db, kid) : undefined
    if (kid === undefined || key === undefined)
      throw new GrantError('invalid_grant', 'the key of the assertion is not known')
    const { payload } = await jwtVerify(assertion, await importSPKI(key.publicKey, 'RS256'), {
      algorithms: ['RS256'],
      audience: [...urls],
      issuer: key.email,
      requiredClaims: ['exp', 'iat'],
      clockTolerance: TOLERANCE_SECONDS,
    })
    const { exp = 0, sub, scope } = payload
    if (exp > Date.now() / 1000 + MAX_LIFE_SECONDS + TOLERANCE_SECONDS)
      throw new GrantError(
        'invalid_grant',
        'the assertion is valid for more than an hour; the limit is one hour',
      )
    if (sub !== undefined && typeof sub !== 'string')
      throw new GrantError('invalid_grant', 'the subject of the assertion is not an e-mail address')
    return { key, kid, subject: sub, scope: typeof scope === 'string' ? scope : '' }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw new GrantError('invalid_grant', `the assertion is not valid: ${error.message}`)
    throw error
  }
}
