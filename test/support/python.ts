/** Python for tests: the first of the search path and Debian's that has the required modules.  [process] */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { noteSkipped } from './skipped.ts'

/** Sources of the Python package, for PYTHONPATH. */
export const PYTHON_SOURCES = join(import.meta.dirname, '../../clients/python/src')

const PYTHONS = ['python3', '/usr/bin/python3']

/** undefined if no Python has the modules; then it prints that tests are skipped. */
export function findPython(...modules: readonly string[]): string | undefined {
  const code = `import sys, ${['json', ...modules].join(', ')}; sys.exit(sys.version_info < (3, 9))`
  const found = PYTHONS.find((python) => spawnSync(python, ['-c', code], { stdio: 'ignore' }).status === 0)
  if (found === undefined) noteSkipped(`tests that need ${['Python 3.9', ...modules].join(' with ')}`)
  return found
}
