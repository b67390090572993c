/** The Python that tests run: the first on the search path, or Debian's, that has what they need.  [process] */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** What Python imports `hla` from: the sources of the package, as if they were installed. */
export const PYTHON_SOURCES = join(import.meta.dirname, '../../clients/python/src')

const PYTHONS = ['python3', '/usr/bin/python3']

/** Undefined: there is none, and tests that need it say that they are skipped. */
export function findPython(...modules: readonly string[]): string | undefined {
  const code = `import sys, ${['json', ...modules].join(', ')}; sys.exit(sys.version_info < (3, 9))`
  const found = PYTHONS.find((python) => spawnSync(python, ['-c', code], { stdio: 'ignore' }).status === 0)
  if (found === undefined)
    process.stderr.write(`skipped: tests that need ${['Python 3.9', ...modules].join(' with ')}\n`)
  return found
}
