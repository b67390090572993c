/** A PostgreSQL of a test's own, on the loopback address; where none is installed, the suites that need it say so.  [disk, network] */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { freePort } from './free-port.ts'
import { tempFolder } from './temp.ts'

const VERSIONS = '/usr/lib/postgresql'

/** Folder of its programs; undefined: it is not installed. */
export const POSTGRES = existsSync(VERSIONS)
  ? readdirSync(VERSIONS)
      .map((version) => join(VERSIONS, version, 'bin'))
      .findLast((folder) => existsSync(join(folder, 'initdb')))
  : undefined

// as suites of the published files say it
if (POSTGRES === undefined)
  process.stderr.write('PostgreSQL is not installed: suites of shared stores are skipped\n')

export interface Postgres {
  /** Of a new database of that name. */
  readonly database: (name: string) => string
  readonly port: number
  /** At once, as when the machine dies; else in order. */
  readonly stop: (isAtOnce?: boolean) => void
  readonly start: () => void
  readonly query: (name: string, sql: string) => string
}

/** Ends with the tests of the file. */
export async function startPostgres(): Promise<Postgres> {
  if (POSTGRES === undefined) throw new Error('PostgreSQL is not installed')
  const folder = tempFolder()('postgres')
  const port = await freePort()
  const program = (name: string) => join(POSTGRES ?? '', name)
  // it refuses to run as root
  const isRoot = process.getuid?.() === 0
  const run = (name: string, args: readonly string[]) =>
    isRoot
      ? execFileSync('runuser', ['-u', 'postgres', '--', program(name), ...args], { stdio: 'pipe', cwd: '/' })
      : execFileSync(program(name), args, { stdio: 'pipe' })
  execFileSync('mkdir', ['-p', folder])
  if (isRoot) execFileSync('chown', ['postgres', folder])
  for (let above = join(folder, '..'); above !== '/' && above !== '/tmp'; above = join(above, '..'))
    chmodSync(above, 0o755)
  const data = join(folder, 'data')
  run('initdb', ['-D', data, '-U', 'hla', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'])
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c max_connections=200`
  const start = () =>
    void run('pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-w', '-o', options, 'start'])
  const stop = (isAtOnce = false) =>
    void run('pg_ctl', ['-D', data, '-w', '-m', isAtOnce ? 'immediate' : 'fast', 'stop'])
  start()
  afterAll(() => {
    try {
      stop(true)
    } catch {
      // a test has stopped it
    }
  })
  const address = (name: string) => `postgres://hla@127.0.0.1:${port}/${name}`
  const query = (name: string, sql: string) =>
    execFileSync('psql', ['-qAt', address(name), '-c', sql], { encoding: 'utf8' }).trim()
  return {
    port,
    start,
    stop,
    query,
    database(name) {
      query('postgres', `CREATE DATABASE ${name}`)
      return address(name)
    },
  }
}
