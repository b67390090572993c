/** Connections to PostgreSQL with time limits. The package `pg` is loaded only here.  [network] */
import type { Client, QueryResult } from 'pg'
import { HlaError, errorMessage, isHlaError } from '../../../errors.ts'
import type { Lock } from '../lock.ts'
import { readFileSync } from 'node:fs'

/** ms that a server may hold a turn or wait for one. A server that has shown to need longer requests more. */
export const MAX_TURN = 10_000
/** ms to wait for an answer: a little longer than PostgreSQL's lock timeout. */
export const MAX_SILENCE = 12_000
/** ms to wait for log entries of up to 192 MiB over a distant connection. */
export const MAX_ANSWER_TIME = 240_000
/** ms to wait for a connection. */
const PATIENCE = 5000
/** ms without traffic before a TCP keepalive: firewalls drop silent connections. */
const KEEPALIVE_INTERVAL = 10_000

interface ConnectionKind {
  /** Removes time limits, for long work. */
  readonly isLong: boolean
  /** Sends a statement before earlier ones are answered. */
  readonly isEager?: boolean
}

/** Calls `lost` when the connection ends unexpectedly. */
export async function connect(url: string, kind: ConnectionKind, lost: () => void): Promise<Client> {
  const { Client: PgClient } = await loadPackage()
  const { isLong, isEager = false } = kind
  const client = new PgClient({
    connectionString: parseDatabaseAddress(url).resolve(),
    connectionTimeoutMillis: PATIENCE,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_INTERVAL,
    pipeline: isEager,
    application_name: 'hla drive',
    // a network that drops packets reports nothing for a quarter of an hour
    query_timeout: isLong ? 0 : MAX_SILENCE,
  })
  client.on('error', lost)
  await client.connect()
  try {
    await configureSession(client, kind)
    return client
  } catch (error) {
    client.end().catch(() => undefined)
    throw error
  }
}

/** Overrides settings that an operator made for other programs. @throws {HlaError} io — the server is a standby */
async function configureSession(client: Client, { isLong, isEager = false }: ConnectionKind): Promise<void> {
  const wanted = {
    statement_timeout: isLong ? 0 : isEager ? MAX_TURN : MAX_ANSWER_TIME,
    idle_in_transaction_session_timeout: isLong ? 0 : MAX_TURN,
    transaction_timeout: 0,
    idle_session_timeout: 0,
    lock_timeout: MAX_TURN,
    default_transaction_isolation: 'read committed',
    // a vanished machine's connection loses its locks after the keepalives
    tcp_keepalives_idle: KEEPALIVE_INTERVAL / 1000,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 4,
  }
  const values = Object.entries(wanted).map(([name, value]) => `('${name}', '${value}')`)
  const query = {
    text: `${SETTING.replace('WANTED', values.join())}; ${STATE}`,
    query_timeout: MAX_SILENCE,
  }
  // two statements have two results
  const [, state] = (await client.query(query)) as unknown as QueryResult<{ standby: boolean }>[]
  if (state?.rows[0]?.standby === false) return
  throw new HlaError('io', 'this PostgreSQL server is a standby (replica): its data may be stale', {
    hint: 'use the address of the primary',
  })
}

/**
 * Applies the settings that this version of PostgreSQL knows. Raises `synchronous_commit` from off to on: otherwise
 * acknowledged commits can be lost.
 */
const SETTING = `SELECT set_config(wanted.name, wanted.value, false) FROM
  (VALUES WANTED UNION ALL SELECT name, 'on' FROM pg_settings WHERE name = 'synchronous_commit' AND setting = 'off') AS wanted(name, value)
  JOIN pg_settings USING (name)`

const STATE = 'SELECT pg_is_in_recovery() AS standby'

/** One connection, opened on first use and again after a loss. */
export function lazyConnection(url: string, isEager = false) {
  let made: Promise<Client> | undefined
  const drop = () => {
    made
      ?.then(
        (client) => client.end(),
        () => undefined,
      )
      .catch(() => undefined)
    made = undefined
  }
  const get = (): Promise<Client> => {
    if (made !== undefined) return made
    // an abandoned connection may report its end after its successor was opened
    const lost = () => void (made === own && drop())
    const own = connect(url, { isLong: false, isEager }, lost).catch((error: unknown) => {
      if (made === own) made = undefined
      throw error
    })
    made = own
    return own
  }
  return {
    get,
    drop,
    /** `patience` is a longer time limit in ms. */
    async query<Row extends object>(
      name: string,
      text: string,
      values: readonly unknown[],
      patience = MAX_SILENCE,
    ) {
      const client = await get()
      try {
        const query = { name, text, values: [...values], query_timeout: patience }
        return await client.query<Row>(query)
      } catch (error) {
        drop()
        throw error
      }
    },
    async close() {
      const client = await made?.catch(() => undefined)
      made = undefined
      await client?.end()
    },
  }
}

/** @throws {HlaError} io — the package is not installed */
async function loadPackage(): Promise<{ readonly Client: typeof Client }> {
  try {
    return await import('pg')
  } catch (cause) {
    throw new HlaError('io', 'a shared store needs the package pg, which cannot be loaded', {
      hint: 'install hla again with its optional packages',
      cause,
    })
  }
}

/** Opens a connection without time limits. @throws {HlaError} io — the database is out of reach */
export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(url, { isLong: true }, () => undefined).catch((cause: unknown) => {
    if (isHlaError(cause)) throw cause
    throw new HlaError('io', `cannot reach the database of the store: ${errorMessage(cause)}`, { cause })
  })
  try {
    await requireSession(client, url)
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Detects a connection pool in transaction mode, which may hand one server's session and locks to another. @throws {HlaError} io */
async function requireSession(client: Client, url: string): Promise<void> {
  if ((await processOf(client)) === Reflect.get(client, 'processID')) return
  const other = await connect(url, { isLong: false }, () => undefined)
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const own = await processOf(client)
      await other.query('BEGIN')
      const its = await processOf(other)
      const isKept = (await processOf(client)) === own && own !== its
      await other.query('ROLLBACK')
      if (!isKept) throw sharesSessions()
    }
  } finally {
    await other.end()
  }
}

/** A pool may hand out the same session again in the first round, unless other clients take it. */
const ROUNDS = 5

async function processOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ process: number }>('SELECT pg_backend_pid() AS process')
  return rows[0]?.process
}

function sharesSessions(): HlaError {
  return new HlaError(
    'io',
    'a connection pooler in front of PostgreSQL shares one session among several servers',
    {
      hint: 'locks need sessions: set the pool to session mode, or connect to PostgreSQL directly',
    },
  )
}

export async function inTransaction<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN')
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Arbitrary numbers, the same for all servers of a store. */
export const DATABASE_LOCKS = {
  /** Lock of the leader. */
  leading: 0x68_6c_61_4c,
  /** Shared lock of every running server. The number of holders is the number of servers. */
  serving: 0x68_6c_61_53,
  /** Lock for removing contents, or for work during which existing ones must stay. */
  contents: 0x68_6c_61_43,
  /** Lock for copying a store into the database. */
  copying: 0x68_6c_61_63,
} as const

/** @returns whether the lock was free */
export async function tryLock(client: Client, lock: keyof typeof DATABASE_LOCKS): Promise<boolean> {
  const sql = `SELECT pg_try_advisory_lock(${DATABASE_LOCKS[lock]}) AS free`
  const { rows } = await client.query<{ free: boolean }>(sql)
  return rows[0]?.free === true
}

/** @throws {HlaError} io — the lock is taken */
export async function lockSharedContents(client: Client): Promise<void> {
  if (await tryLock(client, 'contents')) return
  throw new HlaError('io', 'a backup, check or clean-up of a store in this database is running')
}

/** Takes the contents lock on a connection of its own. */
export async function holdSharedContents(url: string): Promise<Lock> {
  const client = await connect(url, { isLong: true }, () => undefined)
  const release = () => void client.end().catch(() => undefined)
  try {
    await lockSharedContents(client)
    return { release }
  } catch (error) {
    release()
    throw error
  }
}

/** Protection of the connection. `checked`: TLS with a verified server name. */
type Protection = 'checked' | 'none' | 'unsaid'

/** Address of the database that servers share: user, protection of the connection, and source of the password. */
interface DatabaseAddress {
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
