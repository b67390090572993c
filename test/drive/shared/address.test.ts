/** Database connections of a server of a shared store: TLS, server identity, and a secret that is never shown. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startDrive } from '../../support/drive.ts'
import { freePort } from '../../support/free-port.ts'
import { POSTGRES, startOwnPostgres } from '../../support/postgres.ts'
import { runHla } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

const POOL = spawnSync('sh', ['-c', 'command -v pgbouncer']).status === 0

// same form as for missing published files
if (!POOL) process.stderr.write('pgbouncer is not installed: what goes through a pool is not tested\n')

function startPool(mode: string, port: number, to: number): ChildProcess {
  const file = temp(`pool-${mode}.ini`)
  const settings = ['auth_type = any', `pool_mode = ${mode}`, 'unix_socket_dir =']
  const lines = ['[databases]', `* = host=127.0.0.1 port=${to} user=hla`, '[pgbouncer]', ...settings]
  writeFileSync(file, [...lines, 'listen_addr = 127.0.0.1', `listen_port = ${port}`, ''].join('\n'))
  // pgbouncer refuses to run as root
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  return spawn('pgbouncer', ['-q', ...user, file], { stdio: 'ignore' })
}

describe.skipIf(POSTGRES === undefined)('a server of a shared store', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startOwnPostgres()
  const serve = (name: string, url: string) =>
    startDrive({
      folder: temp(name),
      args: ['--database', url, '--contents', temp(`${name}-contents`)],
    })

  test('asks over TLS of whom its certificate names, with a secret that stands in no command line', async () => {
    const folder = postgres?.folder ?? ''
    const made = (name: string) => {
      const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`]
      const names = ['-addext', `subjectAltName=DNS:${name}`]
      execFileSync(
        'openssl',
        [...words, ...names, '-keyout', temp(`${name}.key`), '-out', temp(`${name}.pem`)],
        { stdio: 'pipe' },
      )
    }
    made('localhost')
    made('elsewhere')
    for (const [from, to] of [
      ['localhost.pem', 'server.crt'],
      ['localhost.key', 'server.key'],
    ] as const) {
      execFileSync('cp', [temp(from), join(folder, 'data', to)])
      chmodSync(join(folder, 'data', to), 0o600)
      if (process.getuid?.() === 0) execFileSync('chown', ['postgres', join(folder, 'data', to)])
    }
    postgres?.query('postgres', `CREATE ROLE lab LOGIN PASSWORD 'sec%41ret/@' CREATEDB`)
    postgres?.query('postgres', 'ALTER SYSTEM SET ssl = on')
    postgres?.stop()
    writeFileSync(
      join(folder, 'data/pg_hba.conf'),
      'host all hla 127.0.0.1/32 trust\nhostssl all lab all scram-sha-256\n',
    )
    postgres?.start()
    execFileSync('psql', [
      '-qAt',
      postgres?.database('secret') ?? '',
      '-c',
      'ALTER DATABASE secret OWNER TO lab',
    ])

    const secret = temp('password')
    writeFileSync(secret, 'sec%41ret/@\n')
    const address = (mode: string) => `postgres://lab@localhost:${postgres?.port}/secret?${mode}`
    const trusted = `sslmode=verify-full&sslrootcert=${temp('localhost.pem')}`
    const server = await serve('secret', address(`${trusted}&passwordfile=${secret}`))
    expect((await server.ask('POST', '/drive/v2/files', { body: { title: 'one' } })).status).toBe(200)
    const used = `SELECT bool_and(ssl) FROM pg_stat_ssl s JOIN pg_stat_activity a ON a.pid = s.pid WHERE usename = 'lab'`
    expect(postgres?.query('postgres', used)).toBe('t')
    await server.stop()

    const refused = async (url: string, env: Readonly<Record<string, string>> = {}) => {
      const words = [
        'drive',
        'serve',
        '--data',
        temp('secret'),
        '--contents',
        temp('secret-contents'),
        '--database',
        url,
      ]
      const { status, stderr } = await runHla(words, { cwd: temp('.'), env })
      return [status, stderr.split('\n')[0]]
    }
    const file = `passwordfile=${secret}`
    expect(
      await refused(address(`sslmode=verify-full&sslrootcert=${temp('elsewhere.pem')}&${file}`)),
    ).toEqual([4, expect.stringContaining('cannot reach the database of the store: self-signed certificate')])
    // libpq does not verify certificates with require; we do
    expect(await refused(address(`sslmode=require&${file}`))).toEqual([
      4,
      expect.stringContaining('self-signed certificate'),
    ])
    expect(await refused(address(`sslmode=prefer&${file}`))).toEqual([
      2,
      expect.stringContaining('sslmode=prefer does not protect the connection'),
    ])
    expect(await refused(address(`sslmode=disable&${file}`))).toEqual([
      4,
      expect.stringContaining('cannot reach the database of the store'),
    ])
    expect(await refused(address(`${trusted}&passwordfile=${temp('none')}`))).toEqual([
      4,
      expect.stringContaining('the password of the database cannot be read'),
    ])
    const named = address(trusted).replace('lab@', 'lab:open@')
    const shown = await refused(named)
    expect(shown).toEqual([2, expect.stringContaining('every user of this machine can see command lines')])
    expect(JSON.stringify(shown)).not.toContain('open@')
    expect(await refused(address(trusted), { PGPASSWORD: 'wrong' })).toEqual([
      4,
      expect.stringContaining('password authentication failed'),
    ])
  })

  test.skipIf(!POOL)('through a pool keeps its sessions, or does not begin', async () => {
    postgres?.database('pooled')
    const ports = { session: await freePort(), transaction: await freePort() }
    const pools = Object.entries(ports).map(([mode, port]) => startPool(mode, port, postgres?.port ?? 0))
    const address = (port: number) => `postgres://hla@127.0.0.1:${port}/pooled`
    const server = await serve('pooled', address(ports.session))
    expect((await server.ask('POST', '/drive/v2/files', { body: { title: 'one' } })).status).toBe(200)
    // the servers would share their session locks
    await expect(serve('pooled-2', address(ports.transaction))).rejects.toThrow(
      'a connection pooler in front of PostgreSQL shares one session among several servers',
    )
    await server.stop()
    for (const pool of pools) pool.kill()
  })

  test('without TLS over a network it says so', async () => {
    const words = ['drive', 'serve', '--data', temp('far'), '--contents', temp('far-contents'), '--database']
    const told = async (url: string) => (await runHla([...words, url], { cwd: temp('.') })).stderr
    // the host does not exist
    const far = await told('postgres://lab@host.invalid:1/hla')
    expect(far).toContain('warning: postgres://lab@host.invalid:1/hla is used without TLS')
    expect(await told('postgres://lab@host.invalid:1/hla?sslmode=disable')).not.toContain('warning')
    expect(await told('postgres://lab@127.0.0.1:1/hla')).not.toContain('warning')
  })
})
