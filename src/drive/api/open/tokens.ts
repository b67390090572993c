/** `/token` and `/revoke`: where programs get their access tokens, in the words of RFC 6749 and 7009. */
import { parse } from 'node:querystring'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addresses } from '../../domain/accounts/address.ts'
import { command, OPERATOR } from '../../domain/commands.ts'
import { readLimits } from '../../domain/limits.ts'
import { digestToken, newToken } from '../../domain/accounts/tokens.ts'
import { isStorageFailure } from '../../contract/failure.ts'
import type { DriveContext } from '../requests/call.ts'
import { type TokenForm, grant, GrantError } from './grants.ts'

/** The second and third are where credentials files of older clients point. */
const PATHS = ['/token', '/oauth2/v4/token', '/o/oauth2/token']

export function addTokens(app: FastifyInstance, drive: DriveContext): void {
  // of strangers little is read: a form, or one token
  const open = { config: { isOpen: true }, bodyLimit: 65_536 }
  for (const path of PATHS) {
    app.post(path, open, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      try {
        return await giveToken(drive, request)
      } catch (error) {
        return refuse(error, reply)
      }
    })
  }
  app.post('/revoke', open, async (request, reply) => {
    const { token = '' } = readForm(request)
    if (token !== '') await command(drive.store, 'revokeToken', OPERATOR, { digest: digestToken(token) })
    drive.callers.forget()
    return reply.send({})
  })
}

async function giveToken({ store }: DriveContext, request: FastifyRequest): Promise<object> {
  const { user, client, scopes, source } = await grant(
    store.read,
    readForm(request),
    addresses(store.read).flatMap((base) => PATHS.map((path) => `${base}${path}`)),
  )
  const token = newToken()
  const life = readLimits(store.read)['token-seconds']
  const expires = Date.now() + life * 1000
  await command(store, 'addToken', OPERATOR, {
    digest: digestToken(token),
    user,
    client,
    scopes,
    kind: 'access',
    expires,
    source,
  })
  return { access_token: token, token_type: 'Bearer', expires_in: life, scope: scopes.join(' ') }
}

function refuse(error: unknown, reply: FastifyReply): FastifyReply {
  // disabled since it was looked at
  if (isStorageFailure(error) && error.status === 403)
    return reply.code(400).send({ error: 'invalid_grant', error_description: error.message })
  if (!(error instanceof GrantError)) throw error
  const { code, message } = error
  return reply
    .code(code === 'unauthorized_client' ? 401 : 400)
    .send({ error: code, error_description: message })
}

/** Of a name that is there twice the first. */
function readForm({ body }: FastifyRequest): TokenForm {
  // as our parser leaves it
  const bytes = body as Uint8Array | undefined
  const form = parse(bytes === undefined ? '' : Buffer.from(bytes).toString('utf8'))
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )
}
