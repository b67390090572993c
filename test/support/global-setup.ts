/** Builds the command line once before the tests, so that whole-program tests run what users run. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export function setup(): void {
  if (process.env['HLA_TEST_NO_BUILD']) return
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: join(import.meta.dirname, '../..'), stdio: 'inherit' })
}
