/** Builds the command line before the tests unless its build is up to date, so that they run the program that users run. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { staleBuild } from './fresh-build.ts'
import { stopLasting } from './once-a-run.ts'

const PACKAGE = join(import.meta.dirname, '../..')

export function setup(): () => void {
  const folder = makeRunFolder()
  process.env['HLA_TEST_RUN'] = folder
  if (!process.env['HLA_TEST_NO_BUILD'] && staleBuild() !== '') {
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: PACKAGE, stdio: 'inherit' })
  }
  return () => {
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
