/** A separate PostgreSQL server on the loopback address, if PostgreSQL is installed.  [disk, network, process] */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const VERSIONS = '/usr/lib/postgresql'

/** Folder of its programs; undefined if it is not installed. */
export const POSTGRES = existsSync(VERSIONS)
  ? readdirSync(VERSIONS)
      .map((version) => join(VERSIONS, version, 'bin'))
      .findLast((folder) => existsSync(join(folder, 'initdb')))
  : undefined

export interface Postgres {
  /** Creates a database, and returns its address. */
  readonly database: (name: string) => string
  readonly port: number
  /** Folder of the server, with its `data`. */
  readonly folder: string
  /** Stops the server: immediately, as in a crash, or by a fast shutdown. */
  readonly stop: (isAtOnce?: boolean) => void
  readonly start: () => void
  readonly query: (name: string, sql: string) => string
}

/** `env`: additional environment variables of the server. */
export function runPostgres(
  folder: string,
  port: number,
  env: Readonly<Record<string, string>> = {},
): Postgres {
  if (POSTGRES === undefined) throw new Error('PostgreSQL is not installed')
  const program = (name: string) => join(POSTGRES, name)
  // PostgreSQL refuses to run as root
  const isRoot = process.getuid?.() === 0
  const run = (name: string, args: readonly string[]) => {
    const [file, words] = isRoot
      ? ['runuser', ['-u', 'postgres', '--', program(name), ...args]]
      : [program(name), [...args]]
    return execFileSync(file, words, { stdio: 'pipe', cwd: '/', env: { ...process.env, ...env } })
  }
  mkdirSync(folder, { recursive: true })
  if (isRoot) execFileSync('chown', ['postgres', folder])
  for (let above = join(folder, '..'); above !== '/' && above !== '/tmp'; above = join(above, '..'))
    chmodSync(above, 0o755)
  const data = join(folder, 'data')
  run('initdb', ['-D', data, '-N', '-U', 'hla', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'])
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c max_connections=200`
  const start = () =>
    void run('pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-w', '-o', options, 'start'])
  start()
  return {
    port,
    folder,
    start,
    stop: (isAtOnce = false) =>
      void run('pg_ctl', ['-D', data, '-w', '-m', isAtOnce ? 'immediate' : 'fast', 'stop']),
    ...postgresAt(port),
  }
}

/** Databases of a running server. */
export function postgresAt(port: number): Pick<Postgres, 'database' | 'query'> {
  const address = (name: string) => `postgres://hla@127.0.0.1:${port}/${name}`
  const query = (name: string, sql: string) =>
    execFileSync('psql', ['-qAt', address(name), '-c', sql], { encoding: 'utf8' }).trim()
  return {
    query,
    database(name) {
      query('postgres', `CREATE DATABASE ${name}`)
      return address(name)
    },
  }
}

/** Stops a server of any process by its folder. */
export function stopPostgres(folder: string): void {
  if (POSTGRES === undefined || !existsSync(join(folder, 'data/postmaster.pid'))) return
  const [pid = ''] = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')
  // immediate shutdown
  process.kill(Number(pid), 'SIGQUIT')
}
