/** `/token` and `/revoke`: endpoints where clients get and revoke tokens (RFC 6749, 7009, 8628). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addresses } from '../../domain/accounts/users.ts'
import { OPERATOR, command } from '../../domain/commands.ts'
import { readLimits } from '../../domain/settings.ts'
import { clientByKey } from '../../domain/accounts/clients.ts'
import { digestToken, newToken } from '../../domain/accounts/tokens.ts'
import { isStorageFailure } from '../../contract/failure.ts'
import { type DriveContext, refuseInBatch } from '../requests/call.ts'
import { authenticateClient, namedClient } from '../sign-in/client-login.ts'
import { openDeviceRequest } from '../sign-in/device-page.ts'
import { type Form, readForm } from '../sign-in/html.ts'
import { GrantError, grant } from './health.ts'
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
