/** How the command line gets tokens of a store, against a scripted store. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  redeemDeviceCode,
  refreshAccess,
  requestDeviceCode,
  revokeTokens,
} from '../../../src/drive/client/sign-in.ts'
import { scriptedStore, type ScriptedReply } from '../../support/scripted-store.ts'

const NOW = Date.UTC(2026, 10, 27)
beforeEach(() => vi.useFakeTimers({ now: NOW, toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

/** A form is sent as bytes. */
const formText = (body: unknown) => (Buffer.isBuffer(body) ? body.toString() : '')

/** Path, form and accepted statuses of each request. */
function asking(reply: ScriptedReply) {
  const { connection, asked } = scriptedStore(() => reply)
  const forms = () =>
    asked.map(({ method, path, headers, body, answers }) => [
      `${method} ${path} ${headers?.['content-type']}`,
      Object.fromEntries(new URLSearchParams(formText(body?.()))),
      answers,
    ])
  return { connection, forms }
}

const FORM = 'application/x-www-form-urlencoded'
const ADDRESSES = { verification_uri: 'https://s/device', verification_uri_complete: 'https://s/device?c=U' }

describe('a code to type into a browser', () => {
  test.for([
    [{ ...ADDRESSES, interval: 2, expires_in: 30 }, { link: 'https://s/device?c=U', pause: 2000, life: 30_000 }],
    [{ verification_uri: 'https://s/device' }, { link: 'https://s/device', pause: 5000, life: 600_000 }],
  ] as const)('%j is %j', async ([more, expected]) => {
    const { connection, forms } = asking({ body: { device_code: 'd', user_code: 'U', ...more } })
    expect(await requestDeviceCode(connection, 'drive')).toEqual({
      code: 'd',
      userCode: 'U',
      page: 'https://s/device',
      ...expected,
    })
    expect(forms()).toEqual([[`POST /device/code ${FORM}`, { client_id: 'hla', scope: 'drive' }, []]])
  }) // prettier-ignore
})

describe('tokens for a code', () => {
  const redeemed = (reply: ScriptedReply) => {
    const { connection, forms } = asking(reply)
    return { tokens: redeemDeviceCode(connection, 'd'), forms }
  }
  test.for([
    [{ body: { access_token: 'a', refresh_token: 'r', expires_in: 60 } }, { access: 'a', refresh: 'r', expires: NOW + 60_000 }],
    [{ body: { access_token: 'a', refresh_token: 'r' } }, { access: 'a', refresh: 'r', expires: NOW + 3_600_000 }],
    [{ status: 400, body: { error: 'authorization_pending' } }, 'wait'],
    [{ status: 400, body: { error: 'slow_down' } }, 'slower'],
  ] as const)('%j are %j', async ([reply, expected]) => {
    const { tokens, forms } = redeemed(reply)
    expect(await tokens).toEqual(expected)
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'd', client_id: 'hla' }
    expect(forms()).toEqual([[`POST /token ${FORM}`, form, [400]]])
  }) // prettier-ignore

  test.for([
    [{ status: 400, body: { error: 'expired_token', error_description: 'too late' } }, 'sign-in failed: too late'], // prettier-ignore
    [{ body: {} }, 'the sign-in answer of the store contains no token'],
  ] as const)('%j: %s', async ([reply, message]) => {
    await expect(redeemed(reply).tokens).rejects.toMatchObject({ code: 'remote', message })
  })
})

test.for([400, 401])('a sign-in that has ended is answered %d', async (status) => {
  const { connection, forms } = asking({ status })
  await expect(refreshAccess(connection, 'r')).rejects.toMatchObject({
    code: 'remote',
    message: 'https://store.example does not know this sign-in any more',
    hint: 'hla drive login signs in again',
  })
  const form = { grant_type: 'refresh_token', refresh_token: 'r', client_id: 'hla' }
  expect(forms()).toEqual([[`POST /token ${FORM}`, form, [400, 401]]])
})

test('an access token is renewed, and revoked', async () => {
  const { connection, forms } = asking({ body: { access_token: 'a', expires_in: 1 } })
  expect(await refreshAccess(connection, 'r')).toEqual({ access: 'a', expires: NOW + 1000 })
  await revokeTokens(connection, 'a')
  expect(forms().at(-1)).toEqual([`POST /revoke ${FORM}`, { token: 'a' }, []])
})

test('a token that the store does not revoke is said to be left', async () => {
  await expect(revokeTokens(asking({ status: 403 }).connection, 'a')).rejects.toMatchObject({ code: 'io' })
})
