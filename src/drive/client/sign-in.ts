/**
 * Obtains tokens of a store for a command-line program: by a code that the user enters in a browser (RFC 8628), or by
 * a refresh token.  [network]
 */
import { HlaError } from '../../errors.ts'
import type { DriveConnection } from './connection.ts'
import { asRecord, asText } from './resource.ts'

/** Client id of `hla` at a store. */
const CLIENT = 'hla'

export interface DeviceCode {
  readonly code: string
  /** Code that the user enters. */
  readonly userCode: string
  /** Address of the page to enter it. */
  readonly page: string
  /** Address of the page with the code included. */
  readonly link: string
  /** Interval between polls, in ms. */
  readonly pause: number
  /** Lifetime of the code, in ms. */
  readonly life: number
}

export interface AccessToken {
  readonly access: string
  /** Expiry, ms since 1970. */
  readonly expires: number
}

export interface DriveTokens extends AccessToken {
  readonly refresh: string
}

/** @throws {HlaError} remote, io — the store does not support this sign-in */
export async function requestDeviceCode(connection: DriveConnection, scope: string): Promise<DeviceCode> {
  const { body } = await sendForm(connection, '/device/code', { client_id: CLIENT, scope })
  const answer = asRecord(body)
  const page = asText(answer['verification_uri'])
  return {
    code: asText(answer['device_code']),
    userCode: asText(answer['user_code']),
    page,
    link: asText(answer['verification_uri_complete']) || page,
    pause: Number(answer['interval'] ?? 5) * 1000,
    life: Number(answer['expires_in'] ?? 600) * 1000,
  }
}

/**
 * Returns 'wait' while nobody has signed in, 'slower' when polled too often.
 * @throws {HlaError} remote — refused, or expired
 */
export async function redeemDeviceCode(
  connection: DriveConnection,
  code: string,
): Promise<DriveTokens | 'wait' | 'slower'> {
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: code,
    client_id: CLIENT,
  }
  const { status, body } = await sendForm(connection, '/token', form, [400])
  const answer = asRecord(body)
  if (status === 200) return { ...readAccess(body), refresh: asText(answer['refresh_token']) }
  const error = asText(answer['error'])
  if (error === 'authorization_pending') return 'wait'
  if (error === 'slow_down') return 'slower'
  throw new HlaError('remote', `sign-in failed: ${asText(answer['error_description'])}`)
}

/** @throws {HlaError} remote — the refresh token is no longer valid */
export async function refreshAccess(connection: DriveConnection, refresh: string): Promise<AccessToken> {
  const form = { grant_type: 'refresh_token', refresh_token: refresh, client_id: CLIENT }
  const { status, body } = await sendForm(connection, '/token', form, [400, 401])
  if (status === 200) return readAccess(body)
  throw new HlaError('remote', `${connection.url} does not know this sign-in any more`, {
    hint: 'hla drive login signs in again',
  })
}

export async function revokeTokens(connection: DriveConnection, token: string): Promise<void> {
  await sendForm(connection, '/revoke', { token })
}

function readAccess(body: unknown): AccessToken {
  const answer = asRecord(body)
  const access = asText(answer['access_token'])
  if (access === '') throw new HlaError('remote', 'the sign-in answer of the store contains no token')
  return { access, expires: Date.now() + Number(answer['expires_in'] ?? 3600) * 1000 }
}

function sendForm(
  { send }: DriveConnection,
  path: string,
  form: Readonly<Record<string, string>>,
  answers: readonly number[] = [],
) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = () => Buffer.from(new URLSearchParams(form).toString())
  return send({ method: 'POST', path, headers, body, answers })
}
