/** A PostgreSQL of a test's own; where none is installed, the suites that need it say so.  [disk, network] */
import { afterAll } from 'vitest'
import { freePort } from './free-port.ts'
import { type Postgres, POSTGRES, runPostgres } from './postgres-server.ts'
import { tempFolder } from './temp.ts'

export { POSTGRES } from './postgres-server.ts'

// as suites of the published files say it
if (POSTGRES === undefined)
  process.stderr.write('PostgreSQL is not installed: suites of shared stores are skipped\n')

/** Ends with the tests of the file. */
export async function startPostgres(): Promise<Postgres> {
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
