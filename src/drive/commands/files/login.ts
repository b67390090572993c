/** `hla drive login` and `logout`: sign-in through a browser on any machine.  [disk, network] */
import { type DriveConnection, openConnection } from '../../client/connection.ts'
import {
  type DriveTokens,
  redeemDeviceCode,
  refreshAccess,
  requestDeviceCode,
  revokeTokens,
} from '../../client/sign-in.ts'
import { HlaError } from '../../../errors.ts'
import { tell } from '../../../io/stdout.ts'
import { type DriveFlags, readDriveOptions } from '../options/connection-options.ts'
import type { LoginOptions } from '../options/file-options.ts'
import { readNamed } from '../../../cli/named-file.ts'
import { warnIfOpen } from './connect.ts'
import { findLogin, forgetLogin, keepLogin } from './signed-in.ts'

/** @throws {HlaError} remote — refused, or no sign-in in time */
export function loginCommand(options: LoginOptions): Promise<void> {
  return withStranger(options, async (connection) => {
    const { refreshFile, scopes } = options
    const tokens =
      refreshFile === undefined
        ? await signInByDevice(connection, scopes.join(' '))
        : await signInByRefresh(connection, readNamed(refreshFile).trim())
    keepLogin(connection.url, tokens)
    tell(`hla: signed in to ${connection.url}\n`)
  })
}

/** Revokes the refresh token, everywhere. @throws {HlaError} not-found, remote */
export function logoutCommand(options: DriveFlags): Promise<void> {
  return withStranger(options, async (connection) => {
    const { url } = connection
    const login = findLogin(url)
    if (login === undefined) throw new HlaError('not-found', `not signed in to ${url}`)
    await revokeTokens(connection, login.refresh)
    forgetLogin(url)
    tell(`hla: signed out of ${url}\n`)
  })
}

/** Connects without a token. */
async function withStranger(
  options: DriveFlags,
  run: (connection: DriveConnection) => Promise<void>,
): Promise<void> {
  const { token: _unused, ...rest } = readDriveOptions(options)
  warnIfOpen(rest.url)
  const connection = await openConnection({ ...rest, token: undefined })
  try {
    return await run(connection)
  } finally {
    await connection.close()
  }
}

async function signInByRefresh(connection: DriveConnection, refresh: string): Promise<DriveTokens> {
  return { ...(await refreshAccess(connection, refresh)), refresh }
}

async function signInByDevice(connection: DriveConnection, scope: string): Promise<DriveTokens> {
  const { code, userCode, page, link, pause, life } = await requestDeviceCode(connection, scope)
  tell(`hla: open ${page} and type the code ${userCode}\nhla: or open ${link}\n`)
  const until = Date.now() + life
  let wait = pause
  while (Date.now() < until) {
    await new Promise((over) => setTimeout(over, wait))
    const answer = await redeemDeviceCode(connection, code)
    if (answer === 'slower') wait += 5000
    else if (answer !== 'wait') return answer
  }
  throw new HlaError('remote', 'no sign-in arrived in time')
}
