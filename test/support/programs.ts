/** Programs of others that some tests need: Debian's, where they are installed.  [process] */
import { spawnSync } from 'node:child_process'

/** Whether this command line succeeds; if not, the tests that need it say that they are skipped. */
export function hasProgram(title: string, command: string, ...words: readonly string[]): boolean {
  const { status } = spawnSync(command, words, { stdio: 'ignore' })
  if (status !== 0) process.stderr.write(`skipped: tests that need ${title}\n`)
  return status === 0
}
