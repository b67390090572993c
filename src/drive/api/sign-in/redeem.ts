/** Tokens for a code that somebody was sent back with, or for a device that somebody let in. */
import type { FastifyRequest } from 'fastify'
import { digestToken, newToken } from '../../domain/accounts/tokens.ts'
import { command, OPERATOR } from '../../domain/commands.ts'
import { readLimits } from '../../domain/limits.ts'
import type { NewTokens } from '../../domain/sign-in/codes.ts'
import { GrantError } from '../open/grant-error.ts'
import type { DriveContext } from '../requests/call.ts'
import { authenticateClient } from './client-login.ts'
import type { Form } from './forms.ts'

/** @throws {GrantError} */
export async function redeemForCode(
  drive: DriveContext,
  request: FastifyRequest,
  form: Form,
): Promise<object> {
  const { store, callers } = drive
  const client = authenticateClient(store.read, request, form)
  const { code, redirect_uri: redirect = '', code_verifier: verifier } = form
  if (code === undefined) throw new GrantError('invalid_request', 'code is missing')
  const made = makeTokens(drive)
  const asked = { digest: digestToken(code), client: client.pk, redirect, verifier, ...made.digests }
  const redeemed = await command(store, 'redeemCode', OPERATOR, asked)
  // tokens may have ended with it
  callers.forget()
  if ('refused' in redeemed) throw new GrantError('invalid_grant', redeemed.refused)
  return made.answer(redeemed.scope, redeemed.isLasting)
}

/** @throws {GrantError} also when nobody has answered yet */
export async function redeemForDevice(
  drive: DriveContext,
  request: FastifyRequest,
  form: Form,
): Promise<object> {
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
  authorization_pending: 'nobody has signed in yet',
  slow_down: 'ask less often',
  access_denied: 'it was not allowed',
  expired_token: 'nobody signed in in time',
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
