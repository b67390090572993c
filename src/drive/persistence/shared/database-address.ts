/** Address of the database that servers share: user, protection of the connection, and source of the password.  [disk] */
import { readFileSync } from 'node:fs'
import { HlaError } from '../../../errors.ts'

/** Protection of the connection. `checked`: TLS with a verified server name. */
export type Protection = 'checked' | 'none' | 'unsaid'

export interface DatabaseAddress {
  /** Connection string for `pg`. Call it for each connection, because a password file may change. @throws {HlaError} not-found */
  readonly resolve: () => string
  readonly hasPassword: boolean
  readonly protection: Protection
  /** True if the connection leaves this machine. */
  readonly isRemote: boolean
  /** Address without secrets, for messages. */
  readonly shown: string
}

/** Parameter that names a file with the password and nothing else. Parameters for other files: sslrootcert, sslcert, sslkey. */
const PASSWORD_FILE = 'passwordfile'

/** The unambiguous modes of libpq. `pg` verifies the server name in each TLS mode. */
const MODES: ReadonlyMap<string, Protection> = new Map([
  ['disable', 'none'],
  ['require', 'checked'],
  ['verify-ca', 'checked'],
  ['verify-full', 'checked'],
])

/** @throws {HlaError} usage */
export function parseDatabaseAddress(text: string): DatabaseAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // the text may contain a password, so the message does not repeat it
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new HlaError('usage', '--database takes a PostgreSQL URL: postgres://user@host/name')
  const mode = url.searchParams.get('sslmode') ?? process.env['PGSSLMODE']
  const protection = mode === undefined ? 'unsaid' : MODES.get(mode)
  if (protection === undefined)
    throw new HlaError(
      'usage',
      `sslmode=${mode} does not protect the connection against eavesdropping or a false server`,
      {
        hint: 'sslmode=verify-full (with sslrootcert=FILE for a self-signed certificate or private CA), or sslmode=disable',
      },
    )
  const file = url.searchParams.get(PASSWORD_FILE)
  const shown = shownAddress(url)
  url.searchParams.delete(PASSWORD_FILE)
  if (protection !== 'unsaid')
    url.searchParams.set('sslmode', protection === 'checked' ? 'verify-full' : 'disable')
  return {
    resolve() {
      // a raw % would begin an escape
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

/** The parameter `host` may name a folder with a Unix socket. */
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
