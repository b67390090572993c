/** Builds the command line once before the tests, so that whole-program tests run what users run. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { POSTGRES, runPostgres, stopPostgres } from './postgres-server.ts'
import { stopLasting } from './once-a-run.ts'

const PACKAGE = join(import.meta.dirname, '../..')

export async function setup(): Promise<() => void> {
  const folder = makeRunFolder()
  process.env['HLA_TEST_RUN'] = folder
  if (!process.env['HLA_TEST_NO_BUILD']) {
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

/** What the test files of one run share; in its `bin` is `hla`. */
function makeRunFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hla-tests-'))
  // for tests that run the program as another user
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'bin'))
  // of the checkout, or of an installed package, whose pages and sessions are to be the same
  symlinkSync(process.env['HLA_TEST_PROGRAM'] ?? join(PACKAGE, 'bin/hla.cjs'), join(folder, 'bin/hla'))
  symlinkSync(process.execPath, join(folder, 'bin/node'))
  return folder
}

/** All services of the tests share their stores by it, unless HLA_TEST_DATABASE names another. */
async function sharePostgres(folder: string): Promise<() => void> {
  if (process.env['HLA_TEST_DATABASE'] !== undefined) return () => undefined
  // test:all has run them over stores of one server then
  if (POSTGRES === undefined) return () => undefined
  const postgres = runPostgres(folder, await freePort())
  process.env['HLA_TEST_DATABASE'] = `postgres://hla@127.0.0.1:${postgres.port}`
  return () => postgres.stop(true)
}
