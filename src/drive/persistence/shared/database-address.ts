/** Address of the database that servers share: who asks, over what, and where the secret is.  [disk] */
import { readFileSync } from 'node:fs'
import { HlaError } from '../../../errors.ts'

/** How the connection is protected. `checked`: TLS, and the server proves its name. */
export type Protection = 'checked' | 'none' | 'unsaid'

export interface DatabaseAddress {
  /** As `pg` takes it, for one connection: a password in a file may change while a server runs. @throws {HlaError} not-found */
  readonly resolve: () => string
  readonly hasPassword: boolean
  readonly protection: Protection
  /** The connection leaves this machine. */
  readonly isRemote: boolean
  /** Without what is secret. */
  readonly shown: string
}

/** A file that has the password and nothing else. Others that the address may name: sslrootcert, sslcert, sslkey. */
const PASSWORD_FILE = 'passwordfile'

/** Of libpq's words those that leave nothing to chance; pg checks the name with each. */
const MODES: ReadonlyMap<string, Protection> = new Map([
  ['disable', 'none'],
  ['require', 'checked'],
  ['verify-ca', 'checked'],
  ['verify-full', 'checked'],
])

/** @throws {HlaError} usage */
export function parseDatabaseAddress(text: string): DatabaseAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // what it is instead may hold a password
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new HlaError('usage', '--database takes an address of PostgreSQL: postgres://user@host/name')
  const mode = url.searchParams.get('sslmode') ?? process.env['PGSSLMODE']
  const protection = mode === undefined ? 'unsaid' : MODES.get(mode)
  if (protection === undefined)
    throw new HlaError('usage', `sslmode=${mode} leaves open who answers, or whether anybody listens`, {
      hint: 'sslmode=verify-full (with sslrootcert=FILE where the certificate is of your own making), or sslmode=disable',
    })
  const file = url.searchParams.get(PASSWORD_FILE)
  const shown = shownAddress(url)
  url.searchParams.delete(PASSWORD_FILE)
  if (protection !== 'unsaid')
    url.searchParams.set('sslmode', protection === 'checked' ? 'verify-full' : 'disable')
  return {
    resolve() {
      // as it stands, a % in it would begin a code
      if (file !== null) url.password = encodeURIComponent(readPassword(file))
      return url.href
    },
    hasPassword: url.password !== '' || url.searchParams.has('password'),
    protection,
    isRemote: !isLocal(url),
    shown,
  }
}

function shownAddress(url: URL): string {
  const { protocol, username, host, pathname } = url
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}

const LOCAL = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|)$/

/** `host` as a parameter may name a folder with a socket. */
function isLocal({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  return host.startsWith('/') || LOCAL.test(host)
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd()
  } catch (cause) {
    throw new HlaError('not-found', `the password of the database cannot be read from ${file}`, {
      offending: file,
      cause,
    })
  }
}
