/** Access token of the signed-in user, renewed before it expires, however long a command runs.  [disk, network] */
import { openConnection } from '../../client/connection.ts'
import type { DriveOptions } from '../../client/options.ts'
import { type DriveTokens, refreshAccess } from '../../client/sign-in.ts'
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HlaError } from '../../../errors.ts'
import { nameSibling, writeDurably } from '../../../io/atomic-write.ts'
import { isRecord } from '../../../operations/http-face.ts'
import { ownFile } from '../../../cli/run/setting-files.ts'

/** Margin before expiry in ms, since a request may take a while to arrive. */
const EARLY_MS = 60_000

/** Returns a function that gets a valid token; undefined when no user is signed in to the store. */
export function tokenSource(options: Omit<DriveOptions, 'token'>): (() => Promise<string>) | undefined {
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
    if (login !== undefined && login.expires - EARLY_MS > Date.now()) return login.access
    renewing ??= renew(login?.refresh ?? '').finally(() => (renewing = undefined))
    return renewing
  }
}

/** Address of a store -> tokens. */
type Logins = Map<string, DriveTokens>

export function findLogin(url: string): DriveTokens | undefined {
  return readLogins().get(url)
}

export function keepLogin(url: string, tokens: DriveTokens): void {
  writeLogins(readLogins().set(url, tokens))
}

export function forgetLogin(url: string): void {
  const logins = readLogins()
  if (!logins.delete(url)) return
  if (logins.size === 0) rmSync(loginsFile(), { force: true })
  else writeLogins(logins)
}

function loginsFile(): string {
  return join(dirname(ownFile()), 'drive-logins.json')
}

/** @throws {HlaError} data-differs — a file that hla did not write */
function readLogins(): Logins {
  const file = loginsFile()
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw error
  }
  const logins = parseLogins(text)
  if (logins !== undefined) return logins
  throw new HlaError('usage', `${file} is not a sign-in file of hla drive login, or is damaged`, {
    offending: file,
    hint: `remove it, and sign in again with hla drive login`,
  })
}

function parseLogins(text: string): Logins | undefined {
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(said)) return undefined
  const logins: Logins = new Map()
  for (const [url, login] of Object.entries(said)) {
    if (!isRecord(login)) return undefined
    const { access, refresh, expires } = login
    if (typeof access !== 'string' || typeof refresh !== 'string' || typeof expires !== 'number')
      return undefined
    logins.set(url, { access, refresh, expires })
  }
  return logins
}

function writeLogins(logins: Logins): void {
  const file = loginsFile()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const part = nameSibling(file, 'part')
  writeDurably(part, `${JSON.stringify(Object.fromEntries(logins), undefined, 2)}\n`, 0o600)
  renameSync(part, file)
}
