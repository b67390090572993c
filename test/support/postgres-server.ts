/** A PostgreSQL of one's own, on the loopback address, where one is installed.  [disk, network, process] */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const VERSIONS = '/usr/lib/postgresql'

/** Folder of its programs; undefined: it is not installed. */
export const POSTGRES = existsSync(VERSIONS)
  ? readdirSync(VERSIONS)
      .map((version) => join(VERSIONS, version, 'bin'))
      .findLast((folder) => existsSync(join(folder, 'initdb')))
  : undefined

export interface Postgres {
  /** Of a new database of that name. */
  readonly database: (name: string) => string
  readonly port: number
  /** With `data`, its own. */
  readonly folder: string
  /** At once, as when the machine dies; else in order. */
  readonly stop: (isAtOnce?: boolean) => void
  readonly start: () => void
  readonly query: (name: string, sql: string) => string
}

/** `env`: more of the environment of the server. */
export function runPostgres(
  folder: string,
  port: number,
  env: Readonly<Record<string, string>> = {},
): Postgres {
  if (POSTGRES === undefined) throw new Error('PostgreSQL is not installed')
  const program = (name: string) => join(POSTGRES, name)
  // it refuses to run as root
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

/** Databases of a server that runs. */
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

/** Ends a server by its folder, whoever started it. */
export function stopPostgres(folder: string): void {
  if (POSTGRES === undefined || !existsSync(join(folder, 'data/postmaster.pid'))) return
  const [pid = ''] = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')
  // at once
  process.kill(Number(pid), 'SIGQUIT')
}
