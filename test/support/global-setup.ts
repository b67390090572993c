/** Builds the command line before the tests unless its build is up to date, so that they run the program that users run. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { staleBuild } from './fresh-build.ts'
import { POSTGRES, runPostgres, stopPostgres } from './postgres-server.ts'
import { stopLasting } from './once-a-run.ts'

const PACKAGE = join(import.meta.dirname, '../..')

export async function setup(): Promise<() => void> {
  const folder = makeRunFolder()
  process.env['HLA_TEST_RUN'] = folder
  if (!process.env['HLA_TEST_NO_BUILD'] && staleBuild() !== '') {
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: PACKAGE, stdio: 'inherit' })
  }
  const stop =
    process.env['HLA_TEST_CUT'] === 'shared' ? await sharePostgres(join(folder, 'postgres')) : undefined
  return () => {
    stop?.()
    stopPostgres(join(folder, 'shared-postgres'))
    stopLasting('shared-swift', folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** A folder that all test files of a run share, with `hla` in its `bin`. */
function makeRunFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hla-tests-'))
  // some tests run the program as another user
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'bin'))
  // program of the checkout, or of an installed package under test
  symlinkSync(process.env['HLA_TEST_PROGRAM'] ?? join(PACKAGE, 'bin/hla.cjs'), join(folder, 'bin/hla'))
  symlinkSync(process.execPath, join(folder, 'bin/node'))
  return folder
}

/** Starts a PostgreSQL for the stores of all services, unless HLA_TEST_DATABASE names one. */
async function sharePostgres(folder: string): Promise<() => void> {
  if (process.env['HLA_TEST_DATABASE'] !== undefined) return () => undefined
  // without it test:all has no shared stores
  if (POSTGRES === undefined) return () => undefined
  const postgres = runPostgres(folder, await freePort())
  process.env['HLA_TEST_DATABASE'] = `postgres://hla@127.0.0.1:${postgres.port}`
  return () => postgres.stop(true)
}
