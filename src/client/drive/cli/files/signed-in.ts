/** The access token of whoever is signed in: renewed before it ends, however long a command runs.  [disk, network] */
import { openConnection } from '../../connection.ts'
import type { DriveOptions } from '../../options.ts'
import { refreshAccess } from '../../sign-in.ts'
import { findLogin, keepLogin } from './logins.ts'

/** ms before its end in which a token is not used any more: a request may take a while to arrive. */
const EARLY = 60_000

/** Undefined: nobody is signed in to the store. */
export function signedIn(options: Omit<DriveOptions, 'token'>): (() => Promise<string>) | undefined {
  const { url } = options
  let login = findLogin(url)
  if (login === undefined) return undefined
  let renewing: Promise<string> | undefined
  const renew = async (refresh: string): Promise<string> => {
    const connection = await openConnection({ ...options, token: undefined })
    try {
      login = { refresh, ...(await refreshAccess(connection, refresh)) }
      keepLogin(url, login)
      return login.access
    } finally {
      await connection.close()
    }
  }
  return async () => {
    if (login !== undefined && login.expires - EARLY > Date.now()) return login.access
    renewing ??= renew(login?.refresh ?? '').finally(() => (renewing = undefined))
    return renewing
  }
}
