/** PostgreSQL for tests; without it the suites that need it are skipped with a message.  [disk, network] */
import { afterAll } from 'vitest'
import { freePort } from './free-port.ts'
import { onceARun } from './once-a-run.ts'
import { type Postgres, POSTGRES, postgresAt, runPostgres } from './postgres-server.ts'
import { tempFolder } from './temp.ts'

export { POSTGRES } from './postgres-server.ts'

// same form as for missing published files
if (POSTGRES === undefined)
  process.stderr.write('PostgreSQL is not installed: suites of shared stores are skipped\n')

/** A server that other test files also use, and which tests must not stop. */
export type SharedPostgres = Pick<Postgres, 'database' | 'query' | 'port'>

/** The server of the run, with separate databases for this test file; global-setup stops it. */
export async function startPostgres(): Promise<SharedPostgres> {
  const { port } = await onceARun('shared-postgres', async (folder) => ({
    port: runPostgres(folder, await freePort()).port,
  }))
  const server = postgresAt(port)
  const ownName = (name: string) => `${name}_${process.pid}`
  return {
    port,
    database: (name) => server.database(ownName(name)),
    query: (name, sql) => server.query(ownName(name), sql),
  }
}

/** A separate server for tests that stop it or change its settings; it ends with the test file. */
export async function startOwnPostgres(): Promise<Postgres> {
  const postgres = runPostgres(tempFolder()('postgres'), await freePort())
  afterAll(() => {
    try {
      postgres.stop(true)
    } catch {
      // a test has stopped it
    }
  })
  return postgres
}
