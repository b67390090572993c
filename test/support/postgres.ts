/** The PostgreSQL of a test; where none is installed, the suites that need it say so.  [disk, network] */
import { afterAll } from 'vitest'
import { freePort } from './free-port.ts'
import { onceARun } from './once-a-run.ts'
import { type Postgres, POSTGRES, postgresAt, runPostgres } from './postgres-server.ts'
import { tempFolder } from './temp.ts'

export { POSTGRES } from './postgres-server.ts'

// as suites of the published files say it
if (POSTGRES === undefined)
  process.stderr.write('PostgreSQL is not installed: suites of shared stores are skipped\n')

/** A database of a server that other test files use, too; nobody stops it. */
export type SharedPostgres = Pick<Postgres, 'database' | 'query' | 'port'>

/** The server of the run, with databases of this file's own; global-setup ends it. */
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

/** A server of the file's own, for tests that stop it or change its settings; it ends with them. */
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
