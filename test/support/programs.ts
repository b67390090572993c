/** Third-party programs that some tests need, from Debian, if installed.  [process] */
import { spawnSync } from 'node:child_process'
import { noteSkipped } from './skipped.ts'

/** Whether the command line succeeds; if not, prints that the tests are skipped. */
export function hasProgram(title: string, command: string, ...words: readonly string[]): boolean {
  const { status } = spawnSync(command, words, { stdio: 'ignore' })
  if (status !== 0) noteSkipped(`tests that need ${title}`)
  return status === 0
}
